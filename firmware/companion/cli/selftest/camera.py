"""`farklecrib selftest camera`: check picture and light, compare typed faces with readings, print the error rate."""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import ConfigFile, Data, Json

if TYPE_CHECKING:
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
    throws: Annotated[
        int, typer.Option(metavar="N", min=0, max=1000, help="How many throws are tried; 0 checks the picture alone.")
    ] = 10,
    data: Data = None,
    config: ConfigFile = None,
    json_out: Json = False,
) -> int:
    """Check picture and light, then throw and type the faces, and measure how often this table's camera is wrong."""
    from companion.calibration.checks import check_empty, tray_of
    from companion.calibration.samples import DICE
    from companion.calibration.store import load_calibration
    from companion.cameras import camera_named
    from companion.cli.selftest.camera_picture import check_dice, open_table, picture_problems
    from companion.config import data_folder
    from companion.config_files import load_config
    from dicereader.data.pictures import decode
    from dicereader.reader import read_pixels

    loaded = load_config(config, {"camera.source": camera, "table.data": data})
    stored = load_calibration(data_folder(loaded), loaded.camera.source)
    calibration, empty = stored.calibration, decode(stored.empty, "the empty tray") if stored.empty else None
    if stored.of_another:
        print(f"the calibration is of another camera, {stored.of_another!r}; it is not used", file=sys.stderr)
    if calibration is None:
        print("not calibrated: read as any picture is; `farklecrib calibrate` makes it better", file=sys.stderr)
    score, read, times_ms = Score(), [], []
    with open_table(camera_named(loaded.camera.source)) as table:
        shown = table.empty()
        tray = tray_of(shown, calibration)
        for problem in picture_problems(shown) if tray is None else ():
            print(f"the picture of the empty tray: {problem}", file=sys.stderr, flush=True)
        measures = check_empty(shown, tray)
        for faces, pixels in table.throws(throws):
            known = (calibration, empty) if calibration is not None and calibration.fits(pixels) else (None, None)
            started_s = time.perf_counter()
            reading = read_pixels(pixels, calibration=known[0], empty=known[1], expect=DICE)
            times_ms.append(1000 * (time.perf_counter() - started_s))
            read.append((pixels, [die.box for die in reading.dice]))
            print(score.add(faces, reading), file=sys.stderr, flush=True)
    measures += check_dice(read, times_ms)
    if json_out:
        checks = [each.record() for each in measures]
        print(json.dumps((score.record() if score.throws else {}) | {"checks": checks}))
    else:
        if shown.view is not None:
            print(f"camera {shown.view}")
        print("\n".join(line for each in measures for line in each.lines()))
        print("\n".join(score.lines()) if score.throws else "no throws: the error rate is not measured")
    sound = all(each.good is not False for each in measures)
    return 0 if sound and (score.good or not throws) else 1


def _text(faces: tuple[int, ...]) -> str:
    return "".join(map(str, sorted(faces))) or "-"
