"""Find the level dice of a calibrated tray: faces that pips, classifier and bodies support, without overlaps."""

from dataclasses import dataclass

import cv2
import numpy as np

from dicereader.data.arrays import Bools, Floats, Ints, Values
from dicereader.data.frame import Pixels
from dicereader.stages.known.bodies import Bodies, Window, find_bodies, ground_colour
from dicereader.stages.known.coverage import Coverage, measure_coverage
from dicereader.stages.known.guess import guess, likeliest
from dicereader.stages.known.pip_response import PipResponse, respond, tone
from dicereader.stages.known.plane import (
    TopPlane,
    beside_plain,
    find_plane,
    sharpened,
    window_of,
)
from dicereader.stages.known.top_faces import TopFaces, find_faces, find_ones, no_faces
from dicereader.stages.shared.classify import IN_PLACE, Classified, classify_once
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.scoring import best_apart
from dicereader.stages.shared.whole_die import WholeDice, no_whole_dice, see_whole
from dicereader.tray.calibration import Calibration, DiceSet

MOST_FACES = 12
"""Faces that are classified at once: a crop takes a tenth of a millisecond."""

ONE_RESPONSE = 0.55
"""Response of a one's pip at least."""

UNEXPLAINED = 0.5
"""Area, as a fraction of a die's top, from which a body that no face explains is a die whose face is guessed."""

LEAST_SCORE = 0.2
"""Score of a face before and after it is classified, at least, and the score of a guess: it gives way to any face that
is seen."""

LEAST_GAP = 0.88
"""Distance of the middles of neighbouring dice, as a fraction of an edge, at least."""


_last: list[tuple[Pixels, Calibration, Pixels, Values | None]] = []
"""The last empty tray, its calibration, its plane and its ground: every reading of one table needs the same."""


@dataclass(frozen=True, eq=False)
class LevelDice:
    """The faces chosen, as arrays of length n.

    `probability` is the classifier's for the face, `rival` the largest for another face at the same place, `whole`
    (n,) the faces as whole dice, `glaring` whether only faint pips were found on that body.
    `bodies` are the objects on the tray, `coverage` is what the faces explain of them.
    """

    faces: TopFaces
    probability: Floats
    rival: Floats
    whole: WholeDice
    glaring: Bools
    bodies: Bodies
    coverage: Coverage


def find_known_dice(
    pixels: Pixels, calibration: Calibration, dice: DiceSet, empty: Pixels
) -> tuple[TopPlane, LevelDice]:
    """Return the plane of the dice's tops and the dice chosen in it; `empty` is the same tray without dice."""
    plane = find_plane(pixels, calibration)
    small, ground = _empty_plane(empty, calibration)
    pip_px = dice.pip_mm * plane.scale / 2
    bodies = find_bodies(plane.levels[1], small, dice, plane.floor, ground=ground, pip_px=pip_px)
    if calibration.tray.paper:
        printed = beside_plain(plane, calibration.tray)
        bodies = bodies.with_print(plane.levels[1], dice, printed, round(plane.edge / 2))
    window = window_of(bodies.possible, round(plane.edge / 2))
    if window[2] == 0:
        return plane, no_dice(bodies)
    plane = sharpened(pixels, plane, window)
    return plane, choose_level(plane, bodies, dice, window)


def _empty_plane(empty: Pixels, calibration: Calibration) -> tuple[Pixels, Values | None]:
    for pixels, known, small, ground in _last:
        if pixels is empty and known is calibration:
            return small, ground
    small, ground = find_plane(empty, calibration).levels[1], ground_colour(empty, calibration)
    _last[:] = [(empty, calibration, small, ground)]
    return small, ground


def choose_level(view: TopPlane, bodies: Bodies, dice: DiceSet, window: Window) -> LevelDice:
    """Return the top faces of known dice in a view, whose level 0 needs to be filled in a window only."""
    x, y, wide, high = window
    tones = tone(view.levels[0][y : y + high, x : x + wide], dice, bodies.light)
    part = bodies.possible[y // 2 : (y + high) // 2, x // 2 : (x + wide) // 2]
    large = np.asarray(cv2.resize(part, (wide, high), interpolation=cv2.INTER_NEAREST), np.uint8)
    response = respond(tones, large, dice.pip_mm * view.scale, (x, y))
    faces = _clear_faces(view, bodies, dice, response)
    classified = _classified(view, faces)
    score = _score(faces, classified)
    chosen = _best(faces, score, view)
    coverage = measure_coverage(view, faces.take(chosen), bodies, dice.round_mm)
    clear = len(faces)
    guesses = [guess(view, x, y, bodies, response, dice) for x, y, area in coverage.rest if area > UNEXPLAINED]
    if guesses:
        more = guesses[0].join(*guesses[1:])
        more = likeliest(more, _classified(view, more), view.edge)
        faces, classified = faces.join(more), classified.join(_classified(view, more))
        score = np.append(score, np.full(len(more), LEAST_SCORE))
        chosen = _best(faces, score, view)
        coverage = measure_coverage(view, faces.take(chosen), bodies, dice.round_mm)
    probability = classified.classes[chosen, faces.face[chosen]]
    rivals = _rivals(faces, classified, chosen, view)
    faces = faces.take(chosen)
    whole = see_whole(view, _candidates(view, faces))
    return LevelDice(faces, probability, rivals, whole, chosen >= clear, bodies, coverage)


def no_dice(bodies: Bodies) -> LevelDice:
    """Return the result for a tray without bodies."""
    zero = np.zeros(0)
    return LevelDice(
        no_faces(),
        zero,
        zero,
        no_whole_dice(),
        zero.astype(bool),
        bodies,
        Coverage(zero, zero, zero, zero, ()),
    )


def expected_slants(view: TopPlane, centre: Floats) -> Floats:
    """Return the slants of level faces at places (n, 2) of the view, in its axes: the directions to the camera."""
    out = centre - np.array(view.below)
    return np.asarray(out / np.hypot(np.hypot(*out.T), view.height)[:, None], np.float64)


def _clear_faces(view: TopPlane, bodies: Bodies, dice: DiceSet, response: PipResponse) -> TopFaces:
    """Return the faces with clear pips, the best first."""
    pips, strength = response.peaks(dice.pip_mm * view.scale)
    found = find_faces(view, pips, response, bodies.possible, dice)
    alone = strength > ONE_RESPONSE
    faces = found.join(find_ones(view, pips[alone], strength[alone], bodies, dice))
    weight = np.exp(-4 * np.abs(faces.scale - 1)) * np.where(faces.face == 1, 0.8, 1.0)
    score = faces.fit * (0.3 + faces.on_body) * weight
    order = np.argsort(-score, kind="stable")
    faces, score = faces.take(order), score[order]
    return faces.take(np.flatnonzero(score > LEAST_SCORE)[:MOST_FACES])


def _classified(view: TopPlane, faces: TopFaces) -> Classified:
    return classify_once(view, _candidates(view, faces), IN_PLACE)


def _candidates(view: TopPlane, faces: TopFaces) -> Candidates:
    cos, sin = view.edge / 2 * np.cos(faces.turn), view.edge / 2 * np.sin(faces.turn)
    return Candidates(faces.centre, np.stack([cos, sin], 1), np.stack([-sin, cos], 1), np.ones(len(faces)))


def _score(faces: TopFaces, classified: Classified) -> Floats:
    probability = classified.classes[np.arange(len(faces)), faces.face]
    size = np.exp(-6 * np.abs(faces.scale - 1))
    return np.asarray((0.25 + 0.75 * probability) * faces.fit * faces.on_body * size, np.float64)


def _best(faces: TopFaces, score: Floats, view: TopPlane) -> Ints:
    return best_apart(faces.centre, score, np.full(len(faces), view.edge / 2), LEAST_GAP, LEAST_SCORE)


def _rivals(faces: TopFaces, classified: Classified, chosen: Ints, view: TopPlane) -> Floats:
    """Return for each chosen face the largest probability of another face at its place."""
    best = np.zeros(len(chosen))
    for k, n in enumerate(chosen):
        near = np.hypot(*(faces.centre - faces.centre[n]).T) < 0.3 * view.edge
        others = classified.classes[near, 1:].copy()
        others[:, faces.face[n] - 1] = 0
        best[k] = others.max(initial=0.0)
    return best
