"""A scene as written: its head, its steps with the expectations after each, and the checks of these."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.devices.lights import board_view
from companion.devices.phrases import call_out
from companion.errors import SceneError
from companion.runtime.feed import Update
from companion.simulation.scenes.tray import HandAct
from companion.table.state.cues import Cue
from companion.table.state.house import HouseRules
from companion.table.state.inputs import Input
from companion.table.throws.shown_standing import PlayerView
from companion.table.view import View
from companion.times import Times
from companion.words import Catalogue, Text, english
from farkle.rules.dice import Faces
from pegboard.pegs import BoardView, ShelfLight


@dataclass
class LineOutcome:
    """What people see and hear of one line of a scene, since it began."""

    cues: list[Cue] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    refused: str | None = None  # the words of a press that was not allowed
    update: Update = field(init=False)  # the newest one, once the line is done
    written: int = 0  # acts in the journal

    @property
    def board(self) -> BoardView:
        """The lights at rest."""
        return board_view(self.update.view)

    def hear(self, words: Catalogue, view: View, cues: tuple[Cue, ...]) -> None:
        """Record cues of the table, and the speech that follows them."""
        self.cues.extend(cues)
        if speech := call_out(words, view, cues):
            self.spoken.append(speech)

    def ended(self, update: Update, written: int) -> "LineOutcome":
        """Note what is to be seen after the line, and the number of its acts in the journal."""
        self.update, self.written = update, written
        return self


Check = Callable[[LineOutcome], str | None]
"""Returns None if the snapshot is as expected, else `expected ..., got ...`."""

Found = re.Match[str]
CheckReader = Callable[[Found], Check]
"""Makes the check of words that fit a pattern."""


@dataclass(frozen=True)
class SceneLine:
    """A line of the scene's text."""

    number: int
    text: str

    def error(self, reason: str) -> SceneError:
        """Return an error that names this line."""
        return SceneError(f"line {self.number}: {reason}", self.number)


@dataclass(frozen=True)
class Expectation:
    """One indented line: something that must be seen or heard."""

    line: SceneLine
    check: Check
    refusal: bool = False


@dataclass(frozen=True)
class Wait:
    """A wait of some seconds on the table's clock."""

    seconds: float


@dataclass(frozen=True)
class PlugPulled:
    """A power cut: everything but the journal is lost, and the table starts again."""


Action = HandAct | Wait | PlugPulled | Input
"""One action; an input is one other than a reading: a press, an act on the page, a fault."""


@dataclass(frozen=True)
class SceneStep:
    """One action, and the expectations after it."""

    line: SceneLine
    action: Action
    expected: tuple[Expectation, ...] = ()


@dataclass(frozen=True)
class Scene:
    """A whole scene."""

    title: str
    game: str | None  # the head in the notation; None for a table that opens with its lobby
    steps: tuple[SceneStep, ...]
    at_start: tuple[Expectation, ...] = ()
    track: int | None = None
    thrown_for: bool = False  # the players throw for who begins
    eye: bool = False  # the tests play it through rendered pictures and the eye, too
    times: Times = field(default_factory=Times)
    house: HouseRules = field(default_factory=HouseRules)


NAME = r'(?P<name>"[^"]+"|[^\s"]+)'
DICE = r"(?P<dice>[1-6]+|none)"
NUMBER = r"(?P<number>-?\d+)"
TEXT = r'"(?P<text>.*)"'


def check_of(line: SceneLine) -> Check:
    """Return the check that the words of a line name. `SceneError` reaches the caller if they name no check."""
    for pattern, reader in CHECKS.items():
        if found := re.fullmatch(pattern, line.text):
            return reader(found)
    raise line.error(f"expected something that can be seen or heard (docs/scenes.md), got {line.text!r}")


def _same(wanted: object, got: object) -> str | None:
    return None if wanted == got else f"expected {wanted!r}, got {got!r}"


def _within(wanted: str, got: str) -> str | None:
    return None if wanted in got else f"expected {wanted!r} in {got!r}"


def _is(get: Callable[[LineOutcome], object], wanted: Callable[[Found], object]) -> CheckReader:
    """Return a reader of checks that a value of the snapshot is the wanted one."""
    return lambda found: lambda seen: _same(wanted(found), get(seen))


def _view(get: Callable[[View], object], wanted: Callable[[Found], object]) -> CheckReader:
    """Return a reader of checks that a value of the view is the wanted one."""
    return _is(lambda seen: get(seen.update.view), wanted)


def _says(get: Callable[[LineOutcome], Text]) -> CheckReader:
    """Return a reader of checks that an English text contains the wanted words."""
    return lambda found: lambda seen: _within(found["text"], english().text(get(seen)))


def _player(get: Callable[[PlayerView], object], wanted: Callable[[Found], object]) -> CheckReader:
    """Return a reader of checks that a value of the named player is the wanted one."""

    def reader(found: Found) -> Check:
        def check(seen: LineOutcome) -> str | None:
            players = {player.name: player for player in seen.update.view.players}
            player = players.get(found["name"].strip('"'))
            if player is None:
                return f"expected one of the players {', '.join(players)}, got {found['name']!r}"
            return _same(wanted(found), get(player))

        return check

    return reader


def _word(found: Found) -> str:
    return found["word"]


def _number(found: Found) -> int:
    return int(found["number"])


def _true(_: Found) -> bool:
    return True


def _dice(found: Found) -> Faces:
    return () if found["dice"] == "none" else tuple(sorted(map(int, found["dice"])))


def _list(found: Found) -> tuple[str, ...]:
    listed = found["list"].strip()
    return () if listed == "none" else tuple(word.strip() for word in re.split(r",\s*|\s+", listed))


def _refused(found: Found) -> Check:
    def check(seen: LineOutcome) -> str | None:
        if seen.refused is None:
            return f"expected a refusal with {found['text']!r}, got none"
        return _within(found["text"], seen.refused)

    return check


def _chosen(view: View) -> tuple[Faces, int] | None:
    return (tuple(sorted(view.chosen.dice)), view.chosen.points) if view.chosen else None


def _preview(seen: LineOutcome) -> int | None:
    turn = seen.board.turn
    return None if turn is None else seen.board.lanes[turn].preview


def _cue(found: Found) -> Check:
    def check(seen: LineOutcome) -> str | None:
        kinds = sorted({cue.kind.value for cue in seen.cues})
        return None if found["text"] in kinds else f"expected {found['text']!r} among {kinds}"

    return check


CHECKS: dict[str, CheckReader] = {
    r"phase (?P<word>\w+)": _view(lambda view: view.phase, _word),
    rf"words {TEXT}": _says(lambda seen: seen.update.view.message.text),
    rf"short {TEXT}": _says(lambda seen: seen.update.view.message.short),
    rf"says {TEXT}": _says(lambda seen: " / ".join(seen.spoken)),
    r"silent": _is(lambda seen: seen.spoken, lambda _: []),
    rf"question {TEXT}": _says(lambda seen: seen.update.view.question.text if seen.update.view.question else ""),
    r"no question": _view(lambda view: view.question is None, _true),
    r"answers (?P<list>.+)": _view(
        lambda view: tuple(map(english().text, view.question.answers)) if view.question else (),
        lambda found: tuple(each.strip() for each in found["list"].split("|") if each.strip()),
    ),
    rf"refused {TEXT}": _refused,
    r"lamps (?P<list>.+)": _is(
        lambda seen: frozenset(seen.update.view.legal), lambda found: frozenset(map(str.lower, _list(found)))
    ),
    rf"roll {DICE}": _view(lambda view: tuple(sorted(view.roll)), _dice),
    rf"locked {DICE}": _view(lambda view: tuple(sorted(view.locked)), _dice),
    rf"shelf {DICE}": _view(lambda view: tuple(sorted(view.shelf)), _dice),
    rf"aside {DICE}(?: for (?P<number>\d+))?": _view(
        _chosen, lambda found: None if found["dice"] == "none" else (_dice(found), int(found["number"] or 0))
    ),
    rf"turn {NUMBER}": _view(lambda view: view.turn_points, _number),
    rf"dice {NUMBER}": _view(lambda view: view.dice_to_throw, _number),
    r"may throw (?P<list>.+)": _view(lambda view: tuple(map(str, view.may_throw)), _list),
    rf"guess (?:{NUMBER}|none)": _is(_preview, lambda found: None if found["number"] is None else _number(found)),
    r"status (?P<word>\w+)": _is(lambda seen: seen.board.status.value, _word),
    r"pockets (?P<list>.+)": _is(
        lambda seen: tuple(light.value for light in seen.board.shelf if light is not ShelfLight.OFF), _list
    ),
    r"outcomes (?P<list>.+)": _is(
        lambda seen: tuple(map(str, seen.board.prompt.outcomes)) if seen.board.prompt else (), _list
    ),
    rf"look {NUMBER}": _view(lambda view: view.look, _number),
    r"rest (?P<word>\w+)": _view(lambda view: view.rest, _word),
    r"by hand (?P<word>\w+)": _view(lambda view: view.by_hand, _word),
    rf"asked face {NUMBER}": _is(lambda seen: seen.board.prompt.lit if seen.board.prompt else 0, _number),
    r"winners? (?P<list>.+)": _view(lambda view: view.winners, _list),
    rf"written {NUMBER}": _is(lambda seen: seen.written, _number),
    r"out of step": _view(lambda view: view.out_of_step, _true),
    r"in step": _view(lambda view: not view.out_of_step, _true),
    r"final round": _view(lambda view: view.final_round, _true),
    rf"degraded {TEXT}": _says(lambda seen: " / ".join(map(english().text, seen.update.view.degraded))),
    r"well": _view(lambda view: view.degraded, lambda _: ()),
    r'cue "(?P<text>[^"]+)"': _cue,
    rf"{NAME} to move": _view(lambda view: view.to_move, lambda found: found["name"].strip('"')),
    rf"{NAME} pegs (?P<back>\d+½?) and (?P<front>\d+½?)": _player(
        lambda player: (f"{player.hole}{'½' * player.half}", f"{player.front_hole}{'½' * player.front_half}"),
        lambda found: (found["back"], found["front"]),
    ),
    rf"{NAME} farkles {NUMBER}": _player(lambda player: player.farkles, _number),
    rf"{NAME} out": _player(lambda player: player.out, _true),
    rf"{NAME} place {NUMBER}": _player(lambda player: player.place, _number),
    rf"{NAME} {NUMBER}": _player(lambda player: player.score, _number),
}
"""The reader of each check, by the pattern of its words; the first pattern that fits is taken."""
