"""The game looked at afterwards: the chance to win after each act, the price of each decision, and luck."""
