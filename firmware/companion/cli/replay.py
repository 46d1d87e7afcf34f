"""`farklecrib replay` and `farklecrib review`: play a written game through the rules, and look at a game afterwards."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.games import NUMBER, game_number, open_games
from companion.cli.options import ConfigFile, Data, Json, bar, read_written_game, tell
from companion.errors import CompanionError
from companion.rule_files import rules_named
from companion.words import english
from farkle.game import events as ev
from farkle.game.order import is_last_round
from farkle.game.standing import hole, position, side_name
from farkle.game.state import GameState, Phase
from farkle.replay import Replay, TurnRecord
from farkle.replay import replay as replayed
from farkle.rules.dice import spaced

if TYPE_CHECKING:
    from companion.games.story import Story
    from farkle.review.game_review import GameReview

SHOWN = (
    ev.DiceRolled,
    ev.NobodyLost,
    ev.DiceKept,
    ev.HotDiceMade,
    ev.Farkled,
    ev.TurnBanked,
    ev.SixOnesThrown,
    ev.GameEnded,
)
"""Events that the line of a turn, or the last line, shows already."""


def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A written game; - is standard input.")],
    rules: Annotated[
        str | None,
        typer.Option(metavar="RULES", help="Play it by this rule set or rule set's file, whatever the game names."),
    ] = None,
    json_out: Json = False,
) -> int:
    """Play a written game through the rules."""
    played = replayed(read_written_game(file), lambda name: rules_named(rules or name))
    tell(json.dumps(as_record(played), ensure_ascii=False) if json_out else "\n".join(as_lines(played)))
    return 0


def as_record(played: Replay) -> dict[str, Any]:
    """Return the replay as JSON's types."""
    state = played.state
    rules = state.rules
    return {
        "rules": rules.key,
        "settings": rules.settings(),
        "turns": [_turn(state, turn) for turn in played.turns],
        "players": [_player(played, index) for index in range(len(state.players))],
        "teams": [_team(state, side) for side in range(len(state.sides))] if state.teams else [],
        "over": state.over,
        "final_round": is_last_round(state) and not state.over,
        "winners": [side_name(state, side) for side in state.winners],
        "loser": None if state.loser is None else side_name(state, state.loser),
        "to_move": None if state.over or state.phase is Phase.STARTING else state.players[state.to_move],
        "turn": None if state.over else {"points": state.turn.points, "dice_left": state.turn.dice_left},
    }


def _turn(state: GameState, turn: TurnRecord) -> dict[str, Any]:
    return {
        "player": state.players[turn.player],
        "throws": [asdict(throw) for throw in turn.throws],
        "points": turn.points,
        "ended": turn.ended,
        "score": turn.score,
        "hole": _hole(state, turn.score),
        "farkles": turn.farkles,
        "events": [type(event).__name__ for event in turn.events],
    }


def _player(played: Replay, player: int) -> dict[str, Any]:
    state, name = played.state, played.state.players[player]
    side, seat = state.sides[state.side_of(player)], state.seats[player]
    return {
        "name": name,
        "score": side.score,
        "hole": _hole(state, side.score),
        "farkles": seat.farkles,
        "on_board": seat.on_board,
        "out": side.out > 0,
        "disqualified": seat.disqualified,
        **({"bot": played.bots[name]} if name in played.bots else {}),
    }


def _team(state: GameState, index: int) -> dict[str, Any]:
    side = state.sides[index]
    players = [state.players[player] for player in side.players]
    hole_now = _hole(state, side.score)
    return {"name": side_name(state, index), "players": players, "score": side.score, "hole": hole_now}


def _hole(state: GameState, score: int) -> int:
    track = state.rules.smallest_track
    return hole(position(score, state.rules.points_a_hole(track)), track)


def as_lines(played: Replay) -> list[str]:
    """Return the replay as lines for a person."""
    state = played.state
    called = [f"{name} (bot: {played.bots[name]})" if name in played.bots else name for name in state.players]
    lines = [f"{state.rules.title}: {', '.join(called)}"]
    for turn in played.turns:
        throws = "; ".join(_throw(throw.roll, throw.kept, throw.points) for throw in turn.throws)
        ends = {"bank": f"banks {turn.points}", "farkle": "farkle", "win": "six 1s win", None: "under way"}
        end = ends[turn.ended]
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
    """Describe the other events of a turn, beside its throws and its end, in the table's words."""
    from companion.table.state.text import describe

    return english().text(describe(state, tuple(event for event in turn.events if not isinstance(event, SHOWN))))


def _throw(roll: tuple[int, ...], kept: tuple[int, ...], points: int) -> str:
    if kept:
        return f"{spaced(roll)}, keeps {spaced(kept)} for {points}"
    return f"{spaced(roll)}, paid {points}" if points else spaced(roll)


MOST_COSTLY = 5
"""The decisions that are listed for a person."""


def review(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="A kept game's number, last, or a written game's file; - is standard input."
        ),
    ],
    data: Data = None,
    config: ConfigFile = None,
    notation: Annotated[bool, typer.Option("--notation", help="Write the game with its review as comments.")] = False,
    json_out: Json = False,
) -> int:
    """Look at a game afterwards: the chance to win after each act, what each decision gave away, and luck.

    Raises:
        CompanionError: if two forms are asked for.
    """
    from companion.odds.kept_tables import cache_folder, table_of
    from companion.odds.sentences import commented
    from farkle.odds.game.answers import GameOdds
    from farkle.review.game_review import review_of
    from farkle.review.record import record_of

    if notation and json_out:
        raise CompanionError("expected --notation or --json, got both")
    given: Story | Replay
    if re.fullmatch(NUMBER, game):
        with open_games(data, config) as games:
            given = games.story(game_number(game))
    else:
        given = replayed(read_written_game(game, "a kept game's number, or a written game"), rules_named)
    with bar("solving the game once") as share:
        found = review_of(given.events, lambda rules: GameOdds(table_of(rules, cache_folder(), share)))
    if json_out:
        tell(json.dumps(record_of(found), ensure_ascii=False))
    elif notation:
        tell(commented(given.events, found, english(), given.bots).rstrip())
    else:
        tell("\n".join(_lines(found)))
    return 0


def _lines(found: "GameReview") -> Iterator[str]:
    """Yield a review as lines for a person."""
    from companion.odds.sentences import highlights, price, summary
    from farkle.review.game_review import costly

    words = english()
    for player in found.players:
        yield words.text(summary(player))
    for kind, number, sentence in highlights(found):
        if kind != "costly":
            yield f"act {number}: {words.text(sentence)}"
    dear = costly(found)
    if dear:
        yield f"{words('review.dearest')}:"
    for act in dear[:MOST_COSTLY]:
        yield f"  act {act.act}: {words.text(price(act))}"
    if not found.exact:
        yield words("review.estimate")
    if found.untold:
        yield words("review.untold", reason=found.untold)
