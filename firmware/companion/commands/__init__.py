"""The commands of `farklecrib`, one a file."""
