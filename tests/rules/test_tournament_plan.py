"""Which matches a tournament has, who goes on, and who stands where: for any number of players and any results."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farkle.tournament import (
    Form,
    Tournament,
    is_over,
    open_matches,
    rounds,
    standing,
    winners,
    with_result,
)

FORMS = st.sampled_from(list(Form))
CHANCES = st.builds(Random, st.integers(0, 2**32))
SIZES = st.integers(3, 12)


def tournament(form: Form, count: int = 4, left: tuple[tuple[int, int], ...] = ()) -> Tournament:
    names = tuple(f"P{number}" for number in range(count))
    return Tournament(form=form, players=names, left=left)


def behind(players: tuple[int, ...], places: tuple[int, ...]) -> list[int]:
    """Return who did not win a match."""
    return [player for player, place in zip(players, places, strict=True) if place > min(places)]


def won(before: Tournament, *names: int) -> Tournament:
    """Return the tournament after the open match of these players, who came in this order."""
    match = next(each for each in open_matches(before) if set(each) == set(names))
    return with_result(before, match, [1 + names.index(player) for player in match])


def played(chance: Random, before: Tournament, *, leaving: bool = False) -> Tournament:
    """Play a tournament to its end, with any results and, with `leaving`, with players who leave."""
    now = before
    while matches := open_matches(now):
        if leaving and chance.random() < 0.2:
            gone = {player for player, _ in now.left}
            leaver = chance.choice([player for player in range(len(now.players)) if player not in gone])
            now = replace(now, left=(*now.left, (leaver, len(now.results))))
            continue
        match = chance.choice(matches)
        now = with_result(now, match, [chance.randint(1, len(match)) for _ in match])
    return now


@given(CHANCES, SIZES)
def test_in_a_round_robin_each_meets_each_once_and_begins_half_the_time(chance: Random, count: int) -> None:
    found = tournament(Form.ROUND_ROBIN, count)
    matches = open_matches(found)
    assert {frozenset(match) for match in matches} == {frozenset((a, b)) for a in range(count) for b in range(a)}
    assert len(matches) == count * (count - 1) // 2
    begun = Counter(match[0] for match in matches)
    assert max(begun.values()) - min(begun[player] for player in range(count)) <= 1
    for each in rounds(found):
        assert sorted(player for match in each for player in match.players) == list(range(count))
    after = played(chance, found)
    assert sum(each.points for each in standing(after)) == 2 * len(matches)
    assert {each.played for each in standing(after)} == {count - 1}


@given(CHANCES, SIZES)
def test_in_a_knock_out_all_but_one_lose_once(chance: Random, count: int) -> None:
    found = tournament(Form.KNOCK_OUT, count)
    first = rounds(found)[0]
    byes = [match for match in first if match.state == "bye"]
    assert len(byes) == (1 << (count - 1).bit_length()) - count
    after = played(chance, found)
    assert len(after.results) == count - 1
    assert not any(match.state == "bye" for each in rounds(after)[1:] for match in each)
    lost = Counter(player for result in after.results for player in behind(*result))
    (champion,) = map(after.players.index, winners(after))
    assert lost == dict.fromkeys(set(range(count)) - {champion}, 1)


@given(CHANCES, FORMS, SIZES)
def test_it_ends_whoever_leaves_and_nobody_who_left_plays_or_wins(chance: Random, form: Form, count: int) -> None:
    after = played(chance, tournament(form, count), leaving=True)
    gone = {player for player, _ in after.left}
    assert is_over(after)
    assert not {f"P{player}" for player in gone} & set(winners(after))
    assert [each.place for each in standing(after)] == sorted(each.place for each in standing(after))
    assert sorted(each.name for each in standing(after)) == sorted(after.players)
    for player, number in after.left:
        assert not any(player in players for players, _ in after.results[number:])


def test_the_games_among_equals_decide_their_order_and_who_is_equal_shares_the_place() -> None:
    now = tournament(Form.ROUND_ROBIN, 4)
    for match in ((0, 1), (0, 2), (1, 2), (1, 3), (3, 0), (3, 2)):
        now = won(now, *match)
    # P0, P1 and P3 have two wins each, and each has beaten one of the others: all three share the first place.
    assert [(each.place, each.name, each.points) for each in standing(now)] == [
        (1, "P0", 4),
        (1, "P1", 4),
        (1, "P3", 4),
        (4, "P2", 0),
    ]
    assert winners(now) == ("P0", "P1", "P3")
    now = tournament(Form.ROUND_ROBIN, 4)
    for match in ((0, 1), (0, 2), (3, 0), (1, 2), (1, 3), (2, 3)):
        now = won(now, *match)
    # P0 and P1 have two wins, and P0 has beaten P1.
    assert [(each.place, each.name) for each in standing(now)] == [(1, "P0"), (2, "P1"), (3, "P2"), (4, "P3")]


def test_a_shared_win_is_half_a_win_in_a_round_robin_and_is_played_again_in_a_knock_out() -> None:
    robin, knock = tournament(Form.ROUND_ROBIN, 3), tournament(Form.KNOCK_OUT, 4)
    shared = with_result(robin, open_matches(robin)[0], (1, 1))
    assert sorted(each.points for each in standing(shared)) == [0, 1, 1]
    assert with_result(knock, open_matches(knock)[0], (1, 1)) == knock


@pytest.mark.parametrize(("form", "expected"), [(Form.ROUND_ROBIN, ("P0",)), (Form.KNOCK_OUT, ())])
def test_ended_early_a_round_robin_is_won_by_its_leader_and_the_others_by_nobody(form: Form, expected: object) -> None:
    now = tournament(form, 3)
    now = won(now, *((0, 1) if form is not Form.KNOCK_OUT else (1, 2)))
    ended = replace(now, ended=True)
    assert not is_over(now)
    assert is_over(ended)
    assert winners(ended) == expected


@pytest.mark.parametrize("form", Form)
def test_who_alone_has_stayed_wins_before_any_match_too(form: Form) -> None:
    now = tournament(form, 4, left=((0, 0), (3, 0), (1, 0)))
    assert is_over(now)
    assert winners(now) == ("P2",)
    assert standing(now)[0].name == "P2"


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("left", [(), ((3, 0),), ((0, 0), (1, 0), (2, 0), (3, 0))])
def test_a_tournament_ended_before_any_match_has_no_winner(form: Form, left: tuple[tuple[int, int], ...]) -> None:
    assert winners(replace(tournament(form, 4, left=left), ended=True)) == ()
