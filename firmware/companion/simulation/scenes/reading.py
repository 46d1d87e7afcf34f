"""Read a scene from its text; each error names its line, the expected form and the text found."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from companion.errors import SceneError
from companion.simulation.scenes import script
from companion.simulation.scenes.tray import FirstLook, Nudge, PutBack, SceneDie, SetAside, ThrowDice
from companion.table.state import inputs
from companion.table.state.house import HouseRules
from companion.times import Times
from dicereader.reading import Doubt, Motion
from farkle.rules.dice import Faces

RULER = "---"
DOUBTS: Mapping[str, Doubt] = {"?": Doubt.FACE, "/": Doubt.COCKED, "^": Doubt.STACKED, "=": Doubt.TOUCHING}
"""The marks behind a die that the eye doubts."""

_DIE = re.compile(rf"([1-6])([{re.escape(''.join(DOUBTS))}]?)")
_HEAD = re.compile(r"(track|begins|times|house|form):\s*(.*)")


def read_scene(text: str) -> script.Scene:
    """Return the scene of a text.

    Raises:
        SceneError: if a line cannot be read; the error has its number.
    """
    lines = [script.SceneLine(number, _without_comment(raw)) for number, raw in enumerate(text.splitlines(), start=1)]
    ruler = next((line.number for line in lines if line.text == RULER), 0)
    if not ruler:
        raise SceneError(f"expected a line {RULER!r} between the head and the evening, got none", len(lines))
    scene = _head(lines[: ruler - 1])
    titles = [raw.lstrip("# ") for raw in text.splitlines()[: ruler - 1] if raw.startswith("#")]
    steps: list[script.SceneStep] = []
    at_start: list[script.Expectation] = []
    for line in lines[ruler:]:
        if not line.text:
            continue
        if not line.text[0].isspace():
            steps.append(script.SceneStep(line, _action(line)))
            continue
        words = replace(line, text=line.text.strip())
        expected = script.Expectation(words, script.check_of(words), words.text.startswith("refused"))
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


def _head(lines: list[script.SceneLine]) -> script.Scene:
    """Return a scene that holds only the head: the lines above the ruler."""
    scene = script.Scene("", None, ())
    game = []
    for line in lines:
        own = _HEAD.fullmatch(line.text)
        if own is not None:
            scene = _own(scene, line, own[1], own[2])
        game.append("" if own is not None else line.text)  # an empty line, so that later lines keep their numbers
    return replace(scene, game="\n".join(game) if any(game) else None)


def _own(scene: script.Scene, line: script.SceneLine, key: str, value: str) -> script.Scene:
    """Return the scene with one line of the head that is not part of the notation."""
    if key in HEAD:
        if value not in HEAD[key]:
            raise line.error(f"expected '{key}: {' or '.join(HEAD[key])}', got {value!r}")
        return replace(scene, **HEAD[key][value])
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


def _action(line: script.SceneLine) -> script.Action:
    word, _, rest = line.text.partition(" ")
    if word not in ACTIONS:
        raise line.error(f"expected one of {', '.join(ACTIONS)}; got {word!r}")
    form, pattern, make = ACTIONS[word]
    found = re.fullmatch(pattern, rest.strip())
    if found is None:
        raise line.error(f"expected {form}, got {line.text!r}")
    return make(found)


def _faces(dice: str | None) -> Faces:
    return tuple(map(int, dice or ""))


def _dice(found: script.Found) -> tuple[SceneDie, ...]:
    return tuple(SceneDie(int(face), DOUBTS.get(mark)) for face, mark in _DIE.findall(found["dice"] or ""))


def _throw(found: script.Found) -> ThrowDice:
    return ThrowDice(
        _dice(found),
        left=None if found["left"] is None else _faces(found["left"]),
        taken=_faces(found["taken"]),
        hopped=_faces(found["hopped"]),
        beside=bool(found["beside"]),
        unsure=bool(found["unsure"]),
    )


def _press(gesture: inputs.Gesture) -> tuple[str, str, Callable[[script.Found], script.Action]]:
    return (
        f"{gesture.value} KEEP, ROLL or BANK",
        r"(?i:(keep|roll|bank))",
        lambda found: inputs.Press(inputs.Button(found[1].lower()), gesture, inputs.Origin.TABLE),
    )


def _alone(word: str, action: script.Action) -> tuple[str, str, Callable[[script.Found], script.Action]]:
    return f"{word!r} alone", "", lambda _: action


_FACES = r"([1-6]+)"
_MARKED = rf"(?P<dice>(?:{_DIE.pattern})+)"
_OPTIONS = (
    r"( left (?P<left>[1-6]+)| with (?P<taken>[1-6]+)| hops (?P<hopped>[1-6]+)"
    r"| (?P<beside>beside)| (?P<unsure>unsure))*"
)

HEAD: Mapping[str, Mapping[str, dict[str, Any]]] = {
    "track": {str(holes): {"track": holes} for holes in (61, 121, 241)},
    "begins": {"by throws": {"thrown_for": True}},
    "form": {"eye": {"eye": True}},
}
"""The lines of the head that take one of a few values, and the fields of the scene that each value sets."""

ACTIONS: Mapping[str, tuple[str, str, Callable[[script.Found], script.Action]]] = {
    "throw": (
        f"throw DICE, such as 233346, with marks {' '.join(DOUBTS)} behind one in doubt, "
        "and left DICE, with DICE, hops DICE, beside or unsure",
        _MARKED + _OPTIONS,
        _throw,
    ),
    "aside": (
        "aside DICE or aside DICE beside",
        rf"{_FACES}( beside)?",
        lambda found: SetAside(_faces(found[1]), off=bool(found[2])),
    ),
    "back": ("back DICE", _FACES, lambda found: PutBack(_faces(found[1]))),
    "nudge": ("nudge or nudge DICE", f"{_MARKED}?", lambda found: Nudge(_dice(found))),
    "look": ("look or look DICE", f"{_MARKED}?", lambda found: FirstLook(_dice(found) or None)),
    "bump": _alone("bump", inputs.TrayFoundAgain()),
    "hand": _alone("hand", inputs.MotionReported(Motion.HAND)),
    "moving": _alone("moving", inputs.MotionReported(Motion.MOVING)),
    "still": _alone("still", inputs.MotionReported(Motion.STILL)),
    "tap": _press(inputs.Gesture.TAP),
    "hold": _press(inputs.Gesture.HOLD),
    "choose": (
        "choose DICE or choose DICE = POINTS",
        rf"{_FACES}(?:\s*=\s*(\d+))?",
        lambda found: inputs.ChooseSelection(_faces(found[1]), int(found[2]) if found[2] else None),
    ),
    "correct": ("correct DICE", _FACES, lambda found: inputs.CorrectRoll(_faces(found[1]))),
    "answer": ("answer WORDS", "(.*)", lambda found: inputs.Answer(found[1])),
    "chord": _alone("chord", inputs.Pause()),
    "enter": ("enter DICE", _FACES, lambda found: inputs.EnterRoll(_faces(found[1]))),
    "undo": _alone("undo", inputs.Undo()),
    "wait": (
        "wait SECONDS or wait MINUTES min",
        r"(\d+(?:\.\d+)?)\s*(s|min)?",
        lambda found: script.Wait(float(found[1]) * (60 if found[2] == "min" else 1)),
    ),
    "fault": (
        "fault PART \"words\", perhaps with 'perhaps' behind",
        r'(\S+)\s+"(.+)"( perhaps)?',
        lambda found: inputs.Fault(found[1], found[2], bool(found[3])),
    ),
    "well": ("well PART", r"(\S+)", lambda found: inputs.Fault(found[1], None)),
    "plug": _alone("plug", script.PlugPulled()),
}
"""Each action by its first word: its form in words, the pattern of what follows the word, and what makes the action."""
