"""The sounds of a house in place of the tones."""
