"""`farklecrib doctor`, `selftest` and `setup-pi`: check a machine and its devices, try them, set a Pi's boot files."""

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.config import refused
from companion.cli.options import ConfigFile, Data, Driver, Json, agreed, ask_line, tell, written
from companion.errors import CompanionError, ConfigError, reporting_file_errors

if TYPE_CHECKING:
    from companion.checkup.camera_trial import KnownThrow
    from companion.checkup.findings import Finding
    from companion.checkup.machine import Machine
    from companion.checkup.trials import Person
    from companion.config import Config

selftest = typer.Typer(no_args_is_help=True, help="Try a device with somebody looking and listening.")


def doctor(
    config: ConfigFile = None,
    bundle: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    json_out: Json = False,
) -> int:
    """Examine this machine, and show each problem with the command that mends it.

    Args:
        bundle: Write a .tar.gz for a bug report, names masked, without pictures.
    """
    from companion.checkup.all_checks import examine
    from companion.checkup.findings import Level
    from companion.checkup.machine import this_machine

    machine, (configured, findings) = this_machine(), _configured(config)
    findings += (*examine(machine, configured), *_authority(configured))
    if json_out:
        print(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        for finding in findings:
            tell(finding.line())
        tell(", ".join(f"{sum(each.level is level for each in findings)} {level.lower()}" for level in Level))
    if bundle is not None:
        _write_bundle(bundle, machine, configured, findings)
    return 1 if any(finding.level is Level.FAIL for finding in findings) else 0


def _write_bundle(file: Path, machine: "Machine", config: "Config", findings: "Iterable[Finding]") -> None:
    from companion.checkup.bundle import write_bundle
    from companion.config import data_folder
    from companion.games.control_socket import open_games

    try:
        with open_games(data_folder(config), time.time) as (games, _):
            players = {name for summary in games.summaries() for name in summary.players}
        log = machine.log_lines()
    except CompanionError as error:
        players, log = set(), f"left out, because the players' names to mask could not be read: {error}"
    with written(file) as opened:
        write_bundle(opened, machine, config, findings, log, players)
    tell(f"farklecrib: {file} holds what a bug report needs; look into it before you send it", err=True)


def _authority(config: "Config") -> "Iterator[Finding]":
    """Yield the table's own authority with its fingerprint, if HTTPS is configured and there is one."""
    from companion.checkup.findings import told
    from companion.config import data_folder
    from companion.pairing.certificate_files import stored_authority

    if config.web.tls and not config.web.certificate:
        with suppress(ConfigError, OSError, ValueError):  # the table makes it anew, and says so
            found = stored_authority(data_folder(config))
            yield told("https", "good", end=found.end.date(), fingerprint=found.fingerprint)


def _configured(file: Path | None) -> "tuple[Config, tuple[Finding, ...]]":
    """Return the configuration, the defaults if it cannot be read, and a finding for each value that is wrong."""
    from companion.checkup.findings import Finding, Level
    from companion.config import Config
    from companion.config_files import PACKAGED_FILE, damage, load_config, system_file

    cure = f"farklecrib config check{f' --config {file}' if file else ''}"
    found: tuple[Finding, ...] = ()
    named = system_file() if file is None else None
    if named is not None and PACKAGED_FILE.is_file() and (reason := damage(named)):
        file, again = PACKAGED_FILE, f"sudo cp {PACKAGED_FILE} {named} && sudo systemctl restart farklecrib"
        found = (Finding("config", Level.FAIL, f"{named} cannot be used: {reason}", again),)
    try:
        config = load_config(file)
    except ConfigError as error:
        return Config(), (*found, Finding("config", Level.FAIL, str(error), cure))
    return config, (*found, *(Finding("config", Level.FAIL, wrong, cure) for wrong in refused(config)))


def setup_pi(
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    yes: Annotated[bool, typer.Option("--yes")] = False,
    undo: Annotated[bool, typer.Option("--undo")] = False,
    root: Annotated[Path, typer.Option("--root", metavar="DIR")] = Path("/"),
) -> int:
    """Show what /boot/firmware/config.txt and cmdline.txt lack for the LED strip, and ask before changing them.

    Args:
        dry_run: Print the lines; change nothing, do not ask.
        yes: Change the files without asking.
        undo: Take our lines out again.
        root: The root of a mounted card.
    """
    from companion.checkup.raspberry_pi import Installation, boot_files, restore_boot_files

    machine = Installation(root, ask=(lambda _: True) if yes else agreed, tell=tell, dry=dry_run)
    with reporting_file_errors("boot files that can be written (run it with sudo)", root / "boot/firmware"):
        if undo:
            restore_boot_files(machine)
        else:
            boot_files(machine, machine.family)
    if machine.changed and not dry_run:
        tell("restart the Pi for the new lines to count: sudo reboot")
    return 0


@selftest.command("leds")
def selftest_leds(config: ConfigFile = None, leds: Driver = None) -> int:
    """Light the strip red, green and blue, then each lane LED by LED, and ask what the person saw."""
    from companion.checkup.leds import try_leds

    return _tried(try_leds, config, {"leds.driver": leds})


@selftest.command("buttons")
def selftest_buttons(config: ConfigFile = None, buttons: Driver = None) -> int:
    """Ask for each button, with its lamp lit, and say which presses came."""
    from companion.checkup.buttons import try_buttons

    return _tried(try_buttons, config, {"buttons.driver": buttons})


@selftest.command("sound")
def selftest_sound(config: ConfigFile = None, sound: Driver = None, data: Data = None) -> int:
    """Play a sentence, each tone, and each sound of your own."""
    from companion.checkup.sound import try_sound
    from companion.config import data_folder
    from companion.features.own_sounds.feature import own_sounds

    def trial(loaded: "Config", person: "Person") -> int:
        return try_sound(loaded, person, own_sounds(data_folder(loaded), person.found))

    return _tried(trial, config, {"sound.driver": sound, "table.data": data})


@selftest.command("hooks")
def selftest_hooks(config: ConfigFile = None) -> int:
    """Send each hook one example of each kind that it gets, and say what came back."""
    from companion.config_files import load_config
    from companion.features.events.hooks import trials

    good = True
    for line, is_good in trials(load_config(config)):
        tell(line)
        good = good and is_good
    return 0 if good else 1


def _tried(trial: "Callable[[Config, Person], int]", file: Path | None, overrides: Mapping[str, object]) -> int:
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


@selftest.command("camera")
def selftest_camera(
    camera: Annotated[str | None, typer.Option(metavar="NAME[:ARG]")] = None,
    throws: Annotated[int, typer.Option(metavar="N", min=0, max=1000)] = 10,
    data: Data = None,
    config: ConfigFile = None,
    json_out: Json = False,
) -> int:
    """Check picture and light, then throw and type the faces, and measure how often this table's camera is wrong.

    Args:
        camera: The camera, as for play.
        throws: How many throws are tried; 0 checks the picture alone.
    """
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


def _counts(read: "Sequence[KnownThrow]") -> dict[str, int]:
    return {
        "throws": len(read),
        "exact": sum(throw.exact for throw in read),
        "sure": sum(throw.reading.sure for throw in read),
        "wrong_and_sure": sum(throw.wrong_and_sure for throw in read),
        "dice": sum(len(throw.faces) for throw in read),
        "right": sum(throw.right for throw in read),
    }


def _record(read: "Sequence[KnownThrow]") -> dict[str, object]:
    """Return the counts of the throws as JSON's types."""
    from companion.games.statistics import interval

    counts = _counts(read)
    low, high = interval(counts["throws"] - counts["exact"], counts["throws"])
    return {**counts, "error_rate_low": round(low, 4), "error_rate_high": round(high, 4)}


def _lines(read: "Sequence[KnownThrow]") -> Iterator[str]:
    """Yield the counts of the throws with their intervals, and the throws that were read wrong."""
    from companion.games.statistics import share

    counts = _counts(read)
    yield f"throws read exactly: {share(counts['exact'], counts['throws'])}"
    yield f"dice read right:     {share(counts['right'], counts['dice'])}"
    yield f"sure:                {share(counts['sure'], counts['throws'])}"
    yield f"wrong while sure:    {share(counts['wrong_and_sure'], counts['throws'])}"
    yield from (f"  {throw.misread}" for throw in read if not throw.exact)
