"""`farklecrib fairness`: test from the throws of all kept games whether the dice are fair."""

import json
from typing import Annotated, Literal

import typer

from companion.cli.games import open_games
from companion.cli.options import ConfigFile, Data, Json, tell


def fairness(
    of: Annotated[
        Literal["real", "recorded", "simulated"],
        typer.Option("--of", metavar="KIND", help="Which throws: real, recorded (photographs, clips) or simulated."),
    ] = "real",
    data: Data = None,
    config: ConfigFile = None,
    json_out: Json = False,
) -> int:
    """Say whether these dice are fair, from all throws that the eye read, and how sure that is."""
    from companion.games.fairness import LEVEL, as_lines, fairness_of
    from companion.games.statistics import ORIGINS, dice_of
    from companion.words import english

    with open_games(data, config) as games:
        summaries = games.summaries()
    found = fairness_of(dice_of(summaries, of), of)
    if json_out:
        names = ("chi_square", "p", "findable", "throws", "dice", "corrected", "unsure")
        bounds = ("share", "low", "high")
        record = {
            "of": of,
            "counts": found.counts,
            "shares": [dict(zip(bounds, each, strict=True)) for each in found.shares],
            "misread": dict(zip(bounds, found.misread, strict=True)),
            **{name: getattr(found, name) for name in names},
            "verdict": english().text(found.verdict),
        }
        print(json.dumps(record))
    else:
        tell("\n".join(as_lines(found, f"{of} throws")))
        for other in ORIGINS:
            if not found.dice and (dice := dice_of(summaries, other).dice):
                tell(f"{dice} {other} dice are kept: farklecrib fairness --of {other}", err=True)
    return 1 if found.p is not None and found.p < LEVEL else 0
