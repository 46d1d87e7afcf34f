"""The names and teams that a new game can take from earlier ones, and when the table names a day."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hosted import hosted

from companion.games.repository import open_games
from companion.games.standings import day_of, earlier_of
from companion.table.state.inputs import NewGame, ResumeGame
from companion.words import english

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC).timestamp()
DAY_S = timedelta(days=1).total_seconds()


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (NOON, "today"),
        (NOON - DAY_S, "yesterday"),
        (NOON - 4 * DAY_S, "on 17 Nov"),
        (NOON - 310 * DAY_S, "on 15 Jan"),
    ],
)
def test_a_day_is_named_as_people_name_it(at: float, words: str) -> None:
    assert english().text(day_of(at, NOON, NOON)) == words


@pytest.mark.parametrize(
    ("at", "newest", "now"),
    [
        (5.0, 9.0, 10.0),  # a Pi that begins at 1970
        (NOON, NOON, 10.0),
        (NOON, NOON, NOON - 1),  # the clock went back
        (NOON - DAY_S, NOON + DAY_S, NOON),  # another game is later than now
        (NOON + 1, NOON + 1, NOON),
    ],
)
def test_no_day_is_named_if_the_clock_may_be_wrong(at: float, newest: float, now: float) -> None:
    assert not day_of(at, newest, now)


def test_names_and_teams_come_from_the_kept_games_and_go_with_them(tmp_path: Path) -> None:
    with hosted(tmp_path, running=True) as table:
        games = open_games(tmp_path, table.host)
        table.game("Ann", "Ben").throws("111346").taps("bank")
        teams = {"Reds": ("Ann", "Cy"), "Blues": ("ben", "Di")}
        table.take(NewGame("farkle-cribbage", ("Ann", "ben", "Cy", "Di"), teams=teams))
        table.throws("233346")
        table.game("Eve").throws("233346")
        found = earlier_of(games.summaries(), games.at_table(), NOON)
        assert found.names == ("Eve", "Ann", "ben", "Cy", "Di")
        assert [(each.players, each.teams) for each in found.groups] == [
            (("Eve",), ()),
            (("Ann", "ben", "Cy", "Di"), ("Reds", "Blues")),
            (("Ann", "Ben"), ()),
        ]
        assert [(each.number, english().text(each.standing)) for each in found.unfinished] == [
            (2, "Reds 0, Blues 0"),
            (1, "Ann 20, Ben 0"),
        ]
        games.delete(2)
        found = earlier_of(games.summaries(), games.at_table(), NOON)
        assert found.names == ("Eve", "Ann", "Ben")
        named = earlier_of(games.summaries(), games.at_table(), NOON, ("Zoe", "ANN", "bot:bold"))
        assert named.names == ("Zoe", "ANN", "Eve", "Ben")
        table.take(ResumeGame(1))
        found = earlier_of(games.summaries(), games.at_table(), NOON)
        assert [each.number for each in found.unfinished] == [3]
