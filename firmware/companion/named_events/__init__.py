"""Named events: what happened at a table, for programs beyond it."""
