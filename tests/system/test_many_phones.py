"""Phones and watchers at addresses of their own, in network namespaces, against the real program."""

import os
import subprocess
from pathlib import Path

import pytest
from namespaces import Client, as_root, inside, lacking, let_in, network
from running import PATIENCE_S, table
from streams import Streams

PHONES, WATCHERS = 4, 16
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.exhaustive
def test_each_of_twenty_clients_at_twenty_addresses_gets_every_act(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if reason := lacking():
        pytest.skip(f"needs root or user namespaces: {reason}")
    if os.geteuid():  # the same test, as root of a user namespace
        again = as_root("-m", "pytest", "-q", "-p", "no:cacheprovider", request.node.nodeid)
        done = subprocess.run(again, cwd=ROOT, capture_output=True, text=True, timeout=4 * PATIENCE_S, check=False)
        assert done.returncode == 0, done.stdout
        return
    with network() as net:
        place = net.place(PHONES + WATCHERS)
        with inside(net.table), table(tmp_path, "--host", "0.0.0.0") as running:
            port = int(running.ready().address.rstrip("/").rpartition(":")[2])
            here = Client(net.table, "127.0.0.1", port)
            phones = [Client(place.namespace, place.table, port, each) for each in place.addresses[:PHONES]]
            names = [f"Player {number}" for number in range(1, PHONES + 1)]
            let_in(here, phones, names)
            here.api("POST", "game", {"rules": "farkle-cribbage", "players": names})
            for phone, name in zip(phones, names, strict=True):
                phone.api("PUT", "seat", {"player": name})
            streams = Streams()
            try:
                for address, phone in zip(place.addresses, [*phones, *[None] * WATCHERS], strict=True):
                    streams.open(place, address, port, phone.cookie if phone else "")
                streams.until_view(lambda view: all(each["phones"] for each in view["players"]))
                running.throw([1, 2, 3, 4, 6, 6])
                watcher = Client(place.namespace, place.table, port, place.addresses[-1])
                assert watcher.asks("POST", "/api/v1/buttons/bank", {})[0] == 403
                assert phones[1].asks("POST", "/api/v1/buttons/bank", {})[0] == 422, "it is another phone's turn"
                for phone, act in ((phones[0], "buttons/bank"), (phones[3], "undo"), (phones[0], "buttons/bank")):
                    view = phone.api("POST", act, {})
                    streams.all_have(view["version"])
                assert streams.latest["players"][0]["score"] > 0
                assert (streams.latest["by"], streams.ended) == ("Player 1", 0)
            finally:
                streams.close()
                for client in (here, watcher, *phones):
                    client.close()
