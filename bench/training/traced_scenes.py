"""Read the traced scenes that `make scenes` made, in the form of the drawn ones: pixels and upper faces."""

import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path
from scenes import Drawn
from traced.plan import VERSION

FOLDER = user_cache_path("farklecrib") / "traced"
"""Where the pictures and labels are, unless another folder is named."""

READABLE = 6.0
"""The least grey levels between the pips and the body of a face that can be read."""


class MissingScenesError(Exception):
    """Some traced scenes are not made yet."""


def files_of(folder: Path, seed: int) -> tuple[Path, Path]:
    """Return the files of a scene's picture and labels."""
    return folder / f"{seed:05d}.jpg", folder / f"{seed:05d}.json"


def is_made(folder: Path, seed: int) -> bool:
    """Return whether this version of the generator has made a scene's picture and labels."""
    picture, told = files_of(folder, seed)
    if not (picture.exists() and told.exists()):
        return False
    return bool(json.loads(told.read_bytes())["version"] == VERSION)


def traced_scene(seed: int, folder: Path = FOLDER) -> tuple[NDArray[np.uint8], list[Drawn]]:
    """Return a traced scene's picture (height, width, 3) BGR uint8 and its dice, as `scenes.scene` does.

    Raises:
        MissingScenesError: if the scene is not made yet.
    """
    if not is_made(folder, seed):
        command = f'make scenes ARGS="--first {seed} --count 1 --to {folder}"'
        raise MissingScenesError(f"expected the traced scene {seed} in {folder}, got none; make it with: {command}")
    picture, told = files_of(folder, seed)
    pixels = cv2.imread(str(picture), cv2.IMREAD_COLOR)
    return np.asarray(pixels, np.uint8), [_drawn(die) for die in json.loads(told.read_bytes())["dice"]]


def _drawn(die: dict) -> Drawn:
    """Return the upper face of a label. What nobody could read there does not count as visible."""
    visible = die["visible"] if die["contrast"] >= READABLE else 0.0
    pairs = {name: (die[name][0], die[name][1]) for name in ("centre", "slant", "along", "across")}
    return Drawn(
        die["face"],
        half_px=die["half_px"],
        aslant_deg=die["aslant_deg"],
        lean_deg=die["lean_deg"],
        visible=visible,
        **pairs,
    )
