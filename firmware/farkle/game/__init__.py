"""The game: commands in, events out, and the state that the events make."""
