"""Phones that may play: a phone asks, somebody at the table lets it in, and it holds a token from then on.

Clocks come in as arguments (docs/decisions/0083).
"""
