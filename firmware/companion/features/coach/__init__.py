"""The coach: the odds of the moment, and what a turn gave away."""
