"""The animation from one board view to the next: moving pegs, breathing and blinking lights, frame by frame."""

from pegboard.animation.animator import Animator, LightSettings
from pegboard.animation.lights import moment
from pegboard.animation.moves import between, moves

__all__ = ["Animator", "LightSettings", "between", "moment", "moves"]
