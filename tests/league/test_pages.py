"""The pages of a league, on a real PostgreSQL: what people see, live, and after the database was away."""

import asyncio
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from jinja2 import Environment, FileSystemLoader
from postgres import Postgres, postgres
from served_league import ORGANISER, ServedLeague, served_league, until

import farklestyles
from farkle.game.state import Phase
from farkle.tournament import Form, Tournament, open_matches
from farkleague import organiser, store
from farkleague.pages.live import BEGIN, PING, Live
from pegboard.palette import MOST_PLAYERS, mark

pytestmark = pytest.mark.exhaustive

YEAR = {"begins": date(2027, 1, 1), "ends": date(2027, 12, 31)}
"""The boards' games are of January 2027."""


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with postgres("fsync=off") as running:
        yield running


@pytest.fixture
def league(server) -> Iterator[ServedLeague]:
    with served_league(server) as running:
        yield running


def words(html: str) -> str:
    """Return the text of a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_the_front_page_shows_each_board_with_its_newest_game(league) -> None:
    dragon, crown = league.board("Blue Dragon"), league.board("The Crown", 2, names=("Cleo", "Bot Bold"))
    league.board("Empty Inn", 3)
    league.finishes(dragon)
    league.plays(dragon, 10)
    league.plays(crown, 4)
    shown = words(league.text("/"))
    state = dragon.state
    scores = " ".join(f"{name} {side.score}" for name, side in zip(("Ann", "Ben"), state.sides, strict=True))
    assert f"Blue Dragon Farkle Cribbage to 121 {scores}" in shown
    assert "Cleo 0 Bot Bold" in shown
    assert "Empty Inn No game yet." in shown


def test_a_change_reaches_every_watcher_as_the_same_bytes(league) -> None:
    board = league.board("Blue Dragon")
    league.plays(board, 2)
    with league.watched("/live") as one, league.watched("/live") as other, league.watched("/games/1/live") as game:
        for each in (one, other, game):
            each.until("Blue Dragon")
        league.finishes(board, games=0)
        over = [each.until("won") for each in (one, other)]
        assert over[0] == over[1]
        assert game.until("won") != over[0]
        league.plays(board)  # the next game
        newest = league.one("SELECT id FROM games WHERE number = 2")
        assert f'href="/games/{newest}"' in one.until("throws")
        board.deleted = [1]
        league.take(board)
        game.until("deleted")
    assert league.client.get("/games/1").status_code == 404


def test_a_page_that_is_opened_shows_what_changed_since_it_was_made(league) -> None:
    board = league.board("Blue Dragon")
    league.plays(board, 2)
    with league.watched("/games/1/live") as first:
        first.until("Blue Dragon")
        league.finishes(board, games=0)
        first.until("won")
        with league.watched("/games/1/live") as later:
            later.until("won")


def test_a_removed_name_leaves_the_cards_of_all_watchers(league) -> None:
    board = league.board("Blue Dragon")
    league.plays(board, 2)
    with league.watched("/live") as stream:
        stream.until("Ann")
        organiser.remove_name(league.database, league.person("Ann"))
        assert "Ann" not in stream.until("Somebody")
    assert "Ann" not in league.text("/games/1")


def test_a_slow_watcher_gets_the_newest_state_of_a_card_and_none_before(league) -> None:
    async def watch() -> list[bytes]:
        live, sent, free = Live(None), [], asyncio.Event()

        async def send(message: dict) -> None:
            sent.append(message.get("body"))
            if len(sent) == 3:
                await free.wait()  # its buffers are full

        gone = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(live({"path_params": {"game": 1}}, lambda: gone, send))
        while len(sent) < 3:
            await asyncio.sleep(0)
        for number in range(1000):
            live.streams[1].show("game", b"%d" % number)
        free.set()
        while len(sent) < 4:
            await asyncio.sleep(0)
        gone.set_result({"type": "http.disconnect"})
        await task
        assert not live.streams
        return sent

    with ThreadPoolExecutor() as threads:  # a browser of another test may have a loop in this thread
        assert threads.submit(asyncio.run, watch()).result() == [None, BEGIN, PING, b"999"]


def test_after_the_database_was_away_pages_and_streams_go_on(league) -> None:
    board = league.board("Blue Dragon")
    league.plays(board, 2)
    with league.watched("/games/1/live") as stream:
        stream.until("Ann")
        league.postgres.kill()
        away = league.client.get("/")
        assert away.status_code == 503
        assert "The boards play on" in away.text
        league.postgres.start()
        with store.connect(league.postgres.database) as league.database:
            league.finishes(board, games=0)
            stream.until("won")
            until(lambda: league.client.get("/").status_code == 200)


def test_a_finished_game_is_reviewed_once_when_it_is_asked_for(league) -> None:
    board = league.board("Blue Dragon")
    league.plays(board, 20)
    assert "A game is reviewed when it is over." in league.text("/games/1/review")
    league.finishes(board, games=0)
    assert league.one("SELECT review FROM games") is None
    until(lambda: "Decisions and luck" in league.text("/games/1/review"))
    review = league.one("SELECT review FROM games")
    assert [each["name"] for each in review["players"]] == ["1", "2"]
    assert "polyline" in (shown := league.text("/games/1/review"))
    costly = sorted((act["price"] for act in review["acts"]), reverse=True)
    assert f"{100 * costly[0]:.1f}" in shown
    review["players"][0]["decisions"] = 4321
    league.database.execute("UPDATE games SET review = %s", [json.dumps(review)])
    assert "4321" in league.text("/games/1/review")
    board.add(1, board.acts[-2]["act"], ())  # the last act is taken back
    league.take(board)
    assert "A game is reviewed when it is over." in league.text("/games/1/review")


@pytest.mark.parametrize(
    ("names", "rules", "why"),
    [(("Ann", "Ben"), "classic", "no table of odds"), (("Ann",), "farkle-cribbage", "Nobody else played")],
)
def test_a_game_without_odds_says_why_it_has_no_review(league, names, rules, why) -> None:
    league.finishes(league.board("Blue Dragon", names=names, rules=rules))
    until(lambda: why in league.text("/games/1/review"))


@pytest.mark.parametrize("form", Form)
def test_the_page_of_a_competition_has_its_rounds_and_its_results(league, form) -> None:
    dragon, crown = league.board("Blue Dragon"), league.board("The Crown", 2, names=("Cleo", "Dan"))
    for each in (dragon, crown):
        league.plays(each)
    persons = [league.person(name) for name in ("Ann", "Ben", "Cleo", "Dan")]
    season = organiser.begin_competition(league.database, "Winter <season>", form, **YEAR, persons=persons)
    assert "Winter &lt;season&gt;" in league.text("/seasons")
    league.finishes(dragon, games=0)
    shown = league.text(f"/seasons/{season}")
    winner = "Ann" if 0 in dragon.state.winners else "Ben"
    assert f'<b><a href="/people/{league.person(winner)}">{winner}</a>' in shown
    assert 'href="/games/1">at Blue Dragon</a>' in shown
    own = words(league.text(f"/seasons/{season}?board=2").partition('class="bracket"')[2])
    assert "Cleo The Crown" in own
    assert not re.search("Ann Blue Dragon : Ben|Ben Blue Dragon : Ann", own)


def test_a_season_of_forty_players_shows_each_open_match_once(league) -> None:
    names = tuple(f"P{number}" for number in range(40))
    for number in range(20):
        league.plays(league.board(f"Board {number}", number, names=names[2 * number : 2 * number + 2]))
    persons = [league.person(name) for name in names]
    season = organiser.begin_competition(league.database, "Long", Form.ROUND_ROBIN, **YEAR, persons=persons)
    matches = open_matches(Tournament(form=Form.ROUND_ROBIN, players=names))
    shown = words(league.text(f"/seasons/{season}"))
    assert len(matches) == 780
    for one, other in matches:
        assert len(re.findall(rf"\bP{one} Board {one // 2} : P{other} Board {other // 2}\b", shown)) == 1


def test_a_persons_page_counts_the_games_against_each_other_person(league) -> None:
    board = league.board("Blue Dragon", names=("Ann", "Ben", "Cleo"), rules="classic")
    league.finishes(board, games=5)
    league.rates()
    shown = words(league.text(f"/people/{league.person('Ann')}"))
    places = {}
    for row in league.database.execute("SELECT game, player, place FROM results"):
        places.setdefault(row.game, {})[row.player] = row.place
    for name in ("Ben", "Cleo"):
        pairs = [(each[league.person("Ann")], each[league.person(name)]) for each in places.values()]
        won, drawn, lost = (
            sum(sign == (mine > theirs) - (mine < theirs) for mine, theirs in pairs) for sign in (-1, 0, 1)
        )
        assert f"{name} {won} {drawn} {lost}" in shown
    assert "after 5 games" in shown
    assert re.search(r"Ann Blue Dragon [\d,]+ ± \d+ 5", words(league.text("/ratings")))


def test_two_players_that_are_joined_have_one_page_until_they_are_separated(league) -> None:
    dragon, crown = league.board("Blue Dragon"), league.board("The Crown", 2, names=("Anna", "Dan"))
    for each in (dragon, crown):
        league.finishes(each)
    one, other = league.person("Anna"), league.person("Ann")
    assert league.posts("join", player="Anna", person=f"{other} Ann (Blue Dragon)").status_code == 303
    answer = league.client.get(f"/people/{one}")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/people/{other}")
    assert "Blue Dragon, The Crown" in league.text(f"/people/{other}")
    assert "played in one game" in league.posts("join", player="Ann", person="Ben").text
    assert league.posts("separate", player=one).status_code == 303
    assert "Blue Dragon, The Crown" not in league.text(f"/people/{other}")
    assert league.posts("separate", player=one).status_code == 422


def test_the_page_of_the_boards_shows_what_is_wrong_with_them(league) -> None:
    board = league.board("Blue Dragon")
    league.plays(board)
    league.board("Empty Inn", 2)
    league.database.execute("UPDATE boards SET problem = 'cloned' WHERE name = 'Blue Dragon'")
    league.database.execute("INSERT INTO refusals VALUES (1, 'expected one key', 17, now())")
    shown = words(league.text("/boards"))
    assert "Two tables use the key of this board." in shown
    assert "Refused: expected one key (17)" in shown
    assert "Empty Inn Games: 0 Enrolled, and not seen yet" in shown
    assert "Two tables use the key of this board." in league.text("/")


def test_without_a_password_there_is_no_organisers_page(server) -> None:
    with served_league(server, password="") as league:
        for auth in (None, ("", ""), ("organiser", "")):
            assert league.client.get("/organise", auth=auth).status_code == 404
        assert "/organise" not in league.text("/")


def test_only_the_password_lets_the_organiser_in(league) -> None:
    for header in (None, "Basic !", "Basic b3JnYW5pc2Vy", "Bearer x"):
        answer = league.client.get("/organise", headers={"authorization": header} if header else {})
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Basic")
    assert league.client.get("/organise", auth=("organiser", "oak")).status_code == 401
    assert "Enrol a board" in league.text("/organise", auth=("anybody", "oak and brass"))


def test_who_gives_a_wrong_password_makes_the_next_one_wait(league) -> None:
    with ThreadPoolExecutor() as threads:
        wrong = threads.submit(league.client.get, "/organise", auth=("x", "oak"))
        until(league.server.config.app.state.guesses.locked)
        league.text("/organise", auth=ORGANISER)
        assert wrong.result().status_code == 401


def test_a_farkle_is_shown_with_its_dice_until_the_next_act(league) -> None:
    board = league.board("Blue Dragon")
    while not board.acts or "Farkled" not in str(board.acts[-1]["made"]):
        board.act()
    league.take(board)
    assert re.search("(Ann has farkled, Ben|Ben has farkled, Ann) is next", words(league.text("/games/1")))
    assert 'class="die"' in league.text("/games/1")
    while board.state.phase is not Phase.CHOOSING:
        board.act()
    league.take(board)
    assert "has farkled" not in league.text("/games/1")
    while board.state.phase is Phase.CHOOSING:  # dice are kept
        board.act()
    league.take(board)
    assert "has thrown" not in league.text("/games/1")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"origin": "http://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site", "origin": "{own}"}, 403),
        ({"sec-fetch-site": "same-origin"}, 303),
        ({"origin": "{own}"}, 303),
    ],
)
def test_a_form_of_another_site_is_refused(league, headers, status) -> None:
    headers = {name: value.format(own=league.url) for name, value in headers.items()}
    given = {"code": "K7QF-2MXA-ATPB", "name": "Empty Inn"}
    answer = league.client.post("/organise/enrol", data=given, auth=("x", "oak and brass"), headers=headers)
    assert answer.status_code == status
    assert league.one("SELECT count(*) FROM boards") == (status == 303)


def test_the_organiser_enrols_boards_and_begins_competitions(league) -> None:
    assert league.posts("enrol", code="K7QF 2MXA 9TPB", name="Inn").status_code == 422
    answer = league.posts("enrol", code="k7qf2mxaatpb", name="Inn")
    assert (answer.status_code, answer.headers["location"]) == (303, "/organise?did=enrol")
    assert "K7QF-2MXA-ATPB" in league.text("/organise?did=enrol", auth=("x", "oak and brass"))
    for number, names in enumerate((("Ann", "Ben"), ("Ann", "Cleo"))):
        league.plays(league.board(f"Board {number}", number, names=names))
    season = {"name": "Spring", "form": "round_robin", "rules": "", "begins": "2027-01-01", "ends": "2027-06-30"}
    refused = league.posts("begin", **season, entrants="Ben\nAnn\nCleo")
    assert refused.status_code == 422
    assert "a name that one player has" in refused.text
    one, other = (row.id for row in league.database.execute("SELECT id FROM players WHERE name = 'Ann' ORDER BY id"))
    entrants = f"Ben\r\n{other} Ann (Board 1)\r\n\r\ncleo \n{one}"
    assert league.posts("begin", **{**season, "begins": "soon"}, entrants=entrants).status_code == 422
    assert league.posts("begin", **season, entrants=entrants).status_code == 303
    found = league.database.execute("SELECT person FROM entrants ORDER BY seed")
    assert [row.person for row in found] == [league.person("Ben"), other, league.person("Cleo"), one]
    assert league.posts("remove", person="Cleo").status_code == 303
    assert "Cleo" not in league.text("/seasons/1")
    assert league.posts("shut", board="Nowhere", out="out").status_code == 422
    assert league.posts("shut", board="Board 1", out="out").status_code == 303
    assert "has shut this board out" in league.text("/")


@pytest.mark.parametrize("body", [b"", b"code=x", b"code=%FF&name=x", b"a=1&" * 30, b"x" * 20_000])
def test_what_no_form_sends_is_refused(league, body) -> None:
    headers = {"origin": league.url}
    answer = league.client.post("/organise/enrol", content=body, auth=("x", "oak and brass"), headers=headers)
    assert answer.status_code in (413, 422)
    assert league.one("SELECT count(*) FROM boards") == 0


def test_pages_and_streams_have_the_headers_that_keep_a_browser_safe(league) -> None:
    with league.watched("/live") as stream:
        answers = [league.client.get(path) for path in ("/", "/static/live.js", "/nothing", "/games/99999999999")]
        for answer in (*answers, stream.answer):
            assert answer.headers["content-security-policy"].startswith("default-src 'self';")
            assert answer.headers["x-content-type-options"] == "nosniff"
    assert [answer.status_code for answer in answers] == [200, 200, 404, 404]


def test_names_are_text_and_no_markup(league) -> None:
    league.finishes(league.board("<i>Inn</i>", names=("<b>Ann</b>", "Ben & Co")))
    league.rates()
    for path in ("/", "/games/1", "/people/1", "/people/2", "/ratings", "/boards"):
        shown = league.text(path)
        assert "<b>Ann" not in shown
        assert "<i>Inn" not in shown


def test_all_links_of_the_pages_lead_somewhere(league) -> None:
    board = league.board("Blue Dragon")
    league.finishes(board)
    league.rates()
    persons = [league.person(name) for name in ("Ann", "Ben")]
    organiser.begin_competition(league.database, "Cup", Form.KNOCK_OUT, **YEAR, persons=persons)
    seen, ahead = set(), ["/"]
    while ahead:
        path = ahead.pop()
        seen.add(path)
        found = re.findall(r'(?:href|src)="(/[^"]*)"', league.text(path, auth=("x", "oak and brass")))
        ahead += [each for each in found if each not in seen | set(ahead)]
    assert {"/games/1/review", "/people/1", "/seasons/1", "/organise", "/static/base.css"} <= seen


def test_a_side_has_the_mark_that_it_has_at_the_table() -> None:
    templates = Environment(loader=FileSystemLoader(farklestyles.FOLDER / "templates"))
    template = templates.from_string('{% from "marks.html" import mark_of %}{{ mark_of(side) }}')
    for side in range(MOST_PLAYERS):
        drawn = template.render(side=side)
        assert f'data-color="{mark(side).colour.name}"' in drawn
        assert f"#mark-{mark(side).shape}" in drawn


def test_a_server_that_ends_closes_its_streams(server) -> None:
    with served_league(server) as league, league.client.stream("GET", "/live") as answer:
        lines = answer.iter_lines()
        next(lines)
        league.server.should_exit = True
        assert [line for line in lines if line.startswith("data")] == []
