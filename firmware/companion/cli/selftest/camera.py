"""`farklecrib selftest camera`: throw, type what lies there, and get this very table's error rate."""

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from companion.calibration.samples import DICE, lay, taken
from companion.calibration.store import calibration_of
from companion.cli.play import Asked, configured
from companion.config import Camera, camera_named, data_folder, load_config
from companion.errors import CompanionError
from companion.games.statistics import interval, share
from dicereader.frame import Pixels
from dicereader.pictures import decode
from dicereader.reader import read_pixels
from dicereader.reading import DiceReading
from dicereader.sources import open_source
from dicereader.sources.synthetic.source import SyntheticSource
from dicereader.tray.calibration import Calibration

Tried = tuple[tuple[int, ...], Pixels]
"""The faces that lie there, and their picture."""

Ask = Callable[[str], str]
"""Asks somebody and gives what they type."""


@dataclass
class Score:
    """What was read of throws whose faces are known."""

    throws: int = 0
    exact: int = 0
    sure: int = 0
    wrong_and_sure: int = 0
    dice: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, faces: tuple[int, ...], reading: DiceReading) -> None:
        """Book one throw."""
        shown, said = Counter(faces), Counter(reading.faces)
        self.throws += 1
        self.exact += shown == said
        self.sure += reading.sure
        self.wrong_and_sure += reading.sure and shown != said
        self.dice += len(faces)
        self.right += (shown & said).total()
        if shown != said:
            self.wrong.append(f"{_text(faces)} read as {_text(reading.faces)}{' and sure' if reading.sure else ''}")

    @property
    def good(self) -> bool:
        """Whether nothing was wrong while sure, and most was right."""
        return self.wrong_and_sure == 0 and self.exact * 10 >= self.throws * 9


def try_camera(
    camera: str | None, throws: int, data: Path | None, config: Path | None, *, json_out: bool, ask: Ask | None = None
) -> int:
    """Try the camera; 0 when it reads well, 1 when it does not. Raises `CompanionError` where nobody can be asked."""
    asked = configured(load_config(config), Asked(camera=camera, data=data))
    name = asked.camera.source
    known = calibration_of(data_folder(asked), name)
    empty = decode(known.empty, "the empty tray") if known.empty else None
    if known.calibration is None:
        print("not calibrated: read as any picture is; `farklecrib calibrate` makes it better", file=sys.stderr)
    score = Score()
    for faces, pixels in _tries(camera_named(name), throws, ask):
        fits = known.calibration if known.calibration is not None and known.calibration.fits(pixels) else None
        reading = _read(pixels, fits, empty)
        score.add(faces, reading)
        print(f"{_text(faces)}: {_verdict(faces, reading)}", file=sys.stderr, flush=True)
    _print(score, json_out=json_out)
    return 0 if score.good and score.throws else 1


def _read(pixels: Pixels, known: Calibration | None, empty: Pixels | None) -> DiceReading:
    return read_pixels(pixels, calibration=known, empty=empty if known is not None else None, expect=DICE)


def _tries(camera: Camera, throws: int, ask: Ask | None) -> Iterator[Tried]:
    if camera.name == "recorded":
        raise CompanionError("expected a camera, got photographs: nobody can throw there")
    if camera.name == "simulated":
        yield from _simulated(int(camera.arg or 0), throws)
        return
    if ask is None and not sys.stdin.isatty():
        raise CompanionError("expected a terminal to type on what lies there")
    with _live(camera) as take:
        for n in range(throws):
            line = (ask or _typed)(f"{n + 1} of {throws}: throw all dice, then type their faces (nothing: end): ")
            if not line.strip():
                return
            yield faces_in(line), take()


@contextmanager
def _live(camera: Camera) -> Iterator[Callable[[], Pixels]]:
    source = open_source(camera.source, camera.arg, time.monotonic)
    try:
        yield lambda: taken(source)
    finally:
        source.close()


def _simulated(seed: int, throws: int) -> Iterator[Tried]:
    """Known faces laid on the simulated tray."""
    chance = random.Random(seed)
    source = SyntheticSource(lambda: 100.0, seed=seed)
    for _ in range(throws):
        faces = tuple(chance.randint(1, 6) for _ in range(DICE))
        yield faces, np.array(lay(source, seed, faces, chance))


def faces_in(line: str) -> tuple[int, ...]:
    """The faces of `112346` or `1 1 2 3 4 6`. Raises `CompanionError`."""
    digits = [each for each in line if not each.isspace() and each not in ",-"]
    if not digits or any(each not in "123456" for each in digits):
        raise CompanionError(f"expected faces such as 112346, got {line.strip()!r}")
    return tuple(sorted(map(int, digits)))


def _typed(words: str) -> str:
    print(words, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline()


def _text(faces: tuple[int, ...]) -> str:
    return "".join(map(str, sorted(faces))) or "-"


def _verdict(faces: tuple[int, ...], reading: DiceReading) -> str:
    right = Counter(faces) == Counter(reading.faces)
    return f"{'right' if right else 'WRONG, read as ' + _text(reading.faces)}{'' if reading.sure else ', not sure'}"


def _print(score: Score, *, json_out: bool) -> None:
    if json_out:
        low, high = interval(score.throws - score.exact, score.throws)
        told = {key: value for key, value in vars(score).items() if key != "wrong"}
        print(json.dumps({**told, "error_rate_low": round(low, 4), "error_rate_high": round(high, 4)}))
        return
    print(f"throws read exactly: {share(score.exact, score.throws)}")
    print(f"dice read right:     {share(score.right, score.dice)}")
    print(f"sure:                {share(score.sure, score.throws)}")
    print(f"wrong while sure:    {share(score.wrong_and_sure, score.throws)}")
    for line in score.wrong:
        print(f"  {line}")
