"""A game looked at afterwards: its moves, and what each decision gave away."""
