"""Sound: the port of its drivers, and the drivers by name."""
