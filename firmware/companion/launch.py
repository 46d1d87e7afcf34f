"""Open the parts of a table, area by area. Each function makes its parts, and registers how they start, live and close.

The parts start in the order in which they are registered: the host first, the page and its announcement last.
"""

import random
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from companion.calibration.session import CalibrationSession
from companion.calibration.store import StoredCalibration, load_calibration
from companion.cameras import CameraChoice
from companion.config import Config, is_open, languages_of, words_of
from companion.devices.buttons import ButtonReader, keys_help
from companion.devices.camera_phone import CameraPhone
from companion.devices.drivers import Devices, open_devices
from companion.devices.eye_events import EyeParts, open_eye, open_session
from companion.devices.eye_process import CALIBRATION
from companion.devices.lights import LEDS, Lights, open_board
from companion.devices.speaker import Speaker
from companion.games.control_socket import ControlSocket
from companion.games.repository import GameRepository, SummaryMaker, open_games
from companion.games.throw_images import ThrowImageWriter, open_throw_images
from companion.named_events.record import EventRecord
from companion.nothing import nothing
from companion.odds.live_odds import ODDS, LiveOdds
from companion.opponents.opponents import PAUSE_S, Opponents
from companion.pairing.pairing import Pairing
from companion.pairing.phones import PhonesFile
from companion.runtime.changes import Changes
from companion.runtime.health import HangingDevices, Heartbeats
from companion.runtime.host import Clock, Host
from companion.runtime.opened_table import opened_table
from companion.runtime.parts import Parts, ProgramPart
from companion.simulation.choose_hands import open_camera, open_tray_hands
from companion.simulation.simulated_table import TrayHands
from companion.storage.data_folder import Storage, open_storage
from companion.table.feature import fault_of, guarded
from companion.table.state.inputs import Fault, NewGame, Tick
from companion.table.state.state import TableState
from companion.web.announcer import Announcer
from companion.web.app import make_app
from companion.web.feature import Feature, OpenedFeature, TableParts, tried
from companion.web.guard.tls import SecurePort, open_secure_port
from companion.web.server import WebServer, bind
from companion.web.table import WebTable
from companion.words import NOTHING, Catalogue, Text, in_form, message
from pegboard.animation.animator import LightSettings
from pegboard.layouts import Layout
from pegboard.leds.port import TextLines
from pegboard.sound.port import Loudness


@dataclass(frozen=True)
class Rights:
    """What browsers may do beside playing: until when each phone may set the table up, and who is the camera."""

    set_up_until_s: Mapping[str, float] = field(default_factory=dict)
    camera: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Launch:
    """What a table is opened with.

    Args:
        config: the configuration.
        data: the data folder.
        clock: the clock of all waits.
        table_clock: the clock of the table's own times, if it differs from `clock`.
        chance: the random source of simulated throws.
        autoplay: lets bots play on all seats, to the end of the game.
        eye: looks at the tray; without an eye the readings come from elsewhere.
        changes: the settings that the page may change; None if it may change none.
        restart: builds the table anew.
        rights: what browsers might do at the same table before it was built anew.
        features: the features of the table.
        parts: the parts that have been opened so far.
    """

    config: Config
    data: Path
    clock: Clock = field(default_factory=Clock)
    table_clock: Clock | None = None
    chance: random.Random = field(default_factory=random.Random)
    autoplay: bool = False
    eye: bool = True
    changes: Changes | None = None
    restart: Callable[[], object] = nothing
    rights: Rights = field(default_factory=Rights)
    features: tuple[Feature, ...] = ()
    parts: Parts = field(default_factory=Parts)


def open_host(of: Launch, game: NewGame | None) -> tuple[Storage, Host]:
    """Open the journal, and return it with the host of its table, whose lobby offers `game` first."""
    storage = open_storage(of.data, of.clock.wall)
    of.parts.add(ProgramPart("storage", close=storage.close))

    def begins(state: TableState) -> TableState:
        for feature in of.features:
            state = tried(feature, partial(feature.begins, state, of.config, of.data), state)
        return state

    tables = tuple(guarded(feature.table) for feature in of.features if feature.table is not None)
    state = opened_table(storage.loaded, of.config, game, tables, begins)
    host = Host(state, storage.journal, of.table_clock or of.clock)
    of.parts.add(ProgramPart("host", host.start, host.stop, lambda: host.alive))
    return storage, host


@dataclass(frozen=True)
class TrayParts:
    """What looks at the tray and moves its dice: the eye, hands, the calibration, a phone as the camera."""

    eye: EyeParts
    hands: TrayHands
    calibration: CalibrationSession | None
    phone: CameraPhone | None
    faults: tuple[Fault, ...]


def open_tray(of: Launch, host: Host, camera: CameraChoice, known: StoredCalibration) -> TrayParts:
    """Open the eye of a table behind its camera, and the hands at its tray."""
    eye = open_eye(camera, known, of.config.eye, of.clock.speed, host)
    hands = open_tray_hands(camera, eye, host, of.clock, of.chance, autoplay=of.autoplay)
    calibration = open_session(camera, of.data, eye.process)
    by_phone = camera.name == "phone"
    phone = CameraPhone(eye.process, of.clock.monotonic, of.rights.camera) if by_phone else None
    look, lay = (eye.process.start, hands.start) if of.eye else (nothing, nothing)
    of.parts.add(
        ProgramPart("eye", look, eye.process.stop, lambda: eye.process.alive or not of.eye),
        ProgramPart("hands", lay, hands.close),
        ProgramPart.of("expectation", eye.instructor),
        ProgramPart("calibration", close=calibration.close if calibration else nothing),
    )
    wrong = known.of_another and not camera.simulated
    faults = (Fault(CALIBRATION, message("fault.other_camera", camera=known.of_another)),) if wrong else ()
    return TrayParts(eye, hands, calibration, phone, faults)


@dataclass(frozen=True)
class BoardParts:
    """The devices of a board, and what shows and says things by them."""

    devices: Devices
    lights: Lights
    speaker: Speaker
    layout: Layout
    words: Catalogue
    pairing: Pairing

    @property
    def drawing(self) -> bool:
        """Whether the board is drawn on a terminal, where a log would spoil it."""
        return isinstance(self.devices.strip, TextLines)

    def say_aside(self, said: Text, *, later: bool = False) -> None:
        """Say a sentence that no view may hold, at once or after what is being said, and show it on a terminal."""
        self.lights.answer(said)
        self.speaker.say(self.words.text(in_form(said, "spoken")).rstrip("."), later=later)

    def tell_digits(self, digits: str) -> None:
        """Show the digits that let a phone in on the terminal, and say them; an empty text takes them away."""
        words = message("phone.digits", digits=f"{digits[:3]} {digits[3:]}") if digits else NOTHING
        if self.drawing:
            self.lights.note(*filter(None, [self.words.text(words)]))
        elif digits and sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write(f"{self.words.text(words)}\n")  # not by the log, which a file may keep
        if digits:
            self.speaker.say(self.words("said.digits", digits=" ".join(digits)))


def open_table_board(
    of: Launch, host: Host, storage: Storage, layout: Layout, light: LightSettings, foot: tuple[str, ...]
) -> BoardParts:
    """Open the devices of a board, and the door to its phones, which they light and say. `foot` is below a drawing."""
    config, report = of.config, host.submit
    words, built = words_of(config), config.leds.driver != "simulated"
    # A WLED tells its LEDs to anyone who asks, and the page draws simulated ones.
    private = config.leds.driver == "neopixel"
    devices = open_devices(config, layout, words.voice)
    of.parts.undo.callback(devices.close)
    pairing = Pairing(
        host.feed,
        report,
        reachable=is_open(config.web.host),
        asking=config.web.asking,
        holes=lambda: layout.countable if private and LEDS not in dict(host.state.faults) else 0,
        real_buttons=devices.real_buttons,
        file=PhonesFile(of.data, of.clock.wall, saved=storage.saved),
        tell=lambda digits: board.tell_digits(digits),
        set_up_until_s=of.rights.set_up_until_s,
    )
    host.prepare = pairing.prepare
    lights = Lights(host.feed, layout, devices.strip, of.clock, report, foot, light, built, words, pairing.lit_holes)
    speaker = Speaker(host.feed, devices.sound, words, report, Loudness(config.sound.volume, config.sound.night))
    board = BoardParts(devices, lights, speaker, layout, words, pairing)
    of.parts.add(ProgramPart.of("lights", lights), ProgramPart.of("voice", speaker), ProgramPart.of("phones", pairing))
    return board


def open_kept_games(of: Launch, host: Host, storage: Storage, tray: TrayParts, pairing: Pairing) -> GameRepository:
    """Open the kept games, their pictures, and the socket by which commands ask for them."""
    images = open_throw_images(of.data, storage)
    games = open_games(of.data, host, images)
    writer = ThrowImageWriter(images, host.feed, lambda: host.state.acts, tray.eye.process.picture, host.submit)
    control = ControlSocket(of.data, games.store, host.submit, lambda set_up: pairing.open_with_digits(set_up=set_up))
    listen = control.start if storage.saved else nothing
    of.parts.add(
        ProgramPart.of("throw images", writer), ProgramPart("socket", listen, control.close, lambda: control.alive)
    )
    return games


def open_features(
    of: Launch, host: Host, storage: Storage, tray: TrayParts, board: BoardParts, games: GameRepository
) -> tuple[OpenedFeature, ...]:
    """Open what the features run, and the bots, which know the odds of games as the features do."""
    odds, events = LiveOdds(of.data / ODDS), EventRecord(host, host.submit)
    table = TableParts(
        config=of.config,
        data=of.data,
        host=host,
        games=games,
        odds=odds,
        events=events,
        answer=board.say_aside,
        tell=partial(board.say_aside, later=True),
        trial=board.lights.trial,
        dim=board.lights.dim,
        say=board.speaker.say,
        restart=of.restart,
        missing={fault.part: fault.text for fault in board.devices.faults if fault.text},
        calibration=tray.calibration,
        changes=of.changes,
        saved=storage.saved,
        speed=of.clock.speed,
        wavs=board.speaker.wavs,
    )
    opened = {feature.name: tried(feature, partial(feature.opened, table), None) for feature in of.features}
    for name in (name for name, found in opened.items() if found is None):
        host.submit(fault_of(name))
    running = tuple(found for found in opened.values() if found is not None)
    throw = tray.hands.throw if tray.hands.simulated else None
    pause_s = 0.0 if of.autoplay else PAUSE_S
    opponents = Opponents(
        host, throw, of.chance, odds, games.store, speed=of.clock.speed, pause_s=pause_s, alone=of.autoplay
    )
    of.parts.add(
        ProgramPart("odds", close=odds.close),
        ProgramPart.of("events", events),
        *[part for feature in running for part in feature.parts],
        ProgramPart.of("opponents", opponents),
    )
    return running


@dataclass(frozen=True)
class PagePlace:
    """Where the page is in the network, and its port with TLS; `ports` are those that no configuration names."""

    announcer: Announcer
    secure: SecurePort | None
    page: socket.socket
    ports: Mapping[str, int]


def open_place(of: Launch, host: Host) -> PagePlace:
    """Open the ports of the page."""
    web, data, report = of.config.web, of.data, host.submit
    page = bind(web.host, web.port)
    of.parts.undo.callback(page.close)
    tls = bind(web.host, web.tls_port, "--tls --tls-port") if web.tls else None
    of.parts.undo.callback(tls.close if tls else nothing)
    port, lights = page.getsockname()[1], of.config.leds.driver != "simulated"
    announcer = Announcer(web.host, port, report, host.submit, lights=lights)
    of.parts.undo.callback(announcer.close)
    secure = open_secure_port(of.config, tls, data, announcer, report, of.clock.wall)
    ports = {} if web.port else {"web.port": port}
    if tls is not None and not web.tls_port:
        ports["web.tls_port"] = tls.getsockname()[1]
    return PagePlace(announcer, secure, page, ports)


def open_page(
    of: Launch,
    host: Host,
    tray: TrayParts,
    board: BoardParts,
    games: GameRepository,
    place: PagePlace,
    running: tuple[OpenedFeature, ...],
) -> HangingDevices:
    """Open the buttons and the page, and announce it; return what watches the devices that may hang."""
    buttons = ButtonReader(
        board.devices.buttons,
        host.submit,
        of.clock,
        hands=tray.hands,
        answer=host.tell,
        report=host.submit,
        feed=host.feed,
        better=lambda seq: next(filter(None, (feature.better(seq) for feature in running)), None),
    )
    table = WebTable(
        host=host,
        pictures=tray.eye.process,
        pairing=board.pairing,
        games=games,
        config=of.config.web,
        place=place.announcer,
        secure=place.secure,
        simulated_hands=tray.hands if tray.hands.simulated else None,
        calibration=tray.calibration,
        camera=tray.phone,
        features=of.features,
        offers=tuple(offer for feature in running for offer in feature.offers),
        board=board.layout if of.config.leds.layout else None,
        players=of.config.table.players,
        hold_s=of.config.buttons.hold_s,
        wall=of.clock.wall,
    )
    web = WebServer(make_app(table, languages_of(of.config)), place.page, report=host.submit, secure=place.secure)
    of.parts.add(ProgramPart.of("buttons", buttons), ProgramPart("page", web.start, web.stop, lambda: web.alive))
    if place.secure is not None:
        of.parts.add(ProgramPart.of("certificate", place.secure))
    of.parts.add(ProgramPart.of("summaries", SummaryMaker(games, host.submit)))
    of.parts.add(ProgramPart.of("announcement", place.announcer))
    may_hang = {
        "lights": (board.lights, message("fault.lights")),
        "buttons": (buttons, message("fault.buttons")),
        "sound": (board.speaker, message("fault.sound")),
    }
    return HangingDevices(may_hang, host.submit)


@dataclass(frozen=True)
class Opened:
    """What the life of a table needs of its parts."""

    storage: Storage
    host: Host
    tray: TrayParts
    board: BoardParts
    place: PagePlace
    hanging: HangingDevices
    heartbeats: Heartbeats

    @property
    def simulated(self) -> bool:
        """Whether the page throws the dice, because no real tray is before a camera."""
        return self.tray.hands.simulated

    @property
    def rights(self) -> Rights:
        """What browsers may do."""
        return Rights(self.board.pairing.set_up_until_s, self.tray.phone.who if self.tray.phone else ("", ""))


def open_table(of: Launch, game: NewGame | None) -> Opened:
    """Open every part of a table; its lobby offers `game` before the first game."""
    source = of.config.camera.source
    camera, known = open_camera(source, of.chance), load_calibration(of.data, source)
    layout, light = open_board(of.config)  # a mistake in the configuration is refused before anything is opened
    storage, host = open_host(of, game)
    place = open_place(of, host)
    tray = open_tray(of, host, camera, known)
    foot = (f"page {place.announcer.address}", *keys_help(of.config.buttons.driver))
    board = open_table_board(of, host, storage, layout, light, foot)
    games = open_kept_games(of, host, storage, tray, board.pairing)
    running = open_features(of, host, storage, tray, board, games)
    hanging = open_page(of, host, tray, board, games, place, running)
    of.parts.undo.pop_all()
    heartbeats = Heartbeats(lambda: host.submit(Tick()), {"eye": tray.eye.process, "expectation": tray.eye.instructor})
    return Opened(storage, host, tray, board, place, hanging, heartbeats)
