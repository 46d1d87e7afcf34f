"""Two names of one person: what follows the alias, what is refused, and how it is taken back."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from asked import Run
from test_standings import Evening
from test_standings import evening as hosted_evening

from companion.errors import RefusedError
from companion.features.reviews.ratings import ratings_at
from companion.games.backup import restore_backup, write_backup
from companion.games.control_socket import ControlSocket
from companion.games.joined_names import FILE
from companion.games.repository import GameRepository
from companion.games.standings import standing_at
from companion.games.statistics import players_of
from companion.words import english

TEAMS = {"Red": ("Anne", "Ben"), "Blue": ("Cy", "Di")}


@contextmanager
def evening(folder: Path) -> Iterator[tuple[Evening, GameRepository]]:
    """Host games of Ann, of Anne, of both together, and of Anne in a team; the first player wins each."""
    with hosted_evening(folder) as here:
        yield here.win("Ann", "Ben").win("Anne", "Ben").win("Anne", "Cy", "Ben", "Di", teams=TEAMS), here.games


def told(games: GameRepository) -> str:
    return english().text(standing_at(games.newest_first()).text)


def refused(games: GameRepository, alias: str, name: str) -> str:
    with pytest.raises(RefusedError) as caught:
        games.join_names(alias, name)
    return str(caught.value)


def test_standing_ratings_and_statistics_follow_an_alias_and_the_games_stay(tmp_path: Path) -> None:
    with evening(tmp_path) as (_, games):
        rows = [games.store.rows(number) for number in games.store.games()]
        assert told(games) == "Anne 2, Ann 1, Ben 1, Cy 0, Di 0"
        games.join_names("anne", "ANN")
        found = standing_at(games.newest_first())
        assert english().text(found.text) == "Ann 3, Ben 1, Cy 0, Di 0"
        assert next((pair.one, pair.other, pair.won, pair.lost) for pair in found.pairs) == ("Ann", "Ben", 2, 0)
        rated = ratings_at(games.newest_first()).of("Ann")
        assert rated.games == 3
        assert {each.player: each.games for each in players_of(games.newest_first(), "farkle-cribbage")}["Ann"] == 3
        assert games.aliases() == {"Anne": "Ann"}
        assert [games.store.rows(number) for number in games.store.games()] == rows
        assert games.summaries()[0].teams["Red"] == ("Anne", "Ben")
        games.join_names("ANNE", "")
        assert told(games) == "Anne 2, Ann 1, Ben 1, Cy 0, Di 0"
        assert not (tmp_path / FILE).exists()


def test_an_alias_of_an_alias_counts_as_the_person(tmp_path: Path) -> None:
    with evening(tmp_path) as (here, games):
        here.win("Annie", "Ben")
        games.join_names("Annie", "Anne")
        games.join_names("Anne", "Ann")
        assert games.aliases() == {"Annie": "Ann", "Anne": "Ann"}
        games.join_names("Anne", "")
        games.join_names("Anne", "Annie")
        assert games.aliases() == {"Annie": "Ann", "Anne": "Ann"}


def test_names_that_cannot_be_one_person_are_refused(tmp_path: Path) -> None:
    with evening(tmp_path) as (_, games):
        assert refused(games, "Ana", "Ann") == "Nobody named Ana has played a kept game."
        assert refused(games, "Ann", "ann") == "Ann and Ann count as one name already."
        assert refused(games, "Cy", "Ben").startswith("Cy and Ben played against each other or together in game 3")
        assert refused(games, "Ann", "") == "Ann does not count as another name."


def test_a_later_game_of_both_keeps_its_names(tmp_path: Path) -> None:
    with evening(tmp_path) as (here, games):
        games.join_names("Anne", "Ann")
        here.win("Ann", "Anne")
        assert told(games).startswith("Ann 4, Ben 1, Anne 0")


def test_the_alias_of_a_deleted_name_goes_with_its_last_game(tmp_path: Path) -> None:
    with evening(tmp_path) as (_, games):
        games.join_names("Ann", "Anne")
        games.delete(1)
        assert games.aliases() == {}


def test_an_alias_is_in_a_backup(tmp_path: Path) -> None:
    with evening(tmp_path / "data") as (_, games):
        games.join_names("Anne", "Ann")
        write_backup(games.store, games.images, tmp_path / "games.zip")
    restore_backup(tmp_path / "games.zip", tmp_path / "other", lambda: 0.0)
    assert json.loads((tmp_path / "other" / FILE).read_text()) == {"Anne": "Ann"}


def test_the_command_joins_names_lists_them_and_takes_them_apart(run: Run, tmp_path: Path) -> None:
    names = ("games", "join-names", "--data", tmp_path)
    with evening(tmp_path) as (_, games):
        control = ControlSocket(tmp_path, games.store)
        control.start()
        assert run(*names, "Anne", "Ann").status == run(*names, "Anne", "--apart").status == 0
        control.close()
    assert run(*names).err == "no names are joined\n"
    assert run(*names, "Anne", "Ann").err == "Anne counts as Ann, also in the games played so far\n"
    assert run(*names).out == "Anne counts as Ann.\n"
    assert json.loads(run(*names, "--json").out) == [{"alias": "Anne", "name": "Ann"}]
    assert "count as one name already" in run(*names, "Anne", "Ann").err
    assert run(*names, "Anne", "--apart").err == "Anne counts as Anne again\n"
    assert run(*names).err == "no names are joined\n"
    assert run(*names, "Anne").err == "farklecrib: error: expected ALIAS NAME, ALIAS --apart, or nothing, got 'Anne'\n"
