"""Scenes: written test games with expectations, which are read, played and checked (docs/scenes.md)."""
