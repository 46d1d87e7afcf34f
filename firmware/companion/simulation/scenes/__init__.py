"""TODO scenes."""
