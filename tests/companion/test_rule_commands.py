"""The `rules` commands and `score`, and rule sets from a file of the house wherever a rule set is named."""

import itertools
import json
from pathlib import Path

import pytest
from asked import Answered, Run, refused

from companion.cli.options import asked_game, check_game, parse_teams
from companion.cli.running import differences
from companion.config import Config
from companion.config_files import load_config
from companion.errors import CompanionError
from companion.features.house_rules.rules_folder import RulesFolder, rules_folder
from companion.rule_files import rules_text
from companion.table.lobby.lobby import begin_game as begun
from companion.table.state.inputs import DraftPatch
from companion.table.state.state import restored
from farkle.errors import RuleSetError
from farkle.game.evolve import fold
from farkle.game.seating import start
from farkle.rules.catalogue import catalogue, find_rule_set
from farkle.rules.ruleset import RuleSet
from farkle.rules.selections import legal_selections
from farkle.rules.switches import SWITCHES

HOUSE = """\
key = "house"
title = "The HouseRules"
like = "classic"
[points]
single = { 5 = 0 }
[settings]
opening_min = 600
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE, encoding="utf-8")
    return file


def test_the_list_has_every_rule_set(run: Run) -> None:
    lines = run("rules", "list").out.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("  ")] == [rules.key for rules in catalogue()]
    assert [line for line in lines if not line.startswith("  ")] == ["Cribbage:", "Ten thousand:"]
    entries = json.loads(run("rules", "list", "--json").out)
    assert [entry["key"] for entry in entries] == [rules.key for rules in catalogue()]
    assert entries[0]["tracks"] == {"121": 1, "241": 1}


def test_every_rule_set_can_be_shown(run: Run) -> None:
    for rules in catalogue()[::3]:
        shown = run("rules", "show", rules.key.upper()).out
        assert all(f" {name} = " in shown for name in SWITCHES)
        record = json.loads(run("rules", "show", rules.key, "--json").out)
        assert set(record["settings"]) == set(SWITCHES)
        assert {row["name"] for row in record["combinations"]} == {each.name for each in rules.table.combinations}


HEAD = 'key = "x"\ntitle = "X"\nlike = "classic"\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("key = ", "expected a TOML file, got"),
        ('key = "x"\ntitle = "X"\n[points]\nsingle = { 1 = 1 }\n', "source: expected a text of at most 1000 char"),
        (HEAD.replace("classic", "clasic"), "like: expected a rule set, got 'clasic' (did you mean 'classic'?"),
        (HEAD.replace("classic", "farkle"), "like: expected one rule set, got 'farkle', which may be"),
        (HEAD.replace('"x"', '"classic"'), "expected a key and a title that no packaged rule set has, got 'classic'"),
        (HEAD.replace('"x"', '"X y"'), "key: expected small letters, digits and hyphens, got 'X y'"),
        (f"{HEAD}partner = [4]\n", "got 'partner' (did you mean 'partners'?)"),
        (f"{HEAD}partners = [1]\n", "partners: expected a list of numbers of players"),
        (f"{HEAD}to_track_end = 1\n", "to_track_end: expected true or false, got 1"),
        (f'{HEAD}counts_in = "eggs"\n', "counts_in: expected points or pegs, got 'eggs'"),
        (f"{HEAD}[settings]\nfind_loser = true\ncharity = true\n", "settings: expected switches that go together"),
    ],
)
def test_a_file_that_is_wrong_says_file_key_and_what_was_expected(
    run: Run, tmp_path: Path, text: str, words: str
) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text, encoding="utf-8")
    answer = run("rules", "check", file)
    assert (answer.status, answer.err, answer.out.count("\n")) == (1, "", 1)
    assert answer.out.startswith(f"{file}: ")
    assert words in answer.out
    played = run("score", file, "115")
    assert (played.status, played.out) == (2, "")
    assert words in played.err


@pytest.mark.parametrize("text", ["", "A", "A=", "A=Ann,;B=Ben", "A=Ann;A=Ben", "=Ann"])
def test_malformed_teams_are_refused(text: str) -> None:
    with pytest.raises(CompanionError, match="expected --teams 'A=Ann,Cy;B=Ben,Di'"):
        parse_teams(text)
    assert parse_teams("A=Ann, Cy; B=Ben,Di") == {"A": ("Ann", "Cy"), "B": ("Ben", "Di")}


def test_a_file_of_rules_is_checked_scored_and_replayed_by(run: Run, house: Path, tmp_path: Path) -> None:
    fits = f"{house}: The HouseRules (house) can be played; it fits 121 and 241 holes.\n"
    assert run("rules", "check", house) == Answered(0, fits, "")
    assert run("score", house, "5").out == "5: farkle\n"
    assert run("score", "classic", "5").out.startswith("5:\n   50  5")
    game = "rules: house\nplayers: Ann, Ben\nAnn: 555246 > 555, 146 > 1, bank\n"
    assert "'house'" in run("replay", "-", given=game).err
    assert run("replay", "-", "--rules", house, given=game).out.splitlines()[1].endswith("banks 600, score 600")
    refused(run("rules", "check", tmp_path / "none.toml"), "expected a rule set's file")
    house.write_bytes(b"\xff")
    refused(run("rules", "check", house), "in UTF-8")


def test_a_score_depends_on_what_is_locked_and_on_switches(run: Run) -> None:
    assert '"farkle": false' in run("score", "farkle-cribbage-advanced", "3", "--json").out
    assert '"farkle": true' in run("score", "farkle-cribbage-advanced", "3", "--locked", 3, "--json").out
    said = run("score", "free-the-dice", "233446", "--set", "nobody_loses=true").out
    assert said == "2 3 3 4 4 6: farkle, but 300 as a turn's first throw (nobody loses)\n"


def test_a_team_game_is_told_by_its_teams(run: Run) -> None:
    game = (
        "rules: farkle-cribbage\nplayers: Ann, Ben, Cy, Di\nteams: A = Ann, Cy; B = Ben, Di\nAnn: 111346 > 111, bank\n"
    )
    record = json.loads(run("replay", "-", "--json", given=game).out)
    assert record["teams"] == [
        {"name": "A", "players": ["Ann", "Cy"], "score": 20, "hole": 20},
        {"name": "B", "players": ["Ben", "Di"], "score": 0, "hole": 0},
    ]
    assert [player["score"] for player in record["players"]] == [20, 0, 20, 0]
    game = "rules: farkle-cribbage\nplayers: Ann, Ben\nthrows-for-start: Ann 6 3\n"
    assert json.loads(run("replay", "-", "--json", given=game).out)["to_move"] is None


def asked(**given: object) -> tuple[Config, DraftPatch]:
    overrides = {
        "table.rules": given.get("rules"),
        "table.players": given.get("names"),
        "table.track": given.get("track"),
    }
    return load_config(None, overrides), DraftPatch(**given)  # type: ignore[arg-type]


def test_a_table_plays_by_a_file_and_with_teams(house: Path) -> None:
    game = asked_game(*asked(rules=str(house), teams={"A": ("Ann", "Cy"), "B": ("Ben", "Di")}))
    state = begun(restored((), seq=0, game_number=0), game, 0.0).state.game
    assert (state.rules.key, state.players, state.teams) == ("house", ("Ann", "Ben", "Cy", "Di"), ("A", "B"))
    assert differences(state, 121, DraftPatch(rules=str(house), teams={"A": ("Ann", "Cy"), "B": ("Ben", "Di")})) == []
    assert differences(state, 121, DraftPatch(rules="classic", teams={"A": ("Ann", "Ben"), "B": ("Cy", "Di")})) == [
        "its own teams",
        "rules house",
    ]
    house.unlink()
    assert differences(state, 121, DraftPatch(rules=str(house))) == ["rules house"]


def test_on_the_long_track_a_game_is_the_long_one_and_bumps_count_its_holes(house: Path) -> None:
    def rules_of(rules: str, **settings: str) -> RuleSet:
        game = asked_game(*asked(rules=rules, names=("Ann", "Ben"), track=241, settings=settings))
        state = begun(restored((), seq=0, game_number=0), game, 0.0).state.game
        return state.rules

    names = ("farkle-cribbage", "farkle-cribbage-advanced", "classic", "christian-brothers", str(house))
    assert [rules_of(name).switches.target for name in names] == [241, 241, 10_000, 5_000, 10_000]
    assert rules_of("classic", one_peg_per_hole="1").hole_points == 50


def test_a_game_too_long_for_its_track_says_so_before_it_starts() -> None:
    too_long = asked(rules="classic", names=("Ann", "Ben"), track=241, settings={"target": "20000"})
    with pytest.raises(
        RuleSetError, match=r"at most 12050 on a track of 241 holes at 50 .*, got 20000; points_a_hole=83"
    ):
        check_game(*too_long)


# --- rules that the house has saved ---


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    house = find_rule_set("classic").with_settings({"opening_min": 500})
    text = rules_text(house, "ours", "Our house", "As on the wall.")
    RulesFolder(rules_folder(tmp_path)).save("ours", text)
    return tmp_path


def test_saved_rules_are_listed_and_shown(run: Run, saved: Path) -> None:
    listed = run("rules", "list", "--data", str(saved))
    assert listed.out.splitlines()[-2] == "House:"
    assert listed.out.splitlines()[-1].split(maxsplit=1) == ["ours", "Our house: As on the wall."]
    assert json.loads(run("rules", "list", "--json", "--data", str(saved)).out)[-1]["group"] == "house"
    shown = run("rules", "show", "our HOUSE", "--data", str(saved))
    assert shown.out.startswith("Our house (ours)\n  As on the wall.\n")
    assert run("rules", "show", "our house").status == 2


def test_a_game_starts_by_saved_rules(saved: Path) -> None:
    asked = {"table.data": saved, "table.rules": "Our house", "table.players": ("Ann", "Ben")}
    config = load_config(None, asked)
    game = check_game(config, DraftPatch())
    assert (game.rules.key, game.rules.switches.opening_min) == ("ours", 500)
    assert differences(fold(start(game.rules, game.names or ())), 121, DraftPatch(rules="ours"), (game.rules,)) == []


# --- `farklecrib score`: the selections of one roll, or of one roll in each line of input, and the errors ---

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
