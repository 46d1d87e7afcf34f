"""The page's name and service in the network, on a real D-Bus with a program in avahi's place."""

from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest
from bus import Answer, BusProgram, system_bus
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

from companion.table.state.inputs import Fault, Located
from companion.web import announcer
from companion.web.announcer import Announcer
from companion.words import english

RUNNING, REGISTERING, ESTABLISHED, COLLISION = 2, 1, 2, 3


class Avahi(BusProgram):
    """What avahi-daemon 0.8 answers, with its state as a test sets it."""

    def __init__(self) -> None:
        self.host, self.state, self.group_state = "table", RUNNING, ESTABLISHED
        self.refuses = False
        self.groups: list[str] = []
        self.services: dict[str, tuple[Any, ...]] = {}
        super().__init__("org.freedesktop.Avahi", self._called)

    def _called(self, path: str, method: str, given: tuple[Any, ...]) -> Answer:
        if method == "AddService" and self.refuses:
            return "org.freedesktop.Avahi.InvalidServiceNameError"
        match method:
            case "GetState" if path == "/":
                return "i", (self.state,)
            case "GetState":
                return ("i", (self.group_state,)) if path in self.groups else "org.freedesktop.DBus.Error.UnknownObject"
            case "GetHostNameFqdn":
                return "s", (f"{self.host}.local",)
            case "GetAlternativeServiceName":
                return "s", (f"{given[0]} #2",)
            case "EntryGroupNew":
                self.groups.append(f"/Client1/EntryGroup{len(self.groups) + 1}")
                return "o", (self.groups[-1],)
            case "AddService":
                self.services[path] = given
            case "Free":
                self.services.pop(path)
        return "", ()


@pytest.fixture(autouse=True)
def bus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(announcer, "LOOK_S", 0.01)
    with system_bus(tmp_path, monkeypatch):
        yield


@pytest.fixture
def place() -> Iterator[Announcer]:
    made = Announcer("0.0.0.0", 8099, bool, bool)
    yield made
    made.close()


def published(avahi: Avahi) -> list[tuple[str, int]]:
    """Return the name and port of each service."""
    return [(given[3], given[7]) for given in avahi.services.values()]


@pytest.fixture
def avahi() -> Iterator[Avahi]:
    made = Avahi()
    yield made
    if not made.left:
        made.quit()


def test_the_address_has_the_name_of_avahi_and_the_page_is_a_service(avahi: Avahi, place: Announcer) -> None:
    assert place.address == "http://table.local:8099/"
    assert place.names == {"table.local"}
    assert published(avahi) == []  # nobody listens yet
    place.look()
    place.look()
    assert published(avahi) == [("Farkle Crib on table", 8099)]
    assert len(avahi.groups) == 1


def test_one_client_holds_the_service_and_leaves_the_bus_at_its_end(avahi: Avahi, place: Announcer) -> None:
    place.look()
    (client,) = set(avahi.senders)
    place.close()
    with open_dbus_connection(bus="SYSTEM") as asking:
        assert asking.send_and_get_reply(message_bus.NameHasOwner(client)).body == (False,)


def test_a_second_table_of_the_same_name_follows_the_name_that_avahi_chooses(avahi: Avahi) -> None:
    places: list[Located] = []
    place = Announcer("0.0.0.0", 8099, bool, places.append)
    place.look()
    avahi.host = "table-2"
    place.look()
    assert places[-1].address == place.address == "http://table-2.local:8099/"
    assert place.names == {"table-2.local"}
    assert published(avahi) == [("Farkle Crib on table-2", 8099)]
    place.close()


def test_a_service_whose_name_is_taken_gets_another_one(avahi: Avahi, place: Announcer) -> None:
    place.look()
    avahi.group_state = COLLISION
    place.look()
    avahi.group_state = ESTABLISHED
    place.look()
    assert published(avahi) == [("Farkle Crib on table #2", 8099)]


def test_while_avahi_looks_for_a_name_the_address_is_a_number_or_the_machines_own(
    avahi: Avahi, place: Announcer, monkeypatch: pytest.MonkeyPatch
) -> None:
    avahi.state = REGISTERING
    place.look()
    assert place.names == frozenset()
    assert "table.local" not in place.address
    avahi.state = RUNNING
    place.look()
    assert place.address == "http://table.local:8099/"


def test_the_service_comes_back_after_avahi_was_restarted(avahi: Avahi, place: Announcer) -> None:
    place.look()
    avahi.quit()
    place.look()
    assert place.names == frozenset()
    again = Avahi()
    place.look()
    assert published(again) == [("Farkle Crib on table", 8099)]
    again.quit()


@pytest.mark.exhaustive
def test_a_refused_service_is_told_and_its_end_too(avahi: Avahi) -> None:
    faults: SimpleQueue[Fault] = SimpleQueue()
    avahi.refuses = True
    place = Announcer("0.0.0.0", 8099, faults.put, bool)
    place.start()
    assert english().text(faults.get(timeout=60).text or "") == (
        "Phones cannot find the table by its name: AddService: org.freedesktop.Avahi.InvalidServiceNameError: "
        "as the test says"
    )
    avahi.refuses = False
    assert faults.get(timeout=60) == Fault("announcement", None)
    place.close()


def test_a_page_for_this_machine_alone_is_not_announced(avahi: Avahi) -> None:
    alone = Announcer("127.0.0.1", 8099, bool, bool)
    alone.look()
    alone.close()
    assert avahi.calls == []
    assert alone.address == "http://127.0.0.1:8099/"


def test_without_lights_no_number_is_left_to_be_counted_out() -> None:
    dark = Announcer("192.0.2.7", 8099, bool, bool, lights=False)
    dark.close()
    assert (dark.address, dark.located.network_address) == ("http://192.0.2.7:8099/", "")


def test_a_machine_without_avahi_is_no_fault(place: Announcer) -> None:
    place.look()  # raises nothing
    assert place.names == frozenset()
