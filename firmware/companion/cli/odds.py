"""`farklecrib odds`: print the odds of a turn in a rule set, or the chance to win between two sides."""

import json
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.cli.options import Json, Settings, parse_settings, tell
from companion.errors import CompanionError
from companion.rule_files import rules_named
from farkle.rules.dice import parse_dice, spaced
from farkle.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from farkle.odds.answers import WinOdds
    from farkle.odds.questions import OddsQuestion
    from farkle.odds.standings import Table

OFF_BOARD = {"M": (True, False), "T": (False, True), "both": (True, True)}
"""Who has not entered yet, by the values of `--off-board`: mine first."""


def odds(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rule set's key, title, alias or file.")],
    settings: Settings = [],  # noqa: B006 - Typer's own form of an optional list
    strategy: Annotated[
        str | None,
        typer.Option(
            metavar="S", help="Also the turns of a strategy: 'bank-at 20', three-dice-rule, best-turn, FILE.toml."
        ),
    ] = None,
    scores: Annotated[
        str | None,
        typer.Option(metavar="MINE,THEIRS", help="The chance to win of the side to move, both playing best."),
    ] = None,
    second: Annotated[bool, typer.Option("--second", help="The other side begins the rounds.")] = False,
    farkles: Annotated[str, typer.Option(metavar="M,T", help="Farkles in a row, mine and theirs.")] = "0,0",
    turn: Annotated[int | None, typer.Option(metavar="POINTS", help="The points of the turn under way.")] = None,
    dice: Annotated[int | None, typer.Option(metavar="N", help="The dice to throw.")] = None,
    roll: Annotated[str | None, typer.Option(metavar="DICE", help="The dice thrown, such as 115.")] = None,
    swapped: Annotated[bool, typer.Option("--swapped", help="The pegs were swapped in this turn.")] = False,
    must_throw: Annotated[bool, typer.Option("--must-throw", help="Hot dice must be thrown again first.")] = False,
    off_board: Annotated[
        str | None,
        typer.Option(metavar="M|T|both", help="Who has not entered yet; else who has no points."),
    ] = None,
    json_out: Json = False,
) -> int:
    """Say what a turn brings and how often a throw farkles, or who wins: exactly, for fair dice."""
    rule_set = rules_named(rules).with_settings(parse_settings(settings))
    moment = {"--second": second, "--turn": turn, "--dice": dice, "--roll": roll, "--swapped": swapped}
    moment |= {"--must-throw": must_throw, "--off-board": off_board, "--farkles": farkles != "0,0"}
    _check_options(scores, strategy, [name for name, value in moment.items() if value not in (None, False)])
    if scores is None:
        record = turn_record(rule_set, strategy)
        tell(json.dumps(record) if json_out else "\n".join(turn_lines(rule_set, record)))
        return 0
    from farkle.odds.questions import OddsQuestion

    mine, theirs = _pair("--scores", scores, "MINE,THEIRS")
    my_farkles, their_farkles = _pair("--farkles", farkles, "M,T")
    question = OddsQuestion(
        mine,
        theirs,
        second=second,
        my_farkles=my_farkles,
        their_farkles=their_farkles,
        points=turn,
        dice=dice,
        roll=None if roll is None else parse_dice(roll, most=rule_set.n_dice),
        swapped=swapped,
        must_throw=must_throw,
        off_board=_outside(off_board),
    )
    record = duel_record(rule_set, question)
    tell(json.dumps(record) if json_out else "\n".join(duel_lines(record)))
    return 0


def _check_options(scores: str | None, strategy: str | None, moment: list[str]) -> None:
    """Check that the options go together.

    Raises:
        CompanionError: if they do not.
    """
    if scores is None and moment:
        raise CompanionError(f"expected --scores MINE,THEIRS with {moment[0]}, got none")
    if scores is not None and strategy is not None:
        raise CompanionError("expected --strategy without --scores, got both: between two sides both play best")


def _outside(text: str | None) -> tuple[bool, bool] | None:
    """Return who has not entered yet, mine first.

    Raises:
        CompanionError: if the text is not a value of `--off-board`.
    """
    if text is not None and text not in OFF_BOARD:
        raise CompanionError(f"expected --off-board {', '.join(OFF_BOARD)}, got {text!r}")
    return None if text is None else OFF_BOARD[text]


def _pair(name: str, text: str, form: str) -> tuple[int, int]:
    """Return two whole numbers with a comma between them.

    Raises:
        CompanionError: if the text is anything else.
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part.removeprefix("-").isdecimal() and part.isascii() for part in parts):
        raise CompanionError(f"expected {name} {form}, two whole numbers, got {text!r}")
    if any(len(part) > 9 for part in parts):
        raise CompanionError(f"expected {name} {form} of at most nine digits each, got {text!r}")
    return int(parts[0]), int(parts[1])


def turn_record(rules: RuleSet, strategy: str | None) -> dict[str, Any]:
    """Return the odds of a turn as JSON's types."""
    from companion.odds.strategy_files import strategy_of
    from farkle.odds.mean_turn import best_turn
    from farkle.odds.policy import distribution, policy_of

    asked = None if strategy is None else strategy_of(strategy)
    began = time.perf_counter()
    best = best_turn(rules)
    record: dict[str, Any] = {
        "rules": rules.key,
        "settings": rules.settings(),
        "farkle": list(best.listing.farkle[1:]),
        "best_mean_turn": best.mean,
        "bank_from": {str(size): points for size, points in best.bank_from.items()},
    }
    if asked is not None:
        found = distribution(policy_of(asked, best))
        record |= {"strategy": asked.name, "mean": found.mean, "farkled": found.farkled}
        record["distribution"] = [list(each) for each in found.chances]
    if not best.listing.natural:
        record["step"] = best.listing.step
    return {**record, "ms": (time.perf_counter() - began) * 1e3}


def turn_lines(rules: RuleSet, record: dict[str, Any]) -> list[str]:
    """Return the odds of a turn as lines for a person."""
    lines = [f"{rules.title}, one turn with fair dice", "", "dice  a throw farkles  bank from"]
    for size, chance in enumerate(record["farkle"], start=1):
        points = record["bank_from"][str(size)]
        lines.append(f"{size:>4}  {100 * chance:>11.2f} %  {'never' if points is None else points}")
    lines += ["", f"Banking so brings {record['best_mean_turn']:.2f} points a turn, the most there can be."]
    if "strategy" in record:
        lost = f"{100 * record['farkled']:.2f} % of its turns farkle"
        lines.append(f"{record['strategy']}: {record['mean']:.2f} points a turn; {lost}.")
    if "step" in record:
        lines.append(f"Points are rounded to {record['step']}.")
    return lines


def duel_record(rules: RuleSet, question: "OddsQuestion") -> dict[str, Any]:
    """Return the answer to a question about two sides as JSON's types."""
    from farkle.odds.answers import answer
    from farkle.odds.duel import duel_of
    from farkle.odds.questions import check_question

    check_question(duel_of(rules), question)
    table = _table(rules, 0)
    exact = table.duel.exact  # makes the solver of turns, which belongs to the table
    began = time.perf_counter()
    found = answer(table, question)
    ms = (time.perf_counter() - began) * 1e3
    record: dict[str, Any] = {"win": found.win, "exact": exact and found.exact}
    if not found.exact:
        record |= _doubts(rules, table, question, found)
    if question.points is not None or question.roll is not None:
        record |= {"bank": found.bank, "throw": found.throw, "best": found.best}
    if found.choices is not None:
        record["selections"] = [
            {
                "dice": list(each.dice),
                "points": each.points,
                "choice": each.choice,
                "bank": each.bank,
                "throw": each.throw,
            }
            for each in found.choices
        ]
    return {**record, "ms": ms}


def _table(rules: RuleSet, step: int) -> "Table":
    """Return a game's table, with a progress bar on standard error if it must be solved first."""
    from companion.cli.progress import bar
    from companion.odds.kept_tables import cache_folder, table_of

    with bar("solving the game once") as share:
        return table_of(rules, cache_folder(), share, step=step)


def _doubts(rules: RuleSet, table: "Table", question: "OddsQuestion", found: "WinOdds") -> dict[str, Any]:
    """Return what makes an answer an estimate: what is left aside, and the difference to steps twice as long."""
    from farkle.odds.answers import answer

    duel = table.duel
    doubts: dict[str, Any] = {"error": None}
    if duel.left_aside:
        doubts["left_aside"] = list(duel.left_aside)
    if not duel.listing.natural:
        coarse = answer(_table(rules, duel.listing.step * 2), question)
        doubts |= {"error": abs(coarse.win - found.win), "step": duel.listing.step}
    return doubts


def duel_lines(record: dict[str, Any]) -> list[str]:
    """Return the answer about two sides as lines for a person."""
    about = "" if record["exact"] else "about "
    lines = [f"To win: {about}{_share(record['win'])}, if both sides play best with fair dice."]
    if "best" in record and record["best"] is not None:
        lines.append(f"Bank: {_share(record['bank'])}. Throw: {_share(record['throw'])}. Better: {record['best']}.")
    for each in record.get("selections", ()):
        what = f"{spaced(each['dice'])} for {each['points']}" + (f" ({each['choice']})" if each["choice"] else "")
        lines.append(f"  {what}: bank {_share(each['bank'])}, throw {_share(each['throw'])}")
    if "left_aside" in record:
        lines.append(f"Left aside: {', '.join(record['left_aside'])}.")
    if record.get("error") is not None:
        lines.append(f"Points are rounded to {record['step']}; that makes a difference of about {record['error']:.4f}.")
    return lines


def _share(chance: float | None) -> str:
    return "not allowed" if chance is None else f"{100 * chance:.2f} in a hundred"
