"""`farklecrib odds`: print the odds of a turn in a rule set, or the chance to win in a game."""

import json
import time
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.options import Json, Settings, bar, parse_settings, read_written_game, tell
from companion.errors import CompanionError
from companion.rule_files import rules_named
from farkle.game.commands import Roll
from farkle.game.machine import course_of
from farkle.game.state import GameState, Phase
from farkle.replay import replay
from farkle.rules.dice import Faces, parse_dice, spaced
from farkle.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from farkle.odds.game.answers import GameOdds, WinOdds
    from farkle.odds.game.table import Table

MOST_SIDES = 12


def odds(
    rules: Annotated[
        str | None, typer.Argument(metavar="RULES", help="A rule set's key, title, alias or file; not with --game.")
    ] = None,
    settings: Settings = [],  # noqa: B006 - Typer's own form of an optional list
    game: Annotated[
        str | None, typer.Option(metavar="FILE", help="A written game, asked where it stands; - is standard input.")
    ] = None,
    scores: Annotated[
        str | None,
        typer.Option(metavar="MINE,THEIRS[,...]", help="The chance to win of the side to move, all playing best."),
    ] = None,
    second: Annotated[bool, typer.Option("--second", help="The side to move is the last of the round.")] = False,
    farkles: Annotated[
        str | None, typer.Option(metavar="M,T[,...]", help="Farkles in a row, mine and theirs; else none.")
    ] = None,
    turn: Annotated[int | None, typer.Option(metavar="POINTS", help="The points of the turn under way.")] = None,
    dice: Annotated[int | None, typer.Option(metavar="N", help="The dice to throw.")] = None,
    roll: Annotated[str | None, typer.Option(metavar="DICE", help="The dice thrown, such as 115.")] = None,
    json_out: Json = False,
) -> int:
    """Say what a turn brings and how often a throw farkles, or who wins: exactly, for fair dice.

    Raises:
        CompanionError: if the options do not go together.
    """
    turn_options = {"--second": second, "--farkles": farkles, "--turn": turn, "--dice": dice, "--roll": roll}
    given = [name for name, value in turn_options.items() if value not in (None, False)]
    if game is not None:
        about = {"RULES": rules, "--set": settings, "--scores": scores}
        given = [*(name for name, value in about.items() if value), *given]
        if given:
            raise CompanionError(f"expected --game alone, for it tells the whole game, got {given[0]}, too")
        record = win_record(replay(read_written_game(game), rules_named).state)
    elif rules is None:
        raise CompanionError("expected RULES or --game FILE, got none of them")
    else:
        rule_set = rules_named(rules).with_settings(parse_settings(settings))
        if scores is None and given:
            raise CompanionError(f"expected --scores MINE,THEIRS with {given[0]}, got none")
        if scores is None:
            record = turn_record(rule_set)
            tell(json.dumps(record) if json_out else "\n".join(turn_lines(rule_set, record)))
            return 0
        thrown = () if roll is None else parse_dice(roll, most=rule_set.n_dice)
        left = dice if dice is not None else len(thrown) or rule_set.n_dice
        if len(thrown) not in (0, left):
            raise CompanionError(f"expected a roll of {left} dice, got {len(thrown)}")
        from farkle.odds.game.asked import game_of, in_turn

        streaks = [] if farkles is None else _numbers("--farkles", farkles)
        state = game_of(rule_set, _numbers("--scores", scores), second=second, farkles=streaks)
        record = win_record(in_turn(state, turn or 0, left), thrown, under_way=turn is not None)
    tell(json.dumps(record) if json_out else "\n".join(win_lines(record)))
    return 0


def _numbers(name: str, text: str) -> list[int]:
    """Return whole numbers with commas between them, one for each side.

    Raises:
        CompanionError: if the text is anything else.
    """
    parts = [part.strip() for part in text.split(",")]
    whole = all(part.removeprefix("-").isdecimal() and part.isascii() for part in parts)
    if not whole or not 2 <= len(parts) <= MOST_SIDES:
        raise CompanionError(f"expected {name} of 2 to {MOST_SIDES} whole numbers such as 40,52, got {text!r}")
    if any(len(part) > 9 for part in parts):
        raise CompanionError(f"expected {name} of at most nine digits each, got {text!r}")
    return [int(part) for part in parts]


def turn_record(rules: RuleSet) -> dict[str, Any]:
    """Return the odds of a turn as JSON's types."""
    from farkle.odds.turn.mean import best_turn

    began = time.perf_counter()
    best = best_turn(rules)
    record: dict[str, Any] = {
        "rules": rules.key,
        "settings": rules.settings(),
        "farkle": list(best.listing.farkle[1:]),
        "best_mean_turn": best.mean,
        "bank_from": {str(size): points for size, points in best.bank_from.items()},
    }
    if not best.listing.natural:
        record["step"] = best.listing.terms.step
    return {**record, "ms": (time.perf_counter() - began) * 1e3}


def turn_lines(rules: RuleSet, record: dict[str, Any]) -> list[str]:
    """Return the odds of a turn as lines for a person."""
    lines = [f"{rules.title}, one turn with fair dice", "", "dice  a throw farkles  bank from"]
    for size, chance in enumerate(record["farkle"], start=1):
        points = record["bank_from"][str(size)]
        lines.append(f"{size:>4}  {100 * chance:>11.2f} %  {'never' if points is None else points}")
    lines += ["", f"Banking so brings {record['best_mean_turn']:.2f} points a turn, the most there can be."]
    if "step" in record:
        lines.append(f"Points are rounded to {record['step']}.")
    return lines


def win_record(state: GameState, thrown: Faces = (), *, under_way: bool = False) -> dict[str, Any]:
    """Return the chance to win of the side to move as JSON's types.

    Args:
        state: the game.
        thrown: the next throw; empty where it is not thrown yet.
        under_way: whether a turn is under way even if no dice are kept yet.
    """
    from farkle.odds.game.answers import GameOdds

    sides = len(state.in_play())
    after = course_of(state, Roll(thrown)).state if thrown else state
    game = GameOdds(_table(state.rules))
    duel = game.table.duel
    began = time.perf_counter()
    found = _worth(game, state, after, thrown=bool(thrown))
    ms = (time.perf_counter() - began) * 1e3
    if under_way and not thrown and found.best is None:  # the turn's first throw
        found = replace(found, throw=found.win)
    record: dict[str, Any] = {"win": found.win, "exact": found.exact}
    aside = list(duel.terms.left_aside)
    aside += ["piggyback"] * (duel.terms.offered > 0 and sides > 2)
    aside += ["teams"] * (len(state.sides) < len(state.players))
    if not found.exact:
        record["error"] = None if aside else game.error(state) or None
        record |= {"left_aside": aside} if aside else {}
    if not found.exact and not duel.listing.natural:
        coarse = GameOdds(_table(state.rules, duel.terms.step * 2))
        off = abs(_worth(coarse, state, after, thrown=bool(thrown)).win - found.win)
        record |= {"error": game.error(state) + off, "step": duel.terms.step}
    if found.fresh is not None:
        record |= {"fresh": found.fresh, "piggyback": found.piggyback, "best": found.best}
    elif under_way or thrown or found.best is not None:
        record |= {"bank": found.bank, "throw": found.throw, "best": found.best}
    if found.choices is not None:
        record["selections"] = [{**asdict(each), "dice": list(each.dice)} for each in found.choices]
    return {**record, "ms": ms}


def _worth(game: "GameOdds", state: GameState, after: GameState, *, thrown: bool) -> "WinOdds":
    """Return what the choices of the side to move are worth; after a throw that ends its turn it has none."""
    from farkle.odds.game.answers import WinOdds

    if not thrown:
        return game.choices(after)
    if after.phase in (Phase.CHOOSING, Phase.KEPT):
        found = game.choices(after)
        return replace(found, choices=found.choices or ())
    exact = game.exact(state) if after.over else game.choices(after).exact
    return WinOdds(game.chances(after)[state.side_to_move], exact, choices=())


def _table(rules: RuleSet, step: int = 0) -> "Table":
    """Return a game's table, with a progress bar on standard error if it must be solved first."""
    from companion.odds.kept_tables import cache_folder, table_of

    with bar("solving the game once") as share:
        return table_of(rules, cache_folder(), share, step=step)


def win_lines(record: dict[str, Any]) -> list[str]:
    """Return the answer about two sides as lines for a person."""
    about = "" if record["exact"] else "about "
    lines = [f"To win: {about}{_share(record['win'])}, if all sides play best with fair dice."]
    if "fresh" in record:
        lines.append(
            f"Dice left over: {_share(record['piggyback'])}. Fresh dice: {_share(record['fresh'])}. "
            f"Better: {record['best']}."
        )
    elif "best" in record and record["best"] is not None:
        lines.append(f"Bank: {_share(record['bank'])}. Throw: {_share(record['throw'])}. Better: {record['best']}.")
    for each in record.get("selections", ()):
        what = f"{spaced(each['dice'])} for {each['points']}" + (f" ({each['choice']})" if each["choice"] else "")
        lines.append(f"  {what}: bank {_share(each['bank'])}, throw {_share(each['throw'])}")
    if "left_aside" in record:
        lines.append(f"Left aside: {', '.join(record['left_aside'])}.")
    if "step" in record:
        lines.append(f"Points are rounded to {record['step']}.")
    if record.get("error") is not None:
        off = 100 * record["error"]
        about = "less than 0.01" if off < 0.005 else f"about {off:.2f}"
        lines.append(f"The estimate may be off by {about} per cent.")
    return lines


def _share(chance: float | None) -> str:
    return "not allowed" if chance is None else f"{100 * chance:.2f} per cent"
