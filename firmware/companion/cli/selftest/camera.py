"""`farklecrib selftest camera`: compare typed faces with readings, and print the error rate of this table."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import ConfigFile, Data, Json
from companion.errors import CompanionError

if TYPE_CHECKING:
    from companion.config import CameraChoice
    from dicereader.frame import Pixels
    from dicereader.reading import DiceReading


@dataclass
class Score:
    """The readings of throws with known faces, counted."""

    throws: int = 0
    exact: int = 0
    sure: int = 0
    wrong_and_sure: int = 0
    dice: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, faces: tuple[int, ...], reading: "DiceReading") -> str:
        """Count one throw, and return the result in words."""
        known, read = Counter(faces), Counter(reading.faces)
        self.throws += 1
        self.exact += known == read
        self.sure += reading.sure
        self.wrong_and_sure += reading.sure and known != read
        self.dice += len(faces)
        self.right += (known & read).total()
        if known != read:
            self.wrong.append(f"{_text(faces)} read as {_text(reading.faces)}{' and sure' if reading.sure else ''}")
        result = "right" if known == read else f"WRONG, read as {_text(reading.faces)}"
        return f"{_text(faces)}: {result}{'' if reading.sure else ', not sure'}"

    @property
    def good(self) -> bool:
        """Whether no sure reading was wrong, and at least nine of ten throws were read exactly."""
        return self.throws > 0 and self.wrong_and_sure == 0 and self.exact * 10 >= self.throws * 9

    def record(self) -> dict[str, object]:
        """Return the counts as JSON's types."""
        from companion.games.statistics import interval

        low, high = interval(self.throws - self.exact, self.throws)
        counts = {name: value for name, value in asdict(self).items() if name != "wrong"}
        return {**counts, "error_rate_low": round(low, 4), "error_rate_high": round(high, 4)}

    def lines(self) -> Iterator[str]:
        """Yield the counts as lines for a person."""
        from companion.games.statistics import share

        yield f"throws read exactly: {share(self.exact, self.throws)}"
        yield f"dice read right:     {share(self.right, self.dice)}"
        yield f"sure:                {share(self.sure, self.throws)}"
        yield f"wrong while sure:    {share(self.wrong_and_sure, self.throws)}"
        yield from (f"  {line}" for line in self.wrong)


def selftest_camera(
    camera: Annotated[str | None, typer.Option(metavar="NAME[:ARG]", help="The camera, as for play.")] = None,
    throws: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="How many throws are tried.")] = 10,
    data: Data = None,
    config: ConfigFile = None,
    json_out: Json = False,
) -> int:
    """Throw, type what lies there, and learn how often this table's camera is wrong."""
    from companion.calibration.samples import DICE
    from companion.calibration.store import load_calibration
    from companion.config import camera_named, data_folder, load_config
    from dicereader.pictures import decode
    from dicereader.reader import read_pixels

    loaded = load_config(config, {"camera.source": camera, "table.data": data})
    stored = load_calibration(data_folder(loaded), loaded.camera.source)
    calibration, empty = stored.calibration, decode(stored.empty, "the empty tray") if stored.empty else None
    if calibration is None:
        print("not calibrated: read as any picture is; `farklecrib calibrate` makes it better", file=sys.stderr)
    score = Score()
    for faces, pixels in _throws(camera_named(loaded.camera.source), throws):
        known = (calibration, empty) if calibration is not None and calibration.fits(pixels) else (None, None)
        reading = read_pixels(pixels, calibration=known[0], empty=known[1], expect=DICE)
        print(score.add(faces, reading), file=sys.stderr, flush=True)
    print(json.dumps(score.record()) if json_out else "\n".join(score.lines()))
    return 0 if score.good else 1


def _throws(camera: "CameraChoice", count: int) -> "Iterator[tuple[tuple[int, ...], Pixels]]":
    """Yield the known faces of each throw, and its picture.

    Raises:
        CompanionError: if the camera shows photographs, or standard input is not a terminal.
    """
    import random
    import time

    from companion.calibration.samples import DICE, draw_throw, take_picture
    from dicereader.sources import open_source
    from dicereader.sources.synthetic.source import SyntheticSource

    if camera.name == "recorded":
        raise CompanionError("expected a camera, got photographs: nobody can throw there")
    if camera.name == "simulated":
        seed = int(camera.arg or 0)
        chance, tray = random.Random(seed), SyntheticSource(lambda: 100.0, seed=seed)
        for _ in range(count):
            faces = tuple(chance.randint(1, 6) for _ in range(DICE))
            yield faces, draw_throw(tray, seed, faces, chance).copy()
        return
    if not sys.stdin.isatty():
        raise CompanionError("expected a terminal to type on what lies there")
    source = open_source(camera.source, camera.arg, time.monotonic)
    try:
        for number in range(1, count + 1):
            request = f"{number} of {count}: throw all dice, then type their faces (nothing: end): "
            print(request, end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
            if not line.strip():
                return
            yield faces_in(line), take_picture(source)
    finally:
        source.close()


def faces_in(line: str) -> tuple[int, ...]:
    """Return the faces of `112346` or `1 1 2 3 4 6`.

    Raises:
        CompanionError: if the line holds anything else.
    """
    digits = [each for each in line if not each.isspace() and each not in ",-"]
    if not digits or any(each not in "123456" for each in digits):
        raise CompanionError(f"expected faces such as 112346, got {line.strip()!r}")
    return tuple(sorted(map(int, digits)))


def _text(faces: tuple[int, ...]) -> str:
    return "".join(map(str, sorted(faces))) or "-"
