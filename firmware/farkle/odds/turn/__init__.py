"""One turn: what its throws lead to, and what its points are worth."""
