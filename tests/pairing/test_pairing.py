"""Who gets in by the door, how many guesses it takes, and how long a phone may play."""

import json
import threading
from collections.abc import Sequence
from itertools import combinations
from math import comb
from pathlib import Path

import pytest

from companion.pairing.door import Answered, Door, LitHoles, draw_digits, draw_holes
from companion.pairing.phones import FILE, Phone, Phones, PhonesFile

HOUR_S = 3600.0


class Clock:
    """A clock that a test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.mark.parametrize(
    ("holes", "right", "wrong"),
    [
        (
            (7, 60, 118),
            [(7, 60, 118), (118, 7, 60), (8, 59, 117)],
            [(9, 60, 118), (7, 60), (7, 7, 60)],
        ),
        ((7, 60, 118), [], [(7, 60, 118, 118), ()]),
        ((4, 5, 6), [(3, 4, 5)], [(1, 4, 5)]),  # side by side, each needs a guess
    ],
)
def test_holes_count_in_any_order_and_one_beside(
    holes: tuple[int, ...], right: list[tuple[int, ...]], wrong: list[tuple[int, ...]]
) -> None:
    assert [guess for guess in (*right, *wrong) if LitHoles(holes).fits(guess)] == right


def test_a_guess_is_right_about_once_in_ten_thousand() -> None:
    holes = LitHoles((6, 12, 18))  # those further away are not right
    assert sum(map(holes.fits, combinations(range(1, 25), 3))) == 27
    assert comb(120, 3) / 27 > 10_000


def test_each_hole_may_be_drawn() -> None:
    drawn = [draw_holes(120).numbers for _ in range(2000)]
    assert all(len(set(each)) == 3 and list(each) == sorted(each) for each in drawn)
    assert {hole for each in drawn for hole in each} == set(range(1, 121))


def test_a_secret_shows_nothing_in_a_log() -> None:
    assert repr(draw_holes(120)) == "LitHoles()"
    assert repr(draw_digits()) == "ShownDigits()"


def test_digits_are_six_and_may_be_typed_with_spaces() -> None:
    digits = draw_digits()
    assert len(digits.text) == 6
    assert digits.text.isdecimal()
    assert digits.fits(f" {digits.text[:3]} {digits.text[3:]}")
    assert not digits.fits(digits.text[:5])
    assert not digits.fits("é")


def test_one_phone_asks_at_a_time_and_at_most_one_a_minute(clock: Clock) -> None:
    door = Door(clock)
    assert (door.ask("Mia"), door.asking) == (0.0, "Mia")
    clock.now += 20
    assert door.ask("Tom") == 40
    assert door.asking == "Mia"
    clock.now += 40
    assert door.asking == ""
    assert (door.ask("Tom"), door.asking) == (0.0, "Tom")


def test_asking_can_be_switched_off(clock: Clock) -> None:
    door = Door(clock, asking=False)
    assert door.ask("Mia") == float("inf")
    assert door.asking == ""
    door.open(LitHoles((1, 2, 3)))
    assert door.answer((1, 2, 3)) is Answered.IN


def test_nobody_gets_in_without_an_opening_or_after_a_minute(clock: Clock) -> None:
    door = Door(clock)
    assert door.answer((7, 60, 118)) is Answered.SHUT
    door.open(LitHoles((7, 60, 118)))
    clock.now += 59
    assert [door.answer((7, 60, 118)) for _ in range(8)] == [Answered.IN] * 8
    clock.now += 1
    assert door.answer((7, 60, 118)) is Answered.SHUT


def test_ten_thousand_guesses_get_five_answers_an_opening(clock: Clock) -> None:
    door = Door(clock)
    right, answers = LitHoles((7, 60, 118)), []
    for number in range(10_000):
        if number % 1000 == 0:
            door.open(right)
        answers.append(door.answer((1 + number % 5, 30, 90)))
    assert answers.count(Answered.WRONG) == 50
    assert answers.count(Answered.SHUT) == 9_950
    assert door.answer((7, 60, 118)) is Answered.SHUT


def test_guesses_at_once_are_counted_one_by_one(clock: Clock) -> None:
    door, answers, ready = Door(clock), [], threading.Barrier(16)
    door.open(LitHoles((7, 60, 118)))

    def guess() -> None:
        ready.wait()
        answers.append(door.answer((1, 2, 3)))

    threads = [threading.Thread(target=guess) for _ in range(16)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert answers.count(Answered.WRONG) == 5


def test_a_new_opening_takes_the_place_of_the_last_one(clock: Clock) -> None:
    door = Door(clock)
    door.open(LitHoles((7, 60, 118)))
    door.open(LitHoles((20, 40, 80)))
    assert door.answer((7, 60, 118)) is Answered.WRONG
    assert door.answer((20, 40, 80)) is Answered.IN


def test_an_answer_of_another_kind_is_wrong(clock: Clock) -> None:
    door = Door(clock)
    door.open(draw_digits())
    assert door.answer((1, 2, 3)) is Answered.WRONG
    door.open(LitHoles((1, 2, 3)))
    assert door.answer("123456") is Answered.WRONG


@pytest.fixture
def phones(clock: Clock) -> Phones:
    return Phones((), clock=clock)


def test_a_token_is_kept_as_its_digest_alone(phones: Phones) -> None:
    phone, token = phones.pair("Mia's phone")
    assert len(token) == 32
    assert token not in repr((phone, vars(phones)))
    assert phones.use(token) == phone
    assert phones.use("0" * 32) is None


def test_a_phone_ends_two_hours_after_its_last_use(phones: Phones, clock: Clock) -> None:
    _, token = phones.pair("Mia")
    for _ in range(3):
        clock.now += 2 * HOUR_S - 1
        assert phones.use(token) is not None
    clock.now += 2 * HOUR_S
    assert phones.use(token) is None
    assert phones.all() == ()


def test_a_phone_ends_twelve_hours_after_pairing_however_much_it_is_used(phones: Phones, clock: Clock) -> None:
    _, token = phones.pair("Mia")
    for _ in range(11):
        clock.now += HOUR_S
        assert phones.use(token) is not None
    clock.now += HOUR_S
    assert phones.use(token) is None


def test_a_forgotten_phone_gets_nothing_for_its_token(phones: Phones) -> None:
    (mia, hers), (_, his) = phones.pair("Mia"), phones.pair("Tom")
    phones.forget(mia.id)
    assert phones.use(hers) is None
    assert phones.use(his) is not None
    phones.forget()
    assert phones.use(his) is None
    assert phones.all() == ()


def test_the_phone_that_was_idle_for_longest_leaves_for_a_seventeenth(phones: Phones, clock: Clock) -> None:
    tokens = []
    for number in range(16):
        tokens.append(phones.pair(f"phone {number}")[1])
        clock.now += 60
    assert phones.use(tokens[0]) is not None
    phones.pair("one more")
    assert phones.use(tokens[1]) is None
    assert phones.use(tokens[0]) is not None
    assert len(phones.all()) == 16


def test_two_phones_share_a_seat_and_a_third_takes_it_from_the_one_idle_for_longest(
    phones: Phones, clock: Clock
) -> None:
    ids = []
    for number in range(3):
        ids.append(phones.pair(f"phone {number}")[0].id)
        phones.sit(ids[-1], "Ann")
        clock.now += 1
    assert {each.id: each.seat for each in phones.all()} == dict(zip(ids, ("", "Ann", "Ann"), strict=True))


def test_a_phone_comes_and_sits_once_that_is_stored_and_goes_at_once(clock: Clock) -> None:
    kept: list[Phone] = []
    full = False

    def store(phones: Sequence[Phone]) -> None:
        if full:
            raise BlockingIOError
        kept[:] = phones

    phones = Phones((), clock=clock, store=store)
    mia, token = phones.pair("Mia")
    assert kept == [mia]
    phones.sit(mia.id, "Mia")
    assert [each.seat for each in kept] == ["Mia"]
    full = True
    with pytest.raises(BlockingIOError):
        phones.pair("Tom")
    with pytest.raises(BlockingIOError):
        phones.sit(mia.id, "")
    assert [(each.name, each.seat) for each in phones.all()] == [("Mia", "Mia")]
    with pytest.raises(BlockingIOError):
        phones.forget(mia.id)
    assert (phones.use(token), len(kept)) == (None, 1)
    full = False
    phones.store()
    assert kept == []


class KeptPhones(Phones):
    """The phones of a table that starts now, and their file."""

    def __init__(self, folder: Path, clock: Clock, wall: Clock) -> None:
        file = PhonesFile(folder, wall)
        super().__init__(file.read(), clock=clock, store=file.write)


def test_a_folder_that_cannot_be_written_knows_its_phones_and_says_who_would_come_back(
    tmp_path: Path, clock: Clock
) -> None:
    stored, token = KeptPhones(tmp_path, clock, Clock()).pair("Mia")
    file = PhonesFile(tmp_path, Clock(), saved=False)
    phones = Phones(file.read(), clock=clock, store=file.write)
    assert phones.use(token) is not None
    other, _ = phones.pair("Tom")  # until the end
    phones.forget(other.id)
    with pytest.raises(OSError, match="Read-only"):
        phones.forget(stored.id)
    assert phones.use(token) is None


def test_no_restart_lengthens_the_time_of_a_phone(tmp_path: Path, clock: Clock) -> None:
    wall = Clock()
    _, token = KeptPhones(tmp_path, clock, wall).pair("Mia")
    assert token not in (tmp_path / FILE).read_text(encoding="utf-8")
    used_s = 0.0
    while used_s < 12 * HOUR_S:  # the table runs for an hour, and is off for none by its clock, which stands still
        table = KeptPhones(tmp_path, clock, wall)
        assert table.use(token) is not None
        clock.now += HOUR_S
        used_s += HOUR_S
        table.store()
    assert KeptPhones(tmp_path, clock, wall).use(token) is None


@pytest.mark.parametrize(("jump_s", "there"), [(-50 * 365 * 86400.0, True), (60.0, True), (2 * HOUR_S, False)])
def test_the_time_that_a_table_was_off_counts_and_a_clock_set_back_lengthens_nothing(
    tmp_path: Path, clock: Clock, jump_s: float, there: bool
) -> None:
    wall = Clock()
    wall.now = 1_790_000_000.0
    _, token = KeptPhones(tmp_path, clock, wall).pair("Mia")
    wall.now += jump_s
    again = KeptPhones(tmp_path, clock, wall)
    assert (again.use(token) is not None) is there
    clock.now += 2 * HOUR_S
    assert again.use(token) is None


def test_a_clock_that_is_set_while_people_play_ends_no_phone(tmp_path: Path, clock: Clock) -> None:
    wall = Clock()
    table = KeptPhones(tmp_path, clock, wall)
    _, token = table.pair("Mia")
    wall.now += 50 * 365 * 86400.0
    assert table.use(token) is not None
    table.store()
    assert KeptPhones(tmp_path, clock, wall).use(token) is not None


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"at": 1, "phones": [{"id": 1}]}', json.dumps({"at": 1.0, "phones": 3})]
)
def test_a_file_that_cannot_be_read_holds_no_phone(tmp_path: Path, clock: Clock, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    table = KeptPhones(tmp_path, clock, Clock())
    assert table.all() == ()
    table.pair("Mia")
    assert len(KeptPhones(tmp_path, clock, Clock()).all()) == 1


def test_a_restart_keeps_the_place_that_a_phone_has_taken(tmp_path: Path, clock: Clock) -> None:
    table = KeptPhones(tmp_path, clock, Clock())
    phone, token = table.pair("Mia")
    table.sit(phone.id, "Mia")
    again = KeptPhones(tmp_path, clock, Clock()).use(token)
    assert again is not None
    assert again.seat == "Mia"
