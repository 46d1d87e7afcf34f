"""Measure the table's page on a slow network: `python bench/page_bench.py [--times N]`.

Chromium with an empty cache, at 400 kbit/s and 400 ms a round trip (DevTools' emulation), loads the page of a running
table until it can be used: the board is drawn, and the buttons and the lobby's form or the tray are there. Each load is
done twice, once with compressed answers and once without, and the ratio of the two is printed.
"""

import argparse
import os
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from figures import interval, mean_and_spread
from table_program import CHROMIUM, NO_CHROMIUM, begin_game, new_table

KBIT_S, ROUND_TRIP_MS = 400, 400
USABLE = """() => document.querySelector("#board svg") && document.querySelector("#buttons:not([hidden]) button")
  && document.querySelector("#lobby:not([hidden]) input, #tray:not([hidden])")"""
LOBBY = "a new table"
GAME = "a game under way"


@dataclass
class Load:
    """One load of the page: seconds until it can be used, requests until then, and bytes as sent."""

    took_s: float
    requests: int
    sent: int


def load(browser: Any, address: str, *, packed: bool) -> Load:
    """Load the page in a context of its own, with an empty cache."""
    context = browser.new_context(viewport={"width": 390, "height": 664})
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    rate = KBIT_S * 1000 / 8
    wire.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": ROUND_TRIP_MS, "downloadThroughput": rate, "uploadThroughput": rate},
    )
    if not packed:
        wire.send("Network.setExtraHTTPHeaders", {"headers": {"Accept-Encoding": "identity"}})
    sent: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
    page.goto(address, wait_until="commit", timeout=60_000)
    page.wait_for_function(USABLE, timeout=60_000, polling=20)
    took_ms = page.evaluate("performance.now()")
    context.close()
    return Load(took_ms / 1e3, len(sent), round(sum(sent)))


def measure(address: str, times: int) -> Iterator[str]:
    """Load the page this many times with and without compression, and yield every figure."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        load(browser, address, packed=True)
        loads = {packed: [load(browser, address, packed=packed) for _ in range(times)] for packed in (True, False)}
        browser.close()
    for packed, found in loads.items():
        took = [each.took_s for each in found]
        size, requests = (statistics.median(each) for each in zip(*((e.sent, e.requests) for e in found), strict=True))
        name = "compressed" if packed else "not compressed"
        yield f"{name + ', s':19}{mean_and_spread(took, 2)}; {size / 1e3:.0f} kB in {requests:.0f} requests"
    ratio = [a.took_s / b.took_s for a, b in zip(loads[True], loads[False], strict=True)]
    yield f"{'ratio':19}{interval(ratio, 2)}"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="The page on a slow network.")
    parser.add_argument("--times", type=int, default=20)
    arguments = parser.parse_args()
    if CHROMIUM is None:
        sys.stdout.write(f"left out: {NO_CHROMIUM}\n")
        return 0
    sys.stdout.write(f"{KBIT_S} kbit/s, {ROUND_TRIP_MS} ms a round trip; load {os.getloadavg()[0]:.1f}\n")
    with new_table() as table:
        for name in (LOBBY, GAME):
            if name == GAME:
                begin_game(table)
            sys.stdout.write(f"{name}\n")
            for line in measure(table.address, arguments.times):
                sys.stdout.write(f"  {line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
