"""The page and its API: the only place that knows the web libraries."""
