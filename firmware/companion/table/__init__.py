"""What happens at a table: pure, with no clock, no files and no threads."""
