"""KEEP, ROLL and BANK, choices on the page, the lobby without a phone, and the answers of dark buttons."""

import pytest
from tables import Table

from companion.errors import RefusedError
from companion.table.state.inputs import NewGame


def test_bank_takes_the_best_selection_if_no_dice_are_set_aside() -> None:
    table = Table().start().throws("233346").taps("bank")
    assert (table.score("Ann"), table.view.to_move) == (8, "Ben")


def test_bank_takes_the_best_selection_with_the_dice_set_aside() -> None:
    table = Table().start().throws("111246").sets_aside("2", "11146").taps("bank")
    assert table.score("Ann") == 22


def test_a_declared_total_is_banked_as_declared() -> None:
    table = Table().start().throws("111346").chooses("111", 3).taps("bank")
    assert table.score("Ann") == 3


def test_keep_proposes_one_selection_after_the_other_and_locks_nothing() -> None:
    table = Table().start().throws("233346")
    seen = []
    for _ in range(4):
        table.taps("keep")
        assert table.view.chosen is not None
        seen.append(table.view.chosen.points)
    assert seen == [8, 6, 2, 8]
    assert table.view.locked == ()


def test_keep_says_what_is_set_aside() -> None:
    table = Table().start().throws("233346").sets_aside("333", "246").taps("keep")
    assert "3 3 3 set aside: 6 points" in table.view.message.text


def test_roll_says_how_many_dice_are_thrown_next() -> None:
    table = Table().start().throws("233346").chooses("333").taps("roll")
    assert "Throw three dice" in table.view.message.told


@pytest.mark.parametrize(
    ("thrown", "button", "words"),
    [("", "keep", "throw first"), ("", "bank", "throw first"), ("233346", "roll", "keep a die first")],
)
def test_a_dark_button_answers_why(thrown: str, button: str, words: str) -> None:
    table = Table().start()
    if thrown:
        table.throws(thrown)
    assert button not in table.view.legal
    assert table.view.refused[button] == words
    before = table.state
    with pytest.raises(RefusedError, match=words):
        table.taps(button)
    assert table.state == before


def test_every_lit_button_is_legal_and_every_dark_one_has_a_reason() -> None:
    for table in (
        Table(),
        Table().start(),
        Table().start().throws("233346"),
        Table().start().throws("122346").throws("14466"),
    ):
        view = table.view
        assert set(view.legal) | set(view.refused) >= {"keep", "roll", "bank"}
        assert not set(view.legal) & set(view.refused)


@pytest.mark.parametrize(
    ("dice", "points", "words"),
    [
        ("5", None, "5 is not in this throw"),
        ("4", None, "4 does not score"),
        ("333", 7, "these dice count 6"),
        ("34", None, "only 3|3 4 do not score"),
    ],
)
def test_a_choice_that_may_not_be_kept_says_why(dice: str, points: int | None, words: str) -> None:
    table = Table().start().throws("233346")
    with pytest.raises(RefusedError, match=words):
        table.chooses(dice, points)


def test_a_choice_without_a_roll_is_refused() -> None:
    with pytest.raises(RefusedError, match="no game"):
        Table().chooses("1")
    with pytest.raises(RefusedError, match="throw first"):
        Table().start().chooses("1")


def test_players_join_and_start_by_button() -> None:
    table = Table().taps("keep").taps("bank").taps("roll")  # no throws for the start
    assert [player.name for player in table.view.players] == ["Player 1", "Player 2", "Player 3"]
    assert table.view.rules == "farkle-cribbage"


def test_at_most_twelve_players_join() -> None:
    table = Table()
    for _ in range(10):
        table.taps("keep")
    with pytest.raises(RefusedError, match="no more than 12"):
        table.taps("keep")


def test_a_rematch_is_another_game_with_the_same_players() -> None:
    table = Table().start("Ann", "Ben", settings={"target": 5}, track=121).throws("111346").taps("bank")
    table.throws("123466").taps("bank")
    assert table.view.phase == "over"
    number = table.state.game_number
    table.taps("bank").taps("keep")
    assert (table.view.phase, table.score("Ann"), table.state.game_number) == ("to_throw", 0, number + 1)
    assert table.view.target == 5


def test_the_241_track_makes_the_game_longer() -> None:
    table = Table().start(track=241)
    assert (table.view.track, table.view.target) == (241, 241)
    assert Table().start(track=121).view.target == 121
    assert Table().start(settings={"target": 241}).view.track == 241


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (NewGame("chess", ("Ann",)), "does not know such rules"),
        (NewGame("farkle-cribbage", ()), "a game needs a player"),
        (NewGame("farkle-cribbage", ("Ann", "Ann")), "two players have the name Ann"),
        (NewGame("farkle-cribbage", ("Ann",), start="Cy"), "Cy does not play, so cannot begin"),
        (
            NewGame("farkle-cribbage", ("Ann",), settings={"target": 241}, track=121),
            "do not fit on 121 holes",
        ),
        (NewGame("farkle-cribbage", ("Ann",), track=10), "A track has 11 to 1,001 holes, not 10"),
        (NewGame("farkle-cribbage", ("Ann",), settings={"bonus": 1}), "There is no switch “bonus”"),
    ],
)
def test_a_game_that_cannot_start_says_why(given: NewGame, words: str) -> None:
    table = Table()
    with pytest.raises(RefusedError, match=words):
        table.take(given)
    assert table.view.phase == "lobby"


def test_a_question_is_answered_word_for_word() -> None:
    table = Table().start().throws("122346").throws("14466")
    with pytest.raises(RefusedError, match="no answer to this question"):
        table.answers("maybe")
    with pytest.raises(RefusedError, match="answer the question first"):
        table.taps("bank")
    with pytest.raises(RefusedError, match="no question is open"):
        Table().start().answers("yes")


def test_who_starts_may_be_named() -> None:
    assert Table().start("Ann", "Ben", start="Ben").view.to_move == "Ben"
