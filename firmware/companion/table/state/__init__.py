"""What a table knows, as data: its state, inputs, events, acts and history."""
