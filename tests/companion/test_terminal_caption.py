"""The caption below the board on a terminal."""

from tables import Table

from companion.devices.phrases import caption
from companion.table.state.inputs import Fault, Pause
from companion.words import english


def test_the_caption_shows_the_roll_and_its_selections_best_first() -> None:
    table = Table().start("Ann", "Ben").throws("233346")
    told, players, roll, counts, glows = caption(table.view, english())
    assert told == table.view.message.text
    assert players == "> Ann 0   Ben 0"
    assert roll == f"roll {' '.join(map(str, table.view.roll))}"
    assert counts.startswith("counts 3 3 3 2 = 8   3 3 3 = 6")
    assert glows == "glows KEEP: most points   BANK: bank 8"


def test_dice_set_aside_are_shown_with_the_points_at_risk() -> None:
    table = Table().start("Ann", "Ben").throws("233346").chooses("333")
    _, players, roll, _, glows = caption(table.view, english())
    assert players == "> Ann 0 +6 at risk   Ben 0"
    assert glows == "glows ROLL: how many dice?   BANK: bank 8"
    assert roll.endswith("   set aside 3 3 3")


def test_the_marked_item_of_a_menu_is_shown() -> None:
    table = Table().start("Ann", "Ben")
    table.take(Pause())
    assert caption(table.view, english())[:2] == ("Paused.", "go on")
    assert caption(table.taps("roll").view, english())[:2] == ("Paused.", "count the points")


def test_an_answer_replaces_the_tables_sentence() -> None:
    table = Table().start("Ann", "Ben")
    assert caption(table.view, english(), "keep a die first")[0] == "keep a die first"


def test_a_degraded_part_is_shown() -> None:
    table = Table().start("Ann", "Ben")
    table.take(Fault("leds", "The lights do not answer: gone"))
    assert caption(table.view, english())[-1] == "! The lights do not answer: gone"
