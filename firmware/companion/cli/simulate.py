"""`farklecrib simulate`: let strategies play each other, and count who wins."""

import json
import os
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.options import Json, Settings, parse_settings, tell
from companion.errors import CompanionError
from companion.rule_files import rules_named
from farkle.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from farkle.odds.players import SimulatedPlayer
    from farkle.odds.strategies import Strategy

MOST_GAMES = 100_000_000


def simulate(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rule set's key, title, alias or file.")],
    strategies: Annotated[
        list[str],
        typer.Argument(
            metavar="STRATEGY...",
            help="2 to 12 of: 'bank-at 20', three-dice-rule, best-turn, best-win, FILE.toml.",
        ),
    ],
    settings: Settings = [],  # noqa: B006 - Typer's own form of an optional list
    games: Annotated[int, typer.Option(metavar="N", help="The games to play.")] = 100_000,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed gives the same games.")] = 1,
    json_out: Json = False,
) -> int:
    """Let strategies play each other with fair dice; each begins as many games as the others.

    Raises:
        CompanionError: if there are too few or too many strategies or games.
    """
    from farkle.odds.several import MOST_SIDES

    rule_set = rules_named(rules).with_settings(parse_settings(settings))
    if not 2 <= len(strategies) <= MOST_SIDES:
        raise CompanionError(f"expected 2 to {MOST_SIDES} strategies, got {len(strategies)}")
    if not len(strategies) <= games <= MOST_GAMES:
        raise CompanionError(f"expected --games from {len(strategies)} to {MOST_GAMES}, got {games}")
    if seed < 0:
        raise CompanionError(f"expected --seed of 0 or more, got {seed}")
    record = simulation_record(rule_set, strategies, games, seed)
    tell(json.dumps(record) if json_out else "\n".join(simulation_lines(record)))
    return 0


def simulation_record(rules: RuleSet, strategies: list[str], games: int, seed: int) -> dict[str, Any]:
    """Return what the strategies have done as JSON's types."""
    from companion.cli.progress import bar
    from companion.odds.strategy_files import strategy_of
    from farkle.odds.simulation import GameTable, play_games

    asked = [strategy_of(each) for each in strategies]
    table = GameTable(rules, len(asked))
    players = _players(rules, asked, table.duel.listing.step)
    with bar("playing") as share:
        began = time.perf_counter()
        tallies = play_games(table, players, games, seed, share)
        seconds = time.perf_counter() - began
    found = []
    for each, tally in zip(asked, tallies, strict=True):
        low, high = tally.interval()
        mean = tally.points / max(1, tally.turns)
        found.append({"name": each.name, "wins": tally.wins / games, "low": low, "high": high, "mean_turn": mean})
    turns = sum(tally.turns for tally in tallies)
    return {"games": games, "strategies": found, "turns_per_s": round(turns / seconds)}


def _players(rules: RuleSet, asked: "list[Strategy]", step: int) -> "list[SimulatedPlayer]":
    """Return a player for each strategy; equal strategies share one.

    Args:
        rules: the rule set.
        asked: the strategies.
        step: the points that every score is a multiple of.
    """
    from companion.cli.progress import bar
    from companion.odds.kept_tables import cache_folder, table_of
    from farkle.odds.best_player import BestPlayer, check_best_win
    from farkle.odds.mean_turn import best_turn
    from farkle.odds.players import PolicyPlayer
    from farkle.odds.policy import policy_of
    from farkle.odds.strategies import BEST_WIN

    best = best_turn(rules) if any(each.keep != BEST_WIN for each in asked) else None
    players: list[SimulatedPlayer] = []
    for place, each in enumerate(asked):
        if (before := asked.index(each)) < place:
            players.append(players[before])
        elif best is None or each.keep == BEST_WIN:
            check_best_win(rules)
            with bar("solving the game once") as share:
                table = table_of(rules, cache_folder(), share)
            _check_step(each, table.duel.listing.step, step)
            players.append(BestPlayer(table, _memory()))
        else:
            _check_step(each, best.listing.step, step)
            players.append(PolicyPlayer(policy_of(each, best)))
    return players


def _memory() -> int:
    """Return the bytes that solved turns may take: an eighth of this machine's memory, a gigabyte at most."""
    return min(2**30, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 8)


def _check_step(strategy: "Strategy", its: int, step: int) -> None:
    """Check that a strategy tells all scores apart.

    Raises:
        CompanionError: if it does not.
    """
    if its != step:
        raise CompanionError(f"expected a shorter game for {strategy.name}, got one that it plays in steps of {its}")


def simulation_lines(record: dict[str, Any]) -> list[str]:
    """Return what the strategies have done as lines for a person."""
    width = max(8, *(len(each["name"]) for each in record["strategies"]))
    lines = [f"{'strategy':<{width}}  wins in per cent   between        points a turn"]
    for each in record["strategies"]:
        between = f"{100 * each['low']:.2f} and {100 * each['high']:.2f}"
        lines.append(f"{each['name']:<{width}}  {100 * each['wins']:>17.2f}  {between:<15}  {each['mean_turn']:>11.2f}")
    games = f"{record['games']:,} games with fair dice, {record['turns_per_s']:,} turns a second."
    return [*lines, "", f"{games} 95 of 100 such intervals hold the true share."]
