"""Fit the weights of the reader's two formulas: `make fit-confidence`, or `python bench/fit_confidence.py [--write]`.

`score` is the probability that a place shows a die's top face and that its face is right. `confidence` is the
probability that a read die is right. Both are logistic formulas, fitted by Newton's method with a ridge, on drawn
scenes, photographs without dice, our own renders, and the photograph sets whose licence allows it. Only development
pictures are used. Every set has the same weight. Each set is left out once, and its figures with the weights of the
others are printed, as are those of the sets that are only measured on. `--write` writes the file.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
from figures import reliability, share

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "training"))

from photographs import without_dice  # noqa: E402
from picture_sets import LICENSED, TrueDie, all_sets  # noqa: E402
from scenes import scene  # noqa: E402

from dicereader.data.frame import Pixels  # noqa: E402
from dicereader.data.pictures import load  # noqa: E402
from dicereader.stages.shared.closeup import classify  # noqa: E402
from dicereader.stages.shared.detector import find_candidates  # noqa: E402
from dicereader.stages.shared.rectify import rectify  # noqa: E402
from dicereader.stages.shared.scoring import (  # noqa: E402
    WEIGHTS_FILE,
    score_features,
    weights,
)
from dicereader.stages.unknown import choose  # noqa: E402
from dicereader.stages.unknown.judge import confidence_features  # noqa: E402
from dicereader.stages.unknown.search import UNLIKELY  # noqa: E402
from dicereader.stages.unknown.uncalibrated import first_pass  # noqa: E402

RIDGE = 0.5
SCENES = range(200_000, 200_200)
STEEPEST_DEG = 35
"""Drawn dice with a larger slant are left out: no camera looks at a table like that."""

HEAD = """# The weights of the reader's formulas by feature, for `dicereader.stages.shared.scoring` and
# `dicereader.stages.unknown.judge`.
# Made by `make fit-confidence`: {dice} dice of {sets} sets, every set with the same weight, a ridge of {ridge}.
# The command also prints how well such weights do on sets that were left out of the fit.
"""

Job = int | tuple[Path | Pixels, tuple[TrueDie, ...]]
"""A drawn scene's seed, or a photograph with its dice."""

Rows = tuple[list[str], np.ndarray, np.ndarray]
"""Names of confidence_features (k), their values (n, k), and whether each place or die was right (n,)."""


@dataclass(frozen=True, eq=False)
class Told:
    """The places or dice of one set: their features (n, k), and whether each was right (n,)."""

    x: np.ndarray
    right: np.ndarray


def picture_of(job: Job) -> tuple[Pixels, tuple[TrueDie, ...]]:
    """Return a picture and its dice."""
    if not isinstance(job, int):
        return load(job[0]) if isinstance(job[0], Path) else job[0], job[1]
    pixels, drawn = scene(job)
    dice = []
    for die in drawn:
        (x, y), half = die.centre, die.half_px
        odd = die.lean_deg > 0 or die.aslant_deg > STEEPEST_DEG
        dice.append(TrueDie(die.face, (x - half / 2, y - half / 2, half, half), odd, False, False))
    return pixels, tuple(dice)


def rows_of(names_and_values: dict[str, np.ndarray], where: np.ndarray, faces: np.ndarray, dice: tuple) -> Rows:
    """Return the features and whether each answer is right, by its middle and face. Leaning dice are left out."""
    answers: list[bool | None] = []
    for (x, y), face in zip(where, faces, strict=True):
        under = [die for die in dice if die.holds(x, y)]
        odd = any(die.odd for die in under)
        answers.append(None if odd else any(die.face == face for die in under))
    known = np.array([answer is not None for answer in answers], bool)
    x = np.stack(list(names_and_values.values()), 1)
    return list(names_and_values), x[known], np.array([answer for answer in answers if answer is not None], bool)


def score_rows(job: Job) -> Rows:
    """Return the rows of the places found in a picture."""
    pixels, dice = picture_of(job)
    view = rectify(pixels)
    seen = classify(view, find_candidates(view))
    seen = seen.take(np.flatnonzero(seen.probability > UNLIKELY))
    values = score_features(seen)
    return rows_of(values, view.in_picture(seen.candidates.centre), seen.face, dice)


def confidence_rows(job: Job) -> Rows:
    """Return the rows of the dice read in a picture, and of those refused because they look like dice in one way only.

    Without the refused ones the formula would learn from too few mistakes.
    """
    pixels, dice = picture_of(job)
    with patch.object(choose, "LEAST_ALL_ROUND", 0.0):
        found = first_pass(pixels)
        view, chosen = found.view, found.chosen
    return rows_of(confidence_features(chosen), view.in_picture(chosen.dice.poses.centre), chosen.dice.poses.face, dice)


def jobs() -> dict[str, list[Job]]:
    """Return all pictures to learn from or to measure on, by set. Photographs need labels with places."""
    found: dict[str, list[Job]] = {
        "drawn scenes": list(SCENES),
        "without dice": [(each[0], ()) for each in without_dice()],
    }
    for each in all_sets():
        some = [p for p in each.pictures if not p.held_out and all(die.box for die in p.dice)]
        if some:
            found[each.name] = [(p.path, p.dice) for p in some]
    return found


def told_of(work: Callable[[Job], Rows], sets: dict[str, list[Job]]) -> tuple[list[str], dict[str, Told]]:
    """Return the features and answers of every set."""
    told: dict[str, Told] = {}
    names: list[str] = []
    with Pool(initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        for name, some in sets.items():
            rows = pool.map(work, some, chunksize=4)
            names = rows[0][0]
            told[name] = Told(np.concatenate([row[1] for row in rows]), np.concatenate([row[2] for row in rows]))
    return names, told


def fitted(parts: list[Told]) -> np.ndarray:
    """Return the weights that fit the sets best. Each set has the same total weight, the mean of all."""
    x = np.concatenate([part.x for part in parts])
    y = np.concatenate([part.right for part in parts]).astype(float)
    mean = len(y) / len(parts)
    # A small set must not get the weight of a large one, which is known far better.
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
    """Print the figures of weights on a set that they were not fitted on."""
    p = 1 / (1 + np.exp(-part.x @ w))
    for least in (0.9, 0.95, 0.99):
        sure = p >= least
        sys.stdout.write(f"{name:45} from {least}: right {share(int(part.right[sure].sum()), int(sure.sum())):42} ")
        sys.stdout.write(f"of {len(p)}\n")
    sys.stdout.flush()


def fit(formula: str, work: Callable[[Job], Rows], sets: dict[str, list[Job]]) -> tuple[str, int, int]:
    """Fit one formula and print its figures. Return its part of the file, and the numbers of dice and sets."""
    names, told = told_of(work, sets)
    ours = {name: part for name, part in told.items() if name in LICENSED or not name.startswith("photos/")}
    said: list[tuple[float, bool]] = []
    sys.stdout.write(f"{formula}\n")
    for name, part in told.items():
        w = fitted([other for key, other in ours.items() if key != name])
        tell(f"{name}, {'left out' if name in ours else 'only measured'}", part, w)
        said += zip((1 / (1 + np.exp(-part.x @ w))).tolist(), part.right.tolist(), strict=True)
    sys.stdout.write("all sets, each by weights of the others: said, was right\n")
    for line in reliability(said):
        sys.stdout.write(f"  {line}\n")
    w = fitted(list(ours.values()))
    text = "\n".join([f"[{formula}]", *(f"{name} = {weight:.3f}" for name, weight in zip(names, w, strict=True))])
    sys.stdout.write(text + "\n")
    return text, sum(len(part.right) for part in ours.values()), len(ours)


def main() -> int:
    """Fit, print and write."""
    parser = argparse.ArgumentParser(description="Fit the weights of the reader's formulas.")
    parser.add_argument("--write", action="store_true", help="write the weights into the reader's file")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    before = WEIGHTS_FILE.read_text(encoding="utf-8")
    scores, _, _ = fit("score", score_rows, jobs())
    # The reading, and so the confidence, depends on the score.
    WEIGHTS_FILE.write_text(f"{scores}\n\n{before[before.index('[confidence]') :]}", encoding="utf-8")
    weights.cache_clear()
    confidence, dice, sets = fit("confidence", confidence_rows, jobs())
    head = HEAD.format(dice=dice, sets=sets, ridge=RIDGE)
    after = f"{head}\n{scores}\n\n{confidence}\n"
    WEIGHTS_FILE.write_text(after if arguments.write else before, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
