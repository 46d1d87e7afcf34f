"""`farklecrib score`: the selections of one roll, or of one roll in each line of input, and the errors."""

import itertools
import json
from pathlib import Path

import pytest
from asked import Answered, Run, refused

from farkle.rules.catalogue import find_rule_set
from farkle.rules.selections import legal_selections

RULES = find_rule_set("farkle-cribbage")


def test_the_json_of_a_score_has_the_documented_form(run: Run) -> None:
    told = run("score", "farkle-cribbage", "1112", "--json").json
    first = {
        "dice": [1, 1, 1, 2],
        "points": 22,
        "totals": [22, 5],
        "parts": [
            {"name": "three of a kind", "dice": [1, 1, 1], "points": 20},
            {"name": "single", "dice": [2], "points": 2},
        ],
    }
    assert told.pop("selections")[0] == first
    assert told == {"rules": "farkle-cribbage", "roll": [1, 1, 1, 2], "farkle": False, "hot_dice": True}


@pytest.mark.parametrize("dice", ["1 1 5", "115", "1-1-5", " 115 ", "1  1 5"])
def test_dice_may_be_written_in_three_ways(run: Run, dice: str) -> None:
    assert run("score", "farkle-cribbage", dice, "--json").json["roll"] == [1, 1, 5]


def test_the_roll_is_given_in_the_order_thrown(run: Run) -> None:
    assert run("score", "farkle-cribbage", "643332", "--json").json["roll"] == [6, 4, 3, 3, 3, 2]


def test_a_farkle_has_no_selections(run: Run) -> None:
    told = run("score", "farkle-cribbage", "34466", "--json").json
    assert (told["farkle"], told["hot_dice"], told["selections"]) == (True, False, [])


@pytest.mark.parametrize(("dice", "hot"), [("111222", True), ("12", True), ("233346", False), ("34466", False)])
def test_hot_dice_are_those_that_all_score(run: Run, dice: str, hot: bool) -> None:
    assert run("score", "farkle-cribbage", dice, "--json").json["hot_dice"] is hot


@pytest.mark.parametrize("name", ["farkle-cribbage", "FARKLE-Cribbage", "Farkle Cribbage", "farkle crib"])
def test_a_rule_set_goes_by_key_title_and_alias(run: Run, name: str) -> None:
    assert run("score", name, "1", "--json").json["rules"] == "farkle-cribbage"


def test_a_person_reads_a_line_a_selection(run: Run) -> None:
    answer = run("score", "farkle-cribbage", "233346")
    assert answer.out == (
        "2 3 3 3 4 6:\n"
        "    8  3 3 3 2  (three of a kind 3 3 3, single 2)\n"
        "    6  3 3 3  (three of a kind 3 3 3)\n"
        "    2  2  (single 2)\n"
    )


def test_a_person_reads_a_farkle(run: Run) -> None:
    assert run("score", "farkle-cribbage", "34466").out == "3 4 4 6 6: farkle\n"


def rolls(step: int) -> list[tuple[int, ...]]:
    """Return every n-th roll of one to six dice."""
    every = itertools.chain.from_iterable(itertools.product(range(1, 7), repeat=n) for n in range(1, 7))
    return list(itertools.islice(every, 0, None, step))


def check_rolls(run: Run, thrown: list[tuple[int, ...]]) -> None:
    given = "".join("".join(map(str, roll)) + "\n" for roll in thrown)
    told = run("score", "farkle-cribbage", "-", "--json", given=given).lines
    assert [tuple(each["roll"]) for each in told] == thrown
    for each in told:
        selections = legal_selections(RULES, tuple(each["roll"]))
        assert [(tuple(one["dice"]), one["points"], tuple(one["totals"])) for one in each["selections"]] == [
            (one.dice, one.points, one.totals) for one in selections
        ]
        assert each["farkle"] is (not selections)


def test_rolls_from_standard_input_are_answered_one_by_one_in_order(run: Run) -> None:
    check_rolls(run, rolls(97))


@pytest.mark.soak
def test_every_roll_from_standard_input_is_answered(run: Run) -> None:
    check_rolls(run, rolls(1))


def test_the_best_selection_comes_first_and_each_appears_once(run: Run) -> None:
    for told in run("score", "farkle-cribbage", "-", "--json", given="111222\n112246\n111111\n").lines:
        points = [each["points"] for each in told["selections"]]
        assert points == sorted(points, reverse=True)
        kinds = [tuple(sorted(each["dice"])) for each in told["selections"]]
        assert len(set(kinds)) == len(kinds) > 3


def test_the_parts_add_up_to_the_points_and_use_each_die_once(run: Run) -> None:
    for told in run("score", "farkle-cribbage", "-", "--json", given="111222\n112246\n333446\n").lines:
        for each in told["selections"]:
            assert sum(part["points"] for part in each["parts"]) == each["points"] == each["totals"][0]
            assert [die for part in each["parts"] for die in part["dice"]] == each["dice"]


def test_a_person_reads_a_line_a_roll_from_standard_input(run: Run) -> None:
    answer = run("score", "farkle-cribbage", "-", given="1\n\n34466\n")
    assert answer.out == "1: |     1  1  (single 1)\n3 4 4 6 6: farkle\n"


def test_empty_input_is_no_error(run: Run) -> None:
    assert run("score", "farkle-cribbage", "-", "--json") == Answered(0, "", "")


@pytest.mark.parametrize("line", ["7", "1234561", "x", "1 15", "\x00", "٣"])
def test_a_wrong_roll_of_standard_input_names_its_line(run: Run, line: str) -> None:
    answer = run("score", "farkle-cribbage", "-", "--json", given=f"1\n2\n{line}\n")
    assert (answer.status, len(answer.lines)) == (2, 2)
    assert answer.err.startswith("farklecrib: error: line 3: expected ")
    assert answer.err.count("\n") == 1


def test_input_that_is_no_text_is_refused(run: Run) -> None:
    refused(run("score", "farkle-cribbage", "-", given=b"\xff\xfe1\n"), "expected rolls in UTF-8 on standard input")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess", "1"], "expected a rule set, got 'chess' (known: farkle-cribbage, "),
        (["farkle-cribage", "1"], "did you mean 'farkle-cribbage'? known: farkle-cribbage"),
        (["farkle-cribbage", "7"], "expected faces from 1 to 6, got '7'"),
        (["farkle-cribbage", ""], "expected dice as '1 1 5', '115' or '1-1-5', got ''"),
        (["farkle-cribbage", "1111111"], "expected 1 to 6 dice, got 7: '1111111'"),
        (["farkle-cribbage", "1,1"], "expected dice as '1 1 5', '115' or '1-1-5', got '1,1'"),
        (["farkle-cribbage", "1", "--set", "target"], "expected --set SWITCH=VALUE, got 'target'"),
        (["farkle-cribbage", "1", "--set", "traget=9"], "got 'traget' (did you mean 'target'?)"),
        (["farkle-cribbage", "1", "--set", "target=0"], "target: expected points from 1 to 1000000, got '0'"),
        (["farkle-cribbage", "11", "--locked", "5"], "expected 0 to 4 locked dice beside 2 rolled, got 5"),
        (["farkle-cribbage", "11", "--locked", "-1"], "expected 0 to 4 locked dice beside 2 rolled, got -1"),
    ],
)
def test_an_impossible_score_is_refused_with_its_reason(run: Run, words: list[str], said: str) -> None:
    refused(run("score", *words), said)


def test_a_switch_of_the_rules_may_be_set(run: Run) -> None:
    assert run("score", "farkle-cribbage", "11", "--set", "target=241", "--locked", "4").status == 0


@pytest.mark.shared
def test_the_worked_examples_are_told_with_their_points(run: Run, shared: Path) -> None:
    examples = json.loads((shared / "rules_examples.json").read_text(encoding="utf-8"))
    ours = [each for each in examples if each["ruleset"] == RULES.key and not each["options"]]
    given = "".join("".join(map(str, each["roll"])) + "\n" for each in ours)
    told = run("score", "farkle-cribbage", "-", "--json", given=given).lines
    assert len(told) == len(ours) > 10
    for each, answer in zip(ours, told, strict=True):
        points = {tuple(sorted(one["dice"])): one["points"] for one in answer["selections"]}
        assert points.get(tuple(sorted(each["selection"])), "illegal") == each["expect_points"], each
        assert answer["farkle"] is each["farkle"], each
