"""Farkle League: the games of many boards, taken from a broker, kept in PostgreSQL, and shown on pages."""
