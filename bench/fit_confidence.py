"""Fit the weights of the reader's formulas: `make fit-confidence`, or `fit_confidence.py [--write] [FORMULA...]`.

`score` is the probability that a place shows a die's top face and that its face is right. `leans` is the probability
that a read die leans, and `confidence` that its face is right. `not_level` is the probability that a die on a
calibrated tray leans or is on another. All are logistic formulas, fitted by Newton's method with a ridge, on drawn
scenes, photographs without dice, our own renders, and the photograph sets whose licence allows it; `leans` also on
drawn throws with a leaning die; `not_level` on drawn tables, from above and aslant, and on rendered ones. Only
development pictures are used. Every set has the same weight. Each set is left out once, and its figures with the
weights of the others are printed, as are those of the sets that are only measured on. `--write` writes the file.
"""

import argparse
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar
from unittest.mock import patch

import aslant_rigs
import cv2
import numpy as np
from figures import reliability, share
from lean_bench import learnt_table, look, on_another, photograph, throw, true_dice
from rig_bench import calibrated

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "training"))

from photographs import without_dice  # noqa: E402
from picture_sets import LICENSED, SHARED, TrueDie, all_sets, read_set, reading_pool  # noqa: E402
from scenes import scene  # noqa: E402

from dicereader.data.frame import Pixels  # noqa: E402
from dicereader.data.pictures import load  # noqa: E402
from dicereader.errors import CalibrationError  # noqa: E402
from dicereader.sources.synthetic.source import SyntheticSource  # noqa: E402
from dicereader.stages.known.judge_level import features_of_level  # noqa: E402
from dicereader.stages.known.level_dice import find_known_dice  # noqa: E402
from dicereader.stages.shared.detector import find_candidates  # noqa: E402
from dicereader.stages.shared.rectify import rectify  # noqa: E402
from dicereader.stages.shared.scoring import (  # noqa: E402
    LIKELY,
    WEIGHTS_FILE,
    confidence_features,
    score_features,
    weights,
)
from dicereader.stages.unknown import choose  # noqa: E402
from dicereader.stages.unknown.judge import features_of_leaning  # noqa: E402
from dicereader.stages.unknown.search import score_likely  # noqa: E402
from dicereader.stages.unknown.uncalibrated import first_pass  # noqa: E402
from dicereader.tray.calibration import Calibration  # noqa: E402

RIDGE = 0.5
SCENES, THROWS = range(200_000, 200_200), range(40_000, 40_200)
"""The numbers of the drawn scenes, and of the drawn throws with and without a leaning die."""

LEAN_DEG = 12
"""The least lean of a die that counts as leaning."""

TABLES, THROWS_ON_TABLE = range(50_000, 50_030), 12
"""The numbers of the drawn tables, and how often dice are thrown on each one."""

ASLANT = {"paper": (0.0, 15.0, 30.0, 45.0), "walls": (0.0, 10.0, 20.0, 30.0)}
ASLANT_RIGS, ASLANT_THROWS, ASLANT_FIRST, ASLANT_LEANING = 4, 26, 700_000, 0.5
"""The drawn tables seen aslant: their angles in degrees, how many of each, their throws, the first one's number, and
the share of throws with a leaning die."""

STEEPEST_DEG = 35
"""Drawn dice with a larger slant are left out: no camera looks at a table like that."""

OF_LEANING = "leans", "not_level"
"""The formulas of the probability that a die leans."""

HEAD = """# The weights of the reader's formulas by feature, for `dicereader.stages`.
# Made by `make fit-confidence`: every set of dice with the same weight, a ridge of {ridge}.
# The command also prints how well such weights do on sets that were left out of the fit.
"""

Dice = tuple[TrueDie, ...]

Job = Callable[[], tuple[Pixels, Dice]]
"""Returns a picture and its dice."""

TablePictures = tuple[Calibration, Pixels, list[tuple[Pixels, Dice]]]
"""A table's calibration, its empty tray, and pictures with their dice."""

Table = Callable[[], TablePictures]

Rows = tuple[list[str], np.ndarray, np.ndarray]
"""The names of features (k), their values (n, k), and the true answer to the formula's question (n,)."""

Source = TypeVar("Source", Job, Table)


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
    return photograph(source, seed, poses, colours), true_dice(source, poses, faces, odd=int(leans))


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
    where = found.view.in_picture(read.places.centre)
    return rows_of(features_of_leaning(found.view, read), are_leaning(where, dice))


def confidence_rows(job: Job) -> Rows:
    """Return the rows of all places in a picture that both networks look at, read as dice or not.

    Among the dice that are read the formula would find too few mistakes.
    """
    pixels, dice = job()
    with patch.object(choose, "LEAST_ALL_ROUND", 0.0), patch.object(choose, "LEAST_CONFIDENT", 0.0):
        found = first_pass(pixels)
        view, chosen = found.view, found.chosen
    where = view.in_picture(chosen.dice.places.centre)
    features = confidence_features(chosen.dice.places, chosen.dice.probability)
    return rows_of(features, are_right(where, chosen.dice.face, dice))


def thrown_on_table(seed: int) -> TablePictures:
    """Return a drawn table, and throws on it, each level, with a leaning die, and with one on another."""
    table = learnt_table(seed)
    if table.known is None:
        raise CalibrationError(f"expected dice that stand out from drawn table {seed}")
    pictures = []
    for _ in range(THROWS_ON_TABLE):
        level, faces, _, leaning = throw(table.chance)
        for poses, odd in ((level, 0), (leaning, 1), (on_another(table.chance, level), 2)):
            pictures.append((table.photograph(poses), true_dice(table.source, poses, faces, odd=odd)))
    return table.known, table.empty, pictures


def of_rig(folder: Path) -> TablePictures:
    """Return a rig's table and its pictures."""
    known, empty, pictures = calibrated(folder, aslant_rigs.LEARNT)
    return known, empty, [(load(each.path), each.dice) for each in pictures]


def seen_aslant(number: int, kind: str, degrees: float) -> TablePictures:
    """Return a drawn table that the camera sees aslant, and throws on it."""
    with TemporaryDirectory() as folder, patch.object(aslant_rigs, "LEANING", ASLANT_LEANING):
        return of_rig(aslant_rigs.draw_rig((Path(folder), number, kind, degrees, ASLANT_THROWS)))


def table_rows(table: Table) -> Rows | None:
    """Return the rows of the dice read on a calibrated table, and whether each one is not level.

    Return None for a table that cannot be learnt.
    """
    try:
        known, empty, pictures = table()
    except CalibrationError:
        return None
    assert known.dice is not None
    rows = []
    for pixels, dice in pictures:
        plane, level = find_known_dice(pixels, known, known.dice, empty)
        answers = [_nearest_is_odd(x, y, dice) for x, y in plane.in_picture(level.faces.centre)]
        rows.append(rows_of(features_of_level(plane, level, known.dice), answers))
    return rows[0][0], np.concatenate([row[1] for row in rows]), np.concatenate([row[2] for row in rows])


def _nearest_is_odd(x: float, y: float, dice: Dice) -> bool | None:
    """Return whether the die there is odd, or None if none is there or it is cut."""
    under = [die for die in dice if die.box is not None and die.holds(x, y)]
    if not under:
        return None
    left, top, width, height = np.array([die.box for die in under]).T
    nearest = under[int(np.argmin(np.hypot(left + width / 2 - x, top + height / 2 - y)))]
    return None if nearest.cut else nearest.odd


def tables() -> dict[str, list[Table]]:
    """Return the calibrated tables, by set. Each table seen aslant has its own number, which decides how it looks."""
    found: dict[str, list[Table]] = {"drawn tables": [partial(thrown_on_table, seed) for seed in TABLES]}
    numbers = iter(range(ASLANT_FIRST, ASLANT_FIRST + 1000))
    for kind, angles in ASLANT.items():
        found[f"drawn aslant, {kind}"] = [
            partial(seen_aslant, next(numbers), kind, degrees) for degrees in angles for _ in range(ASLANT_RIGS)
        ]
    rigs = [folder for folder in sorted((SHARED / "rigs").glob("*")) if not read_set(folder).pictures[0].held_out]
    return found | {f"rigs/{folder.name}": [partial(of_rig, folder)] for folder in rigs}


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


def told_of(work: Callable[[Source], Rows | None], sets: dict[str, list[Source]]) -> tuple[list[str], dict[str, Told]]:
    """Return the features and answers of every set of which something was read."""
    told: dict[str, Told] = {}
    names: list[str] = []
    with reading_pool() as pool:
        for name, some in sets.items():
            found = pool.map(work, some, chunksize=min(4, len(some) // 8 + 1))
            rows = [each for each in found if each is not None]
            if not rows:
                continue
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
    if formula in OF_LEANING:
        level, leaning = p[~part.right] > LIKELY, p[part.right] > LIKELY
        sys.stdout.write(f"{name:45} level, yet said to lean {share(int(level.sum()), len(level))}\n")
        if len(leaning):
            sys.stdout.write(f"{name:45} leaning, and said so    {share(int(leaning.sum()), len(leaning))}\n")
        return
    for least in (0.9, 0.95, 0.99):
        sure = p >= least
        sys.stdout.write(f"{name:45} from {least}: right {share(int(part.right[sure].sum()), int(sure.sum())):42} ")
        sys.stdout.write(f"of {len(p)}\n")
    sys.stdout.flush()


def fit(formula: str, work: Callable[[Source], Rows | None], sets: Callable[[], dict[str, list[Source]]]) -> str:
    """Fit one formula and print its figures. Return its part of the file."""
    names, told = told_of(work, sets())
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
    dice = sum(len(part.right) for part in ours.values())
    lines = [f"{name} = {weight:.3f}" for name, weight in zip(names, w, strict=True)]
    text = "\n".join([f"[{formula}]  # {dice} dice of {len(ours)} sets", *lines])
    sys.stdout.write(text + "\n")
    return text


FORMULAS = {
    "score": partial(fit, "score", score_rows, jobs),
    "leans": partial(fit, "leans", leaning_rows, leaning_jobs),
    "confidence": partial(fit, "confidence", confidence_rows, jobs),
    "not_level": partial(fit, "not_level", table_rows, tables),
}
"""How each formula is fitted, in this order: the reading, and so the formulas after it, depend on the score."""


def main() -> int:
    """Fit, print and write."""
    parser = argparse.ArgumentParser(description="Fit the weights of the reader's formulas.")
    parser.add_argument("formulas", nargs="*", metavar="FORMULA", help=f"of {', '.join(FORMULAS)}; all without one")
    parser.add_argument("--write", action="store_true", help="write the weights into the reader's file")
    arguments = parser.parse_args()
    if unknown := set(arguments.formulas) - set(FORMULAS):
        parser.error(f"expected formulas of {', '.join(FORMULAS)}, got {', '.join(sorted(unknown))}")
    cv2.setNumThreads(1)
    before = WEIGHTS_FILE.read_text(encoding="utf-8")
    parts = {part.split("]")[0]: f"[{part}".strip() for part in before.split("\n[")[1:]}
    for formula in [each for each in FORMULAS if each in (arguments.formulas or FORMULAS)]:
        parts[formula] = FORMULAS[formula]()
        WEIGHTS_FILE.write_text("\n\n".join(parts.values()) + "\n", encoding="utf-8")
        weights.cache_clear()
    head = HEAD.format(ridge=RIDGE)
    after = "\n\n".join([head.strip(), *parts.values()]) + "\n"
    WEIGHTS_FILE.write_text(after if arguments.write else before, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
