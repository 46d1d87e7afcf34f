"""Calibrate a table: the session with a person, the stored result, and sample pictures."""
