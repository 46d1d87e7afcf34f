"""A game: what its states are worth, and the answer for the side to move."""
