"""Wiring: every part of a table, built by keyword on one screen, started in order and closed in the reverse."""

import platform
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from importlib.metadata import distributions, version
from pathlib import Path

from companion.calibration.session import CalibrationSession, EyeCamera, SimulatedCamera
from companion.calibration.store import load_calibration
from companion.config import CameraChoice, Config, camera_named
from companion.devices.buttons import HANDS_HELP, ButtonReader
from companion.devices.drivers import open_devices
from companion.devices.eye_events import EyeEvents, EyeInstructor
from companion.devices.eye_process import EyeProcess
from companion.devices.lights import Lights
from companion.devices.phrases import load_catalogue
from companion.devices.speaker import Speaker
from companion.errors import CompanionError
from companion.games.control_socket import ControlSocket
from companion.games.repository import GameRepository, HostGames
from companion.games.summary_file import SummaryFile
from companion.games.throw_images import ThrowImages, ThrowImageWriter
from companion.log import logger_of
from companion.runtime.feed import Update
from companion.runtime.heartbeat import Heartbeats
from companion.runtime.host import Clock, Host
from companion.simulation.autoplay import Autoplay
from companion.simulation.drivers import open_tray_hands
from companion.storage.data_folder import NOT_SAVED, open_storage
from companion.storage.journal import Loaded
from companion.table.state.cues import CueKind
from companion.table.state.draft import draft_of_preset
from companion.table.state.inputs import Fault, NewGame, Started, Tick
from companion.table.state.state import HouseRules, SoundLevel, TableState, restored
from companion.table.step import with_open_choice
from companion.web.address import network_address, page_address
from companion.web.app import WebServer, bind, make_app
from companion.web.table import WebTable
from companion.words import words
from dicereader.live.messages import Setup
from dicereader.sources.recorded import find_recorded
from farkle.notation import write
from farkle.rules.ruleset import RuleSet
from pegboard.animation import Animator, LightSettings
from pegboard.buttons.keyboard import HELP
from pegboard.layouts import DEFAULT, load_layout
from pegboard.leds.port import TextLines
from pegboard.sound.port import Loudness

WATCH_S = 0.25
MENDED = words("fault.mended")
"""What the table says aloud of a damaged journal."""

_log = logger_of("table")


@dataclass(frozen=True)
class ProgramPart:
    """One part of the program: how to start and close it, and whether its thread runs."""

    name: str
    start: Callable[[], object]
    close: Callable[[], object]
    alive: Callable[[], bool] = lambda: True

    def close_or_log(self) -> None:
        """Close the part; an exception is logged, so that the parts after it are closed, too."""
        try:
            self.close()
        except Exception:  # noqa: BLE001 - a driver of one's own may raise anything
            _log.exception("the %s could not be closed", self.name)


@dataclass(frozen=True)
class Ending:
    """Why the program ends, and whether a part of it died."""

    why: str
    failed: bool = False


def nothing() -> None:
    """Do nothing: the start of a part that runs from its construction, or the close of one that needs none."""


class Program:
    """One running table. Built whole or not at all: what cannot be opened raises before anything starts.

    A part that fails later is restarted by its guard and shown as degraded. Only the end of the host, or of a thread
    that its guard could not keep, ends the program.
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
        preset: NewGame | None = None,
    ) -> None:
        """Build a table, and open its storage and devices.

        Args:
            config: The configuration.
            data: The data folder.
            clock: The clock of all waits.
            game: The game that starts if the journal holds none.
            autoplay: Play by a simple rule, to the end of the game.
            chance: The random source of simulated throws.
            eye: Look at the tray; without an eye the readings come from elsewhere.
            table_clock: The clock of the table's own times, if it is another one.
            preset: The game that the lobby offers first; it needs no players.
        """
        chance = chance or random.Random()
        camera = camera_named(config.camera.source)
        if camera.name == "recorded":
            find_recorded(camera.arg)
        table_seed = int(camera.arg) if camera.name == "simulated" and camera.arg else chance.randrange(1 << 16)
        known = load_calibration(data, config.camera.source)
        layout = load_layout(config.leds.layout or DEFAULT)
        light = LightSettings(config.leds.brightness, config.leds.calm, config.leds.budget_ma, config.leds.quiet)
        words = load_catalogue(config.sound.language)
        Animator(layout, light)  # raises for a board that cannot show the game, before anything is opened
        with ExitStack() as undo:
            self.storage = open_storage(data, clock.wall)
            undo.callback(self.storage.close)
            state = opened_table(self.storage.loaded, config)
            if preset is not None and state.play is None:
                state = replace(state, lobby=draft_of_preset(preset))
            self.host = Host(state=state, journal=self.storage.journal, clock=table_clock or clock)
            bound = bind(config.web.host, config.web.port)
            undo.callback(bound.close)
            devices = open_devices(config, layout, words.voice)
            undo.callback(devices.close)
            feed, report = self.host.feed, self.host.submit
            self.feed = feed
            self.address = page_address(config.web.host, bound.getsockname()[1])
            self.eye_events = EyeEvents(submit=self.host.submit, source=camera.source)
            arg = camera.arg or (str(table_seed) if camera.simulated else "")
            setup = Setup(camera.source, arg, known.calibration, clock.speed, config.eye)
            self.eye_process = EyeProcess(
                setup, on_message=self.eye_events.on_message, empty=known.empty, report=report
            )
            instructor = EyeInstructor(feed, lambda: self.host.state, self.eye_process, report)
            images = ThrowImages(data)
            if self.storage.saved:
                with suppress(OSError):  # an image whose act was lost would soon stand beside another throw
                    images.delete(images.acts() - self.storage.loaded.numbers)
            self.storage.journal.report = lambda words: report(Fault("loss", words, spoken=MENDED))
            summaries = SummaryFile(data)
            games = GameRepository(HostGames(self.host, images, summaries), images, summaries)
            control = ControlSocket(data, games.store, report)
            image_writer = ThrowImageWriter(
                images, feed, acts=lambda: self.host.state.acts, picture=self.eye_process.picture, report=report
            )
            self.hands = open_tray_hands(
                camera,
                seed=table_seed,
                eye=self.eye_process,
                eye_events=self.eye_events,
                feed=feed,
                submit=self.host.submit,
                clock=clock,
                chance=chance,
                autoplay=autoplay,
            )
            foot = (
                f"page {self.address}",
                *([f"{HELP}   {HANDS_HELP}"] if config.buttons.driver == "keyboard" else []),
            )
            self.lights = Lights(
                feed=feed,
                layout=layout,
                strip=devices.strip,
                clock=clock,
                report=report,
                foot=foot,
                light=light,
                built=config.leds.driver != "simulated",
            )
            speaker = Speaker(
                feed=feed,
                sound=devices.sound,
                words=words,
                report=report,
                loudness=Loudness(config.sound.volume, config.sound.night),
            )
            button_reader = ButtonReader(
                buttons=devices.buttons,
                submit=self.host.submit,
                clock=clock,
                hands=self.hands,
                answer=self.host.tell,
                report=report,
                feed=feed,
            )
            calibration = calibration_session_of(camera, data, table_seed, self.eye_process, self.eye_process.calibrate)
            table = WebTable(
                submit=self.host.submit,
                feed=feed,
                pictures=self.eye_process,
                notation=self.notation,
                rules=lambda: rules_of(self.host.state),
                simulated_hands=self.hands if self.hands.simulated else None,
                calibration=calibration,
                games=games,
                writes=config.web.writes,
                host=config.web.host,
                address=lambda: page_address(config.web.host, bound.getsockname()[1]),
                board=layout if config.leds.layout else None,
                hold_s=config.buttons.hold_s,
                wall=clock.wall,
            )
            self.web = WebServer(make_app(table), bound, report=report)
            self.autoplay = (
                Autoplay(
                    feed=feed,
                    submit=self.host.submit,
                    throw=self.hands.throw,
                    points_a_hole=self._points_a_hole,
                    report=report,
                )
                if autoplay
                else None
            )
            self.heartbeats = Heartbeats(
                ask=lambda: self.host.submit(Tick()),
                parts={
                    "eye": self.eye_process,
                    "lights": self.lights,
                    "buttons": button_reader,
                    "expectation": instructor,
                },
            )
            self._parts = [
                ProgramPart("storage", nothing, self.storage.close),
                ProgramPart("throw images", image_writer.start, image_writer.close, lambda: image_writer.alive),
                ProgramPart("host", self.host.start, self.host.stop, lambda: self.host.alive),
                ProgramPart(
                    "socket", control.start if self.storage.saved else nothing, control.close, lambda: control.alive
                ),
                ProgramPart("lights", self.lights.start, self.lights.close, lambda: self.lights.alive),
                ProgramPart(
                    "eye",
                    self.eye_process.start if eye else nothing,
                    self.eye_process.stop,
                    lambda: self.eye_process.alive or not eye,
                ),
                ProgramPart("voice", speaker.start, speaker.close, lambda: speaker.alive),
                ProgramPart("hands", self.hands.start if eye else nothing, self.hands.close),
                ProgramPart("buttons", button_reader.start, button_reader.close, lambda: button_reader.alive),
                ProgramPart("expectation", instructor.start, instructor.close, lambda: instructor.alive),
                ProgramPart("calibration", nothing, calibration.close if calibration is not None else nothing),
                ProgramPart("page", self.web.start, self.web.stop, lambda: self.web.alive),
            ]
            if (player := self.autoplay) is not None:
                self._parts.append(ProgramPart("autoplay", player.start, player.close, lambda: player.alive))
            undo.pop_all()
        self._life = ExitStack()
        for part in self._parts:
            self._life.callback(part.close_or_log)
        self._game = game
        self._faults = devices.faults
        self.strip = devices.strip
        self.drawing = isinstance(devices.strip, TextLines)  # on a terminal, where a log would spoil the board
        self._degraded: frozenset[str] = frozenset()
        self._ended = threading.Event()
        self._why = ""
        feed.subscribe(self._on_update)
        self._devices = (config.camera.source, config.leds.driver, config.buttons.driver, config.sound.driver)
        self._data = data
        self._host = config.web.host

    @property
    def simulated(self) -> bool:
        """Whether the page throws the dice, because no real tray is before a camera."""
        return self.hands.simulated

    def notation(self) -> str:
        """Return the newest game in the notation, empty if none has been started."""
        effective = self.host.state.effective
        return write(event for act in effective for event in act.game_events) if effective else ""

    def start(self) -> None:
        """Start every part: the host first, the page last. A failure closes them all."""
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def _start(self) -> None:
        if self.host.state.game is None and self._game is not None:
            self.host.take(self._game)
        self.host.take(Started(self.address, network_address(self._host)))
        _log.info("farklecrib %s, Python %s, OpenCV %s", *versions())
        _log.info("camera %s, LEDs %s, buttons %s, sound %s", *self._devices)
        _log.info("games in %s, page at %s%s", self._data, self.address, " (SIMULATED)" if self.simulated else "")
        if not self.storage.saved:
            self.host.submit(Fault("storage", NOT_SAVED))
        if self.storage.loaded.loss:
            self.host.submit(Fault("loss", self.storage.loaded.loss, spoken=MENDED))
        for fault in self._faults:
            self.host.submit(fault)
        for part in self._parts:
            part.start()

    def end(self, why: str) -> None:
        """Let `wait` return, from any thread; the first reason counts."""
        self._why = self._why or why
        self._ended.set()

    def wait(self, beat: Callable[[tuple[str, ...]], object] = bool) -> Ending:
        """Run until something ends the program.

        Args:
            beat: Gets the names of the parts that hang, four times a second.

        Raises:
            CompanionError: if recorded pictures cannot be read.
        """
        while not self._ended.wait(WATCH_S):
            beat(self.heartbeats.silent())
            if self.autoplay is not None and self.autoplay.ended.is_set():
                self.end("the autoplayed game is over")
            elif self.hands.stuck:
                raise CompanionError(self.hands.stuck)
            for part in self._parts:
                if not self._ended.is_set() and not part.alive():
                    died = f"the {part.name} ended by itself; the journal holds all that was acknowledged"
                    return Ending(died, failed=True)
        return Ending(self._why)

    def close(self) -> None:
        """Close every part: lights dark, journal closed, no process left. May be called more than once."""
        self._life.close()
        self.drawing = False

    def _on_update(self, update: Update) -> None:
        """Log each fault and its end, and end the program when somebody switches off."""
        before, self._degraded = self._degraded, frozenset(update.view.degraded)
        for fault in sorted(self._degraded - before):
            _log.warning("fault: %s", fault)
        for fault in sorted(before - self._degraded):
            _log.info("fault ended: %s", fault)
        if any(cue.kind is CueKind.POWER_OFF for cue in update.cues):
            self.end("switched off in the menu")

    def _points_a_hole(self) -> int:
        play = self.host.state.play
        return play.game.rules.points_a_hole(play.track) if play else 1


def versions() -> Iterator[str]:
    """Yield the versions of the program, of Python and of OpenCV, which the game itself never imports."""
    yield version("farklecrib")
    yield platform.python_version()
    found = (each.version for each in distributions() if each.metadata["Name"].startswith("opencv"))
    yield next(found, "unknown")


def opened_table(loaded: Loaded, config: Config) -> TableState:
    """Return the table as the journal left it, with the house rules and times of the configuration."""
    state = restored(
        loaded.acts,
        seq=loaded.seq,
        game_number=loaded.game,
        last_game=loaded.last_game,
        times=config.times,
        house=HouseRules(config.table.off_table, config.table.cocked),
        simulated=camera_named(config.camera.source).name in ("simulated", "recorded"),
    )
    if config.sound.driver != "silent":
        state = replace(state, sound=SoundLevel(round(100 * config.sound.volume)))
    return with_open_choice(state)


def rules_of(state: TableState) -> RuleSet | None:
    """Return the rules of the game at the table; before the first game an own rule set that the lobby offers."""
    if state.game is not None:
        return state.game.rules
    return state.lobby.rules if state.lobby.rules.definition else None


def calibration_session_of(
    camera: CameraChoice, data: Path, table_seed: int, eye: EyeProcess, know: Callable[..., None]
) -> CalibrationSession | None:
    """Return what calibrates this table; photographs are no camera."""
    match camera.name:
        case "recorded":
            return None
        case "simulated":
            return CalibrationSession(SimulatedCamera(table_seed), f"simulated:{table_seed}", data, know)
        case name:
            source = f"{name}:{camera.arg}" if camera.arg else name
            return CalibrationSession(EyeCamera(eye.preview, eye.view), source, data, know)
