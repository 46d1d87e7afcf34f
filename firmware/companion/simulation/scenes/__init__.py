"""Scenes: written test evenings, read, played and checked (docs/scenes.md)."""
