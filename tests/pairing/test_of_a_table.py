"""What the table shows to let phones in, by its lights and by who reaches its page."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app import Program
from companion.config import Config
from companion.devices import drivers
from companion.devices.lights import LEDS
from companion.errors import JournalError, RefusedError
from companion.games.control_socket import SocketGames
from companion.launch import Launch
from companion.pairing.door import Shows
from companion.table.state.inputs import Fault
from companion.words import message
from pegboard.leds.led_drivers import open_leds


def table(folder: Path, leds: str, host: str) -> Program:
    config = Config()
    config = replace(config, leds=replace(config.leds, driver=leds), web=replace(config.web, host=host, port=0))
    return Program(Launch(config, folder, eye=False))


@pytest.fixture
def neopixel_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Open a recorder in the place of the strip, which needs a Pi."""

    def opening(name: str, arg: str, layout):
        return open_leds("simulated" if name == "neopixel" else name, arg, layout)

    monkeypatch.setattr(drivers, "open_leds", opening)


@pytest.mark.parametrize(
    ("leds", "host", "shows"),
    [
        ("neopixel", "0.0.0.0", Shows.HOLES),
        ("simulated", "0.0.0.0", Shows.DIGITS),
        ("wled:127.0.0.1", "0.0.0.0", Shows.DIGITS),
        ("neopixel", "127.0.0.1", Shows.NOTHING),
        ("simulated", "localhost", Shows.NOTHING),
    ],
)
@pytest.mark.usefixtures("neopixel_here")
def test_only_a_strip_of_its_own_shows_holes_and_only_an_open_table_lets_in(
    tmp_path: Path, leds: str, host: str, shows: Shows
) -> None:
    with closing(table(tmp_path, leds, host)) as program:
        assert program.opened.board.pairing.shows is shows
        program.opened.board.pairing.open()
        assert bool(program.opened.board.pairing.lit_holes()) is (shows is Shows.HOLES)


@pytest.mark.usefixtures("neopixel_here")
def test_a_strip_that_fails_shows_no_holes(tmp_path: Path) -> None:
    with closing(table(tmp_path, "neopixel", "0.0.0.0")) as program:
        program.host.take(Fault(LEDS, message("fault.lights")))
        assert program.opened.board.pairing.shows is Shows.DIGITS
        program.host.take(Fault(LEDS, None))
        assert program.opened.board.pairing.shows is Shows.HOLES


def test_the_command_gets_digits_of_the_table_that_runs_and_phones_get_in_by_them(tmp_path: Path) -> None:
    with closing(table(tmp_path, "simulated", "0.0.0.0")) as program:
        program.start()
        digits = SocketGames(tmp_path).pair(set_up=True)
        assert (len(digits), digits) == (6, program.opened.board.pairing.digits())
        program.opened.board.pairing.answer("Mia", digits)
        (phone,) = program.opened.board.pairing.phones.all()
        assert program.opened.board.pairing.may_set_up(phone.id)


def test_a_table_that_listens_to_itself_alone_gives_no_digits(tmp_path: Path) -> None:
    with closing(table(tmp_path, "simulated", "127.0.0.1")) as program:
        program.start()
        with pytest.raises((RefusedError, JournalError), match="only this machine reaches the table"):
            SocketGames(tmp_path).pair(set_up=False)
