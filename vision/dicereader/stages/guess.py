"""Guess the face of a body that shows no clear pips: its place from its outline, its face from what is faintly seen."""

import numpy as np
from numpy.typing import NDArray

from dicereader.stages.bodies import Mask
from dicereader.stages.closeup import Seen
from dicereader.stages.plane import Plane
from dicereader.stages.poses import USUAL
from dicereader.stages.tone import Answer
from dicereader.stages.tops import Tops, none, on, patterns, sites, turned
from dicereader.tray.dice_set import DiceSet

Floats = NDArray[np.float64]

STEPS = 0.5 * np.linspace(-1.0, 1.0, 9)
"""How far from a body's middle its top's middle is tried, in both directions, as a share of a die's edge."""

WORST = 0.45
"""A body that a level die covers worse than to this share of a top has no place to be guessed."""

CONTRAST = 0.35
"""How strong the pips of a glaring die are taken to be, beside the known ones."""


def guess(view: Plane, x: float, y: float, mask: Mask, answer: Answer, dice: DiceSet) -> Tops:
    """All usual layouts where a die whose body's middle is at (x, y) lies best; none where none lies well."""
    steps = np.stack(np.meshgrid(STEPS, STEPS), -1).reshape(-1, 2) * view.edge
    middles = np.array([x, y]) + steps
    turns, misfit = turned(view, middles, mask)
    best = int(misfit.argmin())
    if misfit[best] > WORST:
        return none()
    near = misfit < misfit[best] + 0.05
    middle, turn = middles[near].mean(0), float(turns[best])
    found = []
    for quarter in (0.0, np.pi / 2):
        for index in USUAL:
            _, pips, bare = patterns(dice)[index]
            # Pips may be a little off the place that the outline gives.
            away = np.stack(np.meshgrid(*[np.linspace(-0.06, 0.06, 5) * view.edge] * 2), -1).reshape(-1, 2)
            seen = answer.at(
                sites(middle + away, np.full(len(away), turn + quarter), np.concatenate([pips, bare]) * view.scale)
            )
            on_pips, off_pips = seen[:, : len(pips)].mean(1), seen[:, len(pips) :]
            clear = on_pips - off_pips.mean(1) - 0.5 * off_pips.std(1) - 0.5 * seen[:, : len(pips)].std(1)
            k = int(clear.argmax())
            found.append((middle + away[k], turn + quarter, index, float(clear[k])))
    centre = np.array([each[0] for each in found])
    turning = np.array([each[1] for each in found])
    full = np.ones(len(found))
    return Tops(
        centre,
        turning,
        np.array([each[2] for each in found], np.intp),
        np.clip([each[3] for each in found], 0.01, 1.0),
        0 * full,
        full,
        on(view, centre, turning, mask),
        CONTRAST * full,
    )


def best_of(tops: Tops, told: Seen, edge: float) -> Tops:
    """Of the guesses at each place the face that network and pips together find likeliest."""
    said = told.said[np.arange(len(tops)), tops.face]
    worth = np.log(np.maximum(said, 1e-3)) + 6.0 * tops.fit
    taken: list[int] = []
    for n in np.argsort(-worth, kind="stable"):
        if all(np.hypot(*(tops.centre[n] - tops.centre[m])) > edge / 2 for m in taken):
            taken.append(int(n))
    return tops.take(np.array(taken, np.intp))
