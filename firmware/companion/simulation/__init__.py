"""A table without hardware: simulated hands and dice, photographs as throws, and scenes."""
