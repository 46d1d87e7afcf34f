"""`farklecrib replay`: a written game, played through the rules, as text or JSON."""

import json
import sys
from pathlib import Path
from typing import Any

from companion.errors import CompanionError
from farkle.game.standing import hole, position, side_name, smallest_track
from farkle.game.state import GameState
from farkle.replay import Replay, TurnRecord, replay
from farkle.rules.dice import spaced


def replay_file(path: str, *, json_out: bool) -> int:
    """Print every turn of the written game at `path` (`-` is standard input) and how it stands; 0 where it is legal."""
    played = replay(_text(path))
    if json_out:
        print(json.dumps(as_record(played), ensure_ascii=False))
    else:
        print("\n".join(as_lines(played)))
    return 0


def _text(path: str) -> str:
    try:
        return sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise CompanionError(f"expected a written game, got {path!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CompanionError(f"expected a written game in UTF-8, got {path!r}") from error


def as_record(played: Replay) -> dict[str, Any]:
    """The replay as JSON's types."""
    state = played.state
    rules = state.rules
    return {
        "rules": rules.key,
        "settings": rules.settings(),
        "turns": [_turn(state, turn) for turn in played.turns],
        "players": [_player(state, index) for index in range(len(state.players))],
        "teams": [],
        "over": state.over,
        "final_round": state.closer is not None and not state.over,
        "winners": [side_name(state, side) for side in state.winners],
        "loser": None,
        "to_move": None if state.over else state.players[state.to_move],
        "turn": None if state.over else {"points": state.turn.points, "dice_left": state.turn.dice_left},
    }


def _turn(state: GameState, turn: TurnRecord) -> dict[str, Any]:
    return {
        "player": state.players[turn.player],
        "throws": [
            {"roll": list(throw.roll), "kept": list(throw.kept), "points": throw.points} for throw in turn.throws
        ],
        "points": turn.points,
        "ended": turn.ended,
        "score": turn.score,
        "hole": _hole(state, turn.score),
        "farkles": turn.farkles,
        "events": [type(event).__name__ for event in turn.events],
    }


def _player(state: GameState, player: int) -> dict[str, Any]:
    side = state.sides[state.side_of(player)]
    return {
        "name": state.players[player],
        "score": side.score,
        "hole": _hole(state, side.score),
        "farkles": side.farkles,
        "on_board": side.banked,
        "out": False,
        "disqualified": False,
    }


def _hole(state: GameState, score: int) -> int:
    track = smallest_track(state.rules)
    return hole(position(score, state.rules.points_a_hole(track)), track)


def as_lines(played: Replay) -> list[str]:
    """The replay as a person reads it."""
    state = played.state
    lines = [f"{state.rules.title}: {', '.join(state.players)}"]
    for turn in played.turns:
        throws = "; ".join(_throw(throw.roll, throw.kept, throw.points) for throw in turn.throws)
        end = {"bank": f"banks {turn.points}", "farkle": "farkle", None: "under way"}[turn.ended]
        lines.append(f"{state.players[turn.player]}: {throws}; {end}, score {turn.score}")
    standing = ", ".join(f"{state.players[side.players[0]]} {side.score}" for side in state.sides)
    lines.append(f"Scores: {standing}")
    if state.over:
        lines.append(f"Won by {' and '.join(side_name(state, side) for side in state.winners)}.")
    else:
        lines.append(f"To move: {state.players[state.to_move]}, {state.turn.dice_left} dice")
    return lines


def _throw(roll: tuple[int, ...], kept: tuple[int, ...], points: int) -> str:
    return f"{spaced(roll)}, keeps {spaced(kept)} for {points}" if kept else spaced(roll)
