"""TODO devices."""
