"""`farklecrib selftest`: try each device with a person who looks, presses and listens."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import ConfigFile, Data, Driver, Json, ask_line, tell

if TYPE_CHECKING:
    from companion.checkup.camera_trial import KnownThrow
    from companion.checkup.trials import Person
    from companion.config import Config

app = typer.Typer(no_args_is_help=True, help="Try a device with somebody looking and listening.")


@app.command("leds")
def selftest_leds(config: ConfigFile = None, leds: Driver = None) -> int:
    """Light the strip red, green and blue, then each lane LED by LED, and ask what the person saw."""
    from companion.checkup.leds import try_leds

    return _tried(try_leds, config, {"leds.driver": leds})


@app.command("buttons")
def selftest_buttons(config: ConfigFile = None, buttons: Driver = None) -> int:
    """Ask for each button, with its lamp lit, and say which presses came."""
    from companion.checkup.buttons import try_buttons

    return _tried(try_buttons, config, {"buttons.driver": buttons})


@app.command("sound")
def selftest_sound(config: ConfigFile = None, sound: Driver = None) -> int:
    """Let a sentence and every tone be heard."""
    from companion.checkup.sound import try_sound

    return _tried(try_sound, config, {"sound.driver": sound})


def _tried(trial: "Callable[[Config, Person], int]", file: Path | None, overrides: Mapping[str, str | None]) -> int:
    """Play a trial with a person at the terminal; return 0 if nothing was wrong."""
    from companion.checkup.trials import Person
    from companion.config_files import load_config

    return trial(load_config(file, overrides), Person(_ask_at_terminal, print))


def _ask_at_terminal(question: str) -> str | None:
    """Return the answer from standard input; None if it is not a terminal or has ended."""
    if not sys.stdin.isatty():
        print(question)
        return None
    try:
        return input(question)
    except EOFError:
        return None


@app.command("camera")
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
    from companion.calibration.store import load_calibration
    from companion.cameras import camera_named
    from companion.checkup.camera_trial import open_tray, try_camera, well_read
    from companion.config import data_folder
    from companion.config_files import load_config

    say = partial(tell, err=True)
    loaded = load_config(config, {"camera.source": camera, "table.data": data})
    stored = load_calibration(data_folder(loaded), loaded.camera.source)
    if stored.of_another:
        say(f"the calibration is of another camera, {stored.of_another!r}; it is not used")
    if stored.calibration is None:
        say("not calibrated: read as any picture is; `farklecrib calibrate` makes it better")
    with open_tray(camera_named(loaded.camera.source), ask_line) as tray:
        shown = tray.empty()
        measures, read = try_camera(tray, shown, stored, throws, say)
    if json_out:
        print(json.dumps((_record(read) if read else {}) | {"checks": [each.record() for each in measures]}))
    else:
        if shown.view is not None:
            tell(f"camera {shown.view}")
        tell("\n".join(line for each in measures for line in each.lines()))
        tell("\n".join(_lines(read)) if read else "no throws: the error rate is not measured")
    sound = all(each.good is not False for each in measures)
    return 0 if sound and well_read(read) and bool(read) == bool(throws) else 1


def _record(read: "Sequence[KnownThrow]") -> dict[str, object]:
    """Return the counts of the throws as JSON's types."""
    from companion.games.statistics import interval

    exact = sum(throw.exact for throw in read)
    low, high = interval(len(read) - exact, len(read))
    return {
        "throws": len(read),
        "exact": exact,
        "sure": sum(throw.reading.sure for throw in read),
        "wrong_and_sure": sum(throw.wrong_and_sure for throw in read),
        "dice": sum(len(throw.faces) for throw in read),
        "right": sum(throw.right for throw in read),
        "error_rate_low": round(low, 4),
        "error_rate_high": round(high, 4),
    }


def _lines(read: "Sequence[KnownThrow]") -> Iterator[str]:
    """Yield the counts of the throws with their intervals, and the throws that were read wrong."""
    from companion.checkup.camera_trial import text_of
    from companion.games.statistics import share

    yield f"throws read exactly: {share(sum(throw.exact for throw in read), len(read))}"
    yield f"dice read right:     {share(sum(throw.right for throw in read), sum(len(throw.faces) for throw in read))}"
    yield f"sure:                {share(sum(throw.reading.sure for throw in read), len(read))}"
    yield f"wrong while sure:    {share(sum(throw.wrong_and_sure for throw in read), len(read))}"
    for throw in read:
        if not throw.exact:
            yield f"  {text_of(throw.faces)} read as {text_of(throw.reading.faces)}{' and sure' * throw.reading.sure}"
