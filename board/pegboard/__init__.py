"""The board: track, pegs, LEDs, buttons and sound. Knows no dice and no rules."""
