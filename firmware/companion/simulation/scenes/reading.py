"""Read a scene from its text; each error names its line, what was expected and what came."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace

from companion.errors import SceneError
from companion.simulation.scenes.checks import check_of
from companion.simulation.scenes.script import (
    Action,
    Expectation,
    GiveInput,
    PlugPulled,
    Scene,
    SceneLine,
    SceneStep,
    Wait,
)
from companion.simulation.scenes.tray import FirstLook, Nudge, PutBack, SceneDie, SetAside, ThrowDice
from companion.table import inputs
from companion.table.state import HouseRules
from companion.times import Times
from dicereader.reading import Doubt, Motion
from farkle.rules.dice import Faces

RULER = "---"
DOUBTS: Mapping[str, Doubt] = {"?": Doubt.FACE, "/": Doubt.COCKED, "^": Doubt.STACKED, "=": Doubt.TOUCHING}
"""The marks behind a die that the eye doubts."""

_DIE = re.compile(rf"([1-6])([{re.escape(''.join(DOUBTS))}]?)")
_HEAD = re.compile(r"(track|begins|times|house|form):\s*(.*)")

ActionReader = Callable[[SceneLine, str], Action]
"""Reads the words behind the first one of a line."""


def read_scene(text: str) -> Scene:
    """Return the scene of a text.

    Raises:
        SceneError: if a line cannot be read; the error has its number.
    """
    lines = [SceneLine(number, _without_comment(raw)) for number, raw in enumerate(text.splitlines(), start=1)]
    ruler = next((line.number for line in lines if line.text == RULER), 0)
    if not ruler:
        raise SceneError(f"expected a line {RULER!r} between the head and the evening, got none", len(lines))
    scene = _head(lines[: ruler - 1])
    titles = [raw.lstrip("# ") for raw in text.splitlines()[: ruler - 1] if raw.startswith("#")]
    steps: list[SceneStep] = []
    at_start: list[Expectation] = []
    for line in lines[ruler:]:
        if not line.text:
            continue
        if not line.text[0].isspace():
            steps.append(SceneStep(line, _action(line)))
            continue
        words = replace(line, text=line.text.strip())
        expected = Expectation(words, check_of(words), words.text.startswith("refused"))
        if steps:
            steps[-1] = replace(steps[-1], expected=(*steps[-1].expected, expected))
        else:
            at_start.append(expected)
    if not steps:
        raise SceneError("expected something to be done after the ruler, got nothing", len(lines))
    return replace(scene, title=" ".join(titles), steps=tuple(steps), at_start=tuple(at_start))


def _without_comment(text: str) -> str:
    """Return the text before the first `#` outside double quotes."""
    quoted = False
    for place, letter in enumerate(text):
        quoted ^= letter == '"'
        if letter == "#" and not quoted:
            return text[:place].rstrip()
    return text.rstrip()


def _head(lines: list[SceneLine]) -> Scene:
    """Return a scene with what stands above the ruler."""
    scene = Scene("", None, ())
    game = []
    for line in lines:
        own = _HEAD.fullmatch(line.text)
        if own is not None:
            scene = _own(scene, line, own[1], own[2])
        game.append("" if own is not None else line.text)  # lines keep their numbers
    return replace(scene, game="\n".join(game) if any(game) else None)


def _own(scene: Scene, line: SceneLine, key: str, value: str) -> Scene:
    """Return the scene with a line of the head that is not the notation's."""
    match key, value:
        case "track", "121" | "241":
            return replace(scene, track=int(value))
        case "track", _:
            raise line.error(f"expected a track of 121 or 241, got {value!r}")
        case "begins", "by throws":
            return replace(scene, thrown_for=True)
        case "begins", _:
            raise line.error(
                f"expected 'begins: by throws', got {value!r}; who begins otherwise stands in 'start: NAME'"
            )
        case "form", "eye":
            return replace(scene, eye=True)
        case "form", _:
            raise line.error(f"expected 'form: eye', got {value!r}")
    name, _, word = (part.strip() for part in value.partition("="))
    known = ", ".join(each.name for each in fields(Times if key == "times" else HouseRules))
    try:
        if key == "times":
            return replace(scene, times=replace(scene.times, **{name: _seconds(word)}))
        return replace(scene, house=replace(scene.house, **{name: word}))
    except (TypeError, ValueError) as error:
        kind = "SECONDS" if key == "times" else "WORD"
        raise line.error(f"expected NAME={kind}, NAME one of {known}; got {value!r} ({error})") from error


def _seconds(word: str) -> float:
    if not re.fullmatch(r"\d+(\.\d+)?", word):
        raise ValueError(f"expected seconds, got {word!r}")
    return float(word)


def _action(line: SceneLine) -> Action:
    word, _, rest = line.text.partition(" ")
    if word not in ACTIONS:
        raise line.error(f"expected one of {', '.join(ACTIONS)}; got {word!r}")
    return ACTIONS[word](line, rest.strip())


def _throw(line: SceneLine, rest: str) -> ThrowDice:
    """Read `233346`, and behind it `left 33`, `with 1`, `hops 5`, `beside` or `unsure`."""
    first, *words = rest.split() or [""]
    if not first:
        raise line.error("expected dice after 'throw', got none")
    throw = ThrowDice(_dice(line, first))
    while words:
        match words:
            case ["beside", *words]:
                throw = replace(throw, beside=True)
            case ["unsure", *words]:
                throw = replace(throw, unsure=True)
            case ["left", dice, *words]:
                throw = replace(throw, left=_faces(line, dice))
            case ["with", dice, *words]:
                throw = replace(throw, taken=_faces(line, dice))
            case ["hops", dice, *words]:
                throw = replace(throw, hopped=_faces(line, dice))
            case _:
                raise line.error(f"expected left DICE, with DICE, hops DICE, beside or unsure, got {words[0]!r}")
    return throw


def _aside(line: SceneLine, rest: str) -> SetAside:
    dice, _, where = rest.partition(" ")
    if where not in ("", "beside"):
        raise line.error(f"expected 'aside DICE' or 'aside DICE beside', got {line.text!r}")
    return SetAside(_faces(line, dice), off=where == "beside")


def _press(gesture: inputs.Gesture) -> ActionReader:
    def read(line: SceneLine, rest: str) -> GiveInput:
        if rest.lower() not in list(inputs.Button):
            raise line.error(f"expected {gesture.value} KEEP, ROLL or BANK, got {rest!r}")
        return GiveInput(inputs.Press(inputs.Button(rest.lower()), gesture))

    return read


def _choose(line: SceneLine, rest: str) -> GiveInput:
    dice, _, points = (part.strip() for part in rest.partition("="))
    if points and not points.isdecimal():
        raise line.error(f"expected 'choose DICE' or 'choose DICE = POINTS', got {line.text!r}")
    return GiveInput(inputs.ChooseSelection(_faces(line, dice), int(points) if points else None))


def _wait(line: SceneLine, rest: str) -> Wait:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|min)?", rest)
    if found is None:
        raise line.error(f"expected 'wait SECONDS' or 'wait MINUTES min', got {line.text!r}")
    return Wait(float(found[1]) * (60 if found[2] == "min" else 1))


def _fault(line: SceneLine, rest: str) -> GiveInput:
    found = re.fullmatch(r'(\S+)\s+"(.+)"( perhaps)?', rest)
    if found is None:
        raise line.error(f"expected 'fault PART \"words\"', perhaps with 'perhaps', got {line.text!r}")
    return GiveInput(inputs.Fault(found[1], found[2], bool(found[3])))


def _alone(action: Action) -> ActionReader:
    def read(line: SceneLine, rest: str) -> Action:
        if rest:
            raise line.error(f"expected {line.text.split()[0]!r} alone, got {line.text!r}")
        return action

    return read


def _given(make: Callable[[Faces], inputs.Input]) -> ActionReader:
    return lambda line, rest: GiveInput(make(_faces(line, rest)))


def _dice(line: SceneLine, text: str) -> tuple[SceneDie, ...]:
    found = _DIE.findall(text)
    if not found or "".join(face + mark for face, mark in found) != text:
        raise line.error(
            f"expected dice such as 233346, with marks {' '.join(DOUBTS)} behind one in doubt, got {text!r}"
        )
    return tuple(SceneDie(int(face), DOUBTS.get(mark)) for face, mark in found)


def _faces(line: SceneLine, text: str) -> Faces:
    if not re.fullmatch(r"[1-6]+", text):
        raise line.error(f"expected dice such as 233346, got {text!r}")
    return tuple(map(int, text))


ACTIONS: Mapping[str, ActionReader] = {
    "throw": _throw,
    "aside": _aside,
    "back": lambda line, rest: PutBack(_faces(line, rest)),
    "nudge": lambda line, rest: Nudge(_dice(line, rest) if rest else ()),
    "look": lambda line, rest: FirstLook(_dice(line, rest) if rest else None),
    "bump": _alone(GiveInput(inputs.TrayFoundAgain())),
    "hand": _alone(GiveInput(inputs.MotionReported(Motion.HAND))),
    "moving": _alone(GiveInput(inputs.MotionReported(Motion.MOVING))),
    "still": _alone(GiveInput(inputs.MotionReported(Motion.STILL))),
    "tap": _press(inputs.Gesture.TAP),
    "hold": _press(inputs.Gesture.HOLD),
    "choose": _choose,
    "correct": _given(inputs.CorrectRoll),
    "answer": lambda _, rest: GiveInput(inputs.Answer(rest)),
    "chord": _alone(GiveInput(inputs.Pause())),
    "enter": _given(inputs.EnterRoll),
    "undo": _alone(GiveInput(inputs.Undo())),
    "wait": _wait,
    "fault": _fault,
    "well": lambda _, rest: GiveInput(inputs.Fault(rest, None)),
    "plug": _alone(PlugPulled()),
}
"""The reader of each action, by the first word of its line."""
