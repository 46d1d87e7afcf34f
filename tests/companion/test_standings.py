"""The evening's standing: which games are of one evening, and who has won, lost and been skunked in it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hosted import Hosted, hosted

from companion.errors import NoGameError, RefusedError
from companion.games.repository import GameRepository, open_games
from companion.games.standings import EveningStanding, HeadToHead, evenings, standing_at
from companion.games.statistics import GameStatistics, PlayerStatistics
from companion.games.stores import FileGames
from companion.runtime.host import Clock
from companion.table.state.inputs import Answer, ChooseNextStarter, CloseEvening, Pause, ReopenEvening, ResumeGame, Undo
from companion.words import english

EVENING = 1_795_719_600.0
"""20:00 on an evening in November 2026."""

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0


def game(
    number: int,
    winner: str | None,
    *others: str,
    at: float = 0.0,
    lasts: float = 20 * MINUTE,
    sat_at: float | None = None,
    closings: Sequence[int] = (),
    loser: str | None = None,
    skunked: Sequence[str] = (),
    teams: dict[str, tuple[str, ...]] | None = None,
) -> GameStatistics:
    """Return the summary of a game that begins `at` seconds after 20:00; the side of the last player comes last."""
    players = (*((winner,) if winner else ()), *others)
    sides = teams or {name: (name,) for name in players}
    won = next((side for side, members in sides.items() if winner in members), None)
    last = next(side for side, members in sides.items() if players[-1] in members)

    def of(name: str) -> PlayerStatistics:
        side = next(side for side, members in sides.items() if name in members)
        return PlayerStatistics(
            name,
            games=1,
            finished=int(winner is not None),
            won=int(side == won),
            skunks=len(skunked) if side == won else 0,
            skunked=int(side in skunked),
            loser=int(side == loser),
            last=int(winner is not None and side == last != won),
        )

    begun = EVENING + at
    return GameStatistics(
        number=number,
        begun_at=begun,
        sat_at=begun if sat_at is None else EVENING + sat_at,
        last_at=begun + lasts,
        last_act=10 * number,
        closings=tuple(closings),
        rules="farkle-cribbage",
        title="Farkle Cribbage",
        players=players,
        teams=teams or {},
        bots={},
        over=winner is not None,
        winners=(won,) if won else (),
        loser=loser,
        skunks=dict.fromkeys(skunked, 1),
        scores={},
        turns=1,
        throws=1,
        by_player=tuple(map(of, players)),
    )


def split(*games: GameStatistics) -> list[list[int]]:
    """Return the numbers of the games of each evening, the oldest first."""
    return [[each.number for each in evening.games] for evening in evenings(reversed(games))][::-1]


def told(standing: EveningStanding) -> str:
    return english().text(standing.text)


def duel(*winners: str) -> tuple[GameStatistics, ...]:
    """Return games of Mia and Tom with these winners, half an hour apart."""
    other = {"Mia": "Tom", "Tom": "Mia"}
    return tuple(game(n, each, other[each], at=(n - 1) * HOUR / 2) for n, each in enumerate(winners, 1))


@pytest.mark.parametrize(("pause", "evenings"), [(6 * HOUR - 1, 1), (6 * HOUR, 2)])
def test_a_pause_of_six_hours_ends_an_evening(pause: float, evenings: int) -> None:
    first = game(1, "Mia", "Tom")
    begins = first.last_at - EVENING + pause
    assert len(split(first, game(2, "Tom", "Mia", at=begins))) == evenings


def test_a_game_that_goes_on_after_a_pause_is_of_the_evening_in_which_it_ends() -> None:
    night = game(2, "Tom", "Mia", at=HOUR, lasts=23 * HOUR, sat_at=23 * HOUR)
    assert split(game(1, "Mia", "Tom"), night, game(3, "Tom", "Mia", at=24.5 * HOUR)) == [[1], [2, 3]]


OFF = -EVENING
"""A clock that has not been set begins in 1970."""


@pytest.mark.parametrize(
    ("begins", "expected"),
    [
        ((0, -2 * HOUR, HOUR), [[1, 2, 3]]),  # the clock went back by two hours, and came right again
        ((0, -21 * HOUR, 1.5 * HOUR), [[1, 2, 3]]),  # after a power cut it began at the last shutdown
        ((0, -20 * DAY, -20 * DAY + HOUR, 2 * HOUR), [[1, 2, 3, 4]]),
        ((0, -21 * HOUR, -20 * HOUR, 2 * DAY), [[1], [2, 3, 4]]),
        ((-20 * DAY, 0, -21 * HOUR, HOUR), [[1], [2, 3, 4]]),
        ((OFF + 60, OFF + HOUR, HOUR), [[1, 2, 3]]),  # it was set after two games
        ((0, OFF + 60, HOUR), [[1, 2, 3]]),  # the machine started again without a clock, and it was set later
        ((0, OFF + 60, OFF + HOUR), [[1, 2, 3]]),
        ((0, OFF + 60, 2 * DAY), [[1], [2, 3]]),  # a game of unknown time is of the evening that follows
        ((OFF, OFF + 9 * HOUR), [[1], [2]]),  # never set, but it ran: nine hours are nine hours
        ((OFF + 9 * HOUR, OFF + 60), [[1, 2]]),
        ((0, 1000 * DAY, HOUR), [[1, 2, 3]]),  # it was wrong by years for one game
        ((0, 23.5 * HOUR, 24 * HOUR), [[1], [2, 3]]),
    ],
)
def test_the_order_of_the_journal_counts_where_the_clock_jumped(begins: Sequence[float], expected: object) -> None:
    games = [game(number, "Mia", "Tom", at=at) for number, at in enumerate(begins, 1)]
    assert split(*games) == expected


def test_an_evening_that_was_closed_by_hand_has_no_later_games() -> None:
    first, second, third = duel("Mia", "Tom", "Tom")
    first = replace(first, closings=(11,))
    assert split(first, second, third) == [[1], [2, 3]]
    now = standing_at([third, second, first])
    assert (told(now), now.closed, now.earlier, now.later) == ("Tom 2, Mia 0", False, 1, None)
    before = standing_at([third, second, first], 1)
    assert (told(before), before.closed, before.earlier, before.later) == ("Mia 1, Tom 0", True, None, 3)
    held_by_another = replace(first, closings=()), second, replace(third, closings=(15,))
    assert split(*held_by_another) == [[1], [2, 3]]


def test_games_without_a_winner_win_nobody_anything_and_belong_to_the_evening() -> None:
    ended_early = game(2, None, "Mia", "Tom", at=5 * HOUR)
    found = standing_at([game(3, "Mia", "Tom", at=10 * HOUR), ended_early, game(1, "Tom", "Mia")])
    assert (told(found), found.games, found.unfinished) == ("Mia 1, Tom 1", (1, 3), 1)


TEAMS = {"A": ("Mia", "Ida"), "B": ("Tom", "Ben")}


def test_each_player_of_a_team_wins_and_partners_do_not_meet() -> None:
    found = standing_at([game(1, "Mia", "Tom", "Ida", "Ben", teams=TEAMS)])
    assert {each.player: (each.won, each.last) for each in found.players} == {
        **dict.fromkeys(("Mia", "Ida"), (1, 0)),
        **dict.fromkeys(("Tom", "Ben"), (0, 1)),
    }
    assert {(pair.one, pair.other) for pair in found.pairs} == {
        (one, other) for one in ("Mia", "Ida") for other in ("Tom", "Ben")
    }


def test_a_standing_counts_wins_streaks_and_whom_each_player_beat_however_the_name_is_written() -> None:
    games = duel("Mia", "Mia", "Mia", "Tom", "Tom")
    found = standing_at(reversed((*games, game(6, "mia", "TOM", at=3 * HOUR))))
    assert (told(found), found.pairs) == ("mia 4, TOM 2", (HeadToHead("mia", "TOM", 4, 2),))
    assert [(each.player, each.streak, each.best_streak) for each in found.players] == [("mia", 1, 3), ("TOM", 0, 2)]
    three = standing_at([game(1, "Mia", "Tom", "Ida")])
    assert three.pairs == (HeadToHead("Mia", "Tom", 1, 0), HeadToHead("Mia", "Ida", 1, 0))
    beaten = standing_at([game(2, "Tom", "Mia", at=HOUR), *(game(n, "Mia", "Ida") for n in (1, 0))])
    assert beaten.pairs == (HeadToHead("Mia", "Tom", 0, 1), HeadToHead("Mia", "Ida", 2, 0))


def test_a_game_that_finds_a_loser_is_won_by_all_others_against_that_loser() -> None:
    found = standing_at([game(1, "Mia", "Tom", "Ida", loser="Ida")])
    assert found.pairs == (HeadToHead("Mia", "Ida", 1, 0), HeadToHead("Tom", "Ida", 1, 0))
    assert found.losers == ("Ida",)


def test_the_loser_of_the_night_came_last_most_often_and_a_skunk_decides_a_tie() -> None:
    assert standing_at(reversed(duel("Mia", "Tom", "Mia"))).losers == ("Tom",)
    assert standing_at(reversed(duel("Mia", "Tom"))).losers == ()
    skunk = [game(1, "Mia", "Tom", skunked=("Tom",)), game(2, "Tom", "Mia", at=HOUR)]
    found = standing_at(reversed(skunk))
    assert found.losers == ("Tom",)
    assert [(each.player, each.won, each.skunks, each.skunked) for each in found.players] == [
        ("Mia", 1, 1, 0),
        ("Tom", 1, 0, 1),
    ]


def test_an_evening_of_three_hundred_games_is_counted_and_old_games_are_not_read() -> None:
    names = ("Mia", "Tom", "Ida")
    games = [game(n, *names[n % 3 :], *names[: n % 3], at=n * 10 * MINUTE, lasts=MINUTE) for n in range(1, 301)]
    before = [game(n, "Ben", "Mia", at=(n - 50) * DAY if n < -50 else n * MINUTE - DAY) for n in range(-70, 1)]
    taken: list[int] = []

    def newest_first() -> Iterator[GameStatistics]:
        for each in reversed((*before, *games)):
            taken.append(each.number)
            yield each

    found = standing_at(newest_first())
    assert (told(found), len(found.games), found.earlier) == ("Ida 100, Mia 100, Tom 100", 300, 0)
    assert taken == list(range(300, -52, -1))  # the evening before says whether the clock was right


def test_a_game_that_is_not_kept_has_no_evening() -> None:
    with pytest.raises(NoGameError, match="got 9"):
        standing_at(reversed(duel("Mia")), 9)
    assert standing_at([]) == EveningStanding()


# --- a table with a real journal, and a clock that the test sets ---


@dataclass
class Evening:
    """A table, its games, and its wall clock."""

    folder: Path
    table: Hosted
    games: GameRepository
    wall: list[float]

    def win(self, *players: str, **given: object) -> "Evening":
        """Play a game in which the first player wins with the first throw, in a minute."""
        self.table.game(*(players or ("Mia", "Tom")), settings={"target": 20, "endgame": "immediate"}, **given)
        self.wall[0] += MINUTE
        self.table.throws("111346").taps("bank")
        return self

    def later(self, seconds: float) -> "Evening":
        self.wall[0] += seconds
        return self

    def told(self, game: int | None = None) -> str:
        return told(standing_at(self.games.newest_first(), game))


@contextmanager
def evening(folder: Path, at: float = EVENING) -> Iterator[Evening]:
    wall = [at]
    with hosted(folder, Clock(wall=lambda: wall[0]), running=True) as table:
        yield Evening(folder, table, open_games(folder, table.host), wall)


def test_a_closed_evening_stays_closed_after_a_restart_and_loses_nothing(tmp_path: Path) -> None:
    with evening(tmp_path) as here:
        here.win().win().win("Tom", "Mia")
        assert here.told() == "Mia 2, Tom 1"
        rows = len(here.games.store.rows(3))
        here.table.take(CloseEvening())
        assert (here.told(), standing_at(here.games.newest_first()).closed) == ("Mia 2, Tom 1", True)
        assert len(here.games.store.rows(3)) == rows + 1
        assert here.table.view.message.text.startswith("The evening is closed.")
        assert here.table.view.winners == ("Tom",)
    with evening(tmp_path, EVENING + HOUR) as here:
        here.win("Tom", "Mia")
        assert here.told() == "Tom 1, Mia 0"
        assert here.told(1) == "Mia 2, Tom 1"


@pytest.mark.parametrize("running", [True, False], ids=["at the table", "in the file"])
def test_a_closed_evening_outlives_the_game_that_closed_it(tmp_path: Path, running: bool) -> None:
    with evening(tmp_path) as here:
        here.win().win("Tom", "Mia").table.take(CloseEvening())
        here.win("Tom", "Mia")
        if running:
            here.games.delete(2)
    if not running:
        files = FileGames(tmp_path, lambda: EVENING)
        files.delete(2)
        files.close()
    with evening(tmp_path, EVENING + HOUR) as here:
        assert [here.told(game) for game in (None, 1)] == ["Tom 1, Mia 0", "Mia 1, Tom 0"]
        assert here.table.view.winners == ("Tom",)


def test_a_game_that_was_only_opened_again_moves_no_evening(tmp_path: Path) -> None:
    with evening(tmp_path) as here:
        here.win().table.game("Tom", "Mia")
        here.win().table.take(CloseEvening())
        here.later(MINUTE).table.take(ResumeGame(2))
        here.win("Tom", "Mia")
        assert [here.told(game) for game in (None, 1, 3)] == ["Tom 1, Mia 0", "Mia 2, Tom 0", "Mia 2, Tom 0"]
        assert standing_at(here.games.newest_first()).earlier == 3


def test_deleted_games_games_ended_early_and_games_taken_back_do_not_count(tmp_path: Path) -> None:
    with evening(tmp_path) as here:
        here.win().win().win("Tom", "Mia")
        here.table.game("Mia", "Tom")
        for given in (Pause(), Answer("end_game"), Answer("end_game")):
            here.table.take(given)
        here.games.delete(1)
        assert here.told() == "Mia 1, Tom 1"
        here.win("Tom", "Mia").table.take(Undo())
        assert here.told() == "Mia 1, Tom 1"


def test_a_game_that_goes_on_another_evening_counts_there(tmp_path: Path) -> None:
    with evening(tmp_path) as here:
        here.win()
        here.table.game("Tom", "Mia", settings={"target": 20, "endgame": "immediate"})
        here.win().later(20 * HOUR).table.take(ResumeGame(2))
        here.table.throws("111346").taps("bank")
        assert [here.told(game) for game in (None, 1, 2, 3)] == [
            "Tom 1, Mia 0",
            "Mia 2, Tom 0",
            "Tom 1, Mia 0",
            "Mia 2, Tom 0",
        ]


def test_a_closing_is_taken_back_by_itself_and_not_by_undo_and_needs_a_game_that_is_over(tmp_path: Path) -> None:
    with evening(tmp_path, 60.0) as here:
        here.win().table.take(CloseEvening())
        here.table.take(ReopenEvening())
        with pytest.raises(RefusedError, match="not closed"):
            here.table.take(ReopenEvening())
        assert here.win().told() == "Mia 2, Tom 0"
        assert standing_at(here.games.newest_first()).begun_at == 0.0  # without a clock it has no date
        here.table.take(CloseEvening())
        here.table.take(Undo())
        assert (here.table.view.phase, here.told()) == ("choosing", "")
        with pytest.raises(RefusedError, match="finish or end the game first"):
            here.table.take(CloseEvening())


# --- who begins a rematch ---


def starters(table: Hosted, *names: str) -> str | None:
    """Start a rematch, by the page as by button, and return who begins."""
    table.game(*names, settings={"target": 20, "endgame": "immediate"})
    return table.view.to_move


@pytest.mark.parametrize(("begins", "expected"), [("seat", "Mia"), ("loser", "Tom"), ("winner", "Mia")])
def test_the_winner_or_the_loser_begins_a_rematch(tmp_path: Path, begins: str, expected: str) -> None:
    with evening(tmp_path) as here:
        here.win("Mia", "Tom").table.take(ChooseNextStarter(begins))  # type: ignore[arg-type]
        here.table.taps("bank").take(Answer("yes"))
        assert here.table.view.to_move == expected


def test_the_choice_is_remembered_over_games_and_restarts(tmp_path: Path) -> None:
    with evening(tmp_path) as here:
        asked = here.table.game("Mia", "Tom").throws("111346", sure=False).view.question
        here.table.take(ChooseNextStarter("winner"))
        assert here.table.view.question == asked is not None
        here.win("Mia", "Tom").table.take(ChooseNextStarter("loser"))
        assert here.table.view.begins == "loser"
        assert starters(here.table, "Mia", "Tom") == "Tom"
        here.table.throws("111346").taps("bank")
    with evening(tmp_path) as here:
        assert here.table.view.begins == "loser"
        assert starters(here.table, "Mia", "Tom") == "Mia"
        assert starters(here.table, "Ida", "Ben") == "Ida"  # others play: the order of seats
        here.table.take(ResumeGame(4))
        assert here.table.view.begins == "loser"
        for given in (Pause(), Answer("end_game"), Answer("end_game")):
            here.table.take(given)
        assert starters(here.table, "Mia", "Tom") == "Mia"  # nobody has won


def test_the_last_of_several_begins_and_the_one_whom_the_game_found(tmp_path: Path) -> None:
    with evening(tmp_path) as here:
        here.table.game("Mia", "Tom", "Ida", settings={"target": 20})
        here.table.take(ChooseNextStarter("loser"))
        for thrown in ("111346", "344662"):
            here.table.throws(thrown).taps("bank")
        here.table.throws("346634")
        assert [(each.name, each.score) for each in here.table.view.players] == [("Mia", 20), ("Tom", 2), ("Ida", 0)]
        assert starters(here.table, "Mia", "Tom", "Ida") == "Ida"


def test_the_menu_chooses_who_begins_and_closes_the_evening(tmp_path: Path) -> None:
    with evening(tmp_path) as here:
        here.win("Mia", "Tom")
        for given in (Pause(), Answer("next_starter"), Answer("begins_loser")):
            here.table.take(given)
        assert here.table.view.begins == "loser"
        for given in (Pause(), Answer("close_evening")):
            here.table.take(given)
        assert standing_at(here.games.newest_first()).closed
        assert starters(here.table, "Mia", "Tom") == "Tom"
