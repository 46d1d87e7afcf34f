"""`farklecrib config`: print the configuration with the origin of each value, its file's path, or its mistakes."""

import errno
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import ConfigFile, Json, check_game, known_rules, tell
from companion.errors import CompanionError, ConfigError, PortInUseError, TrackRefusedError
from companion.setting import toml
from farkle.errors import FarkleError, UnknownRuleSetError

if TYPE_CHECKING:
    from companion.config import Config
    from companion.table.state.inputs import DraftPatch

app = typer.Typer(
    no_args_is_help=True, help="The configuration: what it says, which file it is, what is wrong with it."
)


@app.command("show")
def show_config(
    config: ConfigFile = None,
    explain: Annotated[bool, typer.Option("--explain")] = False,
    json_out: Json = False,
) -> int:
    """Show every value and where it came from.

    Args:
        explain: Print the whole file with every key explained, to keep as your own.
    """
    from companion.config import REPEATED
    from companion.config_files import explained, load_layers

    layers = load_layers(config)
    values = {
        section: {key: {"value": value, "from": layers.origin(f"{section}.{key}")} for key, value in keys.items()}
        for section, keys in asdict(layers.config).items()
        if isinstance(keys, dict)
    }
    repeated = {section: found for section in REPEATED if (found := asdict(layers.config)[section])}
    if explain:
        sys.stdout.write(explained(layers.config))
    elif json_out:
        print(json.dumps(values | repeated, ensure_ascii=False))
    else:
        for section, keys in values.items():
            tell(f"[{section}]")
            for key, value in keys.items():
                tell(f"{f'{key} = ' + toml(value['value']):40}  # {value['from']}")
        for section, each in ((section, each) for section, found in repeated.items() for each in found):
            tell(f"[[{section}]]")
            for key, value in each.items():
                tell(f"{key} = {toml(value)}")
    return 0


@app.command("path")
def config_path(config: ConfigFile = None) -> int:
    """Print which file is read."""
    from companion.config_files import file_used, system_file

    path = file_used(config)
    tell(str(path or system_file() or ""))
    if path is not None and os.path.exists(path):  # noqa: PTH110 - never raises
        return 0
    sys.stderr.write("farklecrib: there is no such file; the packaged defaults hold\n")
    return 1


@app.command("check")
def check_config(config: ConfigFile = None) -> int:
    """Say everything that is wrong with the configuration."""
    from companion.config import Config
    from companion.config_files import damage, file_used, load_config, read_config, read_document

    path = file_used(config)
    loaded, wrong = read_config(read_document(path)) if path is not None else (Config(), [])
    if path is not None and config is None and (reason := damage(path)):
        wrong.append(f"expected at least one key, but {reason}; the service would ask to play with the package's own")
    if not wrong:
        try:
            loaded = load_config(config)
        except ConfigError as error:  # of the settings, which lie elsewhere
            wrong.append(str(error))
    known = {line.partition("]")[0] for line in wrong if line.startswith("hook[")}
    wrong += [line for line in refused(loaded) if line.partition("]")[0] not in known]
    for line in wrong or ["the table can be played with it"]:
        tell(f"{path or 'the packaged defaults'}: {line}")
    return 1 if wrong else 0


def refused(config: "Config", options: "DraftPatch | None" = None) -> Iterator[str]:
    """Report all for which `play` refuses a configuration: what is `unusable`, and a game that nobody can play."""
    from companion.table.state.inputs import DraftPatch
    from pegboard.errors import LayoutError

    wrong = [*unusable(config)]
    yield from wrong
    try:
        check_game(config, options or DraftPatch())
    except (UnknownRuleSetError, LayoutError, TrackRefusedError):
        pass  # `unusable` reports an unknown rule set, a wrong layout and a track that the board has not
    except (CompanionError, FarkleError) as error:
        if str(error) not in wrong:
            yield f"table.players: {error}"


def unusable(config: "Config") -> Iterator[str]:
    """Report values of the right type that `play` cannot use, such as an unknown driver. Opens no device."""
    from companion.boards import check_track, layout_of
    from companion.cameras import camera_named
    from companion.config import words_of
    from companion.devices.lights import open_board
    from companion.features.events.hooks import check_hook
    from dicereader.errors import DiceReaderError
    from dicereader.sources.recorded import find_recorded
    from pegboard.buttons.button_drivers import DRIVERS as BUTTONS
    from pegboard.drivers import check_driver
    from pegboard.errors import PegboardError
    from pegboard.layouts import DEFAULT, load_layout
    from pegboard.leds.led_drivers import DRIVERS as LEDS
    from pegboard.leds.neopixel_strip import NAME as NEOPIXEL
    from pegboard.leds.neopixel_strip import pin_and_order
    from pegboard.sound.sound_drivers import DRIVERS as SOUNDS

    def camera() -> None:
        if (named := camera_named(config.camera.source)).name == "recorded":
            find_recorded(named.arg)

    def leds() -> object:
        name, _, arg = config.leds.driver.partition(":")
        check_driver("LED", name, LEDS)
        if name == "wled":  # its driver sends nothing before the first frame
            return LEDS[name](arg, layout_of(config))
        return pin_and_order(arg) if name == NEOPIXEL else None

    checks: list[tuple[str, Callable[[], object]]] = [
        ("table.data", lambda: _check_folder(config)),
        ("table.rules", lambda: known_rules(config, config.table.rules)),
        ("camera.source", camera),
        ("web.host", lambda: _check_address(config.web.host, config.web.port)),
        ("web.tls_port", lambda: _check_tls(config)),
        ("leds.layout", lambda: load_layout(config.leds.layout or DEFAULT)),
        ("table.language", lambda: words_of(config)),
        ("leds.driver", leds),
        ("buttons.driver", lambda: check_driver("button", config.buttons.driver, BUTTONS)),
        *(("sound.driver", partial(check_driver, "sound", name, SOUNDS)) for name in config.sound.drivers),
        ("table.track", lambda: check_track(config)),
        ("leds.quiet", lambda: open_board(config)),
        *((f"hook[{number}]", partial(check_hook, number, hook)) for number, hook in enumerate(config.hook, 1)),
    ]
    said: set[str] = set()
    for key, check in checks:
        try:
            check()
        except (CompanionError, FarkleError, PegboardError, DiceReaderError) as error:
            if str(error) not in said:  # the rules may lie in a wrong data folder, and the track in a wrong layout
                said.add(str(error))
                text = str(error).removeprefix("camera: ").removeprefix(f"{key}: ")
                yield text if text.startswith(("web.", "hook[")) else f"{key}: {text}"  # they have several keys


def require_usable(config: "Config", *, folder: bool = True) -> None:
    """Check that `play` can use a configuration.

    Args:
        config: the configuration.
        folder: whether its data folder and its certificate must be usable, too; else the page says if they are not.

    Raises:
        ConfigError: if not, with the first reason.
    """
    for wrong in unusable(config):
        if folder or not wrong.startswith(("table.data: ", "web.certificate: ", "web.key: ", "web.hosts: ")):
            raise ConfigError(wrong)


def _check_folder(config: "Config") -> None:
    """Check that the data folder can be written or made, or holds games to be read.

    Raises:
        ConfigError: if not.
    """
    from companion.config import data_folder

    folder = data_folder(config)
    try:
        if folder.is_dir():
            usable = os.access(folder, os.W_OK | os.X_OK) or any(folder.glob("journal.db"))
        else:
            there = next(each for each in folder.absolute().parents if each.exists())
            with tempfile.TemporaryDirectory(dir=there, prefix=".farklecrib-"):
                usable = True
    except OSError as error:
        raise ConfigError(f"expected a data folder that can be made, got {str(folder)!r}: {error.strerror}") from error
    if not usable:
        raise ConfigError(f"expected a data folder that can be written, got {str(folder)!r}")


def _check_address(host: str, port: int) -> None:
    """Check that the page can have its address; a table that runs there already is not a mistake.

    Raises:
        PortInUseError: if it cannot.
    """
    from companion.web.server import bind

    try:
        bind(host, port).close()
    except PortInUseError as error:
        if getattr(error.__cause__, "errno", None) != errno.EADDRINUSE:
            raise


def _check_tls(config: "Config") -> None:
    """Check the second port, and the certificate of the owner's domain if there is one.

    Raises:
        ConfigError: if the certificate cannot be used, or its time is over.
    """
    from companion.pairing.certificates import SubjectNames
    from companion.web.address import own_hosts
    from companion.web.guard.tls import certificate_source

    if not config.web.tls:
        return
    _check_address(config.web.host, config.web.tls_port)
    if config.web.certificate:
        source = certificate_source(config, Path(), time.time)
        source.renew(SubjectNames.of(own_hosts(config.web.host, config.web.hosts)), SubjectNames.of(()))
        if trouble := source.trouble():
            raise ConfigError(f"web.certificate: {trouble}")
