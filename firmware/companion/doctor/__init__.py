"""Looks at the machine that a table runs on, and says what is wrong with it and what mends it."""
