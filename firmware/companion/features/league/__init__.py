"""Send the acts of the games to a league, over its broker."""
