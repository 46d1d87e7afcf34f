"""`farklecrib review`: a kept or a written game looked at afterwards."""

from pathlib import Path

import pytest
from asked import Run, refused
from hosted import hosted

from companion.table.state.inputs import CorrectRoll

PAPER = "rules: farkle-cribbage\nplayers: Ben, Ann\nscores: Ben 119, Ann 120\nstart: Ben\n"
GAME = f"{PAPER}Ben: 112346 > 112, bank\nAnn: 333446 > 333, bank\n"


def test_the_written_game_with_its_review_has_the_same_review(run: Run) -> None:
    commented = run("review", "-", "--notation", given=GAME).out
    assert "\n# Ben banked 4; throwing was worth 10.6 per cent more.\n" in commented
    assert run("review", "-", "--json", given=commented).json == run("review", "-", "--json", given=GAME).json


def test_a_kept_game_is_reviewed_by_its_number_with_what_was_corrected(run: Run, tmp_path: Path) -> None:
    with hosted(tmp_path) as table:
        table.game("Ann", "Ben").throws("134466").taps("bank").throws("233466")
        table.take(CorrectRoll((2, 3, 4, 4, 6, 6)))
    told = run("review", "1", "--json", "--data", str(tmp_path)).json
    assert [each["dice"] for each in told["acts"] if each["did"] == "throw"] == [[1, 3, 4, 4, 6, 6], [2, 3, 4, 4, 6, 6]]
    written = run("games", "export", "1", "--format", "notation", "--data", str(tmp_path)).out
    assert run("review", "-", "--json", given=written).json == told


@pytest.mark.parametrize(
    ("args", "given", "words"),
    [
        (("9",), "", "expected the number of a game that is kept"),
        (("no-such-file",), "", "expected a kept game's number, or a written game, got 'no-such-file'"),
        (("-",), "rules: farkle-cribbage\nplayers: Ann\nAnn: 134466 > 1, bank\n", "two sides or more, got one"),
        (("-",), "rules: farkle-cribbage\nplayers: Ann, Ben\nAnn: 134466 > 5\n", "line 3"),
        (("-", "--json", "--notation"), GAME, "expected --notation or --json, got both"),
    ],
)
def test_what_has_no_review_is_one_line(
    run: Run, tmp_path: Path, args: tuple[str, ...], given: str, words: str
) -> None:
    refused(run("review", *args, "--data", str(tmp_path), given=given), words)
