"""TODO games."""
