"""A simulated camera that draws a World as a camera over the tray sees it."""
