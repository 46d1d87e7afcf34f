"""TODO selftest."""
