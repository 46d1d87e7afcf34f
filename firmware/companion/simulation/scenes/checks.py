"""What a scene expects: each check reads its words once, and says what is otherwise than they say."""

import re
from collections.abc import Callable

from companion.simulation.scenes.script import Check, Line, Seen
from companion.table.view import PlayerView, View
from farkle.rules.dice import Faces
from pegboard.pegs import ShelfLight

NAME = r'(?P<name>"[^"]+"|[^\s"]+)'
DICE = r"(?P<dice>[1-6]+|none)"
NUMBER = r"(?P<number>-?\d+)"
TEXT = r'"(?P<text>.*)"'

Reading = Callable[[re.Match[str]], Check]


def check_of(line: Line) -> Check:
    """The check that these words are; raises `SceneError` where they are none."""
    for pattern, reading in CHECKS.items():
        found = re.fullmatch(pattern, line.text)
        if found is not None:
            return reading(found)
    raise line.fail(f"expected something that can be seen or heard (docs/scenes.md), got {line.text!r}")


def _same(wanted: object, got: object) -> str | None:
    return None if wanted == got else f"expected {wanted!r}, got {got!r}"


def _within(wanted: str, got: str) -> str | None:
    return None if wanted in got else f"expected {wanted!r} in {got!r}"


def _is(get: Callable[[Seen], object], wanted: Callable[[re.Match[str]], object]) -> Reading:
    """A check that two values are the same."""
    return lambda found: lambda seen: _same(wanted(found), get(seen))


def _says(get: Callable[[Seen], str]) -> Reading:
    """A check that words are among others."""
    return lambda found: lambda seen: _within(found["text"], get(seen))


def _dice(found: re.Match[str]) -> Faces:
    return () if found["dice"] == "none" else tuple(sorted(map(int, found["dice"])))


def _words(found: re.Match[str]) -> tuple[str, ...]:
    listed = found["list"].strip()
    return () if listed == "none" else tuple(word.strip() for word in re.split(r",\s*|\s+", listed))


def _player(view: View, name: str) -> PlayerView | None:
    plain = name.strip('"')
    return next((player for player in view.players if player.name == plain), None)


def _of_player(get: Callable[[PlayerView], object], wanted: Callable[[re.Match[str]], object]) -> Reading:
    def reading(found: re.Match[str]) -> Check:
        def check(seen: Seen) -> str | None:
            player = _player(seen.update.view, found["name"])
            if player is None:
                names = ", ".join(each.name for each in seen.update.view.players)
                return f"expected one of the players {names}, got {found['name']!r}"
            return _same(wanted(found), get(player))

        return check

    return reading


def _refused(found: re.Match[str]) -> Check:
    def check(seen: Seen) -> str | None:
        if seen.refused is None:
            return f"expected a refusal with {found['text']!r}, got none"
        return _within(found["text"], seen.refused)

    return check


def _chosen(seen: Seen) -> tuple[Faces, int] | None:
    chosen = seen.update.view.chosen
    return None if chosen is None else (tuple(sorted(chosen.dice)), chosen.points)


def _aside(found: re.Match[str]) -> tuple[Faces, int] | None:
    return None if found["dice"] == "none" else (_dice(found), int(found["number"] or 0))


def _pockets(seen: Seen) -> tuple[str, ...]:
    return tuple(light.value for light in seen.board.shelf if light is not ShelfLight.OFF)


def _outcomes(seen: Seen) -> tuple[str, ...]:
    return tuple(str(hole) for hole in seen.board.prompt.outcomes) if seen.board.prompt else ()


def _preview(seen: Seen) -> int | None:
    turn = seen.board.turn
    return None if turn is None else seen.board.lanes[turn].preview


def _question(seen: Seen) -> str:
    question = seen.update.view.question
    return question.text if question else ""


def _answers(seen: Seen) -> tuple[str, ...]:
    question = seen.update.view.question
    return question.answers if question else ()


def _cue(found: re.Match[str]) -> Check:
    def check(seen: Seen) -> str | None:
        return None if found["text"] in seen.cues else f"expected {found['text']!r} among {sorted(seen.cues)}"

    return check


CHECKS: dict[str, Reading] = {
    r"phase (?P<word>\w+)": _is(lambda seen: seen.update.view.phase, lambda found: found["word"]),
    rf"words {TEXT}": _says(lambda seen: seen.update.view.message.text),
    rf"short {TEXT}": _says(lambda seen: seen.update.view.message.short),
    rf"says {TEXT}": _says(lambda seen: " / ".join(seen.spoken)),
    r"silent": _is(lambda seen: seen.spoken, lambda _: ()),
    rf"question {TEXT}": _says(_question),
    r"no question": _is(_question, lambda _: ""),
    r"answers (?P<list>.+)": _is(
        _answers, lambda found: tuple(each.strip() for each in found["list"].split("|") if each.strip())
    ),
    rf"refused {TEXT}": _refused,
    r"lamps (?P<list>.+)": _is(
        lambda seen: seen.lamps, lambda found: frozenset(word.lower() for word in _words(found))
    ),
    rf"roll {DICE}": _is(lambda seen: tuple(sorted(seen.update.view.roll)), _dice),
    rf"locked {DICE}": _is(lambda seen: tuple(sorted(seen.update.view.locked)), _dice),
    rf"shelf {DICE}": _is(lambda seen: tuple(sorted(seen.update.view.shelf)), _dice),
    rf"aside {DICE}(?: for (?P<number>\d+))?": _is(_chosen, _aside),
    rf"turn {NUMBER}": _is(lambda seen: seen.update.view.turn_points, lambda found: int(found["number"])),
    rf"dice {NUMBER}": _is(lambda seen: seen.update.view.dice_to_throw, lambda found: int(found["number"])),
    r"may throw (?P<list>.+)": _is(lambda seen: tuple(map(str, seen.update.view.may_throw)), _words),
    rf"guess (?:{NUMBER}|none)": _is(_preview, lambda found: None if found["number"] is None else int(found["number"])),
    r"status (?P<word>\w+)": _is(lambda seen: seen.board.status.value, lambda found: found["word"]),
    r"pockets (?P<list>.+)": _is(_pockets, _words),
    r"outcomes (?P<list>.+)": _is(_outcomes, _words),
    rf"look {NUMBER}": _is(lambda seen: seen.update.view.look, lambda found: int(found["number"])),
    r"rest (?P<word>\w+)": _is(lambda seen: seen.update.view.rest, lambda found: found["word"]),
    r"by hand (?P<word>\w+)": _is(lambda seen: seen.update.view.by_hand, lambda found: found["word"]),
    rf"asked face {NUMBER}": _is(
        lambda seen: seen.board.prompt.lit if seen.board.prompt else 0, lambda found: int(found["number"])
    ),
    r"winners? (?P<list>.+)": _is(lambda seen: seen.update.view.winners, _words),
    rf"written {NUMBER}": _is(lambda seen: seen.written, lambda found: int(found["number"])),
    r"out of step": _is(lambda seen: seen.update.view.out_of_step, lambda _: True),
    r"in step": _is(lambda seen: seen.update.view.out_of_step, lambda _: False),
    r"final round": _is(lambda seen: seen.update.view.final_round, lambda _: True),
    rf"degraded {TEXT}": _says(lambda seen: " / ".join(seen.update.view.degraded)),
    r"well": _is(lambda seen: seen.update.view.degraded, lambda _: ()),
    r'cue "(?P<text>[^"]+)"': _cue,
    rf"{NAME} to move": lambda found: lambda seen: _same(found["name"].strip('"'), seen.update.view.to_move),
    rf"{NAME} pegs (?P<back>\d+½?) and (?P<front>\d+½?)": _of_player(
        lambda player: (f"{player.hole}{'½' * player.half}", f"{player.front_hole}{'½' * player.front_half}"),
        lambda found: (found["back"], found["front"]),
    ),
    rf"{NAME} farkles {NUMBER}": _of_player(lambda player: player.farkles, lambda found: int(found["number"])),
    rf"{NAME} out": _of_player(lambda player: player.out, lambda _: True),
    rf"{NAME} place {NUMBER}": _of_player(lambda player: player.place, lambda found: int(found["number"])),
    rf"{NAME} {NUMBER}": _of_player(lambda player: player.score, lambda found: int(found["number"])),
}
"""What may be expected, by the pattern of its words; the first that fits is taken."""

FORMS: dict[str, str] = {
    "phase choosing": "the view's phase: lobby, to_throw, rolling, choosing, asking, farkled, over",
    "Ann to move": "who is to move",
    "Ann 12": "a player's score (in a team game the team's)",
    "Ann pegs 10 and 12½": "the holes of the back peg and the front peg; ½ where half a hole more",
    "Ann farkles 2": "farkled turns in a row",
    "Ann out": "the peg is off the board",
    "Ann place 1": "the place among all",
    "roll 233346": "the dice that lie as thrown, in any order; `none` for no dice",
    "locked 333": "the dice kept earlier in this turn",
    "shelf 333": "the dice that a hand has laid on the shelf",
    "aside 333 for 6": "what would be kept, and its points; `none`",
    "turn 6": "turn points",
    "dice 3": "how many dice are to be thrown",
    "may throw 2 3 5 6": "the numbers of dice that may be thrown next",
    'words "Ann: throw six dice"': "part of the sentence on the page",
    'short "Ann: 6 dice"': "part of its short form",
    'says "Ann banks eight"': "part of what the voice says after this line",
    "silent": "the voice says nothing",
    'question "Is it a five?"': "part of the open question, or of the open menu",
    "no question": "none is open",
    "answers yes | no": "the open question's answers, or the menu's items",
    'refused "throw first"': "the line above was refused, with these words in the reason; else a refusal is an error",
    "lamps keep roll bank": "the buttons that are lit, and no others; `none`",
    "status look": "the status light: play, attract, quiet, ask, look, blind, final, over",
    "pockets counts refused": "the shelf lights that are on: counts (steady), refused (double blink)",
    "guess 8": "the hole of the front peg's preview; `none`",
    "outcomes 8 6": "the holes to which the answers lead, in lights",
    "asked face 5": "an asked face as a count on the shelf lights",
    "look 1": "how many dice are to be looked at: cocked, missing, too many",
    "rest dim": "awake, waiting, called, dim, asleep",
    "by hand counting": "what players do in the eye's place: no, counting, faces",
    "final round": "it is the final round",
    "winners Ann, Ben": "who has won; `none`",
    "written 1": "how many acts the line above has written into the journal",
    "out of step": "the tray does not lie as the game stands",
    "in step": "it does",
    'degraded "no frames"': "part of what is said to be degraded",
    "well": "nothing is degraded",
    'cue "hot dice"': "this cue was given",
}
"""An example of each thing that may be expected, and what it means."""
