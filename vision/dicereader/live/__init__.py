"""Watch a tray over time: the eye process, settle detection, episodes, votes and camera faults."""
