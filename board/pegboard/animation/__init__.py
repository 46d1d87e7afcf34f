"""The animation from one board view to the next: moving pegs, breathing and blinking lights, frame by frame."""
