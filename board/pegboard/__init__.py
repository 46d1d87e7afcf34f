"""What is seen and touched: track, pegs, LEDs, buttons, sound. Knows no dice and no rules."""
