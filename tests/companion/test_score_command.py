"""`farklecrib score`: the selections of one roll, or of one roll in each line of input, and the errors."""

import itertools

import pytest
from asked import Run, refused

from farkle.rules.catalogue import find_rule_set
from farkle.rules.selections import legal_selections

RULES = find_rule_set("farkle-cribbage")


def test_the_roll_is_given_in_the_order_thrown_and_hot_dice_are_those_that_all_score(run: Run) -> None:
    told = run("score", "Farkle Crib", "-", "--json", given="6 4 3 3 3 2\n 12\n34466\n").lines
    assert [(each["roll"], each["hot_dice"], each["farkle"]) for each in told] == [
        ([6, 4, 3, 3, 3, 2], False, False),
        ([1, 2], True, False),
        ([3, 4, 4, 6, 6], False, True),
    ]


@pytest.mark.parametrize("step", [97, pytest.param(1, marks=pytest.mark.soak)])
def test_rolls_from_standard_input_are_answered_one_by_one_in_order(run: Run, step: int) -> None:
    every = itertools.chain.from_iterable(itertools.product(range(1, 7), repeat=n) for n in range(1, 7))
    thrown = list(itertools.islice(every, 0, None, step))
    given = "".join("".join(map(str, roll)) + "\n" for roll in thrown)
    told = run("score", "farkle-cribbage", "-", "--json", given=given).lines
    assert [tuple(each["roll"]) for each in told] == thrown
    for each in told:
        selections = legal_selections(RULES, tuple(each["roll"]))
        assert [(tuple(one["dice"]), one["points"], tuple(one["totals"])) for one in each["selections"]] == [
            (one.dice, one.points, one.totals) for one in selections
        ]
        assert each["farkle"] is (not selections)


@pytest.mark.parametrize("line", ["7", "1234561", "\x00", "٣"])
def test_a_wrong_roll_of_standard_input_names_its_line(run: Run, line: str) -> None:
    answer = run("score", "farkle-cribbage", "-", "--json", given=f"1\n2\n{line}\n")
    assert (answer.status, len(answer.lines)) == (2, 2)
    assert answer.err.startswith("farklecrib: error: line 3: expected ")
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["farkle-cribbage", "1,1"], "expected dice as '1 1 5', '115' or '1-1-5', got '1,1'"),
        (["farkle-cribbage", "1", "--set", "target"], "expected --set SWITCH=VALUE, got 'target'"),
        (["farkle-cribbage", "11", "--locked", "5"], "expected 0 to 4 locked dice beside 2 rolled, got 5"),
    ],
)
def test_an_impossible_score_is_refused_with_its_reason(run: Run, words: list[str], said: str) -> None:
    refused(run("score", *words), said)
    refused(run("score", "farkle-cribbage", "-", given=b"\xff\xfe1\n"), "expected rolls in UTF-8 on standard input")
    assert run("score", "farkle-cribbage", "11", "--set", "target=241", "--locked", "4").status == 0
