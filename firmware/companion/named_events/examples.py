"""An example of each kind of named event, for the documentation and for the test of hooks: moments of one game."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

from companion.named_events import kinds

_ANN: dict[str, Any] = {"player": "Ann", "seat": 1, "side": 0, "color": "#e69f00", "shape": "circle"}
_BEN: dict[str, Any] = {"player": "Ben", "seat": 2, "side": 1, "color": "#56b4e9", "shape": "diamond"}
_PLAYERS = tuple(kinds.Seated(each["player"], each["side"], each["color"], each["shape"]) for each in (_ANN, _BEN))

_NEW = kinds.Standing((0, 0), to_move=1, turn_points=0, roll=(), locked=(), dice_left=6, round=1, over=False)
_THROWN = replace(_NEW, roll=(1, 1, 3, 3, 4, 6))
_PASSED = replace(_NEW, to_move=2)
_HOT = replace(_PASSED, turn_points=26, roll=(1, 2, 3, 4, 6, 6))
_BANKED = replace(_NEW, scores=(0, 29), round=2)
_BUMPED = replace(_PASSED, scores=(29, 0), round=4)
_LAST = replace(_PASSED, scores=(121, 69), round=9)
_OVER = replace(_LAST, to_move=None, over=True)


def _of(act: int, text: str, standing: kinds.Standing) -> dict[str, Any]:
    """Return what every event says, for an act of game 12 with this text."""
    ids = [f"{each}-{sha256(str(each).encode()).hexdigest()}" for each in (act, act - 1)]
    return {
        "game": 12, "act": act, "id": ids[0], "before": ids[1], "at": 1.79e9 + act, "text": text, "standing": standing,
    }  # fmt: skip


def _beside(act: int, text: str) -> dict[str, Any]:
    """Return what every event says that is of no act."""
    return {**_of(act, text, _BANKED), "id": "", "before": ""}


EXAMPLES: tuple[kinds.AnyEvent, ...] = (
    kinds.Start(rules="farkle-cribbage", target=121, track=121, players=_PLAYERS, **_of(301, "", _NEW)),
    kinds.Throw(faces=(1, 1, 3, 3, 4, 6), **_of(302, "Ann throws 1 1 3 3 4 6.", _THROWN), **_ANN),
    kinds.Keep(dice=(1, 1), points=2, committed=True, **_of(304, "Ann keeps 1 1 for 2.", _PASSED), **_ANN),
    kinds.HotDice(**_of(307, "All six dice count!", _HOT), **_BEN),
    kinds.Farkle(faces=(3, 3, 4, 6), lost=2, in_a_row=1, **_of(304, "Farkle.", _PASSED), **_ANN),
    kinds.Bank(points=29, score=29, **_of(308, "Ben banks 29 and has 29.", _BANKED), **_BEN),
    kinds.Bump(score=0, **_of(322, "Ben is bumped back to 0.", _BUMPED), **_BEN),
    kinds.FinalRound(**_of(340, "Ann has reached 121 points. The final round begins.", _LAST), **_ANN),
    kinds.Win(winners=("Ann",), loser=None, **_of(342, "Ann wins.", _OVER), **_ANN),
    kinds.Undo(undone=309, **_of(311, "", _BANKED)),
    kinds.Correction(corrected=309, faces=(1, 3, 4, 4, 6, 6), makes=("throw",), **_of(310, "", _BANKED)),
    kinds.Change(**_of(312, "All agree that Ben has 29.", _BANKED), **_BEN),
    kinds.Fault(part="lights", over=False, **_beside(312, "The lights do not answer")),
    kinds.Question(answers=("yes", "no"), **_beside(312, "Thrown just now?")),
)
"""One event of each kind, in the order of `KINDS`."""
