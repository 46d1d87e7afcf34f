"""A table with phones that play and watchers, each at an address of its own, in network namespaces."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from namespaces import Client, Place, inside, let_in, network
from running import Table, table
from streams import Streams


@dataclass
class Crowd:
    """The running table, a client on its machine, and the phones by their players; all follow the stream of views."""

    place: Place
    table: Table
    port: int
    here: Client
    phones: dict[str, Client]
    streams: Streams


@contextmanager
def crowd(data: Path, phones: int, watchers: int) -> Iterator[Crowd]:
    """Let phones in, begin their game, and open all streams. The place has one more address than clients."""
    with ExitStack() as stack:
        net = stack.enter_context(network())
        place = net.place(phones + watchers + 1)
        with inside(net.table):
            running = stack.enter_context(table(data, "--host", "0.0.0.0"))
        port = int(running.ready().address.rstrip("/").rpartition(":")[2])
        here = Client(net.table, "127.0.0.1", port)
        made = [Client(place.namespace, place.table, port, each) for each in place.addresses[:phones]]
        names = [f"Player {number}" for number in range(1, phones + 1)]
        let_in(here, made, names)
        here.api("POST", "game", {"rules": "farkle-cribbage", "players": names})
        for phone, name in zip(made, names, strict=True):
            phone.api("PUT", "seat", {"player": name})
        streams = Streams()
        stack.callback(streams.close)
        for address, cookie in zip(place.addresses, [*(each.cookie for each in made), *[""] * watchers], strict=False):
            streams.open(place, address, port, cookie)
        for each in (here, *made):
            stack.callback(each.close)
        yield Crowd(place, running, port, here, dict(zip(names, made, strict=True)), streams)
