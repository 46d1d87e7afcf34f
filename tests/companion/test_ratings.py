"""The ratings over evenings: the paper's own example, and which results the kept games give."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_standings import DAY, HOUR, TEAMS, evening, game

from companion.errors import NoGameError
from companion.features.reviews.ratings import EveningRatings, ratings_at, skills_of
from companion.games.statistics import GameStatistics
from companion.words import english
from farkle.glicko2 import SCALE, RatedResult, Rating, after_period
from farkle.review.game_review import PlayerReview


def ranked(found: GameStatistics, *ranks: int) -> GameStatistics:
    """Return a game with the places of its sides, in the order of `players` or teams; by default each has its own."""
    sides = tuple(found.teams) or found.players
    return replace(found, ranks=dict(zip(sides, ranks or range(1, 1 + len(sides)), strict=True)))


def numbers(found: EveningRatings) -> dict[str, tuple[int, int | None]]:
    return {each.player: (each.rating, each.change) for each in found.players}


def rated(*games: GameStatistics) -> dict[str, int]:
    return {english().text(each.player): each.rating for each in ratings_at(reversed(games)).players}


def test_the_example_of_the_paper_comes_out() -> None:
    opponents = [(1400.0, 30.0, 1), (1550.0, 100.0, 0), (1700.0, 300.0, 0)]
    results = [RatedResult(Rating(value, deviation), score) for value, deviation, score in opponents]
    after = after_period(Rating(1500.0, 200.0, 0.06), results)
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)
    idle = after_period(Rating(1600.0, 50.0), [])  # who plays no game keeps the rating and is less sure
    assert (idle.value, idle.volatility) == (1600.0, 0.06)
    assert idle.deviation == pytest.approx(51.07, abs=0.01)  # 173.7178 * sqrt((50 / 173.7178)^2 + 0.06^2)
    assert after_period(Rating(1600.0, 350.0), []).deviation == 350.0


strengths = st.builds(Rating, st.floats(500, 2500), st.floats(30, 350), st.floats(0.03, 0.2))


@given(
    strengths, st.lists(st.builds(RatedResult, strengths, st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=30)
)
def test_a_better_result_is_a_better_rating_and_all_results_make_it_surer(
    before: Rating, results: Sequence[RatedResult]
) -> None:
    after = after_period(before, results)
    better = after_period(before, [replace(each, score=1.0) for each in results])
    assert better.value >= after.value - 1e-6
    assert after.deviation <= math.hypot(before.deviation, SCALE * after.volatility)


@pytest.mark.parametrize(
    ("deviation", "results", "expected"),
    [  # the root of the equation in step 5, found by bisection
        (30.0, ((2200.0, 30.0, 1.0),) * 6, 0.0604690863),
        (200.0, ((1400.0, 30.0, 0.0),) * 3, 0.0600086436),
    ],
)
def test_a_volatility_solves_the_equation_of_the_paper(
    deviation: float, results: Sequence[tuple], expected: float
) -> None:
    found = [RatedResult(Rating(value, other), score) for value, other, score in results]
    assert after_period(Rating(1500.0, deviation, 0.06), found).volatility == pytest.approx(expected, abs=1e-9)


def test_an_evening_is_rated_as_a_whole_and_two_evenings_are_not_one() -> None:
    first, second = ranked(game(1, "Mia", "Tom")), ranked(game(2, "Tom", "Mia", at=HOUR))
    assert rated(first, second) == {"Mia": 1500, "Tom": 1500}
    later = ranked(game(2, "Tom", "Mia", at=DAY))
    found = numbers(ratings_at([later, first]))
    assert found["Tom"][0] != found["Mia"][0]
    assert found["Tom"][1] == found["Tom"][0] - rated(first)["Tom"]


def test_the_ratings_after_an_earlier_evening_are_those_of_that_evening() -> None:
    first, second = ranked(game(1, "Mia", "Tom")), ranked(game(2, "Tom", "Ida", at=DAY))
    assert ratings_at([second, first], 1) == ratings_at([first])
    assert ratings_at([second, first], 2).evenings == 2
    with pytest.raises(NoGameError, match="got 9"):
        ratings_at([second, first], 9)


def test_of_several_players_each_place_beats_those_behind_it_and_equal_places_draw() -> None:
    assert rated(ranked(game(1, "Mia", "Tom"))) == {"Mia": 1662, "Tom": 1338}
    found = rated(ranked(game(1, "Mia", "Tom", "Ida", "Ben"), 1, 2, 2, 4))
    assert found["Mia"] > found["Tom"] == found["Ida"] == 1500 > found["Ben"]
    found = rated(ranked(game(1, "Mia", "Tom", "Ida", loser="Ida")))
    assert found["Mia"] == found["Tom"] > 1500 > found["Ida"]


def test_partners_of_a_team_win_against_the_other_team_and_not_against_each_other() -> None:
    found = rated(ranked(game(1, "Mia", "Tom", "Ida", "Ben", teams=TEAMS)))
    assert found["Mia"] == found["Ida"] > 1500 > found["Tom"] == found["Ben"]


def test_a_team_as_opponent_has_the_mean_of_its_players_ratings() -> None:
    before = ranked(game(1, "Tom", "Ben"))  # the mean of Tom and Ben is still that of a new player
    after = ranked(game(2, "Mia", "Tom", "Ida", "Ben", at=DAY, teams=TEAMS))
    strong = ranked(game(2, "Mia", "Tom", "Ida", "Cy", at=DAY, teams={"A": ("Mia", "Ida"), "B": ("Tom", "Cy")}))
    assert rated(before, strong)["Mia"] > rated(before, after)["Mia"]


def test_solo_games_unfinished_games_and_players_who_left_are_not_rated() -> None:
    assert ratings_at([ranked(game(1, "Mia"))]).players == ()
    assert ratings_at([ranked(game(1, None, "Mia", "Tom"))]).players == ()
    left = ranked(game(1, "Mia", "Tom", "Ida"))
    stayed = tuple(replace(each, finished=int(each.player != "Ida")) for each in left.by_player)
    assert set(rated(replace(left, by_player=stayed))) == {"Mia", "Tom"}
    assert ratings_at([]) == EveningRatings()


def test_bots_are_rated_by_kind_and_a_person_of_the_same_name_apart() -> None:
    first = replace(ranked(game(1, "Bones", "Mia")), bots={"Bones": "bold"})
    second = replace(ranked(game(2, "Pips", "Mia", at=HOUR)), bots={"Pips": "bold"})
    person = ranked(game(3, "Mia", "Bones", at=2 * HOUR))
    found = rated(first, second, person)
    assert set(found) == {"Mia", "Bones", "bold bots"}
    assert found["bold bots"] > 1500 > found["Bones"]
    shown = ratings_at([person, second, first])
    assert [(each.bot, each.games) for each in shown.players if each.bot] == [("bold", 2)]
    person_alone = shown.of("bones")
    assert (person_alone.bot, person_alone.games) == ("", 1)


def test_bots_of_one_kind_are_not_rated_against_each_other() -> None:
    bots = {"Bones": "bold", "Pips": "bold"}
    assert ratings_at([replace(ranked(game(1, "Bones", "Pips")), bots=bots)]).players == ()
    found = ratings_at([replace(ranked(game(1, "Bones", "Pips", "Mia")), bots=bots)])
    assert {(each.bot, each.games, each.rating > 1500) for each in found.players} == {("bold", 1, True), ("", 1, False)}


def test_decisions_and_luck_are_those_of_a_kind_of_bots() -> None:
    review = PlayerReview("Bones", decisions=4, accurate=3, given_away=0.1, luck=0.2)
    found = skills_of([((review,), {"Bones": "best"}), ((replace(review, accurate=1),), {})])
    assert [(each.bot, each.games, each.accuracy) for each in found] == [("", 1, 0.25), ("best", 1, 0.75)]


def test_a_name_is_one_player_and_a_deleted_game_leaves_no_trace(tmp_path: Path) -> None:
    with evening(tmp_path) as here:
        here.win("mia", "Tom").win("Tom", "MIA").win("Tom", "MIA")
        counted = ratings_at(here.games.newest_first())
        assert {each.player: each.games for each in counted.players} == {"MIA": 3, "Tom": 3}
        here.games.delete(2)
        left = ratings_at(here.games.newest_first())
        assert {each.player: each.rating for each in left.players} == {"Tom": 1500, "MIA": 1500}
