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
    from farkle.odds.questions import OddsQuestion
    from farkle.odds.standings import Table
    from farkle.odds.win_odds import WinOdds

MOST_SIDES = 12

OFF_BOARD = {"M": (True, False), "T": (False, True), "both": (True, True)}
"""Who has not entered yet, by the values of `--off-board`: mine first."""


def odds(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rule set's key, title, alias or file.")],
    settings: Settings = [],  # noqa: B006 - Typer's own form of an optional list
    scores: Annotated[
        str | None,
        typer.Option(metavar="MINE,THEIRS[,...]", help="The chance to win of the side to move, all playing best."),
    ] = None,
    second: Annotated[bool, typer.Option("--second", help="The side to move is the last of the round.")] = False,
    partners: Annotated[
        int, typer.Option(metavar="N", min=1, max=6, help="The players of each of two sides; 1 unless they are teams.")
    ] = 1,
    to_come: Annotated[
        int | None,
        typer.Option(metavar="N", help="The turns to come in this round after this one; in last turns until the end."),
    ] = None,
    farkles: Annotated[
        str | None, typer.Option(metavar="M,T[,...]", help="Farkles in a row, mine and theirs; else none.")
    ] = None,
    turn: Annotated[int | None, typer.Option(metavar="POINTS", help="The points of the turn under way.")] = None,
    dice: Annotated[int | None, typer.Option(metavar="N", help="The dice to throw.")] = None,
    roll: Annotated[str | None, typer.Option(metavar="DICE", help="The dice thrown, such as 115.")] = None,
    swapped: Annotated[bool, typer.Option("--swapped", help="The pegs were swapped in this turn.")] = False,
    offer: Annotated[
        str | None, typer.Option(metavar="POINTS,DICE", help="What the other side has left over before this turn.")
    ] = None,
    must_throw: Annotated[bool, typer.Option("--must-throw", help="Hot dice must be thrown again first.")] = False,
    off_board: Annotated[
        str | None,
        typer.Option(metavar="M|T|both", help="Who has not entered yet; else who has no points."),
    ] = None,
    json_out: Json = False,
) -> int:
    """Say what a turn brings and how often a throw farkles, or who wins: exactly, for fair dice.

    Raises:
        CompanionError: if the options do not go together.
    """
    rule_set = rules_named(rules).with_settings(parse_settings(settings))
    moment = {"--second": second, "--turn": turn, "--dice": dice, "--roll": roll, "--swapped": swapped}
    moment |= {"--to-come": to_come, "--partners": None if partners == 1 else partners}
    moment |= {"--offer": offer, "--must-throw": must_throw, "--off-board": off_board, "--farkles": farkles}
    _check_options(scores, [name for name, value in moment.items() if value not in (None, False)])
    if scores is None:
        record = turn_record(rule_set)
        tell(json.dumps(record) if json_out else "\n".join(turn_lines(rule_set, record)))
        return 0
    from farkle.odds.questions import OddsQuestion

    mine, *theirs = _numbers("--scores", scores)
    my_farkles, *their_farkles = [0] * (len(theirs) + 1) if farkles is None else _numbers("--farkles", farkles)
    if partners > 1 and len(theirs) > 1:
        raise CompanionError(f"expected --scores of two sides with --partners, got {len(theirs) + 1}")
    if second and to_come is not None:
        raise CompanionError("expected --second or --to-come, got both")
    if len(their_farkles) != len(theirs):
        raise CompanionError(f"expected --farkles of {len(theirs) + 1} sides, got {len(their_farkles) + 1}")
    questions = [
        OddsQuestion(
            mine,
            other,
            second=second if to_come is None else to_come % 2 == 0,
            to_come=to_come,
            my_farkles=my_farkles,
            their_farkles=its_farkles,
            points=turn,
            dice=dice,
            roll=None if roll is None else parse_dice(roll, most=rule_set.n_dice),
            swapped=swapped,
            must_throw=must_throw,
            off_board=_outside(off_board),
            to_end=_to_end(rule_set, second, other, theirs),
            offer=_offer(offer, max(theirs)),
        )
        for other, its_farkles in zip(theirs, their_farkles, strict=True)
    ]
    record = duel_record(rule_set, questions, partners)
    tell(json.dumps(record) if json_out else "\n".join(duel_lines(record)))
    return 0


def _check_options(scores: str | None, moment: list[str]) -> None:
    """Check that the options go together.

    Raises:
        CompanionError: if they do not.
    """
    if scores is None and moment:
        raise CompanionError(f"expected --scores MINE,THEIRS with {moment[0]}, got none")


def _to_end(rules: RuleSet, second: bool, other: int, theirs: list[int]) -> int | None:
    """Return the turns left of the side to move and another one, where a third one has set off the last round."""
    target = rules.switches.target
    if len(theirs) == 1 or max(theirs) < target:
        return None
    return 1 if second or other >= target else 2


def _outside(text: str | None) -> tuple[bool, bool] | None:
    """Return who has not entered yet, mine first.

    Raises:
        CompanionError: if the text is not a value of `--off-board`.
    """
    if text is not None and text not in OFF_BOARD:
        raise CompanionError(f"expected --off-board {', '.join(OFF_BOARD)}, got {text!r}")
    return None if text is None else OFF_BOARD[text]


def _offer(text: str | None, theirs: int) -> tuple[int, int] | None:
    """Return the points and the dice left over.

    Raises:
        CompanionError: if the text is anything else, or nobody has so many points.
    """
    if text is None:
        return None
    points, dice = _numbers("--offer", text, "POINTS,DICE such as 300,2", most=2)
    if points > theirs:
        raise CompanionError(f"expected --offer of at most {theirs} points, which they have, got {points}")
    return points, dice


def _numbers(
    name: str, text: str, wanted: str = f"of 2 to {MOST_SIDES} whole numbers such as 40,52", most: int = MOST_SIDES
) -> list[int]:
    """Return two whole numbers or more with commas between them, `most` at most.

    Args:
        name: the option.
        text: what was given.
        wanted: what the option takes, in words.
        most: the most numbers that it takes.

    Raises:
        CompanionError: if the text is anything else.
    """
    parts = [part.strip() for part in text.split(",")]
    whole = all(part.removeprefix("-").isdecimal() and part.isascii() for part in parts)
    if not whole or not 2 <= len(parts) <= most:
        raise CompanionError(f"expected {name} {wanted}, got {text!r}")
    if any(len(part) > 9 for part in parts):
        raise CompanionError(f"expected {name} of at most nine digits each, got {text!r}")
    return [int(part) for part in parts]


def turn_record(rules: RuleSet) -> dict[str, Any]:
    """Return the odds of a turn as JSON's types."""
    from farkle.odds.mean_turn import best_turn

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
        record["step"] = best.listing.step
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


def duel_record(rules: RuleSet, questions: "list[OddsQuestion]", partners: int) -> dict[str, Any]:
    """Return the answer to a question about each other side as JSON's types."""
    from farkle.odds.duel import duel_of
    from farkle.odds.questions import check_least_points, check_question
    from farkle.odds.several import SeveralOdds

    question = questions[0]
    for each in questions:
        check_question(duel_of(rules, partners=partners), each)
    check_least_points(rules, question)
    table = _table(rules, 0, partners)
    exact = table.duel.exact  # makes the solver of turns, which belongs to the table
    began = time.perf_counter()
    found = SeveralOdds(table, questions).answer()
    ms = (time.perf_counter() - began) * 1e3
    record: dict[str, Any] = {"win": found.win, "exact": exact and found.exact}
    if not found.exact:
        record |= _doubts(rules, table, questions, found)
    if question.points is not None or question.roll is not None:
        record |= {"bank": found.bank, "throw": found.throw, "best": found.best}
    if found.fresh is not None:
        record |= {"fresh": found.fresh, "piggyback": found.piggyback, "best": found.best}
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


def _table(rules: RuleSet, step: int, partners: int) -> "Table":
    """Return a game's table, with a progress bar on standard error if it must be solved first."""
    from companion.cli.streams import bar
    from companion.odds.kept_tables import cache_folder, table_of

    with bar("solving the game once") as share:
        return table_of(rules, cache_folder(), share, step=step, partners=partners)


def _doubts(rules: RuleSet, table: "Table", questions: "list[OddsQuestion]", found: "WinOdds") -> dict[str, Any]:
    """Return what makes an answer an estimate: what is left aside, and the difference to steps twice as long."""
    from farkle.odds.several import SeveralOdds, error_of

    duel = table.duel
    several = error_of(len(questions) + 1)
    doubts: dict[str, Any] = {"error": several + duel.offers_error or None}
    left_aside = duel.left_aside + ("piggyback",) * (duel.offered > 0 and len(questions) > 1)
    if left_aside:
        doubts |= {"error": None, "left_aside": list(left_aside)}
    if not duel.listing.natural:
        coarse = SeveralOdds(_table(rules, duel.listing.step * 2, duel.partners), questions).answer()
        doubts |= {"error": several + abs(coarse.win - found.win) + duel.offers_error, "step": duel.listing.step}
    return doubts


def duel_lines(record: dict[str, Any]) -> list[str]:
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
