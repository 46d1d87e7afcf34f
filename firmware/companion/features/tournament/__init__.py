"""Tournaments at one table: round robin and knock-out."""
