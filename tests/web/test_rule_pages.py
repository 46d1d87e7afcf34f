"""Rule cards and the score sheet, in a browser and on paper, too, and the rules over the API."""

import html
import re
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import expect
from resized import CONTRAST, check_fingers, check_fit
from served import Served

from companion.table.state.inputs import NewGame
from companion.web.rules.card import card_of
from companion.web.rules.sentences import sentences_of
from companion.words import english
from farkle.rules.catalogue import catalogue, own_rule_set
from farkle.rules.switches import SWITCHES

KEYS = [rules.key for rules in catalogue()]
OWN = """
key = "our-pub"
title = "The Crown's <own>"
source = "the wall of the pub"
like = "classic"
[settings]
opening_min = 400
"""


def page(table: Served, path: str, status: int = 200) -> str:
    answer = table.client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html; charset=utf-8")
    return html.unescape(re.sub(r"\s+", " ", answer.text))


def test_a_card_shows_its_rows_and_every_rule_that_is_on(table: Served) -> None:
    for rules in catalogue():
        shown = page(table, f"/rules/{rules.key}")
        card = card_of(rules)
        assert rules.title in shown
        for pattern in card.patterns:
            assert f'<span class="what">{pattern.name}</span> <b>{pattern.points:,}</b>' in shown
        for line in card.equal:
            any_face = [f"{line.same:,} of any face"] if line.same is not None else None
            row = shown.partition(f'<th scope="row">{line.name}</th>')[2].partition("</tr>")[0]
            cells = re.findall(r"<td[^>]*>([\d][^<]*)</td>", row)
            assert cells == (any_face or [str(points) for points in line.points if points]), rules.key
        for one in sentences_of(rules):
            assert english().text(one.text) in shown


def test_the_list_leads_to_every_card(table: Served) -> None:
    assert re.findall(r'href="/rules/([^"]+)"', page(table, "/rules")) == KEYS


def test_the_query_sets_switches_of_the_house(table: Served) -> None:
    shown = page(table, "/rules/farkle-cribbage?target=241&bonus_scores=true")
    assert "House rules" in shown
    assert "Points to win: 241" in shown
    assert "The Bomb" in shown
    assert '<span class="what">straight</span> <b>25</b>' in shown


def test_an_impossible_query_is_refused_in_one_line(table: Served) -> None:
    for path, status, said in (
        ("/rules/chess", 404, "This table does not know such rules."),
        ("/rules/10000", 404, "Several sets of rules have this name: "),
        ("/rules/classic?targt=3", 422, "There is no switch “targt”. Did you mean “target”?"),
        ("/rules/classic?target=many", 422, "“target” takes points from 1 to 1,000,000, not many."),
        (
            "/rules/classic?find_loser=true&charity=true",
            422,
            "“find_loser” and “charity” do not go together",
        ),
        ("/rules/classic?n_dice=5&vant_hof_6=true", 422, "“vant_hof_6” needs six dice, and “n_dice” is 5."),
        ("/rules/classic?" + "&".join(f"a{n}=1" for n in range(99)), 422, "At most 80 switches can be set, not 99."),
        ("/score-sheet?rules=chess", 404, "This table does not know such rules."),
        ("/score-sheet?rules=classic&players=" + ",".join("abcdefghijklm"), 422, "up to 12 players, not for 13."),
        ("/score-sheet?rules=classic&players=Ann,ann", 422, "Two players are called Ann."),
        ("/score-sheet?rules=classic&players=" + "n" * 21, 422, "has 21 characters. A name has at most 20."),
    ):
        shown = page(table, path, status)
        reason = shown.partition('<p class="reason" role="alert">')[2].partition("</p>")[0]
        assert (said in reason, "\n" in reason) == (True, False), path


def test_no_part_of_a_query_becomes_markup(table: Served) -> None:
    script = "<script>alert(1)</script>"
    for path in (
        *(f"/rules/{script}", f"/rules/classic?{script}=1", f"/rules/classic?target={script}"),
        *(f"/score-sheet?rules=classic&players={names}" for names in (script, "<b>Ann</b>,<i>Ben</i>")),
    ):
        text = table.client.get(path).text
        assert ("<script>" in text, "<b>Ann" in text) == (False, False), path


def test_pages_need_no_inline_script_or_style(table: Served) -> None:
    for path in ("/rules", "/rules/classic", "/score-sheet?rules=classic"):
        answer = table.client.get(path)
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert " style=" not in answer.text
        assert "<style" not in answer.text
        assert re.findall(r"<script(?![^>]*(?:src=|application/json))[^>]*>", answer.text) == []
    beside = table.client.get("/rules/classic").text  # a link beside the game does not open the table inside itself
    assert re.findall(r'<a class="quiet" href="/"([^>]*)>', beside) == [' target="_top"']


def test_the_card_and_the_sheet_of_the_game_have_the_settings_of_the_house(table: Served) -> None:
    before = table.client.get("/rules/now")
    assert (before.status_code, before.headers["location"]) == (302, "/rules")
    table.game("Ann", "Ben", settings={"opening_min": 30}, track=241)
    shown = page(table, "/rules/now")
    assert "In this game" in shown
    assert "Points in one turn to get on the board: 30" in shown
    assert "To get on the board you need 30 points in one turn" in shown
    sheet = re.search(r'href="(/score-sheet\?players=Ann(?:%2C|,)Ben)"', shown)
    assert sheet
    assert "30 in one turn to get on the board" in page(table, sheet[1])


def test_a_rule_set_of_the_house_has_its_card_and_can_be_played_again(table: Served) -> None:
    own = own_rule_set(OWN, "own.toml")
    table.take(NewGame(own, ("Ann", "Ben"), settings={"min_bank": 200}))
    assert "The Crown's <own>" in page(table, "/rules/now")
    assert "you need 400 points in one turn" in page(table, "/rules/our-pub")
    assert "Every turn needs" not in page(table, "/rules/our-pub")
    assert re.findall(r'href="/rules/([^"]+)"', page(table, "/rules")) == ["now", *KEYS, "our-pub"]
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", page(table, "/rules")) == ["Cribbage", "Ten thousand", "House"]
    assert table.client.get("/api/v1/rules").json()["sets"][-1]["group"] == "house"
    again = table.post("game", {"rules": "our-pub", "players": ["Cy", "Di"], "settings": {"target": 5000}})
    assert (again.status_code, again.json()["rules"], again.json()["settings"]) == (200, "our-pub", {"target": 5000})


def test_a_score_sheet_has_names_across_and_turns_down(table: Served) -> None:
    shown = page(table, "/score-sheet?rules=christian-brothers&players=Ann,Ben,Cy")
    assert re.findall(r'<th scope="col" colspan="2">(.*?)</th>', shown) == ["Ann", "Ben", "Cy"]
    assert shown.count('<th scope="row">') == 1 + 22 + 1
    assert shown.count('class="dot"') == 3 * 22
    assert "Played to 5,000" in shown
    assert shown.count('class="box"') == 3
    assert "three farkles in a row: −1,000" in shown
    blank = page(table, "/score-sheet")
    assert re.findall(r'<th scope="col" colspan="2">(.*?)</th>', blank) == [""] * 4
    assert ("Played to hole 121" in blank, 'class="box"' in blank) == (True, False)


def test_the_api_lists_the_rule_sets(table: Served) -> None:
    sets = table.client.get("/api/v1/rules").json()["sets"]
    assert [each["key"] for each in sets] == KEYS
    assert all(each["title"] and 40 < len(each["about"]) <= 120 for each in sets)
    groups = [(each["group"], each["group_title"]) for each in sets]
    assert groups == [("cribbage", "Cribbage")] * 2 + [("ten_thousand", "Ten thousand")] * (len(KEYS) - 2)


def test_the_api_gives_every_switch_of_a_rule_set(table: Served) -> None:
    for rules in catalogue():
        form = table.client.get(f"/api/v1/rules/{rules.key}").json()
        switches = {each["name"]: each for group in form["groups"] for each in group["switches"]}
        assert set(switches) >= set(SWITCHES) - {"twos_kind_value"}
        assert len(form["groups"]) == 5
        for name, each in switches.items():
            assert each["sheet"] == getattr(rules.sheet, name) or name == "nobody_loses", (rules.key, name)
            assert each["value"] == each["sheet"]


def test_the_api_gives_the_changed_switches_and_the_address_of_the_card(table: Served) -> None:
    form = table.client.get("/api/v1/rules/classic?opening_min=500&target=20000").json()
    assert form["settings"] == {"target": 20000, "opening_min": 500}
    assert dict(parse_qsl(form["card"].partition("?")[2])) == {"target": "20000", "opening_min": "500"}
    assert form["tracks"] == [
        {"holes": 61, "rounds": 1, "points_a_hole": 350, "fits": True, "finish": 57},
        {"holes": 121, "rounds": 1, "points_a_hole": 100, "fits": False, "finish": 121},
        {"holes": 241, "rounds": 2, "points_a_hole": 50, "fits": False, "finish": 241},
    ]
    assert table.client.get(form["card"]).status_code == 200


HOUSE = (
    "farkle-cribbage-advanced?target=241&five_dice_rollover_points=2&vant_hof_6=true&piggyback=true&piggyback_hot=true"
    "&one_peg_per_hole=5&troublesome_twos=true&opening_min=20&min_bank=5&two_triplets=50&full_house=25&nobody_loses=true"
)
TWELVE = ",".join(f"Player {number}" for number in range(12))
PATHS = [*(f"rules/{key}" for key in (*KEYS, HOUSE)), "rules", f"score-sheet?rules=sir-albert&players={TWELVE}"]


@pytest.mark.browser
@pytest.mark.parametrize("path", PATHS)
def test_it_prints_on_one_page(table: Served, tabs, path: str) -> None:
    page = tabs()
    page.goto(f"{table.client.base_url}/{path}")
    for paper in ("A4", "Letter"):
        pdf = page.pdf(format=paper)
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) == 1, paper


@pytest.mark.browser
@pytest.mark.parametrize("path", [*PATHS, "rules/chess"])
def test_it_fits_a_phone_and_a_finger_and_can_be_read(table: Served, tabs, path: str) -> None:
    page = tabs()
    page.goto(f"{table.client.base_url}/{path}")
    check_fit(page, [(width, 800) for width in (1280, 760, 390, 320)])
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(CONTRAST) == []
    page.emulate_media(color_scheme="light")
    check_fingers(page, "a, button")


@pytest.mark.browser
def test_without_javascript_a_card_is_whole(table: Served, tabs) -> None:
    bare = tabs({"java_script_enabled": False})
    bare.goto(f"{table.client.base_url}/rules/sir-albert")
    expect(bare.get_by_role("heading", name="How it ends")).to_be_visible()
    expect(bare.get_by_role("row", name="six of a kind 8000 1600 2400 3200 4000 4800")).to_be_visible()
    expect(bare.get_by_role("button", name="Print")).to_be_hidden()
