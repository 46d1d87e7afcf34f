"""Translates the view into a board view, and shows its animation on the LED driver.

A driver that fails never stops the game: the table reports it, and uses the driver again later.
"""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from companion.boards import layout_of
from companion.checkup.leds import StripPicture, picture_of
from companion.config import Config
from companion.devices.phrases import caption
from companion.runtime.feed import Feed, Update
from companion.runtime.guard import Guard, Worker
from companion.runtime.host import Clock
from companion.table.state.cues import CueKind
from companion.table.state.inputs import Fault
from companion.table.view import View
from companion.words import NOTHING, Catalogue, Text, english, message
from pegboard.animation.animator import Animator, LightSettings
from pegboard.layouts import Layout
from pegboard.ledframe import LedFrame
from pegboard.leds.port import LedStrip, TextLines
from pegboard.palette import mark
from pegboard.pegs import SHELF_LIGHTS, BoardView, Effect, LaneView, Prompt, ShelfLight, Status
from pegboard.track import Hole, Track

LEDS = "leds"
"""The part of a fault of the strip."""

BUSY_S = 1 / 30
CALM_S = 1 / 12
"""Seconds between frames while lights move, and while they are calm. A new view is shown at once."""

ANSWER_S = 4.0
"""Seconds that the caption shows why a press was refused."""

TOLD_S = 8.0
"""Seconds that the caption shows an answer."""


def board_view(view: View) -> BoardView:
    """Return the board's picture of a view: a lane for each side, the shelf's lights, the state of play."""
    if view.phase == "lobby":
        sides = range(len(view.lobby.teams) or view.lobby.players)
        lobby = tuple(LaneView(mark(side), Hole(0), Hole(0)) for side in sides)
        track, digits = Track(view.track), view.address_digits
        return BoardView(lobby, status=Status.ATTRACT, track=track, idle=view.rest, digits=digits)
    lanes: dict[int, LaneView] = {}
    turn: int | None = None
    for player in view.players:
        moving = player.name == view.to_move
        if player.side in lanes and not moving:
            continue
        preview = view.bank_hole if moving and view.bank_hole not in (None, player.front_hole) else None
        lanes[player.side] = LaneView(
            mark=mark(player.side),
            back=Hole(player.hole),
            front=Hole(player.front_hole),
            farkles=player.farkles,
            preview=None if preview is None else Hole(preview),
            out=player.out,
            back_half=player.half,
            front_half=player.front_half,
        )
        turn = player.side if moving else turn
    best = max((player.score for player in view.players), default=0)
    leaders = tuple(sorted({player.side for player in view.players if player.score == best and best > 0}))
    return BoardView(
        lanes=tuple(lanes[side] for side in sorted(lanes)),
        turn=turn,
        shelf=_shelf(view),
        status=_status(view),
        leaders=_winners(view) if view.phase == "over" else leaders,
        track=Track(view.track),
        prompt=_prompt(view),
        idle=view.rest,
        digits=view.address_digits,
    )


def _winners(view: View) -> tuple[int, ...]:
    """Return the sides of the winning players and teams."""
    names = {player.name: player.side for player in view.players}
    names |= {team: names[members[0]] for team, members in view.teams.items() if members}
    return tuple(sorted({names[winner] for winner in view.winners if winner in names}))


def _prompt(view: View) -> Prompt | None:
    """Return the question's holes, the face that it asks about, and the number of dice in doubt or to look at."""
    question = view.question
    if question is None:
        return Prompt(blinking=view.look) if view.look else None
    doubted: list[int] = []
    if view.reading is not None and question.kind == "doubt" and question.face is None:
        doubted = [die.face for die in view.reading.dice if die.doubts]
    return Prompt(
        outcomes=tuple(Hole(hole) for hole in question.outcomes),
        lit=question.face or (doubted[0] if len(doubted) == 1 else 0),
        blinking=len(doubted),
    )


def _shelf(view: View) -> tuple[ShelfLight, ...]:
    """Return a light for each die on the shelf: steady if it counts, blinking if it does not.

    The lights after them breathe for the dice that people still have to set aside for a bot.
    """
    counted = Counter(view.locked) + Counter(view.chosen.dice if view.chosen else ())
    lights: list[ShelfLight] = []
    for face in view.shelf[:SHELF_LIGHTS]:
        counts = counted[face] > 0 or view.phase != "choosing"
        counted[face] -= 1
        lights.append(ShelfLight.COUNTS if counts else ShelfLight.REFUSED)
    if view.bot is not None and view.bot.then == "throw" and view.phase == "choosing" and view.chosen is not None:
        aside = Counter(view.shelf) - Counter(view.locked)
        wanted = (Counter(view.chosen.dice) - aside).total()
        lights += [ShelfLight.WANTED] * min(wanted, SHELF_LIGHTS - len(lights))
    return (*lights, *(ShelfLight.OFF,) * (SHELF_LIGHTS - len(lights)))


def _status(view: View) -> Status:
    match view.phase:
        case "over":
            return Status.OVER
        case _ if view.blind:
            return Status.BLIND
        case "rolling":
            return Status.QUIET
        case _ if view.look and view.phase != "asking":
            return Status.LOOK
        case "asking":
            return Status.LOOK if view.question is not None and view.question.kind == "doubt" else Status.ASK
        case _:
            return Status.FINAL if view.final_round else Status.PLAY


_EFFECTS = {
    CueKind.HOT_DICE: Effect.SPARKLE,
    CueKind.FARKLE: Effect.FARKLE,
    CueKind.TURN: Effect.SWEEP,
    CueKind.BUMPED: Effect.SWEEP,
    CueKind.SELF_TEST: Effect.SPARKLE,
    CueKind.ADDRESS: Effect.DIGITS,
}


def open_board(config: Config) -> tuple[Layout, LightSettings]:
    """Return the layout of the LEDs and how they are lit.

    `PegboardError` reaches the caller for an unknown layout, or a board that cannot show the game.
    """
    layout, leds = layout_of(config), config.leds
    light = LightSettings(leds.brightness, leds.calm, leds.budget_ma, leds.quiet)
    Animator(layout, light)
    return layout, light


@dataclass(eq=False)
class Lights(Worker):
    """Runs the lights on a thread of its own.

    Args:
        feed: The views to show.
        layout: The layout of the LEDs.
        strip: The LED driver, which is closed with the lights.
        clock: The clock of animations and waits.
        report: Gets faults of the strip, and of a layout with too few lanes.
        foot: Lines that a terminal always shows below the caption.
        light: Brightness, calm and current.
        built: Whether the board is a real one, on which a lack of lanes or of holes is reported.
        words: The words of the caption on a terminal.
        secret: Returns the holes that light up alone to let a phone in. They go to the strip and nowhere else.
    """

    feed: Feed
    layout: Layout
    strip: LedStrip
    clock: Clock
    report: Callable[[Fault], object]
    foot: tuple[str, ...] = ()
    light: LightSettings = field(default_factory=LightSettings)
    built: bool = False
    words: Catalogue = field(default_factory=english)
    secret: Callable[[], tuple[int, ...]] = tuple

    def __post_init__(self) -> None:
        guard = Guard(LEDS, message("fault.lights"), self.report, self.clock.monotonic)
        super().__init__("lights", guard, self.clock.speed)
        self._misfit: Text | None = None
        self._animator = Animator(self.layout, self.light)
        self._trial: tuple[StripPicture, float] | None = None  # and when it began
        self._notes: tuple[str, ...] = ()
        self._answer: tuple[Text, float] = (NOTHING, 0.0)
        self._lock = threading.Lock()
        self._unsubscribe = self.feed.subscribe(self._on_update, "lights")

    def start(self) -> None:
        """Begin to show the newest view."""
        self._on_update(self.feed.latest)
        super().start()

    def note(self, *lines: str) -> None:
        """Show these lines above the foot of a terminal, in place of the last ones."""
        self._notes = lines
        self._wake()

    def answer(self, words: Text) -> None:
        """Show words that no view may hold on a terminal for some seconds, in place of the table's message."""
        self._answer = (words, self.clock.monotonic() + TOLD_S)
        self._wake()

    def trial(self, what: str) -> None:
        """Show a trial of the strip in place of the game, see `strip_pictures`; an empty text ends it."""
        self._trial = (picture_of(what, self.layout), self.clock.monotonic()) if what else None
        self._wake()

    def dim(self, share: float) -> None:
        """Show the board at a share of its brightness, from 0 to 1, until the next start."""
        self._animator.settings = replace(self.light, brightness=self.light.brightness * share)
        self._wake()

    def close(self) -> None:
        """End the thread, and close the driver: the lights go dark."""
        self._unsubscribe()
        if self._end():
            self.strip.close()

    def _on_update(self, update: Update) -> None:
        now = self.clock.monotonic()
        refused = next((cue.text for cue in update.cues if cue.kind is CueKind.REFUSED), None)
        if refused is not None:
            self._answer = (refused, now + ANSWER_S)
        effect = next((_EFFECTS[cue.kind] for cue in update.cues if cue.kind in _EFFECTS), None)
        board = board_view(update.view)
        with self._lock:
            self._animator.show(board, now, effect)
        self._wake()
        self._report_misfit(len(board.lanes), update.view.track)

    def _work(self) -> float:
        now = self.clock.monotonic()
        with self._lock:
            frame, busy = self._animator.frame(now), self._animator.busy(now)
        holes = self.secret()
        tried = self._tried(now)
        self.strip.show(self._animator.holes(holes) if holes else tried or frame)
        if isinstance(self.strip, TextLines):
            answer, until = self._answer
            lines = caption(self.feed.latest.view, self.words, answer if now < until else NOTHING)
            self.strip.say(*lines, "", *self._notes, *self.foot)
        self._guard.works()
        return (BUSY_S if busy or tried else CALM_S) / self.clock.speed

    def _tried(self, now: float) -> LedFrame | None:
        """Return the picture of the trial that is shown now; None without one."""
        if self._trial is None:
            return None
        trial, began = self._trial
        frame = trial.frame(self.layout.leds, now - began, self.light.brightness, self.light.budget_ma)
        if frame is None:
            self._trial = None
        return frame

    def _report_misfit(self, sides: int, track: int) -> None:
        """Report if sides share lanes because the board has too few, or if it has not the track of a kept game."""
        layout, misfit = self.layout, None
        if not self.built:
            return
        if sides > len(layout.lanes):
            misfit = message("fault.lanes", sides=sides, lanes=len(layout.lanes), layout=layout.name)
        elif track not in layout.tracks:
            misfit = message("fault.track", track=track, tracks=layout.tracks, layout=layout.name)
        if misfit != self._misfit:
            self._misfit = misfit
            self.report(Fault("layout", misfit))
