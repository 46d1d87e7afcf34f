"""`farklecrib replay`: a written game, played through the rules, as text or JSON."""

import json
import sys
from pathlib import Path
from typing import Any

from companion.errors import CompanionError
from companion.rule_files import rules_named
from companion.table.text import describe
from farkle.game import events as ev
from farkle.game.standing import hole, position, side_name
from farkle.game.state import GameState, Phase
from farkle.replay import Replay, TurnRecord, replay
from farkle.rules.dice import spaced

_SAID = (ev.DiceRolled, ev.NobodyLost, ev.DiceKept, ev.HotDiceMade, ev.Farkled, ev.TurnBanked, ev.GameEnded)
"""What a turn's line says already, or the line after the last."""


def replay_file(path: str, rules: str | None = None, *, json_out: bool) -> int:
    """Print every turn of the written game at `path` (`-` is standard input) and how it stands; 0 where it is legal.

    `rules` names the rule set in place of the one the game names, such as a file of the house's own.
    """
    played = replay(_text(path), lambda name: rules_named(rules) if rules else rules_named(name))
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
        "teams": [_team(state, side) for side in range(len(state.sides))] if state.teams else [],
        "over": state.over,
        "final_round": state.closer is not None and not state.over,
        "winners": [side_name(state, side) for side in state.winners],
        "loser": None if state.loser is None else side_name(state, state.loser),
        "to_move": None if state.over or state.phase is Phase.STARTING else state.players[state.to_move],
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
    seat = state.seats[player]
    return {
        "name": state.players[player],
        "score": side.score,
        "hole": _hole(state, side.score),
        "farkles": seat.farkles,
        "on_board": seat.on_board,
        "out": side.out > 0,
        "disqualified": seat.disqualified,
    }


def _team(state: GameState, index: int) -> dict[str, Any]:
    side = state.sides[index]
    return {
        "name": side_name(state, index),
        "players": [state.players[player] for player in side.players],
        "score": side.score,
        "hole": _hole(state, side.score),
    }


def _hole(state: GameState, score: int) -> int:
    track = state.rules.smallest_track
    return hole(position(score, state.rules.points_a_hole(track)), track)


def as_lines(played: Replay) -> list[str]:
    """The replay as a person reads it."""
    state = played.state
    lines = [f"{state.rules.title}: {', '.join(state.players)}"]
    for turn in played.turns:
        throws = "; ".join(_throw(throw.roll, throw.kept, throw.points) for throw in turn.throws)
        end = {"bank": f"banks {turn.points}", "farkle": "farkle", None: "under way"}[turn.ended]
        line = f"{state.players[turn.player]}: {throws}; {end}, score {turn.score}"
        lines.append(" ".join((f"{line}.", beside)) if (beside := _beside(state, turn)) else line)
    standing = ", ".join(f"{side_name(state, index)} {side.score}" for index, side in enumerate(state.sides))
    lines.append(f"Scores: {standing}")
    if state.over:
        names = " and ".join(side_name(state, side) for side in state.winners)
        lines.append(f"Won by {names}." if names else "Nobody won.")
        if state.loser is not None:
            lines.append(f"The loser is {side_name(state, state.loser)}.")
    else:
        lines.append(f"To move: {state.players[state.to_move]}, {state.turn.dice_left} dice")
    return lines


def _beside(state: GameState, turn: TurnRecord) -> str:
    """What a turn brought about beside its throws and its own end, in the table's words."""
    return describe(state, tuple(event for event in turn.events if not isinstance(event, _SAID)))


def _throw(roll: tuple[int, ...], kept: tuple[int, ...], points: int) -> str:
    if kept:
        return f"{spaced(roll)}, keeps {spaced(kept)} for {points}"
    return f"{spaced(roll)}, paid {points}" if points else spaced(roll)
