"""A simulated camera: draws a World as a camera over the tray sees it."""
