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
    at_base,
    beside_plain,
    clear_corners,
    find_plane,
    in_squares,
    sharpened,
    window_of,
)
from dicereader.stages.known.top_faces import TopFaces, find_faces, find_ones, no_faces
from dicereader.stages.shared.classify import IN_PLACE, Classified, classify_once
from dicereader.stages.shared.detector import Candidates
from dicereader.stages.shared.sampling import sample
from dicereader.stages.shared.scoring import best_apart
from dicereader.stages.shared.whole_die import WholeDice, no_whole_dice, see_whole
from dicereader.tray.calibration import Calibration, DiceSet

MOST_FACES = 12
"""Faces that are classified at once: a crop takes a tenth of a millisecond."""

CLEAR_FIT, CLEARER_FIT = 0.85, 0.95
"""Fits from which a face is plainly there, with more than three pips and with two or three: its pips are no ones."""

CLEARLY = 0.9
"""The classifier's probability from which a face with more pips excludes ones on it."""

ONE_RESPONSE = 0.55
"""Response of a one's pip at least."""

UNEXPLAINED = 0.5
"""Area, as a fraction of a die's top, from which a body that no face explains is a die whose face is guessed."""

GUESS = 0.21
"""Score of a guess: it gives way to any face that is seen."""

PIP_INSET, ONE_INSET = 0.05, 0.36
"""Distances from a body's outline, in edges of a die, of a pip of a top face and of the pip of a one, at least."""

MUCH_CLEARER = 0.45
"""Difference of two scores from which the better of two overlapping faces excludes the other."""

WORTH_CLASSIFYING = 0.3
"""Score that a face must reach before the classifier is asked."""

LEAST_SCORE = 0.2
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
    if not calibration.tray.paper:
        clear_corners(plane, bodies.mask)
    else:
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
    score = np.where(_of_larger_faces(view, faces, classified), 0.0, _score(faces, classified))
    chosen = _best(faces, score, view)
    coverage = measure_coverage(view, faces.take(chosen), bodies, dice.round_mm)
    clear = len(faces)
    guesses = [guess(view, x, y, bodies, response, dice) for x, y, area, _ in coverage.rest if area > UNEXPLAINED]
    if guesses:
        more = guesses[0].join(*guesses[1:])
        more = likeliest(more, _classified(view, more), view.edge)
        faces, classified = faces.join(more), classified.join(_classified(view, more))
        score = np.append(score, np.full(len(more), GUESS))
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
    depth = cv2.distanceTransform(bodies.possible, cv2.DIST_L2, 3)
    inset = 2 * sample(np.asarray(depth, np.float32), (pips[:, 0] - 0.5) / 2, (pips[:, 1] - 0.5) / 2)
    inner = inset > PIP_INSET * view.edge
    pips, strength, central = pips[inner], strength[inner], inset[inner] > ONE_INSET * view.edge
    found = find_faces(view, pips, response, bodies.possible, dice)
    alone = (strength > ONE_RESPONSE) & central & ~_on_plain_faces(view, found, pips)
    faces = found.join(find_ones(view, pips[alone], strength[alone], bodies, dice))
    weight = np.exp(-4 * np.abs(faces.scale - 1)) * np.where(faces.face == 1, 0.8, 1.0)
    score = faces.fit * (0.3 + faces.on_body) * weight
    order = np.argsort(-score, kind="stable")
    faces, score = faces.take(order), score[order]
    gap = np.hypot(*(faces.centre[:, None] - faces.centre).transpose(2, 0, 1))
    # A face that overlaps with a much clearer one cannot be chosen beside it.
    excluded = ((gap < LEAST_GAP * view.edge) & (score > score[:, None] + MUCH_CLEARER)).any(1)
    return faces.take(np.flatnonzero((score > WORTH_CLASSIFYING) & ~excluded)[:MOST_FACES])


def _classified(view: TopPlane, faces: TopFaces) -> Classified:
    return classify_once(view, _candidates(view, faces), IN_PLACE)


def _candidates(view: TopPlane, faces: TopFaces) -> Candidates:
    cos, sin = view.edge / 2 * np.cos(faces.turn), view.edge / 2 * np.sin(faces.turn)
    return Candidates(faces.centre, np.stack([cos, sin], 1), np.stack([-sin, cos], 1), np.ones(len(faces)))


def _score(faces: TopFaces, classified: Classified) -> Floats:
    probability = classified.classes[np.arange(len(faces)), faces.face]
    size = np.exp(-6 * np.abs(faces.scale - 1))
    return np.asarray((0.25 + 0.75 * probability) * faces.fit * faces.on_body * size, np.float64)


def _of_larger_faces(view: TopPlane, faces: TopFaces, classified: Classified) -> Bools:
    """Return which faces are ones whose pip belongs to a clear face with more pips, which is likelier."""
    probability = classified.classes[np.arange(len(faces)), faces.face]
    larger = np.flatnonzero((faces.face > 1) & (faces.fit > CLEAR_FIT) & (probability > CLEARLY))
    points = np.broadcast_to(faces.centre, (len(larger), *faces.centre.shape))
    on = in_squares(points, faces.centre[larger], faces.turn[larger], view.edge / 2)
    return np.asarray((faces.face == 1) & (on & (probability[larger, None] > probability)).any(0), np.bool_)


def _best(faces: TopFaces, score: Floats, view: TopPlane) -> Ints:
    return best_apart(faces.centre, score, np.full(len(faces), view.edge / 2), LEAST_GAP, LEAST_SCORE)


def _on_plain_faces(view: TopPlane, faces: TopFaces, pips: Floats) -> Bools:
    """Return which pips are on a face that is plainly there, or on that die's sides."""
    # Two or three pips look like a face's by chance, on a top and on a side of it.
    many = faces.face > 3
    plain = (faces.fit > np.where(many, CLEAR_FIT, CLEARER_FIT)) & (faces.on_body > np.where(many, 0.95, 0.99))
    plain &= (faces.residual < np.where(many, 0.1, 0.04)) & (np.abs(faces.scale - 1) < np.where(many, 0.1, 0.03))
    faces = faces.take(plain)
    if len(faces) == 0 or len(pips) == 0:
        return np.zeros(len(pips), bool)
    points = np.broadcast_to(pips, (len(faces), *pips.shape))
    on = in_squares(points, faces.centre, faces.turn, view.edge / 2)
    on |= in_squares(points, at_base(view, faces.centre), faces.turn, view.edge / 2)
    return np.asarray(on.any(0), np.bool_)


def _rivals(faces: TopFaces, classified: Classified, chosen: Ints, view: TopPlane) -> Floats:
    """Return for each chosen face the largest probability of another face at its place."""
    best = np.zeros(len(chosen))
    for k, n in enumerate(chosen):
        near = np.hypot(*(faces.centre - faces.centre[n]).T) < 0.3 * view.edge
        others = classified.classes[near, 1:].copy()
        others[:, faces.face[n] - 1] = 0
        best[k] = others.max(initial=0.0)
    return best
