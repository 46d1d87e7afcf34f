"""LED strips: the port of their drivers, and the drivers by name."""
