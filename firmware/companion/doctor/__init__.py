"""Check the machine that a table runs on, and name the cure of each problem."""
