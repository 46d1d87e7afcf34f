"""The configuration: a section for each part of the table, which declares and checks its settings."""

import ipaddress
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path

import platformdirs

from companion.errors import ConfigError
from companion.setting import ConfigSection, Control, Declared, setting, settings_of
from companion.times import Times
from companion.words import Catalogue, CatalogueError, Languages, language_files, load_catalogue
from companion.words.load import CODE
from dicereader.errors import TimingError
from dicereader.live.timing import SettleTiming
from pegboard.buttons.contacts import Timing
from pegboard.buttons.port import Pins
from pegboard.errors import DriverError
from pegboard.ledframe import BUDGET_MA, MOST_MA
from pegboard.track import FEWEST_HOLES, MOST_HOLES

LEAST_BUDGET_MA = 100.0
"""The smallest `leds.budget_ma`: a short strip that is almost dark."""

NAME = r"[a-z0-9][a-z0-9-]{0,63}"
"""The name of a packaged thing, or of a rule set that the house has saved; a path has a dot or a slash."""

CAMERA = r"simulated(:[0-9]{1,5})?|phone|usb(:[^/\s]{1,200})?|picamera2(:[0-9]{1,5}(,(50|60))?)?"
"""The cameras that a browser may choose."""


@dataclass(frozen=True)
class TableConfig(ConfigSection, section="table"):
    """The table: the folder of its games, the game that starts in an empty folder, and the rules of the house."""

    data: str = ""
    """The folder of the games; empty: the user's data folder."""
    rules: str = setting("farkle-cribbage", browser=NAME, form=Control("table", "choice"))
    """The game that starts if the data folder holds no game: a rule set, and the players in the order of play. Without
    players the table opens with its lobby."""
    players: tuple[str, ...] = setting((), form=Control("table", "names"))
    track: int = setting(0, within=(FEWEST_HOLES, MOST_HOLES))
    """The number of holes of the track, one that the board has (`farklecrib board check` lists them). 0: the layout's
    own, or 121. A board that only the page draws has any length from 11 to 1001."""
    language: str = setting("en", browser=CODE.pattern, form=Control("table", "choice"))
    """The language of board, voice and wall: the code of one that comes with the program (de, en, es, fr, it, nl), of a
    file in the folder languages of the data folder, or a TOML file. Each phone follows its browser."""
    off_table: str = setting("all", one_of=("all", "that_die"), form=Control("table", "choice"))
    """After a die falls off the table: throw all dice of the throw again, or only that_die."""
    cocked: str = setting("that_die", one_of=("that_die", "flatten"), form=Control("table", "choice"))
    """After a die leans or lies on another: throw that_die again, or flatten it by hand."""
    coach: tuple[str, ...] = setting((), one_of=("ask", "odds", "lamps", "after"), form=Control("table", "parts"))
    """What the coach does for the whole table until the pause menu changes it: "ask" answers when BANK is held, "odds"
    shows a line on the pages, "lamps" lets the better of BANK and ROLL breathe, "after" tells after a turn what was
    given away."""


@dataclass(frozen=True)
class CameraConfig(ConfigSection, section="camera"):
    """The source of frames."""

    source: str = setting("simulated", browser=CAMERA)
    """simulated, picamera2 for a camera on a Pi's ribbon (picamera2:1 for the second one; picamera2:0,60 for mains of
    60 Hz instead of 50), usb for the only USB camera (usb:NAME with its name in /dev/v4l/by-id for one of several), or
    recorded:PATH for photographs and clips."""


@dataclass(frozen=True)
class LedsConfig(ConfigSection, section="leds"):
    """The lights: the driver, the board's layout, brightness and current."""

    driver: str = setting(
        "simulated",
        browser=r"simulated|neopixel(:D[0-9]{1,2}(,[RGB]{3})?)?",
        form=Control("lights", "choice", choices=("simulated", "neopixel")),
    )
    """simulated (shown on the page alone), terminal, neopixel (a strip on a Pi's GPIO10; neopixel:D10,RGB for another
    pin or order of colours) or wled:HOST."""
    layout: str = setting("", browser=rf"({NAME})?", form=Control("lights", "choice"))
    """The board with the LEDs: the name of a layout (`farklecrib board show` lists them) or a TOML file of your own.
    Empty: long-board-4, and the page draws a long board with as many lanes as sides play."""
    brightness: float = setting(1.0, within=(0, 1), form=Control("lights", "range", 0, 1, 0.05))
    """The brightness of the board, from 0 to 1 as people see it, and the current (mA) that all LEDs together may draw:
    at most the value of the strip's fuse, and never above 3150."""
    budget_ma: float = setting(
        BUDGET_MA,
        within=(LEAST_BUDGET_MA, MOST_MA, "mA; at most the value of the strip's fuse, see hardware.md"),
        form=Control("lights", "number", LEAST_BUDGET_MA, MOST_MA, 50),
    )
    calm: bool = setting(False, form=Control("lights", "check"))
    """Calm lights fade instead of blinking."""
    quiet: tuple[int, ...] = ()
    """LEDs that shine into the tray. They are dark while dice move, so that they do not disturb the camera."""


_PIN, _LAMP = Control("buttons", "number", 0, 27), Control("buttons", "number", -1, 27)


@dataclass(frozen=True)
class ButtonDriverConfig(ConfigSection, section="buttons"):
    """The driver of the buttons."""

    driver: str = setting("page", form=Control("buttons", "choice", choices=("page", "gpio")))
    """page, keyboard (k r b; capital letters hold; t throws, 1-6 slide that die), or gpio for buttons on a Pi's
    header."""


@dataclass(frozen=True)
class ButtonsConfig(Timing, Pins, ButtonDriverConfig):
    """The buttons: the driver, the pins of `gpio`, and the timing of presses."""

    keep: int = setting(Pins.keep, form=_PIN)
    """For gpio: the pins (BCM numbers) that the buttons close to ground, and those of their lamps, -1 for none."""
    roll: int = setting(Pins.roll, form=_PIN)
    bank: int = setting(Pins.bank, form=_PIN)
    keep_lamp: int = setting(Pins.keep_lamp, form=_LAMP)
    roll_lamp: int = setting(Pins.roll_lamp, form=_LAMP)
    bank_lamp: int = setting(Pins.bank_lamp, form=_LAMP)
    hold_s: float = setting(Timing.hold_s, form=Control("buttons", "number", 0.5, 5, 0.1))
    """A press of hold_s is a hold, here and on the page (not on a keyboard, where capital letters hold). For gpio
    alone: a press of long_hold_s is a long hold, by which KEEP lets a phone set the table up; two buttons that go down
    within chord_within_s and stay down for chord_s open the pause menu; for dead_s after a press the buttons are
    ignored; a contact chatters for less than settle_s; a button that is down for stuck_s, or from the start, is
    stuck."""

    def __post_init__(self) -> None:
        ConfigSection.__post_init__(self)
        for check, where in ((Pins.__post_init__, "buttons: "), (Timing.__post_init__, "buttons.")):
            try:
                check(self)
            except DriverError as error:
                raise ConfigError(f"{where}{error}") from error


@dataclass(frozen=True)
class SoundConfig(ConfigSection, section="sound"):
    """The sound: the driver, the sound card and the volume."""

    driver: str = setting(
        "silent",
        form=Control("sound", "choice", choices=("silent", "espeak", "buzzer", "espeak+buzzer")),
    )
    """silent, espeak (speech by espeak-ng), buzzer (tones on a passive buzzer at a Pi's GPIO12) or espeak+buzzer."""
    device: str = setting("", form=Control("sound", "choice"))
    """The sound card of the speech: its name in brackets, or its number, in /proc/asound/cards. Empty: the system's
    default, which on a Pi is often HDMI; a USB loudspeaker is mostly "Device"."""
    volume: float = setting(0.8, within=(0, 1), form=Control("sound", "range", 0, 1, 0.05))
    """The volume, from 0 to 1. With night = true speech is a whisper, and there are no tones."""
    night: bool = setting(False, form=Control("sound", "check"))

    def __post_init__(self) -> None:
        super().__post_init__()
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


_PORT = (0, 65535)


@dataclass(frozen=True)
class WebConfig(ConfigSection, section="web"):
    """The page: its address, its names in the network, whether phones may ask to play, and its second port for TLS."""

    host: str = "127.0.0.1"
    """The address that the page listens on: 127.0.0.1 is this machine alone, 0.0.0.0 every network of this machine."""
    port: int = setting(8080, within=_PORT)
    hosts: tuple[str, ...] = ()
    """More names by which the table may be called in the network, such as ["farklecrib.lan"] in a router's DNS. It
    always answers to its addresses, localhost, its host name, and that with .local behind it; to other names it answers
    421."""
    asking: bool = True
    """Whether phones may ask to play. Without that they wait until somebody at the table lets a phone in."""
    tls: bool = False
    """HTTPS for those who play, on a second port. The table makes an authority of its own, which phones may install; or
    it shows the certificate of a domain of yours: two PEM files, and one of its names in hosts. Both are read again
    when they change."""
    tls_port: int = setting(8443, within=_PORT)
    certificate: str = ""
    key: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.host.strip():
            raise ConfigError(f"web.host: expected an address, such as 127.0.0.1 or 0.0.0.0, got {self.host!r}")
        if len(self.hosts) > MOST_HOSTS:
            raise ConfigError(f"web.hosts: expected at most {MOST_HOSTS} names, got {len(self.hosts)}")
        for name in self.hosts:
            if len(name) > LONGEST_HOST or not re.fullmatch(rf"{_LABEL}(\.{_LABEL})*", name):
                raise ConfigError(
                    f"web.hosts: expected names such as farklecrib.lan, without scheme, port or *, got {name[:80]!r}"
                )
        if self.tls and self.tls_port == self.port != 0:
            raise ConfigError(f"web.tls_port: expected another port than web.port, got {self.tls_port!r}")
        for missing, there in (("key", "certificate"), ("certificate", "key")):
            if getattr(self, there) and not getattr(self, missing):
                raise ConfigError(f"web.{missing}: expected a file beside web.{there}, got ''")


@dataclass(frozen=True)
class EyeConfig(SettleTiming, ConfigSection, section="eye"):
    """The timing of the settle detection: how long the tray must be still, and the frame rates."""

    still_s: float = SettleTiming.still_s
    """The tray must be still for still_s, and for still_frames frames in a row. These frames are read and vote;
    `agreeing` equal readings are enough. If they disagree, as many frames are read again."""
    hand_gone_s: float = SettleTiming.hand_gone_s
    """For hand_gone_s after a hand has left, its shadow may still pass over the dice. An object over the border that
    has not moved for dead_still_s is not a hand."""
    missing_s: float = SettleTiming.missing_s
    """The eye waits missing_s for more dice if fewer came to rest than can have been thrown, and at most `unsteady`
    times for dice that turn although the picture is still."""
    frames_a_second: float = SettleTiming.frames_a_second
    """Frames a second that the eye looks at from the first motion on, and while nothing moves; it slows down
    idle_after_s after the last motion. A slower camera sets its own rate."""

    def __post_init__(self) -> None:
        ConfigSection.__post_init__(self)
        try:
            SettleTiming.__post_init__(self)
        except TimingError as error:
            raise ConfigError(f"eye.{error}") from error


@dataclass(frozen=True)
class BrokerConfig(ConfigSection, section="broker"):
    """An MQTT broker; nothing is sent without a host."""

    host: str = ""
    """The broker's address. Empty: nothing is sent."""
    port: int = setting(1883, within=(1, 65535))
    user: str = ""
    """The user, and the file with the password."""
    password_file: str = ""
    tls: bool = False
    """TLS: the file of an authority that is trusted in place of the system's, and a certificate of the table's own with
    its key."""
    authority: str = ""
    certificate: str = ""
    key: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        for given, needed in (("password_file", "user"), ("certificate", "key"), ("key", "certificate")):
            if getattr(self, given) and not getattr(self, needed):
                raise ConfigError(f"{self.section}.{needed}: expected a value beside {self.section}.{given}, got ''")
        if (self.authority or self.certificate) and not self.tls:
            beside = f"{self.section}.authority or {self.section}.certificate"
            raise ConfigError(f"{self.section}.tls: expected true beside {beside}, got False")


@dataclass(frozen=True)
class MqttConfig(BrokerConfig, section="mqtt"):
    """The MQTT broker that is told what happens, and Home Assistant through it; nothing is sent without a host."""

    board: str = ""
    """The board's name in the topics farklecrib/BOARD/...: letters, digits, - and _. Empty: the machine's host name."""
    names: bool = False
    """Whether players' names are sent. Without them players are called Player 1, Player 2, by their seats."""
    discovery: str = "homeassistant"
    """The prefix of the topics in which Home Assistant finds the table. Empty: none."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not re.fullmatch(r"[A-Za-z0-9_-]{0,64}", self.board):
            raise ConfigError(f"mqtt.board: expected letters, digits, - and _, at most 64, got {self.board[:80]!r}")
        if not re.fullmatch(r"([^+#/\s\0]+(/[^+#/\s\0]+)*)?", self.discovery):
            raise ConfigError(f"mqtt.discovery: expected a topic such as homeassistant, got {self.discovery[:80]!r}")


@dataclass(frozen=True)
class LeagueConfig(BrokerConfig, section="league"):
    """A league that gets the games of this table, over its broker; nothing is sent without a host."""

    host: str = ""
    """The address of a league's broker. The league gets each act of this table and the names of those who play: ask
    them. Empty: nothing is sent."""


@dataclass(frozen=True)
class HookConfig(ConfigSection, section="hook"):
    """A program or another machine that is told what happens: a URL, a command or a Python file."""

    url: str = ""
    """The URL that gets a POST, the program with its arguments that is started, or the Python file with a function
    on_event(event) that is called: one of the three."""
    command: tuple[str, ...] = ()
    listener: str = ""
    kinds: tuple[str, ...] = ()
    """The kinds of events, such as ["farkle", "win"]. Empty: all."""
    headers: tuple[str, ...] = ()
    """More headers of the POST, such as ["Authorization: Bearer {{ secret }}"]."""
    body: str = ""
    """What the POST or the program's standard input holds, as a Jinja template of the event's fields, such as
    '{"ps": {{ 1 if late else 2 }}}'. Empty: the event as JSON. url, headers and command are templates, too."""
    secret_file: str = ""
    """The file whose text is {{ secret }} in the templates; it is read each time."""
    timeout_s: float = setting(5.0, within=(0.1, 60))
    """The seconds that one try may take, and the age in seconds from which on an event is dropped."""
    max_age_s: float = setting(10.0, within=(1, 3600))


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
    times: Times = field(default_factory=Times)
    mqtt: MqttConfig = field(default_factory=MqttConfig)
    league: LeagueConfig = field(default_factory=LeagueConfig)
    hook: tuple[HookConfig, ...] = ()


SECTIONS: Mapping[str, type[ConfigSection]] = {
    each.name: each.type for each in fields(Config) if isinstance(each.type, type)
}
"""The sections of the file, by their names."""

REPEATED: Mapping[str, type[ConfigSection]] = {"hook": HookConfig}
"""The sections that the file may have several times: `[[hook]]`."""

DECLARED: Mapping[str, Declared] = {
    f"{name}.{key}": declared for name, section in SECTIONS.items() for key, _, declared in settings_of(section)
}
"""What is declared of each setting, by `section.key`."""


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
    """Return the words of board, voice and wall: those of `table.language`.

    Raises:
        ConfigError: if there are no such words, or they cannot be used.
    """
    try:
        return load_catalogue(config.table.language, data_folder(config))
    except CatalogueError as error:
        raise ConfigError(f"table.language: {error}") from error


def languages_of(config: Config) -> Languages:
    """Return the languages of the pages; `ConfigError` reaches the caller as from `words_of`."""
    return Languages(words_of(config), files=language_files(data_folder(config)))
