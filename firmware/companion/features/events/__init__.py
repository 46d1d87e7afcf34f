"""Send named events to other programs: the stream of the API, and hooks."""
