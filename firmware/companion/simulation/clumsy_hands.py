"""Hands that err at a simulated table: they nudge, hover, take dice away and put them back, bump and shade the tray."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.simulation.hands import AWAY_MM, GRIP_MM, Hands
from companion.simulation.poses import apart, level
from companion.simulation.throw import AS_IT_SHOULD, Manner
from dicereader.errors import WorldError
from dicereader.world import DieKey, HandKey, HandPath, JoltKey, LightKey, Pose, World

_BESIDE_MM = 420.0
"""A die this far to the side lies beside the tray, out of the picture."""

_ROOM_MM = 3.0


class ClumsyHands(Hands):
    """Hands that also do what no rule asks for. Each act gives the World to lay, as every act of hands does."""

    def nudge(self, die: int) -> World:
        """A hand reaches in and pushes a die of the throw area a little, and turns it; its face stays up."""
        self._check([die])
        here, edge = self._poses[die], self._tray.die_mm
        others = [pose for i, pose in enumerate(self._poses) if i != die]
        near = self._tray.rail_y_mm + edge
        for _ in range(60):
            way, heading = self._rng.uniform(4.0, 30.0), self._rng.uniform(0, 2 * math.pi)
            x, y = here.x_mm + way * math.cos(heading), here.y_mm + way * math.sin(heading)
            goal = level(x, y, edge, self._faces[die], self._rng.uniform(0, 2 * math.pi))
            inside = abs(x) < self._tray.half_mm - edge and near < y < self._tray.half_mm - edge
            if inside and all(apart(goal, other, edge) > _ROOM_MM for other in others):
                return self._slide(die, goal)
        raise WorldError(f"expected room beside die {die}, to be nudged, got none")

    def _slide(self, die: int, goal: Pose) -> World:
        here = self._poses[die]
        paths = [[DieKey(0.0, pose)] for pose in self._poses]
        x, y = here.x_mm, here.y_mm - GRIP_MM
        hand = [HandKey(0.0, x * 0.7, AWAY_MM, 60.0), HandKey(0.25, x, y, 32.0), HandKey(0.32, x, y, 32.0)]
        hand += [HandKey(0.55, goal.x_mm, goal.y_mm - GRIP_MM, 32.0), HandKey(0.62, goal.x_mm, goal.y_mm - GRIP_MM)]
        hand.append(HandKey(0.85, goal.x_mm * 0.8, AWAY_MM, 60.0))
        paths[die] += [DieKey(0.32, here), DieKey(0.55, goal)]
        self._poses[die] = goal
        return self._world(paths, hand)

    def hover(self, seconds: float = 0.8, from_deg: float = 0.0) -> World:
        """A hand points at something over the tray, and touches nothing."""
        x, y = self._rng.uniform(-50, 50), self._rng.uniform(-90, 0)
        turned = math.radians(from_deg)
        away = AWAY_MM * -math.sin(turned), AWAY_MM * math.cos(turned)
        keys = (
            HandKey(0.0, *away, 80.0),
            HandKey(0.25, x, y, 70.0),
            HandKey(0.25 + seconds, x + self._rng.uniform(-15, 15), y, 75.0),
            HandKey(0.5 + seconds, *away, 80.0),
        )
        return replace(self.still(), hand=HandPath(keys, from_deg))

    def take_away(self, dice: Sequence[int]) -> World:
        """A hand takes dice of the tray and lays them beside it, out of the picture."""
        self._check(dice)
        if any(abs(self._poses[i].x_mm) >= _BESIDE_MM for i in dice):
            raise WorldError(f"expected dice that lie in the tray, got {list(dice)!r}")
        goals = [level(_BESIDE_MM + 25.0 * (i + 1), AWAY_MM, self._tray.die_mm, self._faces[i], 0.0) for i in dice]
        paths = [[DieKey(0.0, pose)] for pose in self._poses]
        hand, taken_s = self._scoop(dice, paths)
        hand.append(HandKey(round(taken_s + 0.22, 4), hand[-1].x_mm * 0.7, AWAY_MM, 70.0))
        for i, goal in zip(dice, goals, strict=True):
            last = paths[i][-1].pose
            under = replace(last, x_mm=hand[-1].x_mm, y_mm=AWAY_MM)
            paths[i] += [DieKey(hand[-1].t_s, under), DieKey(round(hand[-1].t_s + 0.1, 4), goal)]
            self._poses[i] = goal
        return self._world(paths, hand)

    @property
    def beside(self) -> tuple[int, ...]:
        """The dice that lie beside the tray."""
        return tuple(i for i, pose in enumerate(self._poses) if pose.x_mm > self._tray.half_mm)

    @property
    def shelved(self) -> tuple[int, ...]:
        """The dice on the shelf."""
        return tuple(i for i in super().shelved if i not in self.beside)

    @property
    def rolled(self) -> tuple[int, ...]:
        """The dice in the throw area."""
        return tuple(i for i in range(len(self._poses)) if i not in self.shelved and i not in self.beside)

    def bump(self, x_mm: float, y_mm: float, turn_deg: float = 0.0) -> World:
        """The tray is bumped, and stays where it was pushed: measured from where the table began."""
        before = self._pushed
        self._pushed = JoltKey(0.0, x_mm, y_mm, turn_deg)
        still = self.still()
        return replace(still, jolts=(replace(before, t_s=0.1), replace(self._pushed, t_s=0.25)))

    def relight(self, level: float = 1.0, shade: float = 0.0, seconds: float = 0.4) -> World:
        """The light changes within some seconds, and stays so: a lamp, a cloud, one who leans over."""
        before = self._lit
        self._lit = LightKey(0.0, level, shade)
        return replace(self.still(), light_keys=(replace(before, t_s=0.1), replace(self._lit, t_s=0.1 + seconds)))

    _pushed = JoltKey(0.0)
    _lit = LightKey(0.0)

    def _world(self, paths: list[list[DieKey]], hand: list[HandKey] | None) -> World:
        return replace(
            super()._world(paths, hand),
            light_keys=() if self._lit == LightKey(0.0) else (self._lit,),
            jolts=() if self._pushed == JoltKey(0.0) else (self._pushed,),
        )


class ErringHands(ClumsyHands):
    """Hands that err by themselves, as people do: every other throw or so goes otherwise than it should.

    Most of it is what the table must cope with unasked: a hand that lingers, dice that leave it late or spin, a tray
    that is pushed a little, a lamp that changes or a guest in its light, a die that hops onto the shelf. One that leans
    or lies on another it asks about.
    """

    def throw(self, faces: Sequence[int], dice: Sequence[int] | None = None, manner: Manner = AS_IT_SHOULD) -> World:
        """A throw in this manner; where none is given, in one that chance gives."""
        lit, pushed = self._lit, self._pushed
        match self._rng.randrange(12):
            case 0 | 1 if manner == AS_IT_SHOULD:
                manner = Manner(lingers_s=self._rng.uniform(0.3, 1.2))
            case 2 | 3 if manner == AS_IT_SHOULD:
                manner = Manner(later_s=self._rng.choice((0.1, 0.3, 0.9)))
            case 4 if manner == AS_IT_SHOULD:
                manner = Manner(spin_s=self._rng.uniform(0.5, 2.0))
            case 5:
                self._lit = LightKey(0.0, self._rng.uniform(0.7, 1.15), self._rng.choice((0.0, 0.3)))
            case 6:
                x_mm, y_mm, turn_deg = (self._rng.uniform(-1, 1) for _ in range(3))
                self._pushed = JoltKey(0.0, x_mm, y_mm, 0.3 * turn_deg)
            case 7 if manner == AS_IT_SHOULD:
                manner = self._rng.choice((Manner(hops=1), Manner(leans=1), Manner(stacks=1)))
        world = super().throw(faces, dice, manner)
        return replace(
            world,
            light_keys=world.light_keys if lit == self._lit else (lit, replace(self._lit, t_s=0.4)),
            jolts=world.jolts if pushed == self._pushed else (pushed, replace(self._pushed, t_s=0.2)),
        )


HANDS: Mapping[str, type[Hands]] = {"sure": Hands, "clumsy": ErringHands}
"""The hands of a simulated table, by name."""
