"""The ratings of a league are Glicko-2 by days, with sides in place of single opponents."""

from datetime import date

from farkle.glicko2 import RatedResult, Rating, after_period, together
from farkleague.ratings import Result, rated

NEW = Rating()
DAY, NEXT = date(2027, 1, 1), date(2027, 1, 2)
ANN, BEN, CLEO, DAN = range(4)


def test_the_games_of_a_day_are_rated_together_by_the_ratings_before_it() -> None:
    won, lost = RatedResult(NEW, 1), RatedResult(NEW, 0)
    games = [
        Result(DAY, game, side, place, person) for game in (1, 2) for side, place, person in ((0, 1, ANN), (1, 2, BEN))
    ]
    ratings, counted = rated(games)
    assert ratings == {ANN: after_period(NEW, [won, won]), BEN: after_period(NEW, [lost, lost])}
    assert counted == {ANN: 2, BEN: 2}


def test_who_does_not_play_on_a_day_becomes_less_certain() -> None:
    first = [Result(DAY, 1, 0, 1, ANN), Result(DAY, 1, 1, 2, BEN)]
    ratings, _ = rated([*first, Result(NEXT, 2, 0, 1, CLEO), Result(NEXT, 2, 1, 1, DAN)])
    assert ratings[ANN] == after_period(rated(first)[0][ANN], [])
    assert ratings[CLEO] == ratings[DAN] == after_period(NEW, [RatedResult(NEW, 0.5)])


def test_a_side_meets_each_other_side_as_one_opponent() -> None:
    teams = [
        Result(DAY, 1, 0, 2, ANN),
        Result(DAY, 1, 1, 1, BEN),
        Result(DAY, 1, 1, 1, CLEO),
        Result(DAY, 1, 2, 3, DAN),
    ]
    ratings, _ = rated(teams)
    assert ratings[ANN] == after_period(NEW, [RatedResult(together([NEW, NEW]), 0), RatedResult(NEW, 1)])
    assert ratings[BEN] == ratings[CLEO]


def test_a_person_on_both_sides_or_without_an_opponent_is_not_rated_by_that_game() -> None:
    assert rated([Result(DAY, 1, 0, 1, ANN)])[1] == {}
    twice, counted = rated([Result(DAY, 1, 0, 1, ANN), Result(DAY, 1, 1, 2, ANN), Result(DAY, 1, 2, 3, BEN)])
    assert twice[ANN] == after_period(NEW, [RatedResult(NEW, 1), RatedResult(NEW, 1)])
    assert counted == {ANN: 2, BEN: 1}
