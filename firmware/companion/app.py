"""One running table: its features, and its life from start to end."""

import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import distributions, version

from companion.cameras import camera_shown
from companion.checkup.machine import Machine
from companion.errors import CompanionError
from companion.features.coach.feature import FEATURE as COACH
from companion.features.events.feature import FEATURE as EVENTS
from companion.features.home_assistant.feature import FEATURE as HOME_ASSISTANT
from companion.features.house_rules.feature import FEATURE as HOUSE_RULES
from companion.features.league.feature import FEATURE as LEAGUE
from companion.features.own_sounds.feature import FEATURE as OWN_SOUNDS
from companion.features.reviews.feature import FEATURE as REVIEWS
from companion.features.set_up.feature import FEATURE as SET_UP
from companion.features.tournament.feature import FEATURE as TOURNAMENT
from companion.launch import Launch, Opened, open_table
from companion.log import logger_of
from companion.nothing import nothing
from companion.pairing.door import Shows
from companion.runtime.end_signals import EndEvent
from companion.runtime.feed import Update
from companion.runtime.health import PowerWatch
from companion.storage.data_folder import NOT_SAVED
from companion.table.state.cues import CueKind
from companion.table.state.house import SETTINGS
from companion.table.state.inputs import Fault, NewGame, SeatBots, Started
from companion.web.feature import installed_features
from companion.words import NOTHING, Message, Text, english

FEATURES = (COACH, TOURNAMENT, REVIEWS, HOUSE_RULES, SET_UP, EVENTS, HOME_ASSISTANT, LEAGUE, OWN_SOUNDS)
"""The features of the program, in the order in which the table asks them."""

WATCH_S = 0.25

SWITCH_S = 0.001
"""Seconds after which a thread that computes lets another one run.

By Python's own 5 ms the page's streams wait longer behind the lights and the reading of requests: the last of 72
streams got a press after 146 ms in the mean (129 to 163, n 80), and after 121 (108 to 133, n 80) by this one
(`bench/phones_bench.py`, one run after the other).
"""

_log = logger_of("table")


@dataclass(frozen=True)
class Ending:
    """Why the program ends: whether a part of it died, or somebody has switched the table off in its menu.

    With `again` the table is to be built anew, by changed settings or with the games of a backup.
    """

    why: str
    failed: bool = False
    switched_off: bool = False
    again: bool = False


class Program:
    """One running table. If a part cannot be opened, the constructor raises an error before anything starts.

    A part that fails later is restarted by its guard and shown as degraded. The program ends only if the host
    ends, or a thread that its guard could not keep running.
    """

    def __init__(self, launch: Launch, game: NewGame | None = None, damaged: Text = NOTHING) -> None:
        """Open the parts of a table.

        Args:
            launch: What it is opened with; without features it has those of the program and of other packages.
            game: The game that starts if the journal holds no game; without names the lobby offers it.
            damaged: What is wrong with the configuration, or could not be done with it, in words.
        """
        features = launch.features or (*FEATURES, *installed_features(FEATURES))
        self.launch = replace(launch, restart=self.restart, features=features)
        try:
            self.opened: Opened = open_table(self.launch, game)
        except BaseException:
            launch.parts.close()
            raise
        self.host, self.feed = self.opened.host, self.opened.host.feed
        self.drawing = self.opened.board.drawing
        self._game, self._damaged = game, damaged
        self._power = PowerWatch(Machine(), self.host.submit)
        self._degraded: frozenset[str] = frozenset()
        self._ended = EndEvent()
        self._ending: Ending | None = None
        self.feed.subscribe(self._on_update)

    @property
    def address(self) -> str:
        """The page's address as a phone writes it; it follows the machine's name in the network."""
        return self.opened.place.announcer.address

    def note(self, *lines: str) -> None:
        """Show lines below a board that is drawn on a terminal."""
        self.opened.board.lights.note(*lines)

    def start(self) -> None:
        """Start every part: the host first, the page last. A failure closes them all."""
        try:
            sys.setswitchinterval(SWITCH_S)
            tell_the_table(self.opened, self._game, self._damaged, autoplay=self.launch.autoplay)
            log_what_runs(self.launch, self.opened)
            self.launch.parts.start()
        except BaseException:
            self.close()
            raise

    def end(self, why: str, *, switched_off: bool = False, again: bool = False) -> None:
        """Make `wait` return. Any thread and a signal's handler may call this; only the first reason counts."""
        self._ending = self._ending or Ending(why, False, switched_off, again)
        self._ended.set()

    def restart(self) -> None:
        """Make `wait` return, so that the table is built anew by its settings, with the games that were brought."""
        self.end("its settings have changed", again=True)

    def wait(self, beat: Callable[[tuple[str, ...]], object] = nothing) -> Ending:
        """Run until something ends the program.

        Args:
            beat: Called four times a second with the names of the parts that hang.

        Raises:
            CompanionError: if recorded pictures cannot be read.
        """
        while not self._ended.wait(WATCH_S):
            self.opened.hanging.check()
            self._power.check()
            beat(self.opened.heartbeats.silent())
            if self.launch.autoplay and self.feed.latest.view.phase == "over":
                self.end("the autoplayed game is over")
            elif self.opened.tray.hands.stuck:
                raise CompanionError(self.opened.tray.hands.stuck)
            elif (name := self.launch.parts.ended()) and not self._ended.is_set():
                died = f"the {name} ended by itself; the journal holds all that was acknowledged"
                return Ending(died, failed=True)
        assert self._ending is not None
        return self._ending

    def close(self) -> None:
        """Close every part: lights dark, journal closed, no process left. May be called more than once."""
        self.launch.parts.close()
        self.drawing = False

    def _on_update(self, update: Update) -> None:
        """Log each fault and its end, and end the program when somebody switches off."""
        before, self._degraded = self._degraded, frozenset(map(english().text, update.view.degraded))
        for fault in sorted(self._degraded - before):
            _log.warning("fault: %s", fault)
        for fault in sorted(before - self._degraded):
            _log.info("fault ended: %s", fault)
        if any(cue.kind is CueKind.POWER_OFF for cue in update.cues):
            self.end("switched off in the menu", switched_off=True)


def tell_the_table(opened: Opened, game: NewGame | None, damaged: Text, *, autoplay: bool) -> None:
    """Begin the game, and tell the table of its place and its faults, before any part starts."""
    host = opened.host
    if damaged:  # before a game begins: with another configuration the table asks first
        others = isinstance(damaged, Message) and damaged.key == "fault.settings"
        host.take(Fault(SETTINGS if others else "set-up", damaged))
    if host.state.game is None and game is not None and game.names is not None:
        host.take(game)
    if autoplay:
        host.take(SeatBots())
    host.take(opened.place.announcer.located)
    devices, pairing = opened.board.devices, opened.board.pairing
    host.take(Started(devices.real_buttons, lets_in=pairing.shows is not Shows.NOTHING))
    unsaved = () if opened.storage.saved else (Fault("storage", NOT_SAVED),)
    for fault in (*unsaved, *devices.faults, *opened.tray.faults):
        host.submit(fault)
    if opened.storage.loaded.loss:
        host.report_loss(opened.storage.loaded.loss)


def log_what_runs(launch: Launch, opened: Opened) -> None:
    """Log the versions, the devices and the places of a table."""
    _log.info("farklecrib %s, Python %s, OpenCV %s", *versions())
    of, place = launch.config, opened.place.announcer.address
    devices = (camera_shown(of.camera.source), of.leds.driver, of.buttons.driver, of.sound.driver)
    _log.info("camera %s, LEDs %s, buttons %s, sound %s", *devices)
    _log.info("games in %s, page at %s%s", launch.data, place, " (SIMULATED)" if opened.simulated else "")


def versions() -> Iterator[str]:
    """Yield the versions of the program, of Python and of OpenCV, which the game itself never imports."""
    yield version("farklecrib")
    yield platform.python_version()
    found = (each.version for each in distributions() if each.metadata["Name"].startswith("opencv"))
    yield next(found, "unknown")
