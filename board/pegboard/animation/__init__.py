"""How one board view becomes the next: pegs on their way, breathing and blinking lights, one frame at a time."""

from pegboard.animation.animator import Animator, Light
from pegboard.animation.lights import moment
from pegboard.animation.moves import midway, moves

__all__ = ["Animator", "Light", "midway", "moment", "moves"]
