"""The configuration: a dataclass for each of its sections, which checks itself, and what follows from their values."""

import ipaddress
import re
import stat
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import platformdirs

from companion.errors import ConfigError
from companion.times import Times
from companion.words import Catalogue, CatalogueError, load_catalogue
from dicereader.errors import TimingError
from dicereader.live.timing import SettleTiming
from pegboard.buttons.port import Pins
from pegboard.buttons.timing import Timing
from pegboard.errors import DriverError
from pegboard.power import BUDGET_MA, MOST_MA
from pegboard.track import FEWEST_HOLES, MOST_HOLES

LEAST_BUDGET_MA = 100.0
"""The smallest `leds.budget_ma`: a short strip that is almost dark."""


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
    coach: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for part in self.coach:
            _one_of("table.coach", part, "ask", "odds", "lamps", "after")
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


@lru_cache(maxsize=256)
def is_loopback(address: str) -> bool:
    """Return whether an address is this machine's own; an IPv4 address may be written as IPv6."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback


def is_open(host: str) -> bool:
    """Return whether other machines reach a page that listens on this address."""
    return host != "localhost" and not is_loopback(host)


@dataclass(frozen=True)
class WebConfig:
    """The page: its address, its names in the network, whether phones may ask to play, and its second port for TLS.

    Without `certificate` and `key` the table has an authority of its own.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    hosts: tuple[str, ...] = ()
    asking: bool = True
    tls: bool = False
    tls_port: int = 8443
    certificate: str = ""
    key: str = ""

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
        _within("web.tls_port", self.tls_port, 0, 65535)
        if self.tls and self.tls_port == self.port != 0:
            raise ConfigError(f"web.tls_port: expected another port than web.port, got {self.tls_port!r}")
        for missing, there in (("key", "certificate"), ("certificate", "key")):
            if getattr(self, there) and not getattr(self, missing):
                raise ConfigError(f"web.{missing}: expected a file beside web.{there}, got ''")


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


def words_of(config: Config) -> Catalogue:
    """Return the words of the voice and of the terminal: those of `sound.language`.

    Raises:
        ConfigError: if there are no such words, or they cannot be used.
    """
    try:
        return load_catalogue(config.sound.language)
    except CatalogueError as error:
        raise ConfigError(f"sound.language: {error}") from error
