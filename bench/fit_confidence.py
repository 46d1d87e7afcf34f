"""Fit the weights of the confidence: `make fit-confidence`, or `python bench/fit_confidence.py [--write]`.

A logistic formula over `dicereader.stages.confidence.FEATURES`, fitted by Newton's method with a ridge, on the dice of
drawn scenes, of our own renders, and of the photograph sets whose licence allows it; development pictures only. Every
set weighs the same. Each set is left out once, and what the others' weights say of it is printed; so it is for the
sets that are only measured on. `--write` writes `confidence.toml`.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from figures import reliability, share

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "training"))

from picture_sets import LICENSED, PictureSet, all_sets  # noqa: E402
from scenes import Drawn, scene  # noqa: E402

from dicereader.frame import Pixels  # noqa: E402
from dicereader.pictures import load  # noqa: E402
from dicereader.reader import look  # noqa: E402
from dicereader.stages.confidence import FEATURES, WEIGHTS_FILE, features  # noqa: E402

RIDGE = 0.5
SCENES = range(200_000, 200_200)
STEEPEST_DEG = 35
"""Drawn dice that are seen more aslant are left out: no table is looked at so."""

HEAD = """# The weights of the confidence, by feature (`dicereader.stages.confidence`).
# Made by `make fit-confidence`: {dice} dice of {sets} sets, every set with the same weight, a ridge of {ridge}.
# What sets that were left out say of such weights, the command prints.

[weights]
"""


@dataclass(frozen=True, eq=False)
class Told:
    """The dice read in the pictures of one set: their features (n, k), and whether each face was right (n,)."""

    x: np.ndarray
    right: np.ndarray


def told_of(pixels: Pixels, is_right: list) -> tuple[np.ndarray, list[bool]]:
    """Features of the dice read, and whether each is right by a function of its middle and face; None leaves it out."""
    view, chosen = look(pixels)
    if not len(chosen.poses):
        return np.zeros((0, len(FEATURES))), []
    middles = view.in_picture(chosen.poses.centre)
    answers = [is_right(x, y, int(face)) for (x, y), face in zip(middles, chosen.poses.face, strict=True)]
    known = np.array([answer is not None for answer in answers])
    return features(view, chosen)[known], [bool(answer) for answer in answers if answer is not None]


def of_set(each: PictureSet) -> Told:
    """The dice read in a set's development pictures, where the truth has places."""
    rows, right = [], []
    for picture in each.pictures:
        if picture.held_out or any(die.box is None for die in picture.dice):
            continue

        def is_right(x: float, y: float, face: int, dice=picture.dice) -> bool | None:
            under = [die for die in dice if die.holds(x, y)]
            if any(die.odd for die in under):  # what is wrong with it is a doubt's to say
                return None
            return any(die.face == face for die in under)

        x, answers = told_of(load(picture.path), is_right)
        rows.append(x)
        right += answers
    return Told(np.concatenate(rows) if rows else np.zeros((0, len(FEATURES))), np.array(right, bool))


def of_scenes() -> Told:
    """The dice read in drawn scenes that the network was not trained on."""
    rows, right = [], []
    for seed in SCENES:
        pixels, dice = scene(seed)

        def is_right(x: float, y: float, face: int, dice: list[Drawn] = dice) -> bool | None:
            for die in dice:
                if np.hypot(x - die.centre[0], y - die.centre[1]) < 0.5 * die.half_px:
                    odd = die.lean_deg > 0 or die.aslant_deg > STEEPEST_DEG
                    return None if odd else die.face == face
            return False

        x, answers = told_of(pixels, is_right)
        rows.append(x)
        right += answers
    return Told(np.concatenate(rows), np.array(right, bool))


def fitted(parts: list[Told]) -> np.ndarray:
    """The weights that fit the sets best, each set weighing as much as the mean of all."""
    x = np.concatenate([part.x for part in parts])
    y = np.concatenate([part.right for part in parts]).astype(float)
    mean = len(y) / len(parts)
    # A small set must not weigh as much as a large one of which far more is known.
    heft = np.concatenate([np.full(len(part.right), min(3.0, mean / max(len(part.right), 1))) for part in parts])
    w = np.zeros(x.shape[1])
    ridge = np.full(x.shape[1], RIDGE)
    ridge[0] = 1e-3
    for _ in range(40):
        p = 1 / (1 + np.exp(-x @ w))
        slope = x.T @ (heft * (p - y)) + ridge * w
        bend = (x * (heft * p * (1 - p))[:, None]).T @ x + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        w -= step * min(1.0, 5.0 / max(np.abs(step).max(), 1e-9))
        if np.abs(step).max() < 1e-6:
            break
    return w


def tell(name: str, part: Told, w: np.ndarray) -> None:
    """Print how weights do on a set they were not fitted on."""
    p = 1 / (1 + np.exp(-part.x @ w))
    for least in (0.9, 0.95, 0.99):
        sure = p >= least
        sys.stdout.write(f"{name:45} from {least}: right {share(int(part.right[sure].sum()), int(sure.sum())):42} ")
        sys.stdout.write(f"of {len(p)} dice\n")
    sys.stdout.flush()


def main() -> int:
    """Fit, print, and write."""
    parser = argparse.ArgumentParser(description="Fit the weights of the confidence.")
    parser.add_argument("--write", action="store_true", help="write the weights into the reader's file")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    told = {"drawn scenes": of_scenes()}
    for each in all_sets():
        part = of_set(each)
        if len(part.right):
            told[each.name] = part
    ours = {name: part for name, part in told.items() if name in LICENSED or not name.startswith("photos/")}
    said: list[tuple[float, bool]] = []
    for name, part in told.items():
        w = fitted([other for key, other in ours.items() if key != name])
        tell(f"{name}, {'left out' if name in ours else 'only measured'}", part, w)
        said += zip((1 / (1 + np.exp(-part.x @ w))).tolist(), part.right.tolist(), strict=True)
    sys.stdout.write("all sets, each by weights of the others: said, was right\n")
    for line in reliability(said):
        sys.stdout.write(f"  {line}\n")
    w = fitted(list(ours.values()))
    lines = [f"{name} = {weight:.3f}" for name, weight in zip(FEATURES, w, strict=True)]
    sys.stdout.write("\n".join(lines) + "\n")
    if arguments.write:
        dice = sum(len(part.right) for part in ours.values())
        head = HEAD.format(dice=dice, sets=len(ours), ridge=RIDGE)
        WEIGHTS_FILE.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
