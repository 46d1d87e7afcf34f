"""Autoplay: bots take all seats under the players' names, and play a whole game, also from photographs."""

import random
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hosted import PATIENCE_S, Hosted, hosted
from photo_evening import Folder, photos
from test_opponents import FairHands, bots, wait

from companion.errors import BusyError
from companion.runtime import guard
from companion.simulation.choose_hands import bot_banks_on
from companion.simulation.photo_source import PhotoThrows
from companion.table.state.inputs import ReadingSettled, SeatBots
from companion.words import english
from dicereader.reading import Observation
from farkle.notation import write
from farkle.replay import replay


def notation(table: Hosted) -> str:
    return write(event for act in table.host.state.effective for event in act.game_events)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path, running=True) as made:
        yield made


def test_bots_take_all_seats_under_the_names_and_the_notation_replays(table: Hosted, tmp_path: Path) -> None:
    table.game("Ann", "bot:bold", "Ben", settings={"target": 61}, track=61).take(SeatBots())
    assert [player.name for player in table.view.players] == ["Ann", "Bones", "Ben"]
    assert [player.bot for player in table.view.players] == ["cautious", "bold", "cautious"]
    with bots(table, tmp_path, FairHands(table, random.Random(5)).throw, alone=True):
        wait(table, lambda view: view.phase == "over")
    assert max(player.score for player in table.view.players) >= 61
    assert replay(notation(table)).state == table.host.state.game


def test_bots_in_all_seats_and_a_game_that_is_over_write_no_act(table: Hosted) -> None:
    seq = table.game("Ann", settings={"target": 1}).take(SeatBots()).seq
    assert table.take(SeatBots()).seq == seq
    table.game("Ann", settings={"target": 1}).throws("123466").taps("bank")
    seq = table.view.seq
    assert (table.take(SeatBots()).seq, table.view.phase) == (seq, "over")


def test_a_doubtful_throw_is_answered_and_the_game_goes_on(table: Hosted, tmp_path: Path) -> None:
    table.game("Ann", settings={"target": 20}).take(SeatBots())
    with bots(table, tmp_path, FairHands(table, random.Random(1), unsure=3).throw, alone=True):
        wait(table, lambda view: view.phase == "over")
    assert any(update.view.phase == "asking" for update in table.told)


def test_hands_that_are_busy_are_tried_again_and_a_bug_in_them_is_reported(
    table: Hosted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "FIRST_WAIT_S", 0.0)
    table.game("Ann", settings={"target": 1}).take(SeatBots())
    hands = FairHands(table, random.Random(1), refuse=[ZeroDivisionError(), BusyError("the dice are moving")])
    with bots(table, tmp_path, hands.throw, alone=True):
        wait(table, lambda view: view.phase == "over")
    assert hands.refuse == []
    said = [fault for update in table.told for fault in english().rendered(update.view).degraded]
    assert any("an error of the program (ZeroDivisionError), see its log" in each for each in said)


class Projector:
    """An eye on a thread of its own that shows a folder of photographs to an album."""

    def __init__(self, table: Hosted, *thrown: str) -> None:
        self.table = table
        self.folder = Folder(photos(*thrown))
        self.asked = threading.Semaphore(0)
        bank = bot_banks_on(table.host)
        self.album = PhotoThrows(table.host.feed, self.asked.release, self.accept, bank=bank)
        self.album.hello(False)
        self.ending = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def accept(self, observation: Observation) -> None:
        self.table.host.submit(ReadingSettled(observation, "recorded"))

    def run(self) -> None:
        while not self.ending.is_set():
            if self.asked.acquire(timeout=0.05):
                self.folder.advance()
                seen_now = self.folder.next()
                self.album.observed(seen_now)

    def __enter__(self) -> "Projector":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ending.set()
        self.thread.join(PATIENCE_S)


FOLDER = ("233346", "146", "112346?", "111222", "1", "334466", "12", "122346", "15", "444611", "1111", "222255")


def test_a_whole_game_is_played_from_photographs(table: Hosted, tmp_path: Path) -> None:
    table.game("Ann", "Ben", settings={"target": 61}, track=61).take(SeatBots())
    with Projector(table, *FOLDER) as projector, bots(table, tmp_path, projector.album.throw, alone=True):
        wait(table, lambda view: view.phase == "over")
    played = replay(notation(table))
    assert played.state == table.host.state.game
    assert projector.album.skipped["not sure"] > 0
    sure = {tuple(map(int, dice)) for dice in FOLDER if "?" not in dice}
    assert {throw.roll for turn in played.turns for throw in turn.throws} <= sure
    assert projector.folder.given == table.view.throw_seq + sum(projector.album.skipped.values())
