"""Reading a scene from its text; every mistake is told with its line, what was expected and what came."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace

from companion.errors import SceneError
from companion.simulation.scenes.checks import check_of
from companion.simulation.scenes.script import Beat, Doing, Expectation, Line, PlugPulled, Scene, Told, Wait
from companion.simulation.scenes.tray import Look, Nudge, PutBack, SceneDie, SetAside, Throw
from companion.table.inputs import (
    Answer,
    Button,
    ChooseSelection,
    CorrectRoll,
    EnterRoll,
    Fault,
    Gesture,
    MotionReported,
    Pause,
    Press,
    TrayFoundAgain,
    Undo,
)
from companion.table.state import HouseRules
from companion.times import Times
from dicereader.reading import Doubt, Motion
from farkle.rules.dice import Faces

RULER = "---"
DOUBTS: Mapping[str, Doubt] = {"?": Doubt.FACE, "/": Doubt.COCKED, "^": Doubt.STACKED, "=": Doubt.TOUCHING}
"""The marks behind a die that the eye doubts."""

_DIE = re.compile(rf"([1-6])([{re.escape(''.join(DOUBTS))}]?)")
_HEAD = re.compile(r"(track|begins|times|house|form):\s*(.*)")


@dataclass
class _Head:
    """What stands above the ruler, so far."""

    game: list[str] = field(default_factory=list)
    title: list[str] = field(default_factory=list)
    made: Scene = field(default_factory=lambda: Scene("", None, ()))


def read_scene(text: str) -> Scene:
    """The scene of a text; raises `SceneError`."""
    lines = [Line(number, raw.rstrip()) for number, raw in enumerate(text.splitlines(), start=1)]
    rulers = [line.number for line in lines if line.text == RULER]
    if not rulers:
        raise SceneError(f"expected a line {RULER!r} between the head and the evening, got none", len(lines))
    scene = _head(lines[: rulers[0] - 1])
    beats: list[Beat] = []
    before: list[Expectation] = []
    for line in lines[rulers[0] :]:
        written = Line(line.number, _without_comment(line.text))
        if not written.text.strip():
            continue
        if written.text[0].isspace():
            expected = _expectation(replace(written, text=written.text.strip()))
            if beats:
                beats[-1] = replace(beats[-1], expected=(*beats[-1].expected, expected))
            else:
                before.append(expected)
        else:
            beats.append(Beat(written, _doing(written)))
    if not beats:
        raise SceneError("expected something to be done after the ruler, got nothing", len(lines))
    return replace(scene, beats=tuple(beats), before=tuple(before))


def _without_comment(text: str) -> str:
    """The text before the first `#` outside double quotes."""
    quoted = False
    for place, letter in enumerate(text):
        quoted ^= letter == '"'
        if letter == "#" and not quoted:
            return text[:place].rstrip()
    return text


def _head(lines: list[Line]) -> Scene:
    head = _Head()
    for line in lines:
        own = _HEAD.fullmatch(_without_comment(line.text))
        if own is not None:
            head.made = _own(head.made, line, own[1], own[2].strip())
        elif line.text.startswith("#"):
            head.title.append(line.text.lstrip("# "))
        head.game.append("" if own is not None else line.text)  # lines keep their numbers
    game = "\n".join(head.game)
    written = any(_without_comment(text).strip() for text in head.game)
    return replace(head.made, title=" ".join(head.title), game=game if written else None)


def _own(scene: Scene, line: Line, word: str, value: str) -> Scene:
    match word:
        case "track" if value in ("121", "241"):
            return replace(scene, track=int(value))
        case "track":
            raise line.fail(f"expected a track of 121 or 241, got {value!r}")
        case "begins" if value == "by throws":
            return replace(scene, thrown_for=True)
        case "begins":
            raise line.fail(
                f"expected 'begins: by throws', got {value!r}; who begins otherwise stands in 'start: NAME'"
            )
        case "form" if value == "eye":
            return replace(scene, eye=True)
        case "form":
            raise line.fail(f"expected 'form: eye', got {value!r}")
        case "times":
            return replace(scene, times=_times(scene.times, line, value))
        case _:
            return replace(scene, house=_house(scene.house, line, value))


def _times(before: Times, line: Line, value: str) -> Times:
    known = [each.name for each in fields(Times)]
    name, _, seconds = value.partition("=")
    if name.strip() not in known or not re.fullmatch(r"\d+(\.\d+)?", seconds.strip()):
        raise line.fail(f"expected NAME=SECONDS, NAME one of {', '.join(known)}; got {value!r}")
    return replace(before, **{name.strip(): float(seconds)})


def _house(before: HouseRules, line: Line, value: str) -> HouseRules:
    name, _, word = (part.strip() for part in value.partition("="))
    try:
        return replace(before, **{name: word})
    except (TypeError, ValueError) as error:
        known = ", ".join(each.name for each in fields(HouseRules))
        raise line.fail(f"expected NAME=WORD, NAME one of {known}; got {value!r} ({error})") from error


def _expectation(line: Line) -> Expectation:
    return Expectation(line, check_of(line), line.text.startswith("refused"))


def _doing(line: Line) -> Doing:
    word, _, rest = line.text.partition(" ")
    reader = _DOINGS.get(word)
    if reader is None:
        raise line.fail(f"expected one of {', '.join(_DOINGS)}; got {word!r}")
    return reader(line, rest.strip())


def _throw(line: Line, rest: str) -> Throw:
    """`233346`, and behind it `left 33`, `with 1`, `hops 5`, `beside` or `unsure`."""
    words = rest.split()
    if not words:
        raise line.fail("expected dice after 'throw', got none")
    made = Throw(_dice(line, words[0]))
    place = 1
    while place < len(words):
        word = words[place]
        if word in ("beside", "unsure"):
            made = replace(made, beside=made.beside or word == "beside", unsure=made.unsure or word == "unsure")
            place += 1
            continue
        key = {"left": "left", "with": "taken", "hops": "hopped"}.get(word)
        if key is None or place + 1 >= len(words):
            raise line.fail(f"expected left DICE, with DICE, hops DICE, beside or unsure, got {word!r}")
        made = replace(made, **{key: _faces(line, words[place + 1])})  # type: ignore[arg-type]
        place += 2
    return made


def _aside(line: Line, rest: str) -> SetAside:
    dice, _, where = rest.partition(" ")
    if where not in ("", "beside"):
        raise line.fail(f"expected 'aside DICE' or 'aside DICE beside', got {line.text!r}")
    return SetAside(_faces(line, dice), off=where == "beside")


def _press(gesture: Gesture) -> Callable[[Line, str], Told]:
    def read(line: Line, rest: str) -> Told:
        if rest.lower() not in list(Button):
            raise line.fail(f"expected {gesture.value} KEEP, ROLL or BANK, got {rest!r}")
        return Told(Press(Button(rest.lower()), gesture))

    return read


def _choose(line: Line, rest: str) -> Told:
    dice, _, points = (part.strip() for part in rest.partition("="))
    if points and not points.isdecimal():
        raise line.fail(f"expected 'choose DICE' or 'choose DICE = POINTS', got {line.text!r}")
    return Told(ChooseSelection(_faces(line, dice), int(points) if points else None))


def _wait(line: Line, rest: str) -> Wait:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|min)?", rest)
    if found is None:
        raise line.fail(f"expected 'wait SECONDS' or 'wait MINUTES min', got {line.text!r}")
    return Wait(float(found[1]) * (60 if found[2] == "min" else 1))


def _fault(line: Line, rest: str) -> Told:
    part, _, text = (each.strip() for each in rest.partition(" "))
    doubtful = text.endswith(" perhaps")
    text = text.removesuffix(" perhaps")
    if not text.startswith('"') or not text.endswith('"') or len(text) < 3:
        raise line.fail(f"expected 'fault PART \"words\"', perhaps with 'perhaps', got {line.text!r}")
    return Told(Fault(part, text[1:-1], doubtful))


def _plain(what: Callable[[], Doing]) -> Callable[[Line, str], Doing]:
    def read(line: Line, rest: str) -> Doing:
        if rest:
            raise line.fail(f"expected {line.text.split()[0]!r} alone, got {line.text!r}")
        return what()

    return read


def _dice(line: Line, text: str) -> tuple[SceneDie, ...]:
    found = _DIE.findall(text)
    if not found or "".join(face + mark for face, mark in found) != text:
        raise line.fail(
            f"expected dice such as 233346, with marks {' '.join(DOUBTS)} behind one in doubt, got {text!r}"
        )
    return tuple(SceneDie(int(face), DOUBTS.get(mark)) for face, mark in found)


def _faces(line: Line, text: str) -> Faces:
    if not re.fullmatch(r"[1-6]+", text):
        raise line.fail(f"expected dice such as 233346, got {text!r}")
    return tuple(map(int, text))


_DOINGS: Mapping[str, Callable[[Line, str], Doing]] = {
    "throw": _throw,
    "aside": _aside,
    "back": lambda line, rest: PutBack(_faces(line, rest)),
    "nudge": lambda line, rest: Nudge(_dice(line, rest) if rest else ()),
    "look": lambda line, rest: Look(_dice(line, rest) if rest else None),
    "bump": _plain(lambda: Told(TrayFoundAgain())),
    "hand": _plain(lambda: Told(MotionReported(Motion.HAND))),
    "moving": _plain(lambda: Told(MotionReported(Motion.MOVING))),
    "still": _plain(lambda: Told(MotionReported(Motion.STILL))),
    "tap": _press(Gesture.TAP),
    "hold": _press(Gesture.HOLD),
    "choose": _choose,
    "correct": lambda line, rest: Told(CorrectRoll(_faces(line, rest))),
    "answer": lambda line, rest: Told(Answer(rest)),  # noqa: ARG005 - every reader is given its line
    "chord": _plain(lambda: Told(Pause())),
    "enter": lambda line, rest: Told(EnterRoll(_faces(line, rest))),
    "undo": _plain(lambda: Told(Undo())),
    "wait": _wait,
    "fault": _fault,
    "well": lambda line, rest: Told(Fault(rest, None)),  # noqa: ARG005
    "plug": _plain(PlugPulled),
}
