"""Phones and watchers at addresses of their own, in network namespaces, against the real program."""

import os
import subprocess
from pathlib import Path

import pytest
from crowd import crowd
from namespaces import Client, as_root, inside, lacking
from running import PATIENCE_S

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
    with crowd(tmp_path, PHONES, WATCHERS) as met:
        place, streams, phones = met.place, met.streams, list(met.phones.values())
        streams.until_view(lambda view: all(each["phones"] for each in view["players"]))
        with inside(met.here.namespace):
            met.table.throw([1, 2, 3, 4, 6, 6])
        watcher = Client(place.namespace, place.table, met.port, place.addresses[PHONES + WATCHERS - 1])
        assert watcher.asks("POST", "/api/v1/buttons/bank", {})[0] == 403
        watcher.close()
        assert phones[1].asks("POST", "/api/v1/buttons/bank", {})[0] == 422, "it is another phone's turn"
        for phone, act in ((phones[0], "buttons/bank"), (phones[3], "undo"), (phones[0], "buttons/bank")):
            view = phone.api("POST", act, {})
            streams.all_have(view["version"])
        assert streams.latest["players"][0]["score"] > 0
        assert (streams.latest["by"], streams.ended) == ("Player 1", 0)
