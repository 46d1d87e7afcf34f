"""Build every part of a table, start the parts in order, and close them in reverse order."""

import platform
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import distributions, version
from pathlib import Path

from companion.calibration.session import open_session
from companion.calibration.store import load_calibration
from companion.cameras import camera_shown
from companion.coach.coach import Coach
from companion.coach.table_coach import TableCoach
from companion.config import Config, words_of
from companion.devices.buttons import ButtonReader, keys_help
from companion.devices.camera_phone import CameraPhone
from companion.devices.drivers import open_devices
from companion.devices.eye import open_eye
from companion.devices.eye_process import CALIBRATION
from companion.devices.lights import LEDS, Lights, open_board
from companion.devices.speaker import Speaker
from companion.doctor.machine import Machine
from companion.errors import CompanionError
from companion.games.control_socket import ControlSocket
from companion.games.repository import SummaryMaker, open_games
from companion.games.throw_images import ThrowImageWriter, open_throw_images
from companion.log import logger_of
from companion.odds.live_odds import ODDS, LiveOdds
from companion.opponents.opponents import PAUSE_S, Opponents
from companion.pairing.pairing import open_pairing
from companion.pairing.secret import Shows
from companion.reviews.reviewer import Reviewer
from companion.runtime.end_signals import EndEvent
from companion.runtime.feed import Update
from companion.runtime.hanging import HangingDevices
from companion.runtime.heartbeat import Heartbeats
from companion.runtime.host import Clock, Host
from companion.runtime.opened_table import opened_table
from companion.runtime.parts import ProgramPart, nothing
from companion.runtime.under_voltage import PowerWatch
from companion.setup.brought_games import remove_leftovers
from companion.setup.changes import Changes
from companion.setup.set_up import SetUp
from companion.simulation.choose_hands import open_camera, open_tray_hands
from companion.storage.data_folder import NOT_SAVED, open_storage
from companion.storage.rules_folder import RulesFolder, rules_folder
from companion.table.state.cues import CueKind
from companion.table.state.inputs import Fault, NewGame, SeatBots, Started, Tick
from companion.table.state.state import SETTINGS
from companion.web.announcer import Announcer
from companion.web.app import make_app
from companion.web.guard.secure_port import open_secure_port
from companion.web.language import all_catalogues
from companion.web.server import WebServer, bind
from companion.web.table import WebTable
from companion.words import NOTHING, Message, Text, english, in_form, message
from pegboard.layouts import Layout
from pegboard.leds.port import TextLines
from pegboard.sound.port import Loudness

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


@dataclass(frozen=True)
class Rights:
    """What browsers may do beside playing: until when each phone may set the table up, and who is the camera."""

    set_up_until_s: Mapping[str, float] = field(default_factory=dict)
    camera: tuple[str, str] = ("", "")


class Program:
    """One running table. If a part cannot be opened, the constructor raises an error before anything starts.

    A part that fails later is restarted by its guard and shown as degraded. The program ends only if the host
    ends, or a thread that its guard could not keep running.
    """

    def __init__(
        self,
        config: Config,
        *,
        data: Path,
        clock: Clock,
        game: NewGame | None,
        autoplay: bool = False,
        chance: random.Random | None = None,
        eye: bool = True,
        table_clock: Clock | None = None,
        damaged: Text = NOTHING,
        changes: Changes | None = None,
        rights: Rights | None = None,
    ) -> None:
        """Build a table, and open its storage and devices.

        Args:
            config: The configuration.
            data: The data folder.
            clock: The clock of all waits.
            game: The game that starts if the journal holds no game; without names the lobby offers it.
            autoplay: Let bots play on all seats, to the end of the game.
            chance: The random source of simulated throws.
            eye: Look at the tray; without an eye the readings come from elsewhere.
            table_clock: The clock of the table's own times, if it differs from `clock`.
            damaged: What is wrong with the configuration, or could not be done with it, in words.
            changes: The settings that the page may change; None if it may change none.
            rights: What browsers might do at the same table before it was built anew.
        """
        chance, rights = chance or random.Random(), rights or Rights()
        camera = open_camera(config.camera.source, chance)
        known = load_calibration(data, config.camera.source)
        layout, light = open_board(config)
        words = words_of(config)
        with ExitStack() as undo:
            self.storage = open_storage(data, clock.wall)
            undo.callback(self.storage.close)
            if self.storage.saved:
                remove_leftovers(data)
            folder = RulesFolder(rules_folder(data), saved=self.storage.saved)
            state = opened_table(self.storage.loaded, config, game, folder.read())
            self.host = host = Host(state, self.storage.journal, table_clock or clock)
            self.feed, report = host.feed, host.submit
            bound = bind(config.web.host, config.web.port)
            undo.callback(bound.close)
            bound_tls = bind(config.web.host, config.web.tls_port, "--tls --tls-port") if config.web.tls else None
            undo.callback(bound_tls.close if bound_tls else nothing)
            built = config.leds.driver != "simulated"
            port = bound.getsockname()[1]
            self._place = place = Announcer(config.web.host, port, report, host.submit, lights=built)
            undo.callback(place.close)
            self.secure = secure = open_secure_port(config, bound_tls, data, place, report, clock.wall)
            devices = open_devices(config, layout, words.voice)
            undo.callback(devices.close)
            sight = open_eye(camera, known, config.eye, clock.speed, host)
            self.eye_process = sight.process
            images = open_throw_images(data, self.storage)
            games = open_games(data, host, images)
            summaries = SummaryMaker(games, report)
            reviewer = Reviewer(data, games, host.feed, report)
            writer = ThrowImageWriter(images, host.feed, lambda: host.state.acts, sight.process.picture, report)
            self.hands = open_tray_hands(camera, sight, host, clock, chance, autoplay=autoplay)
            foot = (f"page {self.address}", *keys_help(config.buttons.driver))
            self.pairing = pairing = open_pairing(
                config,
                data,
                host,
                saved=self.storage.saved,
                holes=holes_for_the_room(config, layout, host),
                real_buttons=devices.real_buttons,
                wall=clock.wall,
                tell=self._tell_digits,
                set_up_until_s=rights.set_up_until_s,
            )
            undo.callback(pairing.close)
            control = ControlSocket(data, games.store, report, lambda set_up: pairing.open_with_digits(set_up=set_up))
            self.lights = Lights(
                host.feed, layout, devices.strip, clock, report, foot, light, built, words, pairing.lit_holes
            )
            self._speaker = speaker = Speaker(
                host.feed, devices.sound, words, report, Loudness(config.sound.volume, config.sound.night)
            )
            odds = LiveOdds(data / ODDS)
            coach = Coach(lambda: host.state, odds)
            self.coach = TableCoach(
                host, coach, answer=self._say_aside, tell=partial(self._say_aside, later=True), speed=clock.speed
            )
            buttons = ButtonReader(
                devices.buttons,
                host.submit,
                clock,
                hands=self.hands,
                answer=host.tell,
                report=report,
                feed=host.feed,
                better=self.coach.better,
            )
            calibration = open_session(camera, data, sight.process)
            by_phone = camera.name == "phone"
            self._camera_phone = CameraPhone(sight.process, clock.monotonic, rights.camera) if by_phone else None
            set_up = None
            if changes is not None:
                missing = {fault.part: fault.text for fault in devices.faults if fault.text}
                set_up = SetUp(
                    config,
                    changes,
                    restart=self.restart,
                    data=data,
                    trial=self.lights.trial,
                    say=speaker.say,
                    faults=lambda: missing | dict(host.state.faults),
                    calibration=calibration,
                )
            table = WebTable(
                host=host,
                pictures=sight.process,
                pairing=pairing,
                games=games,
                config=config.web,
                place=place,
                secure=secure,
                simulated_hands=self.hands if self.hands.simulated else None,
                folder=folder,
                reviews=reviewer,
                calibration=calibration,
                camera=self._camera_phone,
                set_up=set_up,
                coach=coach,
                board=layout if config.leds.layout else None,
                hold_s=config.buttons.hold_s,
                wall=clock.wall,
            )
            self.web = WebServer(make_app(table, all_catalogues()), bound, report=report, secure=secure)
            throw = self.hands.throw if self.hands.simulated else None
            self.autoplay = autoplay
            pause_s = 0.0 if autoplay else PAUSE_S
            self.opponents = opponents = Opponents(
                host, throw, chance, odds, games.store, speed=clock.speed, pause_s=pause_s, alone=autoplay
            )
            watched = {"eye": sight.process, "expectation": sight.instructor}
            self.heartbeats = Heartbeats(lambda: host.submit(Tick()), watched)
            may_hang = {
                "lights": (self.lights, message("fault.lights")),
                "buttons": (buttons, message("fault.buttons")),
                "sound": (speaker, message("fault.sound")),
            }
            self.hanging = HangingDevices(may_hang, report)
            self.power = PowerWatch(Machine(), report)
            undo.pop_all()
        look, lay = (sight.process.start, self.hands.start) if eye else (nothing, nothing)
        listen = control.start if self.storage.saved else nothing
        self._parts = [
            ProgramPart("storage", close=self.storage.close),
            ProgramPart.of("throw images", writer),
            ProgramPart("host", host.start, host.stop, lambda: host.alive),
            ProgramPart("socket", listen, control.close, lambda: control.alive),
            ProgramPart.of("lights", self.lights),
            ProgramPart("eye", look, sight.process.stop, lambda: sight.process.alive or not eye),
            ProgramPart.of("voice", speaker),
            ProgramPart("hands", lay, self.hands.close),
            ProgramPart("odds", close=odds.close),
            ProgramPart.of("coach", self.coach),
            ProgramPart.of("opponents", opponents),
            ProgramPart.of("buttons", buttons),
            ProgramPart.of("expectation", sight.instructor),
            ProgramPart("calibration", close=calibration.close if calibration else nothing),
            ProgramPart("set-up", close=set_up.close if set_up else nothing),
            ProgramPart.of("phones", pairing),
            ProgramPart("page", self.web.start, self.web.stop, lambda: self.web.alive),
            *([ProgramPart.of("certificate", secure)] if secure else ()),
            ProgramPart.of("summaries", summaries),
            ProgramPart.of("reviews", reviewer),
            ProgramPart.of("announcement", place),
        ]
        self._life = ExitStack()
        for part in self._parts:
            self._life.callback(part.close_or_log)
        self._game, self._config, self._data, self._faults = game, config, data, list(devices.faults)
        if known.of_another and not camera.simulated:
            self._faults.append(Fault(CALIBRATION, message("fault.other_camera", camera=known.of_another)))
        self._real_buttons = devices.real_buttons
        self._damaged, self._words = damaged, words
        self.changes = changes
        self.ports = {"web.port": bound.getsockname()[1]} if not config.web.port else {}
        if bound_tls is not None and not config.web.tls_port:
            self.ports["web.tls_port"] = bound_tls.getsockname()[1]
        self.strip = devices.strip
        self.drawing = isinstance(devices.strip, TextLines)  # on a terminal, where a log would spoil the board
        self._degraded: frozenset[str] = frozenset()
        self._ended = EndEvent()
        self._why = ""
        self._switched_off = self._again = False
        self.feed.subscribe(self._on_update)

    @property
    def address(self) -> str:
        """The page's address as a phone writes it; it follows the machine's name in the network."""
        return self._place.address

    @property
    def rights(self) -> Rights:
        """What browsers may do."""
        camera = self._camera_phone.who if self._camera_phone else ("", "")
        return Rights(self.pairing.set_up_until_s, camera)

    @property
    def simulated(self) -> bool:
        """Whether the page throws the dice, because no real tray is before a camera."""
        return self.hands.simulated

    def start(self) -> None:
        """Start every part: the host first, the page last. A failure closes them all."""
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        sys.setswitchinterval(SWITCH_S)
        if self._damaged:  # before a game begins: with another configuration the table asks first
            others = isinstance(self._damaged, Message) and self._damaged.key == "fault.settings"
            self.host.take(Fault(SETTINGS if others else "set-up", self._damaged))
        if self.host.state.game is None and self._game is not None and self._game.names is not None:
            self.host.take(self._game)
        if self.autoplay:
            self.host.take(SeatBots())
        self.host.take(self._place.located)
        self.host.take(Started(self._real_buttons, lets_in=self.pairing.shows is not Shows.NOTHING))
        _log.info("farklecrib %s, Python %s, OpenCV %s", *versions())
        of = self._config
        devices = (camera_shown(of.camera.source), of.leds.driver, of.buttons.driver, of.sound.driver)
        _log.info("camera %s, LEDs %s, buttons %s, sound %s", *devices)
        _log.info("games in %s, page at %s%s", self._data, self.address, " (SIMULATED)" if self.simulated else "")
        if not self.storage.saved:
            self.host.submit(Fault("storage", NOT_SAVED))
        if self.storage.loaded.loss:
            self.host.report_loss(self.storage.loaded.loss)
        for fault in self._faults:
            self.host.submit(fault)
        for part in self._parts:
            part.start()

    def _tell_digits(self, digits: str) -> None:
        """Show the digits that let a phone in on the terminal, and say them; an empty text takes them away."""
        words = message("phone.digits", digits=f"{digits[:3]} {digits[3:]}") if digits else NOTHING
        if self.drawing:
            self.lights.note(*filter(None, [self._words.text(words)]))
        elif digits and sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write(f"{self._words.text(words)}\n")  # not by the log, which a file may keep
        if digits:
            self._speaker.say(self._words("said.digits", digits=" ".join(digits)))

    def _say_aside(self, said: Text, *, later: bool = False) -> None:
        """Say a sentence that no view may hold, at once or after what is being said, and show it on a terminal."""
        self.lights.answer(said)
        self._speaker.say(self._words.text(in_form(said, "spoken")).rstrip("."), later=later)

    def end(self, why: str) -> None:
        """Make `wait` return. Any thread and a signal's handler may call this; only the first reason counts."""
        self._why = self._why or why
        self._ended.set()

    def restart(self) -> None:
        """Make `wait` return, so that the table is built anew by its settings, with the games that were brought."""
        self._again = True
        self.end("its settings have changed")

    def wait(self, beat: Callable[[tuple[str, ...]], object] = bool) -> Ending:
        """Run until something ends the program.

        Args:
            beat: Called four times a second with the names of the parts that hang.

        Raises:
            CompanionError: if recorded pictures cannot be read.
        """
        while not self._ended.wait(WATCH_S):
            self.hanging.check()
            self.power.check()
            beat(self.heartbeats.silent())
            if self.autoplay and self.feed.latest.view.phase == "over":
                self.end("the autoplayed game is over")
            elif self.hands.stuck:
                raise CompanionError(self.hands.stuck)
            for part in self._parts:
                if not self._ended.is_set() and not part.alive():
                    died = f"the {part.name} ended by itself; the journal holds all that was acknowledged"
                    return Ending(died, failed=True)
        return Ending(self._why, False, self._switched_off, self._again)

    def close(self) -> None:
        """Close every part: lights dark, journal closed, no process left. May be called more than once."""
        self._life.close()
        self.drawing = False

    def _on_update(self, update: Update) -> None:
        """Log each fault and its end, and end the program when somebody switches off."""
        before, self._degraded = self._degraded, frozenset(map(english().text, update.view.degraded))
        for fault in sorted(self._degraded - before):
            _log.warning("fault: %s", fault)
        for fault in sorted(before - self._degraded):
            _log.info("fault ended: %s", fault)
        if any(cue.kind is CueKind.POWER_OFF for cue in update.cues):
            self._switched_off = True
            self.end("switched off in the menu")


def versions() -> Iterator[str]:
    """Yield the versions of the program, of Python and of OpenCV, which the game itself never imports."""
    yield version("farklecrib")
    yield platform.python_version()
    found = (each.version for each in distributions() if each.metadata["Name"].startswith("opencv"))
    yield next(found, "unknown")


def holes_for_the_room(config: Config, layout: Layout, host: Host) -> Callable[[], int]:
    """Return a function that gives the number of holes that the strip can light for the room alone, 0 if it cannot.

    Only `neopixel` can: a WLED tells its LEDs to anyone who asks, and the page draws simulated ones.
    """
    private = config.leds.driver == "neopixel"
    return lambda: layout.countable if private and LEDS not in dict(host.state.faults) else 0
