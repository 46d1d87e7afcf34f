"""Fit the weights of the reader's three formulas: `make fit-confidence`, or `python bench/fit_confidence.py [--write]`.

`score` is the probability that a place shows a die's top face and that its face is right. `leans` is the probability
that a read die leans, and `confidence` that its face is right. All are logistic formulas, fitted by Newton's method
with a ridge, on drawn scenes, photographs without dice, our own renders, and the photograph sets whose licence allows
it; `leans` also on drawn throws with a leaning die. Only development pictures are used. Every set has the same weight.
Each set is left out once, and its figures with the weights of the others are printed, as are those of the sets that are
only measured on. `--write` writes the file.
"""

import argparse
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
from figures import reliability, share
from lean_bench import look, photograph, throw

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "training"))

from photographs import without_dice  # noqa: E402
from picture_sets import LICENSED, TrueDie, all_sets  # noqa: E402
from scenes import scene  # noqa: E402

from dicereader.data.frame import Pixels  # noqa: E402
from dicereader.data.pictures import load  # noqa: E402
from dicereader.sources.synthetic.source import SyntheticSource  # noqa: E402
from dicereader.stages.shared.detector import find_candidates  # noqa: E402
from dicereader.stages.shared.rectify import rectify  # noqa: E402
from dicereader.stages.shared.scoring import (  # noqa: E402
    WEIGHTS_FILE,
    score_features,
    weights,
)
from dicereader.stages.unknown import choose  # noqa: E402
from dicereader.stages.unknown.judge import confidence_features, features_of_leaning  # noqa: E402
from dicereader.stages.unknown.search import score_likely  # noqa: E402
from dicereader.stages.unknown.slant import LEANS  # noqa: E402
from dicereader.stages.unknown.uncalibrated import first_pass  # noqa: E402
from dicereader.tray.geometry import Tray  # noqa: E402

RIDGE = 0.5
SCENES, THROWS = range(200_000, 200_200), range(40_000, 40_200)
"""The numbers of the drawn scenes, and of the drawn throws with and without a leaning die."""

LEAN_DEG = 12
"""The least lean of a die that counts as leaning."""

TOP_MM = Tray().die_mm
"""The height of a level die's top."""

STEEPEST_DEG = 35
"""Drawn dice with a larger slant are left out: no camera looks at a table like that."""

HEAD = """# The weights of the reader's formulas by feature, for `dicereader.stages.shared.scoring`,
# `dicereader.stages.unknown.slant` and `dicereader.stages.unknown.judge`.
# Made by `make fit-confidence`: {dice} dice of {sets} sets, every set with the same weight, a ridge of {ridge}.
# The command also prints how well such weights do on sets that were left out of the fit.
"""

Dice = tuple[TrueDie, ...]

Job = Callable[[], tuple[Pixels, Dice]]
"""Returns a picture and its dice."""

Rows = tuple[list[str], np.ndarray, np.ndarray]
"""The names of features (k), their values (n, k), and the true answer to the formula's question (n,)."""


@dataclass(frozen=True, eq=False)
class Told:
    """The places or dice of one set: their features (n, k), and the answer to the formula's question (n,)."""

    x: np.ndarray
    right: np.ndarray


def drawn(seed: int) -> tuple[Pixels, Dice]:
    """Return a drawn scene. A die that leans a little or is seen far aslant counts as odd, but not as leaning."""
    pixels, scene_dice = scene(seed)
    dice = []
    for die in scene_dice:
        (x, y), half = die.centre, die.half_px
        odd = die.lean_deg > 0 or die.aslant_deg > STEEPEST_DEG
        dice.append(TrueDie(die.face, square(x, y, half), die.lean_deg >= LEAN_DEG, odd, False))
    return pixels, tuple(dice)


def thrown(seed: int, *, leans: bool) -> tuple[Pixels, Dice]:
    """Return one to five dice on the simulated tray, of which the first one leans if one does.

    Leaning dice are about as rare among few dice as among many. Otherwise the formula would take the number of dice for
    a sign of leaning.
    """
    chance = random.Random(seed)
    source, colours = SyntheticSource(lambda: 1.0, seed=seed), look(chance)
    level, faces, _, leaning = throw(chance)
    numbers = range(1, len(level) + 1)
    (number,) = chance.choices(numbers, weights=[n * n for n in numbers] if leans else None)
    poses = (leaning if leans else level)[:number]
    dice = []
    for n, (pose, face) in enumerate(zip(poses, faces, strict=False)):
        x, y = source.camera.project(pose.x_mm, pose.y_mm, TOP_MM)
        odd = leans and n == 0
        dice.append(TrueDie(face, square(x, y, source.camera.die_px(x, y) / 2), odd, odd, False))
    return photograph(source, seed, poses, colours), tuple(dice)


def photographed(picture: Path | Pixels, dice: Dice) -> tuple[Pixels, Dice]:
    """Return a photograph with its dice."""
    return load(picture) if isinstance(picture, Path) else picture, dice


def square(x: float, y: float, half: float) -> tuple[float, float, float, float]:
    """Return the box in which the middle of a read face must lie."""
    return x - half / 2, y - half / 2, half, half


def rows_of(names_and_values: dict[str, np.ndarray], answers: list[bool | None]) -> Rows:
    """Return the features of the places or dice whose answer is known, and the answers."""
    known = np.array([answer is not None for answer in answers], bool)
    x = np.stack(list(names_and_values.values()), 1)
    return list(names_and_values), x[known], np.array([answer for answer in answers if answer is not None], bool)


def are_right(where: np.ndarray, faces: np.ndarray, dice: Dice) -> list[bool | None]:
    """Return whether each answer is right, by its middle and face, and None for odd dice."""
    under = [[die for die in dice if die.holds(x, y)] for x, y in where]
    return [
        None if any(die.odd for die in some) else any(die.face == face for die in some)
        for some, face in zip(under, faces, strict=True)
    ]


def are_leaning(where: np.ndarray, dice: Dice) -> list[bool | None]:
    """Return whether each die leans, by its middle, and None if it is unknown."""
    under = [[die for die in dice if die.holds(x, y)] for x, y in where]
    return [some[0].cocked if len(some) == 1 and some[0].cocked == some[0].odd else None for some in under]


def score_rows(job: Job) -> Rows:
    """Return the rows of the places found in a picture. As in the reader, today's score leaves out unlikely ones."""
    pixels, dice = job()
    view = rectify(pixels)
    seen = score_likely(view, find_candidates(view)).classified
    return rows_of(score_features(seen), are_right(view.in_picture(seen.candidates.centre), seen.face, dice))


def leaning_rows(job: Job) -> Rows:
    """Return the rows of the dice read in a picture, and whether each one leans."""
    pixels, dice = job()
    found = first_pass(pixels)
    read = found.chosen.dice
    where = found.view.in_picture(read.poses.centre)
    return rows_of(features_of_leaning(found.view, read), are_leaning(where, dice))


def confidence_rows(job: Job) -> Rows:
    """Return the rows of the dice read in a picture, and of those refused because they look like dice in one way only.

    Without the refused ones the formula would learn from too few mistakes.
    """
    pixels, dice = job()
    with patch.object(choose, "LEAST_ALL_ROUND", 0.0):
        found = first_pass(pixels)
        view, chosen = found.view, found.chosen
    where = view.in_picture(chosen.dice.poses.centre)
    return rows_of(confidence_features(chosen), are_right(where, chosen.dice.poses.face, dice))


def jobs() -> dict[str, list[Job]]:
    """Return all pictures to learn from or to measure on, by set. Photographs need labels with places."""
    found: dict[str, list[Job]] = {
        "drawn scenes": [partial(drawn, seed) for seed in SCENES],
        "without dice": [partial(photographed, each[0], ()) for each in without_dice()],
    }
    for each in all_sets():
        some = [p for p in each.pictures if not p.held_out and all(die.box for die in p.dice)]
        if some:
            found[each.name] = [partial(photographed, p.path, p.dice) for p in some]
    return found


def leaning_jobs() -> dict[str, list[Job]]:
    """Return the pictures for `leans`, by set."""
    throws: list[Job] = [partial(thrown, seed, leans=leans) for seed in THROWS for leans in (False, True)]
    return {"drawn throws": throws, **{name: some for name, some in jobs().items() if name != "without dice"}}


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


def tell(formula: str, name: str, part: Told, w: np.ndarray) -> None:
    """Print the figures of weights on a set that they were not fitted on."""
    p = 1 / (1 + np.exp(-part.x @ w))
    if formula == "leans":
        level, leaning = p[~part.right] > LEANS, p[part.right] > LEANS
        sys.stdout.write(f"{name:45} level, yet said to lean {share(int(level.sum()), len(level))}\n")
        if len(leaning):
            sys.stdout.write(f"{name:45} leaning, and said so    {share(int(leaning.sum()), len(leaning))}\n")
        return
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
        tell(formula, f"{name}, {'left out' if name in ours else 'only measured'}", part, w)
        said += zip((1 / (1 + np.exp(-part.x @ w))).tolist(), part.right.tolist(), strict=True)
    sys.stdout.write("all sets, each by weights of the others: said, was so\n")
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
    parts = {part.split("]")[0]: f"[{part}".strip() for part in before.split("\n[")[1:]}
    # The reading, and so the other formulas, depend on the score.
    for formula, work, pictures in (
        ("score", score_rows, jobs),
        ("leans", leaning_rows, leaning_jobs),
        ("confidence", confidence_rows, jobs),
    ):
        parts[formula], dice, sets = fit(formula, work, pictures())
        WEIGHTS_FILE.write_text("\n\n".join(parts.values()) + "\n", encoding="utf-8")
        weights.cache_clear()
    head = HEAD.format(dice=dice, sets=sets, ridge=RIDGE)
    after = "\n\n".join([head.strip(), *parts.values()]) + "\n"
    WEIGHTS_FILE.write_text(after if arguments.write else before, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
