"""Autoplay: plays whole games through the same inputs as any player, and stops when the game has ended."""

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hosted import PATIENCE_S, Hosted, hosted, seen
from photo_evening import Folder, photos
from samples import sampled
from tables import Table

from companion.errors import BusyError, CompanionError
from companion.runtime import guard
from companion.simulation.autoplay import Autoplay, wants_to_bank
from companion.simulation.photo_source import PhotoThrows
from companion.table.state.inputs import Fault, NewGame, ReadingSettled
from companion.table.view import View
from companion.words import english
from dicereader.reading import Observation
from farkle.notation import write
from farkle.replay import replay


@dataclass
class FairHands:
    """Hands that throw the dice that the table expects, with random faces, as the eye would see them."""

    table: Hosted
    chance: random.Random
    refuse: list[CompanionError] = field(default_factory=list)
    unsure: int = 0  # the number of throws that are read in doubt

    def throw(self, faces: tuple[int, ...] | None) -> None:
        if self.refuse:
            raise self.refuse.pop()
        view = self.table.view
        thrown = "".join(str(self.chance.randint(1, 6)) for _ in range(view.dice_to_throw))
        shelf = "".join(map(str, (*view.locked, *(view.chosen.dice if view.chosen else ()))))
        self.unsure -= 1
        self.table.host.submit(seen(thrown, shelf=shelf if len(thrown) < 6 else "", sure=self.unsure < 0))


@contextmanager
def playing(table: Hosted, throw: Callable[[tuple[int, ...] | None], None]) -> Iterator[Autoplay]:
    made = Autoplay(table.host.feed, table.host.submit, throw, lambda: 1)
    made.start()
    try:
        yield made
    finally:
        made.close()


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        ("farkle-cribbage", {"rounds": 3, "farkle_penalty": 5}),
        ("farkle-cribbage", {"endgame": "defend", "target": 40, "six_ones_win": True}),
        ("farkle-cribbage-advanced", {"endgame": "one_more_turn", "last_turns": "one_throw", "target": 40}),
        (
            "zilch-online",
            {"endgame": "one_more_turn", "last_turns": "one_throw", "target": 2000, "full_house_bonus": 50},
        ),
    ],
)
def test_a_game_by_the_switches_of_other_tables_is_played_to_its_end(
    table: Hosted, rules: str, settings: dict[str, object]
) -> None:
    table.take(NewGame(rules, ("Ann", "Ben", "Cy"), settings))
    with playing(table, FairHands(table, random.Random(5)).throw) as autoplay:
        assert autoplay.ended.wait(PATIENCE_S)
    assert table.view.winners


def notation(table: Hosted) -> str:
    return write(event for act in table.host.state.effective for event in act.game_events)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path, running=True) as made:
        yield made


@pytest.mark.parametrize("players", sampled([("Ann",), ("Ann", "Ben"), ("Ann", "Ben", "Cy", "Di")], ("Ann", "Ben")))
def test_a_whole_game_is_played_to_its_end(table: Hosted, players: tuple[str, ...]) -> None:
    table.game(*players)
    with playing(table, FairHands(table, random.Random(len(players))).throw) as autoplay:
        assert autoplay.ended.wait(PATIENCE_S)
    assert table.view.phase == "over"
    assert max(player.score for player in table.view.players) >= 121
    assert set(table.view.winners) <= set(players)


def test_the_notation_of_the_game_replays_to_the_same_scores(table: Hosted) -> None:
    table.game()
    with playing(table, FairHands(table, random.Random(5)).throw) as autoplay:
        assert autoplay.ended.wait(PATIENCE_S)
    again = replay(notation(table)).state
    assert again == table.host.state.game


def test_a_doubtful_throw_is_answered_and_the_game_goes_on(table: Hosted) -> None:
    table.game("Ann", settings={"target": 20})
    with playing(table, FairHands(table, random.Random(1), unsure=3).throw) as autoplay:
        assert autoplay.ended.wait(PATIENCE_S)
    assert any(update.view.phase == "asking" for update in table.told)


def test_hands_that_are_busy_are_tried_again(table: Hosted) -> None:
    table.game("Ann", settings={"target": 1})
    hands = FairHands(table, random.Random(1), refuse=[BusyError("the dice are moving")])
    with playing(table, hands.throw) as autoplay:
        assert autoplay.ended.wait(PATIENCE_S)
    assert hands.refuse == []


def test_a_table_that_does_not_answer_in_time_is_asked_again(table: Hosted) -> None:
    table.game("Ann", settings={"target": 1})
    slow = [TimeoutError(), TimeoutError()]
    submit = table.host.submit

    def slowly(given: object) -> "Future[View]":
        if slow:
            answer: Future[View] = Future()
            answer.set_exception(slow.pop())
            return answer
        return submit(given)  # type: ignore[arg-type]

    autoplay = Autoplay(table.host.feed, slowly, FairHands(table, random.Random(1)).throw, lambda: 1)
    autoplay.start()
    assert autoplay.ended.wait(PATIENCE_S)
    autoplay.close()
    assert slow == []


def test_a_bug_in_the_hands_is_reported_and_play_goes_on(table: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "FIRST_WAIT_S", 0.0)
    table.game("Ann", settings={"target": 1})
    hands = FairHands(table, random.Random(1), refuse=[ZeroDivisionError()])  # type: ignore[list-item]
    faults: list[Fault] = []
    autoplay = Autoplay(table.host.feed, table.host.submit, hands.throw, lambda: 1, faults.append)
    autoplay.start()
    assert autoplay.ended.wait(PATIENCE_S)
    autoplay.close()
    said = "The table does not play by itself: an error of the program (ZeroDivisionError), see its log"
    assert english().rendered(tuple(faults)) == (Fault("autoplay", said), Fault("autoplay", None))


def test_a_game_that_is_over_already_ends_at_once(table: Hosted) -> None:
    table.game("Ann", settings={"target": 1}).throws("123466").taps("bank")
    thrown: list[object] = []
    with playing(table, thrown.append) as autoplay:
        assert autoplay.ended.wait(PATIENCE_S)
    assert (thrown, table.view.seq) == ([], 3)


def test_autoplay_stops_on_request(table: Hosted) -> None:
    table.game()
    asked = threading.Event()

    def busy(_: object) -> None:
        asked.set()
        raise BusyError("the dice are moving")

    with playing(table, busy) as autoplay:
        assert asked.wait(PATIENCE_S)
        assert autoplay.alive
    assert not autoplay.alive
    assert not autoplay.ended.is_set()


class Projector:
    """An eye on a thread of its own that shows a folder of photographs to an album."""

    def __init__(self, table: Hosted, *thrown: str) -> None:
        self.table = table
        self.folder = Folder(photos(*thrown))
        self.asked = threading.Semaphore(0)
        self.album = PhotoThrows(table.host.feed, self.asked.release, self.accept, table.host.submit, banking=True)
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
                assert seen_now is not None
                self.album.observed(seen_now)

    def __enter__(self) -> "Projector":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ending.set()
        self.thread.join(PATIENCE_S)


FOLDER = ("233346", "146", "112346?", "111222", "1", "334466", "12", "122346", "15", "444611", "1111", "222255")


def test_a_whole_game_is_played_from_photographs(table: Hosted) -> None:
    table.game("Ann", "Ben", "Cy")
    with Projector(table, *FOLDER) as projector, playing(table, projector.album.throw) as autoplay:
        assert autoplay.ended.wait(PATIENCE_S)
    assert table.view.phase == "over"
    assert replay(notation(table)).state == table.host.state.game
    assert projector.album.skipped["not sure"] > 0


def test_every_throw_of_that_game_is_one_of_the_photographs(table: Hosted) -> None:
    table.game("Ann", "Ben")
    with Projector(table, *FOLDER) as projector, playing(table, projector.album.throw) as autoplay:
        assert autoplay.ended.wait(PATIENCE_S)
    sure = {tuple(map(int, dice)) for dice in FOLDER if "?" not in dice}
    thrown = {throw.roll for turn in replay(notation(table)).turns for throw in turn.throws}
    assert thrown <= sure


def test_autoplay_asks_for_no_photograph_that_it_does_not_use(table: Hosted) -> None:
    table.game("Ann", "Ben")
    with Projector(table, *FOLDER) as projector, playing(table, projector.album.throw) as autoplay:
        assert autoplay.ended.wait(PATIENCE_S)
    throws = table.view.throw_seq
    assert projector.folder.given == throws + sum(projector.album.skipped.values())


@pytest.mark.parametrize(
    ("thrown", "chosen", "banks"),
    [
        ("233346", "333", True),  # six points at risk
        ("233346", "2", True),  # a bank takes all eight
        ("123466", "1", False),  # three points, five dice to throw
        ("144466", "1", True),  # a bank takes nine
        ("111222", "111222", False),  # all six dice to throw
    ],
)
def test_it_banks_by_six_holes_and_never_with_six_dice_to_throw(thrown: str, chosen: str, banks: bool) -> None:
    assert wants_to_bank(Table().start().throws(thrown).chooses(chosen).view, 1) is banks


def test_it_banks_with_two_dice_left_whatever_they_are_worth() -> None:
    table = Table().start().throws("123466").chooses("1").throws("22446", shelf="1").chooses("22")
    assert (table.view.dice_to_throw, wants_to_bank(table.view, 100)) == (3, False)
    table.throws("146", shelf="122").chooses("1")
    assert (table.view.dice_to_throw, wants_to_bank(table.view, 100)) == (2, True)


def test_it_counts_in_holes_where_points_are_worth_less() -> None:
    view = Table().start().throws("233346").chooses("333").view
    assert (wants_to_bank(view, 1), wants_to_bank(view, 50)) == (True, False)


def test_it_does_not_bank_before_it_has_chosen() -> None:
    assert not wants_to_bank(Table().start().throws("233346").view, 1)
