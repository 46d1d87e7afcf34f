"""What the dice in the tray mean: throws, selections, doubts, corrections."""
