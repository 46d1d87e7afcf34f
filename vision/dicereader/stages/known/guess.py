"""Guess the face of a body without clear pips: its place from its outline, its face from faint responses to pips."""

import numpy as np

from dicereader.data.arrays import Floats
from dicereader.stages.known.bodies import Bodies
from dicereader.stages.known.pip_response import PipResponse
from dicereader.stages.known.plane import TopPlane, points_on
from dicereader.stages.known.top_faces import TopFaces, best_turns, fraction_on, pip_places
from dicereader.stages.shared.classify import Classified
from dicereader.stages.shared.layouts import LAYOUTS
from dicereader.stages.shared.scoring import best_apart
from dicereader.tray.calibration import DiceSet

OFFSETS = 0.5 * np.linspace(-1.0, 1.0, 9)
"""Offsets between a body's middle and its top face's that are tried in both directions, in edges of a die."""


def guess(view: TopPlane, x: float, y: float, bodies: Bodies, response: PipResponse, dice: DiceSet) -> TopFaces:
    """Return all layouts at the best place of a die whose body has its middle at (x, y)."""
    steps = np.stack(np.meshgrid(OFFSETS, OFFSETS), -1).reshape(-1, 2) * view.edge
    middles = np.array([x, y]) + steps
    turns, misfit = best_turns(view, middles, bodies)
    best = int(misfit.argmin())
    near = misfit < misfit[best] + 0.05
    middle, turn = middles[near].mean(0), float(turns[best])
    # Pips may be a little off the place that the outline gives.
    away = np.stack(np.meshgrid(*[np.linspace(-0.06, 0.06, 5) * view.edge] * 2), -1).reshape(-1, 2)
    centre, turned, fit = [], [], []
    for quarter in (0.0, np.pi / 2):
        for pips, gaps in pip_places(dice):
            places = points_on(
                middle + away, np.full(len(away), turn + quarter), np.concatenate([pips, gaps]) * view.scale
            )
            clear = _clarity(response.at(places), len(pips))
            k = int(clear.argmax())
            centre.append(middle + away[k])
            turned.append(turn + quarter)
            fit.append(float(clear[k]))
    where, angle, full = np.array(centre), np.array(turned), np.ones(len(fit))
    return TopFaces(
        where,
        angle,
        np.array([*range(len(LAYOUTS))] * 2, np.intp),
        np.clip(fit, 0.01, 1.0),
        0 * full,
        full,
        fraction_on(view, where, angle, bodies.possible, dice),
    )


def _clarity(seen: Floats, pips: int) -> Floats:
    """Return how much the responses (n, sites) at the first `pips` sites exceed those at the others."""
    on_pips, off_pips = seen[:, :pips], seen[:, pips:]
    clarity: Floats = on_pips.mean(1) - off_pips.mean(1) - 0.5 * off_pips.std(1) - 0.5 * on_pips.std(1)
    return clarity


def likeliest(faces: TopFaces, classified: Classified, edge: float) -> TopFaces:
    """Return at each place the guess that classifier and pips together find likeliest."""
    probability = classified.classes[np.arange(len(faces)), faces.face]
    score = np.log(np.maximum(probability, 1e-3)) + 6.0 * faces.fit
    return faces.take(best_apart(faces.centre, score, np.full(len(faces), edge / 2), 0.5, -np.inf))
