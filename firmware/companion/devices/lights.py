"""The display: translates the view into what the pegboard speaks, and shows it, frame by frame, on the LED driver.

A driver that fails never stops the game: the table says so, and the strip is tried again with the next frames.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable

from companion.runtime.feed import Feed, Update
from companion.runtime.host import Clock
from companion.table.cues import CueKind
from companion.table.inputs import Fault
from companion.table.view import PlayerView, SelectionView, View
from farkle.rules.dice import spaced
from pegboard.animation.animator import Animator, LightSettings
from pegboard.errors import PegboardError
from pegboard.layouts import Layout
from pegboard.leds.port import LedStrip, TextLines
from pegboard.palette import mark
from pegboard.pegs import SHELF_LIGHTS, BoardView, Effect, LaneView, Prompt, ShelfLight, Status
from pegboard.track import Hole, Track

BUSY_S = 1 / 30
CALM_S = 1 / 12
RETRY_S = 2.0
ANSWER_S = 4.0
SAY_AGAIN_S = 60.0
"""How long after a failure was said the next one is, where the strip answers in between: one line a minute at most."""


def board_view(view: View) -> BoardView:
    """What the board shows of a view: a lane a side, the shelf's lights, the state of play."""
    if view.phase == "lobby":
        runners = (LaneView(mark(side), Hole(0), Hole(0)) for side in range(view.lobby.players))
        return BoardView(lanes=tuple(runners), status=Status.ATTRACT, track=Track(view.track), idle=view.rest)
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
            back_half=player.half,
            front_half=player.front_half,
            farkles=player.farkles,
            preview=None if preview is None else Hole(preview),
            out=player.out,
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
        prompt=_prompt(view) if view.phase == "asking" else Prompt(blinking=view.look) if view.look else None,
        idle=view.rest,
    )


def _winners(view: View) -> tuple[int, ...]:
    """The sides that have won: a team by its name, a player by his."""
    names = {player.name: player.side for player in view.players}
    names |= {team: names[members[0]] for team, members in view.teams.items() if members}
    return tuple(sorted({names[winner] for winner in view.winners if winner in names}))


def _prompt(view: View) -> Prompt:
    """The open question in lights: where its answers lead, or the face that is asked for, or how many are in doubt."""
    question = view.question
    assert question is not None
    whole = view.reading is not None and question.kind == "doubt" and question.face is None
    doubted = [die.face for die in view.reading.dice if die.doubts] if view.reading and whole else []
    return Prompt(
        outcomes=tuple(Hole(hole) for hole in question.outcomes),
        lit=question.face or (doubted[0] if len(doubted) == 1 else 0),
        blinking=len(doubted),
    )


def _shelf(view: View) -> tuple[ShelfLight, ...]:
    """A light for each die on the shelf: steady where it counts, blinking where it does not."""
    counted = Counter(view.locked) + Counter(view.chosen.dice if view.chosen else ())
    lights: list[ShelfLight] = []
    for face in view.shelf[:SHELF_LIGHTS]:
        counts = counted[face] > 0 or view.phase != "choosing"
        counted[face] -= 1
        lights.append(ShelfLight.COUNTS if counts else ShelfLight.REFUSED)
    return (*lights, *(ShelfLight.OFF,) * (SHELF_LIGHTS - len(lights)))


def _status(view: View) -> Status:
    match view.phase:
        case "lobby":
            return Status.ATTRACT
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


_CUES = {
    CueKind.HOT_DICE: Effect.SPARKLE,
    CueKind.FARKLE: Effect.FARKLE,
    CueKind.TURN: Effect.SWEEP,
    CueKind.BUMPED: Effect.SWEEP,
    CueKind.SELF_TEST: Effect.SPARKLE,
}


class Display:
    """Runs the lights on a thread of its own, until it is closed. `foot` stands below the caption, for good.

    `built` is a board that people see, so that it matters how many lanes it has.
    """

    def __init__(
        self,
        feed: Feed,
        layout: Layout,
        strip: LedStrip,
        clock: Clock,
        report: Callable[[Fault], object],
        foot: tuple[str, ...] = (),
        light: LightSettings | None = None,
        built: bool = False,
    ) -> None:
        self._feed = feed
        self._layout = layout
        self._built = built
        self._sharing: str | None = None
        self._animator = Animator(layout, light or LightSettings())
        self._strip = strip
        self._clock = clock
        self._report = report
        self._foot = foot
        self._failed = False
        self._said_s = float("-inf")
        self._answer = ("", 0.0)
        self.seen_s: float | None = None  # when it last went round: a sign of life
        self._ending = threading.Event()
        self._changed = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)
        self._leave = feed.subscribe(self._on_update)

    def start(self) -> None:
        """Show the newest view, and every one after it."""
        self._on_update(self._feed.latest)
        self._thread.start()

    def close(self) -> None:
        """End the thread; the lights go dark."""
        self._leave()
        self._ending.set()
        self._changed.set()
        if self._thread.is_alive():
            self._thread.join(1.0)
        self._strip.close()

    @property
    def alive(self) -> bool:
        """Whether the lights are being run."""
        return self._thread.is_alive()

    def _on_update(self, update: Update) -> None:
        now = self._clock.monotonic()
        refused = next((each.text for each in update.cues if each.kind is CueKind.REFUSED), None)
        if refused is not None:
            self._answer = (refused, now + ANSWER_S)
        cue = next((_CUES[each.kind] for each in update.cues if each.kind in _CUES), None)
        board = board_view(update.view)
        with self._lock:
            self._animator.show(board, now, cue)
        self._changed.set()
        self._say_sharing(len(board.lanes))

    def _run(self) -> None:
        while not self._ending.is_set():
            now, self.seen_s = self._clock.monotonic(), time.monotonic()
            with self._lock:
                frame, busy = self._animator.frame(now), self._animator.busy(now)
            try:
                self._strip.show(frame)
                if isinstance(self._strip, TextLines):
                    self._strip.say(*caption(self._feed.latest.view, self._answered(now)), "", *self._foot)
                self._say(now, None)
                wait = BUSY_S if busy else CALM_S
            except (PegboardError, OSError) as error:
                self._say(now, str(error))
                wait = RETRY_S
            self._changed.clear()
            self._ending.wait(wait / self._clock.speed) if not busy else self._changed.wait(wait / self._clock.speed)

    def _answered(self, now: float) -> str:
        """The answer to a press that was not allowed, for a while."""
        text, until = self._answer
        return text if now < until else ""

    def _say_sharing(self, sides: int) -> None:
        """Report a board with fewer lanes than sides: it goes on, and sides share lanes."""
        lanes = len(self._layout.lanes)
        share = f"{sides} sides share the {lanes} lane{'s' * (lanes > 1)} of {self._layout.name}."
        said = share if sides > lanes and self._built else None
        if said != self._sharing:
            self._sharing = said
            self._report(Fault("layout", said))

    def _say(self, now: float, why: str | None) -> None:
        """Report that the strip fails, or answers again; a failure soon after one that was said is not said."""
        if (why is not None) == self._failed or (why is not None and now - self._said_s < SAY_AGAIN_S):
            return
        self._failed = why is not None
        if why is not None:
            self._said_s = now
        self._report(Fault("leds", None if why is None else f"The lights do not answer: {why}"))


MOST_SELECTIONS = 4


def caption(view: View, answer: str = "") -> tuple[str, ...]:
    """What the table says (or `answer`, to a press that was not allowed), the scores, the roll, what counts of it."""
    lines = [answer or view.message.text]
    if view.players:
        lines.append("   ".join(_player(player, view) for player in view.players))
    if view.roll:
        aside = spaced(view.chosen.dice) if view.chosen else ""
        lines.append(f"roll {spaced(view.roll)}" + (f"   set aside {aside}" if aside else ""))
    if view.phase == "choosing":
        counts = "   ".join(_selection(each) for each in view.selections[:MOST_SELECTIONS])
        more = "   ..." if len(view.selections) > MOST_SELECTIONS else ""
        lines.append(f"counts {counts}{more}")
    lines.extend(f"! {each}" for each in view.degraded)
    return tuple(lines)


def _player(player: PlayerView, view: View) -> str:
    moving = player.name == view.to_move
    at_risk = view.turn_points + (view.chosen.points if view.chosen else 0)
    risk = f" +{at_risk} at risk" if moving and at_risk else ""
    return f"{'> ' if moving else ''}{player.name} {player.score}{risk}"


def _selection(selection: SelectionView) -> str:
    return f"{spaced(selection.dice)} = {selection.points}"
