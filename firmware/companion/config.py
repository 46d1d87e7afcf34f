"""The configuration: packaged defaults, then a file, then the command line, as dataclasses that check themselves."""

import difflib
import os
import re
import stat
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_type_hints

import platformdirs
from pydantic import ConfigDict, TypeAdapter, ValidationError

from companion.errors import ConfigError
from companion.times import Times
from companion.words import NOTHING, Catalogue, CatalogueError, Text, load_catalogue, message
from dicereader.data.files import read_text
from dicereader.errors import TimingError
from dicereader.live.timing import SettleTiming
from pegboard.buttons.port import Pins
from pegboard.buttons.timing import Timing
from pegboard.errors import DriverError
from pegboard.power import BUDGET_MA, MOST_MA
from pegboard.track import FEWEST_HOLES, MOST_HOLES

LEAST_BUDGET_MA = 100.0
"""The smallest `leds.budget_ma`: a short strip that is almost dark."""

SYSTEM_FILE = Path("/etc/farklecrib/config.toml")
"""This machine's configuration file."""

PACKAGED_FILE = Path(sys.prefix) / "share/config.toml"
"""The configuration that the Debian package installs beside its Python, and copies to `SYSTEM_FILE`."""

ELSEWHERE = "FARKLECRIB_CONFIG"
"""The environment variable that names another file to read instead; if it is empty, no file is read."""


def _within(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise ConfigError(f"{name}: expected {least} to {most}, got {value!r}")


def _one_of(name: str, value: object, *known: object) -> None:
    if value not in known:
        raise ConfigError(f"{name}: expected {' or '.join(str(each) for each in known)}, got {value!r}")


@dataclass(frozen=True)
class TableConfig:
    """The table: the folder of its games, the game that starts in an empty folder, and the rules of the house.

    A `track` of 0 is the layout's own.
    """

    data: str = ""
    rules: str = "farkle-cribbage"
    players: tuple[str, ...] = ()
    track: int = 0
    off_table: str = "all"
    cocked: str = "that_die"

    def __post_init__(self) -> None:
        if self.track:
            _within("table.track", self.track, FEWEST_HOLES, MOST_HOLES)
        _one_of("table.off_table", self.off_table, "all", "that_die")
        _one_of("table.cocked", self.cocked, "that_die", "flatten")


@dataclass(frozen=True)
class CameraConfig:
    """The source of frames."""

    source: str = "simulated"


@dataclass(frozen=True)
class LedsConfig:
    """The lights: the driver, the board's layout, brightness and current."""

    driver: str = "simulated"
    layout: str = ""
    brightness: float = 1.0
    calm: bool = False
    budget_ma: float = BUDGET_MA
    quiet: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _within("leds.brightness", self.brightness, 0.0, 1.0)
        if not LEAST_BUDGET_MA <= self.budget_ma <= MOST_MA:
            bounds = f"{LEAST_BUDGET_MA:g} to {MOST_MA:g} (mA; at most the value of the strip's fuse, see hardware.md)"
            raise ConfigError(f"leds.budget_ma: expected {bounds}, got {self.budget_ma!r}")


@dataclass(frozen=True)
class ButtonsConfig(Timing, Pins):
    """The buttons: the driver, the pins of `gpio`, and the timing of presses (a hold is 1.5 s by default)."""

    driver: str = "page"

    def __post_init__(self) -> None:
        for check, where in ((Pins.__post_init__, "buttons: "), (Timing.__post_init__, "buttons.")):
            try:
                check(self)
            except DriverError as error:
                raise ConfigError(f"{where}{error}") from error


@dataclass(frozen=True)
class SoundConfig:
    """The sound: the driver, the sound card, the volume and the language."""

    driver: str = "silent"
    device: str = ""
    volume: float = 0.8
    night: bool = False
    language: str = "en"

    def __post_init__(self) -> None:
        _within("sound.volume", self.volume, 0.0, 1.0)
        if not re.fullmatch(r"[A-Za-z0-9_-]{0,15}", self.device):  # the kernel's form of a card's name
            raise ConfigError(f"sound.device: expected a card's name in /proc/asound/cards, got {self.device!r}")
        if len(set(self.drivers)) < len(self.drivers):
            raise ConfigError(f"sound.driver: expected each driver once, got {self.driver!r}")

    @property
    def drivers(self) -> tuple[str, ...]:
        """The drivers that sound together."""
        return tuple(name.strip() for name in self.driver.split("+"))


MOST_HOSTS = 16
LONGEST_HOST = 253
"""The most characters of a host's name (RFC 1035)."""

_LABEL = r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)"


@dataclass(frozen=True)
class WebConfig:
    """The page: its address, its names in the network, and whether the network may write."""

    host: str = "127.0.0.1"
    port: int = 8080
    hosts: tuple[str, ...] = ()
    writes: str = "off"

    def __post_init__(self) -> None:
        if not self.host.strip():
            raise ConfigError(f"web.host: expected an address, such as 127.0.0.1 or 0.0.0.0, got {self.host!r}")
        _within("web.port", self.port, 0, 65535)
        if len(self.hosts) > MOST_HOSTS:
            raise ConfigError(f"web.hosts: expected at most {MOST_HOSTS} names, got {len(self.hosts)}")
        for name in self.hosts:
            if len(name) > LONGEST_HOST or not re.fullmatch(rf"{_LABEL}(\.{_LABEL})*", name):
                raise ConfigError(
                    f"web.hosts: expected names such as farklecrib.lan, without scheme, port or *, got {name[:80]!r}"
                )
        _one_of("web.writes", self.writes, "off", "trusted-network")


@dataclass(frozen=True)
class EyeConfig(SettleTiming):
    """The timing of the settle detection: how long the tray must be still (0.35 s by default), and the frame rates."""

    def __post_init__(self) -> None:
        try:
            super().__post_init__()
        except TimingError as error:
            raise ConfigError(f"eye.{error}") from error


@dataclass(frozen=True)
class TimesConfig(Times):
    """The table's times in seconds, each within its limits."""

    def __post_init__(self) -> None:
        _within("times.farkle_shown_s", self.farkle_shown_s, 0.0, 60.0)
        _within("times.complain_after_s", self.complain_after_s, 0.0, 60.0)
        _within("times.complain_again_s", self.complain_again_s, 5.0, 3600.0)
        _within("times.blind_ask_s", self.blind_ask_s, 0.0, 3600.0)
        _within("times.unsettled_ask_s", self.unsettled_ask_s, 5.0, 3600.0)
        _within("times.stronger_s", self.stronger_s, 1.0, 86400.0)
        for earlier, later in (("stronger_s", "call_s"), ("call_s", "dim_s"), ("dim_s", "sleep_s")):
            _within(f"times.{later}", getattr(self, later), getattr(self, earlier), 86400.0)


@dataclass(frozen=True)
class Config:
    """The whole configuration; each field is a section of the file."""

    table: TableConfig = field(default_factory=TableConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    eye: EyeConfig = field(default_factory=EyeConfig)
    leds: LedsConfig = field(default_factory=LedsConfig)
    buttons: ButtonsConfig = field(default_factory=ButtonsConfig)
    sound: SoundConfig = field(default_factory=SoundConfig)
    web: WebConfig = field(default_factory=WebConfig)
    times: TimesConfig = field(default_factory=TimesConfig)


def data_folder(config: Config) -> Path:
    """Return the folder of the games; `~` is the home folder.

    Raises:
        ConfigError: if the user has no home folder, or the value cannot be a folder.
    """
    if not config.table.data:
        return Path(platformdirs.user_data_dir("farklecrib", appauthor=False))
    reason: object = "it is not a folder"
    try:
        folder = Path(config.table.data).expanduser()
        if stat.S_ISDIR(folder.stat().st_mode):
            return folder
    except FileNotFoundError:
        return folder
    except (RuntimeError, OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
    raise ConfigError(f"table.data: expected a folder, got {config.table.data!r}: {reason}")


def packaged_defaults() -> str:
    """Return the text of the file that explains every key."""
    return (resources.files("companion") / "config.default.toml").read_text(encoding="utf-8")


def system_file(environment: Mapping[str, str] | None = None) -> Path | None:
    """Return the file to read without a file on the command line, or None to read no file. It need not exist."""
    named = (os.environ if environment is None else environment).get(ELSEWHERE)
    if named is None:
        return SYSTEM_FILE
    return Path(named) if named else None


def file_used(given: Path | None, environment: Mapping[str, str] | None = None) -> Path | None:
    """Return the file to read: the given one, else that of `system_file` if it exists, else None."""
    named = system_file(environment)
    return given or (named if named is not None and os.path.exists(named) else None)  # noqa: PTH110 - never raises


def load_config(given: Path | None, overrides: Mapping[str, object] = MappingProxyType({})) -> Config:
    """Return the configuration: the defaults, then the file that is used, then the command line.

    `ConfigError` reaches the caller if a value cannot be used; its text names the file and the key.

    Args:
        given: The file that the command line names; None reads the one of `system_file` if it exists.
        overrides: Values of the command line by `section.key`; a value of None leaves its key as it is.
    """
    path = file_used(given)
    return _overridden(Config() if path is None else _config_in(path), overrides)


def load_service_config(
    overrides: Mapping[str, object], environment: Mapping[str, str] | None = None, packaged: Path = PACKAGED_FILE
) -> tuple[Config, Text]:
    """Return the configuration of a service, and what is wrong with its file in words.

    If the file of `system_file` is missing, empty or not TOML, as after a power cut, the package's own takes its place.
    Without that one, a missing file means the defaults, as for a person.

    Args:
        overrides: Values of the command line by `section.key`.
        environment: The environment variables, if other than this process's.
        packaged: The file that the Debian package brought.

    Raises:
        ConfigError: if a value cannot be used, or the file cannot be and there is none in its place.
    """
    named = system_file(environment)
    reason = "" if named is None else damage(named)
    if named is None or not reason:
        return load_config(named, overrides), NOTHING
    if packaged.is_file():
        config = _overridden(_config_in(packaged), overrides)
        return config, message("fault.settings", file=str(named), reason=reason, data=str(data_folder(config)))
    if file_used(None, environment) is None:
        return _overridden(Config(), overrides), NOTHING
    raise ConfigError(f"{named}: expected a configuration, but {reason}")


def damage(path: Path) -> str:
    """Return what is wrong with a configuration file as a whole, in words; empty if nothing is.

    Zero bytes, or comments alone, are TOML: they would mean simulated devices and another data folder.
    """
    try:
        text = read_text(path)
        return "" if tomllib.loads(text) else "it is empty" if not text.strip() else "it has no key"
    except FileNotFoundError:
        return "it is missing"
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    except (ValueError, RecursionError):
        return "it is not TOML"


def _config_in(path: Path) -> Config:
    try:
        return config_from(read_document(path))
    except ConfigError as error:
        raise ConfigError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from error


def _overridden(config: Config, overrides: Mapping[str, object]) -> Config:
    for name, value in overrides.items():
        if value is not None:
            section, key = name.split(".")
            new = str(value) if isinstance(value, Path) else value
            config = replace(config, **{section: replace(getattr(config, section), **{key: new})})
    return config


def read_document(path: Path) -> Mapping[str, Any]:
    """Return the TOML document of a file.

    Raises:
        ConfigError: if the file cannot be read, or is not TOML; the text names it.
    """
    try:
        return tomllib.loads(read_text(path))
    except OSError as error:
        raise ConfigError(f"expected a configuration file, got {str(path)!r}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: expected TOML, got {error}") from error


def config_from(document: Mapping[str, Any]) -> Config:
    """Return the defaults, overridden by a TOML document.

    Raises:
        ConfigError: for the document's first mistake.
    """
    config, mistakes = read_config(document)
    if mistakes:
        raise ConfigError(mistakes[0])
    return config


def read_config(document: Mapping[str, Any]) -> tuple[Config, list[str]]:
    """Return the defaults, overridden by the usable part of a TOML document, and each mistake with its key."""
    sections: dict[str, Any] = {}
    mistakes: list[str] = []
    known = get_type_hints(Config)
    for name, values in document.items():
        try:
            if name not in known:
                mistakes.append(_unknown(name, list(known), "a section"))
            elif not isinstance(values, dict):
                mistakes.append(f"{name}: expected a section [{name}], got {values!r}")
            else:
                sections[name] = _section(name, known[name], values, mistakes)
        except ConfigError as error:
            mistakes.append(str(error))
        except (ValueError, RecursionError) as error:
            mistakes.append(f"{name}: expected values of a usual size, got one that is too large: {error}")
    return replace(Config(), **sections), mistakes


def _section(section: str, kind: type[Any], values: Mapping[str, object], mistakes: list[str]) -> object:
    types = get_type_hints(kind)
    given: dict[str, object] = {}
    for key, value in values.items():
        if key not in types:
            mistakes.append(_unknown(key, [each.name for each in fields(kind)], "a key", f"{section}."))
            continue
        try:
            given[key] = _typed(f"{section}.{key}", value, types[key])
        except ConfigError as error:
            mistakes.append(str(error))
    return kind(**given)


WORDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    tuple[str, ...]: 'a list of texts such as ["Ann", "Ben"]',
    tuple[int, ...]: "a list of whole numbers such as [12, 13]",
}
"""Each type of a key, in words."""

_READERS: Mapping[Any, TypeAdapter[Any]] = {kind: TypeAdapter(kind, config=ConfigDict(strict=True)) for kind in WORDS}


def _typed(name: str, value: object, wanted: Any) -> object:
    """Return a value of TOML as the type of its key.

    Raises:
        ConfigError: if it has another type.
    """
    try:
        return _READERS[wanted].validate_python(tuple(value) if isinstance(value, list) else value)
    except (ValidationError, OverflowError) as error:
        raise ConfigError(f"{name}: expected {WORDS[wanted]}, got {value!r}") from error


def _unknown(name: str, known: list[str], what: str, section: str = "") -> str:
    near = difflib.get_close_matches(name, known, n=1)
    listed = ", ".join(f"{section}{each}" for each in known)
    hint = f"did you mean {section + near[0]!r}?" if near else f"known: {listed}"
    return f"{section}{name}: expected {what} this program knows, got {section + name!r} ({hint})"


CAMERAS = {"simulated": "synthetic", "recorded": "recorded", "usb": "usb", "picamera2": "picamera2"}
"""The name of each camera, and the eye's source for it."""

CAMERA_FORMS = {
    "simulated": (r"[0-9]{0,5}", "simulated or simulated:NUMBER below 65536"),
    "recorded": (r"[^\0]+", "recorded:PATH with a folder, a picture or a clip"),
    "usb": (r"[0-9]{0,5}", "usb:N with a camera's number, such as usb:0"),
    "picamera2": (
        r"|[0-9]{1,5}(,(50|60))?",  # as `dicereader.sources.pi_camera.parsed` reads it
        "picamera2, picamera2:N with a camera's number, or picamera2:N,60 where the mains have 60 Hz",
    ),
}
"""The pattern of each camera's argument, and its form in words."""


@dataclass(frozen=True)
class CameraChoice:
    """The value of `--camera`: a name, and the argument after the colon."""

    name: str
    arg: str = ""

    @property
    def simulated(self) -> bool:
        """Whether the pictures are drawn."""
        return self.name == "simulated"

    @property
    def source(self) -> str:
        """The eye's source for this camera."""
        return CAMERAS[self.name]


def camera_named(text: str) -> CameraChoice:
    """Return the camera of `NAME[:ARG]`.

    Raises:
        ConfigError: if the name is unknown, or the argument does not fit it.
    """
    name, _, arg = text.partition(":")
    if name not in CAMERAS:
        raise ConfigError(f"camera: expected one of {', '.join(CAMERAS)}, got {name!r}")
    pattern, form = CAMERA_FORMS[name]
    if not re.fullmatch(pattern, arg) or (name == "simulated" and int(arg or 0) >= 1 << 16):
        raise ConfigError(f"camera: expected {form}, got {text!r}")
    return CameraChoice(name, arg)


def words_of(config: Config) -> Catalogue:
    """Return the words of the voice and of the terminal: those of `sound.language`.

    Raises:
        ConfigError: if there are no such words, or they cannot be used.
    """
    try:
        return load_catalogue(config.sound.language)
    except CatalogueError as error:
        raise ConfigError(f"sound.language: {error}") from error
