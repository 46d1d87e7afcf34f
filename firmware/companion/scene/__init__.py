"""Scenes: written evenings at a table, that people read and write, and that are played and checked (docs/scenes.md)."""
