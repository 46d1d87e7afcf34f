"""Named events for others: the stream of the API, and hooks."""
