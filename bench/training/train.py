"""Train the reader's two networks: `make train`, or `python bench/training/train.py`.

Draws scenes (`scenes.py`) and trains the detector on windows of them, then the closer look on what the detector finds
in them. Prints how both do on drawn scenes and photographs that neither was trained on. Where the shared folder is
there, photographs whose licence allows it are added (development pictures only), and both are trained on. Writes the
ONNX files into a folder of their own, not over the reader's: copy them there to measure them.
"""

import argparse
import sys
import time
from collections.abc import Callable
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import closeup_training
import cv2
import detector_training
import numpy as np
import torch
from closeups import Examples, examples_of
from photographs import photographs, truth_of, without_dice
from windows import Truth, Window, windows

from dicereader.stages import closeup as closeup_stage
from dicereader.stages import detector as detector_stage

TRAINED = Path(__file__).parent.parent.parent / "out" / "networks"

WINDOWS_OF_PHOTOGRAPH, WINDOWS_WITHOUT_DICE = 16, 32
SCENES = 300_000
UNSEEN_SCENES = 290_000
"""Seeds of the first scene that is learnt from, and of the first that is only measured on."""


def in_parallel(work: Callable[[Any], Any], jobs: list[Any]) -> list[Any]:
    """The work done on all jobs, on all cores."""
    with Pool(initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        return pool.map(work, jobs, chunksize=4)


def examples_of_photograph(known: tuple[np.ndarray, Truth]) -> tuple[list[Window], Examples]:
    """Examples of a photograph for both networks."""
    pixels, truth = known
    rng = np.random.default_rng(len(truth.face))
    slant = np.full((len(truth.face), 2), np.nan)
    count = WINDOWS_OF_PHOTOGRAPH if len(truth.face) else WINDOWS_WITHOUT_DICE
    return windows(pixels, truth, rng, count), examples_of(pixels, truth, slant, rng)


def main() -> int:
    """Draw, train, print, write."""
    parser = argparse.ArgumentParser(description="Train the networks that find dice and tell their faces.")
    parser.add_argument("--scenes", type=int, default=2800)
    parser.add_argument("--epochs", type=float, default=8, help="of the detector; the closer look takes twice as many")
    parser.add_argument("--into", type=Path, default=TRAINED, help="the folder for the ONNX files")
    arguments = parser.parse_args()
    arguments.into.mkdir(parents=True, exist_ok=True)
    # The closer look learns from what the new detector finds, and both find the places of dice on photographs.
    detector_stage.WEIGHTS_FILE = arguments.into / "detector.onnx"
    closeup_stage.WEIGHTS_FILE = arguments.into / "closeup.onnx"
    cv2.setNumThreads(1)
    torch.set_num_threads(1)  # with two, layers as small as these wait for each other ten times as long
    begin = time.monotonic()

    def say(text: str) -> None:
        sys.stdout.write(f"{time.monotonic() - begin:5.0f} s  {text}\n")
        sys.stdout.flush()

    n = arguments.scenes
    parts = detector_training.drawn(SCENES, n)
    say(f"{len(parts)} windows of {n} drawn scenes")
    detector = detector_training.trained(parts, arguments.epochs, 1)
    detector_training.tell(detector, "unseen scenes", detector_training.drawn(UNSEEN_SCENES, 60))
    detector_training.write(detector, detector_stage.WEIGHTS_FILE)
    crops = closeup_training.drawn(SCENES, n)
    say(f"detector trained; {len(crops[1])} crops of {n} drawn scenes, by class {np.bincount(crops[1]).tolist()}")
    closeup = closeup_training.trained(crops, 2 * arguments.epochs, 1)
    unseen = closeup_training.drawn(UNSEEN_SCENES, 60)
    closeup_training.tell(closeup, "unseen scenes", unseen)
    closeup_training.write(closeup, closeup_stage.WEIGHTS_FILE)
    say("closer look trained on drawn scenes")
    found: dict[str, list[tuple[list[Window], Examples]]] = {}
    known = {"without dice": without_dice()}
    known |= {name: in_parallel(truth_of, pictures) for name, pictures in photographs().items()}
    for name, pictures in known.items():
        found[name] = in_parallel(examples_of_photograph, pictures)
        detector_training.tell(detector, f"{name}, trained on scenes alone", [w for ws, _ in found[name] for w in ws])
        closeup_training.tell(
            closeup, f"{name}, trained on scenes alone", closeup_training.joined([e for _, e in found[name]])
        )
    if found:
        more = [window for each in found.values() for ws, _ in each for window in ws]
        say(f"{len(more)} windows of photographs")
        detector = detector_training.trained(parts + more, arguments.epochs / 3, 2, detector)
        detector_training.write(detector, detector_stage.WEIGHTS_FILE)
        both = closeup_training.joined([crops, *(e for each in found.values() for _, e in each)])
        closeup = closeup_training.trained(both, arguments.epochs, 2, closeup)
        closeup_training.write(closeup, closeup_stage.WEIGHTS_FILE)
        closeup_training.tell(closeup, "unseen scenes, trained on all", unseen)
    for name, model in (("detector", detector), ("closeup", closeup)):
        say(f"{sum(p.numel() for p in model.parameters())} weights in {arguments.into / name}.onnx")
    return 0


if __name__ == "__main__":
    sys.exit(main())
