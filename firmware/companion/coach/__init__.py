"""The coach: what it says of a moment and of a turn that is over, and the thread that says it to the whole table."""
