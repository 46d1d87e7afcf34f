"""Phones that may play: a phone asks, somebody at the table lets it in, and it holds a token from then on.

Pure but for `phones_file`: clocks and random numbers come in as arguments (docs/decisions/0083).
"""
