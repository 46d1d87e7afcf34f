"""What the buttons do now, and what the table says about it."""
