"""`farklecrib review`: look at a game afterwards, a kept one or a written one."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import ConfigFile, Data, Json, standard_input, tell
from companion.errors import CompanionError, reporting_file_errors

if TYPE_CHECKING:
    from companion.reviews.game_review import GameReview
    from farkle.game import events as ev

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
    """Look at a game afterwards: the chance to win after each act, what each decision gave away, and luck."""
    _check_form(notation=notation, json_out=json_out)
    given, bots = _events(game, data, config)
    events = tuple(given)
    found = _reviewed(events)
    if json_out:
        from companion.reviews.sentences import record_of

        tell(json.dumps(record_of(found), ensure_ascii=False))
    elif notation:
        from companion.reviews.sentences import commented
        from companion.words import english

        tell(commented(events, found, english(), bots).rstrip())
    else:
        tell("\n".join(_lines(found)))
    return 0


def _check_form(*, notation: bool, json_out: bool) -> None:
    """Check that one form is asked for.

    Raises:
        CompanionError: if both are.
    """
    if notation and json_out:
        raise CompanionError("expected --notation or --json, got both")


def _events(game: str, data: Path | None, config: Path | None) -> "tuple[Sequence[ev.Event], Mapping[str, str]]":
    """Return the effective events of a kept game, or of a written one, and the kinds of its bots by name."""
    if game == "last" or re.fullmatch("[0-9]{1,9}", game):
        from companion.cli.games import open_games

        with open_games(data, config) as games:
            story = games.story(None if game == "last" else int(game))
            return story.events, story.bots
    from companion.rule_files import rules_named
    from dicereader.data.files import read_text
    from farkle.replay import replay

    with reporting_file_errors("a kept game's number, or a written game", game):
        text = standard_input() if game == "-" else read_text(game)
    played = replay(text, rules_named)
    return played.events, played.bots


def _reviewed(events: "Sequence[ev.Event]") -> "GameReview":
    from companion.cli.streams import bar
    from companion.odds.kept_tables import cache_folder, game_odds
    from companion.reviews.game_review import review_of
    from farkle.game.evolve import fold

    start = fold(events[:1])
    with bar("solving the game once") as share:
        return review_of(events, lambda sides: game_odds(start.rules, sides, cache_folder(), share))


def _lines(found: "GameReview") -> Iterator[str]:
    """Yield a review as lines for a person."""
    from companion.reviews.sentences import costly, moments, price, summary
    from companion.words import english

    words = english()
    for player in found.players:
        yield words.text(summary(player))
    for kind, number, sentence in moments(found):
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
