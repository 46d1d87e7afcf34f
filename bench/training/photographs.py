"""The photographs for training, with the known facts about their dice.

Their labels are boxes around whole dice. Where boxes are missing, those of the shipped reader count if it reads the
labelled faces. If the shipped networks see the labelled face inside a box, they give its
place and shape. Of the other dice only the box and the face are known. All these dice are level, so if a picture shows
several, one camera explains their slants, and the slants are computed from that camera.
"""

import hashlib
from collections.abc import Container
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray
from picture_sets import LICENSED, NEXT_LICENSED, Picture, all_sets
from windows import Truth

from dicereader import read
from dicereader.data.pictures import load
from dicereader.stages.shared.classify import classify
from dicereader.stages.shared.detector import find_candidates
from dicereader.stages.shared.rectify import rectify
from dicereader.stages.shared.whole_die import see_whole
from dicereader.stages.unknown.slant import level_slants

FACE_IN_BOX = 0.86
"""A top face's edge as a share of its die's box, roughly."""

LICENCES = (
    "nell-byler, dice_detection (BSD-3-Clause); N3VERS4YDIE, dice-recognition.PXL, from Roboflow user Rune55 (CC BY "
    "4.0); KamilPiechowiak, DiceDetection (MIT); skovy, tensorflow-dice-model (MIT); chaseelliottpatterson, "
    "dice-reader (MIT); viljamip, kimble-die-detector (MIT); mac785, ROS2-Dice-Roller, from Roboflow user dice-vrryi "
    "(CC BY 4.0); arguingbananas, dicereader (MIT); FaxanaduHacks, dice_recognizer (MIT); zeredbox, "
    "ESP32-S3_arduino_tflite_micro_arena_size_finder (MIT)"
)
"""The makers of the photographs, and their licences."""

WITHOUT_DICE = (
    "astronaut", "brick", "camera", "cat", "cell", "coffee", "grass", "gravel", "hubble_deep_field", "retina", "rocket",
    "text",
)  # fmt: skip
"""The photographs of scikit-image that its documentation declares as public domain or CC0."""

LONG_PX = (200, 280, 400, 560, 800, 1130)
"""Their longer sides."""

CLEAR = 0.5
"""The least probability of a face whose place counts as known."""

PICTURES_OF_MAKER, MOST_REPETITIONS = 40, 4.0
"""The pictures that each maker counts for, and how often one picture is taken at most."""

ENOUGH_DICE = 3
"""The fewest dice of a picture to whose slants a camera is fitted."""

Known = tuple[NDArray[np.uint8], Truth, NDArray[np.float64]]
"""A photograph's pixels, its dice, and their slants (n, 2), NaN if unknown."""


def photographs(left_out: Container[str] = ()) -> dict[str, list[Picture]]:
    """Return each licensed set's development pictures whose dice all have places, or nothing without a shared folder.

    `left_out` are the names of sets that are not used.
    """
    found = {}
    for each in all_sets():
        if each.name in LICENSED + NEXT_LICENSED and each.name not in left_out:
            pictures = (placed(picture) for picture in each.pictures if not picture.held_out)
            found[each.name] = [picture for picture in pictures if picture]
    return found


def placed(picture: Picture) -> Picture | None:
    """Return a picture with a box for each die, or None if the reader's clear dice have other faces than the labels."""
    if all(die.box for die in picture.dice):
        return picture
    clear = sorted((die for die in read(load(picture.path)).dice if die.confidence > CLEAR), key=lambda die: die.face)
    dice = sorted(picture.dice, key=lambda die: die.face)
    if [die.face for die in clear] != [die.face for die in dice]:
        return None
    boxes = [(die.box.x, die.box.y, die.box.w, die.box.h) for die in clear]
    return replace(picture, dice=tuple(replace(die, box=box) for die, box in zip(dice, boxes, strict=True)))


def repetitions(pictures: int) -> float:
    """Return how often each picture of a maker with so many pictures is taken, so that all makers have like shares."""
    return min(MOST_REPETITIONS, PICTURES_OF_MAKER / pictures)


def for_validation(picture: Picture) -> bool:
    """Return whether a picture is for validation and not for training: one in five, by the hash of its name."""
    return hashlib.sha256(picture.path.name.encode()).digest()[1] % 5 == 0


def without_dice() -> list[Known]:
    """Return scikit-image's public domain and CC0 photographs, which show no dice, in several sizes."""
    from skimage import data  # comes with the extra `train`

    nothing = Truth(
        *(np.zeros((0, 2)) for _ in range(3)), np.zeros(0, np.int64), *(np.zeros(0, bool) for _ in range(2))
    )
    found = []
    for name in WITHOUT_DICE:
        pixels = getattr(data, name)()
        pixels = pixels[0] if isinstance(pixels, tuple) else pixels
        pixels = np.ascontiguousarray(np.dstack([pixels] * 3) if pixels.ndim == 2 else pixels[..., ::-1])
        for long in LONG_PX:
            size = [round(n * long / max(pixels.shape)) for n in pixels.shape[1::-1]]
            small = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
            found.append((small, nothing, np.zeros((0, 2))))
    return found


def truth_of(picture: Picture) -> Known:
    """Return a photograph's pixels and its top faces, each with all known facts."""
    pixels = load(picture.path)
    view = rectify(pixels)
    seen = classify(view, find_candidates(view))
    scale = float(view.to_picture[0, 0])
    middles = view.in_picture(seen.candidates.centre)
    halves = seen.candidates.half * scale
    rows, matches = [], []
    for die in picture.dice:
        left, top, width, height = die.box or (0, 0, 0, 0)
        half = FACE_IN_BOX * (width + height) / 4
        inside = np.array([die.holds(x, y) for x, y in middles], bool).reshape(-1)
        good = inside & (seen.face == die.face) & (seen.probability > CLEAR) & (np.abs(np.log(halves / half)) < 0.4)
        best = int(np.where(good, seen.probability, -1).argmax()) if good.any() else -1
        matches.append(best)
        if best >= 0:
            rows.append((middles[best], seen.candidates.u[best] * scale, seen.candidates.v[best] * scale, True))
        else:
            middle = np.array([left + width / 2, top + height / 2])
            rows.append((middle, np.array([half, 0.0]), np.array([0.0, half]), False))
    n = len(rows)
    posed = seen.take(np.array([match for match in matches if match >= 0], np.intp))
    slant = np.full((n, 2), np.nan)
    if len(posed) >= ENOUGH_DICE:
        slants, centre = see_whole(view, posed.candidates).slant, posed.candidates.centre
        slant[np.array(matches) >= 0] = level_slants(view, centre, slants, centre)
    truth = Truth(
        np.array([row[0] for row in rows]).reshape(n, 2),
        np.array([row[1] for row in rows]).reshape(n, 2),
        np.array([row[2] for row in rows]).reshape(n, 2),
        np.array([die.face for die in picture.dice], np.int64),
        np.array([not die.odd for die in picture.dice], bool),
        np.array([row[3] for row in rows], bool),
    )
    return pixels, truth, slant
