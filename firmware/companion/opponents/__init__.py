"""Bots: players whose decisions the board makes, at any table."""
