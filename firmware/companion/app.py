"""Wiring: every part of a table, built by keyword on one screen, started in order and ended in the reverse."""

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

from companion.calibration.session import Calibrator, Preview, Simulated
from companion.calibration.store import calibration_of
from companion.config import CameraChoice, Config, camera_named
from companion.devices.buttons import DESK_HELP, Pad
from companion.devices.drivers import open_devices
from companion.devices.eye_events import Sight, follow
from companion.devices.eye_process import Watcher
from companion.devices.lights import Display
from companion.devices.phrases import load_catalogue
from companion.devices.speaker import Voice
from companion.errors import CompanionError
from companion.games.control_socket import Counter
from companion.games.repository import Games, TableArchive
from companion.games.throw_images import StillKeeper, Stills
from companion.runtime.feed import Feed, Update
from companion.runtime.heartbeat import Part, Vitals
from companion.runtime.host import Clock, Host
from companion.simulation.autoplay import Autoplay
from companion.simulation.hands import Hands
from companion.simulation.photo_source import Album
from companion.simulation.simulated_table import Desk, OwnHands
from companion.storage.data_folder import NOT_SAVED, open_storage
from companion.storage.journal import Loaded
from companion.table.cues import CueKind
from companion.table.inputs import Fault, NewGame, Started, Tick
from companion.table.state import HouseRules, TableState, restored
from companion.table.step import with_open_choice
from companion.web.app import WebServer, bind, make_app
from companion.web.ports import WebTable
from dicereader.sources.folder import find_recorded
from farkle.notation import write
from farkle.rules.ruleset import RuleSet
from pegboard.animation import Animator, LightSettings
from pegboard.buttons.keyboard import HELP
from pegboard.layouts import DEFAULT, load_layout
from pegboard.leds.port import TextLines

WATCH_S = 0.25


class Program:
    """One running table. Built whole or not at all: what cannot be opened raises before anything is started."""

    def __init__(
        self,
        config: Config,
        *,
        data: Path,
        clock: Clock,
        game: NewGame | None,
        autoplay: bool = False,
        chance: random.Random | None = None,
        looks: bool = True,
        table_clock: Clock | None = None,
        hands: type[Hands] = Hands,
    ) -> None:
        """Build a table; where it does not look no eye is started. `table_clock` is that of its own times alone.

        `hands` are those of a simulated tray.
        """
        self._looks = looks
        self._hands = hands
        chance = chance or random.Random()
        camera = camera_named(config.camera.source)
        if camera.name == "recorded":
            find_recorded(camera.arg)
        table_seed = int(camera.arg) if camera.name == "simulated" and camera.arg else chance.randrange(1 << 16)
        known = calibration_of(data, config.camera.source)
        layout = load_layout(config.leds.layout or DEFAULT)
        light = LightSettings(config.leds.brightness, config.leds.calm, config.leds.budget_ma, config.leds.quiet)
        words = load_catalogue(config.sound.language)
        Animator(layout, light)  # what this board cannot do is said before anything is opened
        self._told: frozenset[str] = frozenset()
        with ExitStack() as undo:
            self.storage = open_storage(data, clock.wall)
            undo.callback(self.storage.close)
            state = opened_table(self.storage.loaded, config)
            self.host = Host(state=state, journal=self.storage.journal, clock=table_clock or clock)
            feed = self.feed = self.host.feed
            bound = bind(config.web.host, config.web.port)
            undo.callback(bound.close)
            self.port: int = bound.getsockname()[1]
            devices = open_devices(config, layout, words.voice)
            undo.pop_all()
        self.strip, self._faults = devices.strip, devices.faults
        self.sight = Sight(submit=self.host.submit, source=camera.source)
        self.watcher = Watcher(
            source=camera.source,
            arg=camera.arg or (str(table_seed) if camera.simulated else ""),
            on_message=self.sight.on_message,
            speed=clock.speed,
            calibration=known.calibration,
            empty=known.empty,
            patience=config.eye,
        )
        stills = Stills(data)
        self.games = Games(TableArchive(self.host, stills), stills)
        self.counter = Counter(data, self.games.archive)
        self.still_keeper = StillKeeper(stills, feed, acts=lambda: self.host.state.acts, picture=self.watcher.picture)
        self.desk = self._desk(camera, feed, clock, chance, table_seed, autoplay=autoplay)
        self.address = f"http://{config.web.known_as}:{self.port}/"
        foot = (f"page {self.address}", *([f"{HELP}   {DESK_HELP}"] if config.buttons.driver == "keyboard" else []))
        self.display = Display(
            feed=feed,
            layout=layout,
            strip=self.strip,
            clock=clock,
            report=self.host.submit,
            foot=foot,
            light=light,
            built=config.leds.driver != "simulated",
        )
        self.voice = Voice(feed=feed, sound=devices.sound, words=words, report=self.host.submit)
        self.pad = Pad(
            buttons=devices.buttons,
            submit=self.host.submit,
            clock=clock,
            hands=self.desk,
            answer=self.host.tell,
            report=self.host.submit,
            feed=feed,
        )
        parts: dict[str, Part] = {"eye's watcher": self.watcher, "lights": self.display, "buttons": self.pad}
        self.vitals = Vitals(ask=lambda: self.host.submit(Tick()), parts=parts)
        self.autoplay = self._autoplay() if autoplay else None
        self.calibrator = calibrator_of(camera, data, table_seed, self.watcher.preview, self.watcher.know)
        table = WebTable(
            submit=self.host.submit,
            feed=feed,
            pictures=self.watcher,
            notation=self.notation,
            rules=self._rules,
            simulated=self.simulated,
            desk=None if isinstance(self.desk, OwnHands) else self.desk,
            calibrator=self.calibrator,
            games=self.games,
            writes=config.web.writes,
            host=config.web.host,
            board=layout if config.leds.layout else None,
            hold_s=config.buttons.hold_s,
        )
        self.web = WebServer(make_app(table), bound)
        self._game = game
        self._unfollow = follow(feed, self.watcher)
        self.switched_off = threading.Event()
        feed.subscribe(self._switch_off)

    def _desk(
        self, camera: CameraChoice, feed: Feed, clock: Clock, chance: random.Random, table_seed: int, *, autoplay: bool
    ) -> Desk | Album | OwnHands:
        if camera.name == "recorded":
            album = Album(
                feed=feed,
                advance=self.watcher.advance,
                accept=self.sight.accept,
                press=self.host.submit,
                banking=autoplay,
            )
            self.sight.observed = album.observed
            self.sight.hello = album.hello
            return album
        if not camera.simulated:
            return OwnHands()
        hands = self._hands(seed=table_seed)
        return Desk(hands=hands, lay=self.watcher.lay, feed=feed, clock=clock, chance=chance)

    def _autoplay(self) -> Autoplay:
        return Autoplay(
            feed=self.feed, submit=self.host.submit, throw=self.desk.throw, points_a_hole=self._points_a_hole
        )

    def _rules(self) -> RuleSet | None:
        """The rules of the game under way."""
        game = self.host.state.game
        return game.rules if game else None

    def _points_a_hole(self) -> int:
        state = self.host.state
        return state.play.game.rules.points_a_hole(state.play.track) if state.play else 1

    def _switch_off(self, update: Update) -> None:
        if any(cue.kind is CueKind.POWER_OFF for cue in update.cues):
            self.switched_off.set()

    @property
    def simulated(self) -> bool:
        """Whether the tray is not a real one before a camera, so that the page throws its dice."""
        return not isinstance(self.desk, OwnHands)

    @property
    def captioned(self) -> bool:
        """Whether the lights' driver draws on a screen of its own, with words below: others' words would spoil it."""
        return isinstance(self.strip, TextLines)

    def notation(self) -> str:
        """The newest game in the notation, empty where none has been started."""
        effective = self.host.state.effective
        return write(event for act in effective for event in act.game_events) if effective else ""

    def start(self) -> None:
        """Begin: the host first, then whatever asks it, the page last."""
        if self.host.state.game is None and self._game is not None:
            self.host.take(self._game)
        self.host.take(Started(self.address))
        self.host.start()
        if self.storage.saved:
            with suppress(OSError):  # a file system without sockets: commands then say that a table runs
                self.counter.open()
        if not self.storage.saved:
            self.host.submit(Fault("storage", NOT_SAVED))
        if self.storage.loaded.loss:
            self.host.submit(Fault("loss", self.storage.loaded.loss))
        for fault in self._faults:
            self.host.submit(fault)
        if self._looks:
            self.watcher.start()
        if isinstance(self.desk, Desk) and self._looks:
            self.desk.lay_out()
        self.display.start()
        self.pad.start()
        self.web.start()
        if self.autoplay is not None:
            self.autoplay.start()

    def wait(
        self,
        ending: threading.Event,
        tell: Callable[[str], object] | None = None,
        beat: Callable[[tuple[str, ...]], object] | None = None,
    ) -> str | None:
        """Run until `ending` is set, somebody switches off, or autoplay has ended.

        The answer is None where all is well, else the words for a part that died. `tell` gets each thing that is
        degraded, once; `beat` four times a second the parts that hang. Raises `CompanionError` where recorded pictures
        cannot be read.
        """
        while not ending.wait(WATCH_S):
            if beat is not None:
                beat(self.vitals.silent())
            degraded = frozenset(self.feed.latest.view.degraded)
            if tell is not None:
                for said in sorted(degraded - self._told):
                    tell(said)
            self._told = degraded
            if self.switched_off.is_set():
                return None
            if self.autoplay is not None and self.autoplay.ended.is_set():
                return None
            if isinstance(self.desk, Album) and (why := self.sight.fatal or self.desk.stuck):
                raise CompanionError(why)  # a folder of pictures does not come back, as a camera does
            for name, alive in self._parts():
                if not alive:
                    return f"the {name} ended by itself; the journal holds all that was acknowledged"
        return None

    def _parts(self) -> Iterator[tuple[str, bool]]:
        """Every part that runs on a thread of its own, and whether it does."""
        yield "host", self.host.alive
        yield "page", self.web.alive
        yield "lights", self.display.alive
        yield "buttons", self.pad.alive
        if self.autoplay is not None:
            yield "autoplay", self.autoplay.alive

    def close(self) -> None:
        """End everything: lights dark, journal closed, no process left."""
        if self.autoplay is not None:
            self.autoplay.close()
        self.web.stop()
        if self.calibrator is not None:
            self.calibrator.close()
        self._unfollow()
        self.pad.close()
        self.desk.close()
        self.voice.close()
        self.watcher.stop()
        self.display.close()
        self.counter.close()
        self.host.stop()
        self.still_keeper.close()
        self.storage.close()


def opened_table(loaded: Loaded, config: Config) -> TableState:
    """Return the table as the journal left it, with the house rules and times of the configuration."""
    state = restored(
        loaded.acts,
        seq=loaded.seq,
        game_number=loaded.game,
        times=config.times,
        house=HouseRules(config.table.off_table, config.table.cocked),
        simulated=camera_named(config.camera.source).name in ("simulated", "recorded"),
    )
    return with_open_choice(state)


def calibrator_of(
    camera: CameraChoice, data: Path, table_seed: int, preview: Callable[[], bytes | None], know: Callable[..., None]
) -> Calibrator | None:
    """What calibrates this table; photographs are no camera."""
    if camera.name == "recorded":
        return None
    if camera.name == "simulated":
        return Calibrator(Simulated(table_seed), f"simulated:{table_seed}", data, know)
    name = f"{camera.name}:{camera.arg}" if camera.arg else camera.name
    return Calibrator(Preview(preview), name, data, know)
