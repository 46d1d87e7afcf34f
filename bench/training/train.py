"""Train the reader's three networks: `make train`, or `python bench/training/train.py [--only closeup]`.

Draws scenes (`scenes.py`) and trains the detector on windows of them, then the closer look and the network of whole
dice on what the detector finds in them. `--traced N` adds the first N scenes of `make scenes`, and takes the
photographs so much oftener that their share stays. With the shared folder, the development photographs whose licence
allows it are used as well, except one in five for validation (`photographs.for_validation`). Each maker has a like
share of them, and `--leave-out SET` leaves a maker out, so that its pictures can judge. The shipped networks tell the
dice's places and slants on photographs, and what resembles dice. Writes the ONNX files and `card.md` into a folder
of their own, and prints the figures of the shipped and the new network on the photographs for validation. Those are of
makers learnt from: `bench/paired.py` decides whether a network is shipped, on pictures of makers that it has never
learnt from.
"""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import closeup_training
import cv2
import detector_training
import numpy as np
import torch
import whole_training
from closeups import Cut, Examples, examples_of, whole_examples_of
from figures import paired
from photographs import LICENCES, Known, for_validation, photographs, repetitions, truth_of, without_dice
from picture_sets import LICENSED, NEXT_LICENSED
from scenes import MadeScene, scene
from traced_scenes import FOLDER, is_made, traced_scene
from windows import Window, windows

from dicereader.stages.shared import classify as closeup_stage
from dicereader.stages.shared import detector as detector_stage
from dicereader.stages.shared import whole_die as whole_stage
from dicereader.stages.shared.network import run

TRAINED = Path(__file__).parent.parent.parent / "out" / "networks"
DETECTOR, CLOSEUP, WHOLE = "detector", "closeup", "whole_die"

WINDOWS_OF_PHOTOGRAPH, WINDOWS_WITHOUT_DICE = 16, 32
TIMES = 6
"""The number of times that the crops of each photograph are taken, each time with other small errors of place."""

SCENES, UNSEEN_SCENES = 300_000, range(290_000, 290_060)
"""The seed of the first drawn scene for training, and the seeds of those that are only measured on."""

UNSEEN_TRACED = range(3_900, 4_000)
"""The seeds of the traced scenes that are only measured on."""

CARD = """# The reader's networks, as `{command}` trained them

- Drawn: {scenes} scenes, seeds from {seed} on (`bench/training/scenes.py`).
- Traced: {traced} scenes, seeds from 0 on (`make scenes`).
- Photographs with dice, {pictures} learnt from and {validation} for validation: {licences}.
- Photographs without dice: {without} pictures, public domain or CC0, from scikit-image.
- Not for: numerals, dice that do not have six sides, faces seen at more than 40 degrees.

{figures}
"""


Taken = tuple[Known, float]
"""A photograph, and how often it is taken (`photographs.repetitions`)."""


@dataclass(frozen=True)
class Lesson:
    """What a training learns from: the seeds of its drawn and traced scenes, the epochs, and its own seed."""

    drawn: range
    traced: range
    epochs: float
    seed: int


def in_parallel(work: Callable[[Any], Any], jobs: list[Any]) -> list[Any]:
    """Return the results of the work on all jobs, on all cores."""
    with Pool(initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        return pool.map(work, jobs, chunksize=4)


def windows_of(taken: Taken, oftener: float = 1.0) -> list[Window]:
    """Return windows of a photograph."""
    (pixels, truth, _), repeated = taken
    count = WINDOWS_OF_PHOTOGRAPH if len(truth.face) else WINDOWS_WITHOUT_DICE
    return windows(pixels, truth, np.random.default_rng(len(truth.face)), round(count * repeated * oftener))


def crops_of(taken: Taken, times: float, cut: Cut) -> Examples:
    """Return crops of a photograph."""
    (pixels, truth, slant), repeated = taken
    seeds = range(max(1, round(times * repeated)))
    return closeup_training.joined([cut(pixels, truth, slant, np.random.default_rng(seed)) for seed in seeds])


def all_crops(lesson: Lesson, learnt_from: list[Taken], cut: Cut) -> tuple[Examples, float]:
    """Return crops of scenes and photographs, and the photographs' share of them."""
    drawn = closeup_training.of_scenes(scene, lesson.drawn, cut)
    traced = [closeup_training.of_scenes(traced_scene, lesson.traced, cut)] if lesson.traced else []
    times = TIMES * (1.0 + sum(len(each[1]) for each in traced) / len(drawn[1]))
    more = in_parallel(partial(crops_of, times=times, cut=cut), learnt_from)
    crops = closeup_training.joined([drawn, *traced, *more])
    share = sum(len(each[1]) for each in more) / len(crops[1])
    say(f"{len(crops[1])} crops, {share:.1%} of photographs; by class {np.bincount(crops[1]).tolist()}")
    return crops, share


def trained_detector(lesson: Lesson, learnt_from: list[Taken], target: Path) -> tuple[torch.nn.Module, float]:
    """Train a detector and write it to a file. Return it with the photographs' share of its windows."""
    parts = detector_training.of_scenes(scene, lesson.drawn)
    traced = detector_training.of_scenes(traced_scene, lesson.traced) if lesson.traced else []
    oftener = 1.0 + len(traced) / len(parts)
    more = [window for each in in_parallel(partial(windows_of, oftener=oftener), learnt_from) for window in each]
    say(f"windows: {len(parts)} drawn, {len(traced)} traced, {len(more)} of {len(learnt_from)} photographs")
    parts += traced + more
    model = detector_training.trained(parts, lesson.epochs, lesson.seed)
    for name, made, seeds in unseen(lesson):
        detector_training.tell(model, name, detector_training.of_scenes(made, seeds))
    detector_training.write(model, target)
    return model, len(more) / len(parts)


def trained_on_crops(
    lesson: Lesson, learnt_from: list[Taken], target: Path, *, training: ModuleType, cut: Cut
) -> tuple[torch.nn.Module, float]:
    """Train a network of crops as its module does, and write it to a file. Return it as `trained_detector`."""
    crops, share = all_crops(lesson, learnt_from, cut)
    model = training.trained(crops, lesson.epochs, lesson.seed)
    for name, made, seeds in unseen(lesson):
        training.tell(model, name, closeup_training.of_scenes(made, seeds, cut))
    training.write(model, target)
    return model, share


def unseen(lesson: Lesson) -> list[tuple[str, MadeScene, range]]:
    """Return the scenes that are only measured on: traced ones where some of them were learnt from."""
    found: list[tuple[str, MadeScene, range]] = [("unseen drawn scenes", scene, UNSEEN_SCENES)]
    return [*found, ("unseen traced scenes", traced_scene, UNSEEN_TRACED)] if lesson.traced else found


def told_of_windows(weights: Path, known: list[Known]) -> list[bool]:
    """Return for which windows of photographs a detector makes no error."""
    parts = [window for each in known for window in windows_of((each, 1.0))]
    return detector_training.tell(ran(weights), f"validation, {weights}", parts)


def told_of_crops(weights: Path, known: list[Known], *, training: ModuleType, cut: Cut) -> list[bool]:
    """Return for which crops of photographs a network is right."""
    crops = closeup_training.joined([crops_of((each, 1.0), 1, cut) for each in known])
    return cast(list[bool], training.tell(ran(weights), f"validation, {weights}", crops))


def ran(weights: Path) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return a network's file as a function."""

    def answers(batch: torch.Tensor) -> torch.Tensor:
        one_by_one = [run(weights, part[None]) for part in batch.float().numpy()]  # the detector takes one picture
        return torch.from_numpy(np.concatenate(one_by_one))

    return answers


def say(text: str) -> None:
    """Print a line with the time."""
    sys.stdout.write(f"{time.strftime('%H:%M:%S')}  {text}\n")
    sys.stdout.flush()


def main() -> int:
    """Draw, train, print, write."""
    parser = argparse.ArgumentParser(description="Train the networks that find dice, and tell their faces and slants.")
    parser.add_argument("--scenes", type=int, default=8000, help="drawn scenes (default: 8000)")
    parser.add_argument("--traced", type=int, default=0, help="scenes of `make scenes` beside them (default: none)")
    parser.add_argument("--epochs", type=float, default=8, help="of each network (default: 8)")
    parser.add_argument("--seed", type=int, default=1, help="of the first weights and the order (default: 1)")
    parser.add_argument(
        "--only", choices=(DETECTOR, CLOSEUP, WHOLE), help="train one network, beside the shipped other ones"
    )
    parser.add_argument(
        "--leave-out",
        action="append",
        default=[],
        choices=LICENSED + NEXT_LICENSED,
        metavar="SET",
        help="do not learn from this set of photographs",
    )
    parser.add_argument("--into", type=Path, default=TRAINED, help="the folder for the ONNX files")
    arguments = parser.parse_args()
    if not 0 <= arguments.traced <= UNSEEN_TRACED.start:
        parser.error(f"expected 0 to {UNSEEN_TRACED.start} traced scenes, got {arguments.traced}")
    needed = [*range(arguments.traced), *(UNSEEN_TRACED if arguments.traced else ())]
    if missing := sum(not is_made(FOLDER, seed) for seed in needed):
        parser.error(f"expected {len(needed)} traced scenes in {FOLDER}, {missing} are missing; make them: make scenes")
    lesson = Lesson(range(SCENES, SCENES + arguments.scenes), range(arguments.traced), arguments.epochs, arguments.seed)
    arguments.into.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    torch.set_num_threads(1)  # with two threads, layers this small take ten times as long
    sets = photographs(arguments.leave_out)
    pictures = [picture for some in sets.values() for picture in some]
    often = [repetitions(len(some)) for some in sets.values() for _ in some]
    known = in_parallel(truth_of, pictures)
    validation, taken = [], []
    for each, picture, repeated in zip(known, pictures, often, strict=True):
        if for_validation(picture):
            validation.append(each)
        else:
            taken.append((each, repeated))
    without = without_dice()
    learnt_from = [*taken, *((each, 1.0) for each in without)]
    closeup: dict[str, Any] = {"training": closeup_training, "cut": examples_of}
    whole: dict[str, Any] = {"training": whole_training, "cut": whole_examples_of}
    said = []
    for name, stage, train, tell in (
        (DETECTOR, detector_stage, trained_detector, told_of_windows),
        (CLOSEUP, closeup_stage, partial(trained_on_crops, **closeup), partial(told_of_crops, **closeup)),
        (WHOLE, whole_stage, partial(trained_on_crops, **whole), partial(told_of_crops, **whole)),
    ):
        if arguments.only not in (None, name):
            continue
        shipped, target = stage.WEIGHTS_FILE, arguments.into / f"{name}.onnx"
        model, share = train(lesson, learnt_from, target)
        before, after = (tell(file, validation) if validation else [] for file in (shipped, target))
        weights = sum(weight.numel() for weight in model.parameters())
        figure = paired(list(zip(before, after, strict=True)))
        said.append(
            f"{name}, {weights} weights, {share:.1%} of its examples from photographs; right answers on validation, "
            f"n {len(before)}, shipped to new: {figure}"
        )
        say(said[-1])
        stage.WEIGHTS_FILE = target  # the closer look learns from what the new detector finds
    card = CARD.format(
        command=" ".join(["python bench/training/train.py", *sys.argv[1:]]),
        scenes=arguments.scenes,
        traced=arguments.traced,
        seed=SCENES,
        pictures=len(known) - len(validation),
        validation=len(validation),
        licences=LICENCES,
        without=len(without),
        figures="\n".join(f"- {line}" for line in said),
    )
    (arguments.into / "card.md").write_text(card, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
