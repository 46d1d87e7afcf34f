"""What the table refuses: dark buttons, choices, games and answers, each with its reason. The scenes show the rest."""

import pytest
from tables import Table

from companion.errors import RefusedError
from companion.table.state.inputs import NewGame


@pytest.mark.parametrize(
    ("thrown", "button", "words"),
    [("", "keep", "throw first"), ("", "bank", "throw first"), ("233346", "roll", "keep a die first")],
)
def test_a_dark_button_answers_why(thrown: str, button: str, words: str) -> None:
    table = Table().start()
    if thrown:
        table.throws(thrown)
    assert (button in table.view.legal, table.view.refused[button]) == (False, words)
    before = table.state
    with pytest.raises(RefusedError, match=words):
        table.taps(button)
    assert table.state == before


@pytest.mark.parametrize(
    ("table", "dice", "points", "words"),
    [
        (Table(), "1", None, "no game"),
        (Table().start(), "1", None, "throw first"),
        (Table().start().throws("233346"), "5", None, "5 is not in this throw"),
        (Table().start().throws("233346"), "4", None, "4 does not score"),
        (Table().start().throws("233346"), "333", 7, "these dice count 6"),
        (Table().start().throws("233346"), "34", None, "only 3|3 4 do not score"),
    ],
)
def test_a_choice_that_may_not_be_kept_says_why(table: Table, dice: str, points: int | None, words: str) -> None:
    with pytest.raises(RefusedError, match=words):
        table.chooses(dice, points)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (NewGame("chess", ("Ann",)), "does not know such rules"),
        (NewGame("farkle-cribbage", ()), "a game needs a player"),
        (NewGame("farkle-cribbage", ("Ann", "Ann")), "two players have the name Ann"),
        (NewGame("farkle-cribbage", ("Ann",), start="Cy"), "Cy does not play, so cannot begin"),
        (NewGame("farkle-cribbage", ("Ann",), settings={"target": 241}, track=121), "do not fit on 121 holes"),
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
