"""Measure the time from a press to its view with a broker that hangs: `python bench/broker_bench.py [--rounds N]`.

Each round runs the program without MQTT, with a broker that never answers, and with one that lets the table in and then
stops reading, one after the other; presses choose other dice again and again. The disk's time is within.
"""

import argparse
import random
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from companion.app import Program
from companion.config import Config, MqttConfig, WebConfig
from companion.launch import Launch
from companion.table.state.inputs import ChooseSelection, NewGame, ReadingSettled

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "table"))
from tables import observation

WARM, PRESSES = 50, 150
"""Presses that are not measured, and those that are."""

PATIENCE_S = 60.0
LET_IN = bytes((0x20, 2, 0, 0))
"""The answer of a broker that lets a client in (MQTT 3.1.1, 3.2)."""

CASES = ("without MQTT", "it never answers", "it stops reading")


@contextmanager
def broker(case: str) -> Iterator[int]:
    """Yield the port of a broker that hangs; 0 without one."""
    held: list[socket.socket] = []

    def serve(listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                held.append(listening.accept()[0])
                if case == CASES[2]:
                    held[-1].recv(1)
                    held[-1].sendall(LET_IN)

    if case == CASES[0]:
        yield 0
        return
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=serve, args=(listening,), daemon=True).start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
    for each in held:
        each.close()


def presses(case: str, folder: Path) -> list[float]:
    """Return the milliseconds from each press to its view."""
    found = []
    with broker(case) as port:
        mqtt = MqttConfig(host="127.0.0.1" if port else "", port=port or 1883)
        config = replace(Config(), web=WebConfig(port=0), mqtt=mqtt)
        made = Program(Launch(config, folder, eye=False), NewGame("farkle-cribbage", ("A", "B")))
        try:
            made.start()
            made.host.submit(ReadingSettled(observation("123346"), "synthetic")).result(PATIENCE_S)
            for index in range(-WARM, PRESSES):
                began = time.perf_counter()
                made.host.submit(ChooseSelection((1 + index % 2,))).result(PATIENCE_S)
                if index >= 0:
                    found.append(1e3 * (time.perf_counter() - began))
        finally:
            made.close()
    return found


def high(values: list[float]) -> float:
    """Return the value that 95 % are below."""
    return statistics.quantiles(values, n=20)[-1]


def main() -> None:
    """Print the 95th percentile of each case, and its ratio to that without MQTT."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=6)
    rounds: list[dict[str, list[float]]] = []
    for _ in range(parser.parse_args().rounds):
        order = random.sample(CASES, len(CASES))
        with tempfile.TemporaryDirectory() as folder:
            rounds.append({case: presses(case, Path(folder, str(place))) for place, case in enumerate(order)})
    for case in CASES:
        drawn = []
        for again in [rounds, *(random.choices(rounds, k=len(rounds)) for _ in range(1000))]:
            these, without = ([each for one in again for each in one[of]] for of in (case, CASES[0]))
            drawn.append(high(these) / high(without))
        low, *_, top = statistics.quantiles(drawn[1:], n=40)
        every = [each for one in rounds for each in one[case]]
        print(f"{case}: median {statistics.median(every):.2f} ms, 95 % below {high(every):.2f} ms, n {len(every)}; "
              f"ratio of the 95 % {drawn[0]:.2f} ({low:.2f} to {top:.2f})")  # fmt: skip


if __name__ == "__main__":
    main()
