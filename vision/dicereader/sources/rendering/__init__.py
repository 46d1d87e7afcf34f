"""Drawing a World as a camera over the tray sees it."""
