"""Measure the promises about safety: `python bench/safety_bench.py [--long] [--only NAME ...] [--write]`.

Each figure is of this machine. `--long` takes the full numbers of the promises. `--write` writes the figures into
`docs/safety.toml`, from which `make docs` makes the table of docs/safety.md.
"""

import argparse
import os
import re
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from figures import cpu_s, milliseconds, spread
from floods import flood, games_flood
from table_program import CHROMIUM, new_table, table, until_read

NOTES = Path(__file__).resolve().parent.parent / "docs" / "safety.toml"


def power_cut(long: bool) -> str:
    """Measure power cuts below SQLite, with the journal's setting and with a weaker one."""
    from test_power_cut import outcomes

    cuts = 400 if long else 100
    sys.unraisablehook = lambda _: None  # the end of a database meets the power cut once more
    with tempfile.TemporaryDirectory() as folder:
        lost, damaged = outcomes(cuts, "FULL", Path(folder))
        careless, _ = outcomes(cuts, "NORMAL", Path(folder))
    return f"{lost} of {cuts} cuts lost an acknowledged act, {damaged} left damage; with NORMAL {careless} lost some"


def killed(long: bool) -> str:
    """Kill the real program in a game and start it again."""
    from test_program import kill_and_resume

    cycles = 100 if long else 5
    with tempfile.TemporaryDirectory() as folder:
        kill_and_resume(Path(folder), cycles)
    return f"{cycles} of {cycles} killed tables came back as they were"


def damaged(long: bool) -> str:
    """Measure flipped bits, zeroed sectors and cut files of the journal and its log."""
    from test_damage import contents, damages, flips, left_by_a_kill, one_by_one, outcomes

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written = left_by_a_kill(folder)
        whole = contents(folder / "killed")
        bits = outcomes(folder, whole, written, one_by_one(whole, lambda data: flips(data, 500 if long else 100)))
        sectors = outcomes(folder, whole, written, one_by_one(whole, lambda data: damages(data, 1 if long else 6)))
    wrong, silent, lost = (bits[name] + sectors[name] for name in ("wrong", "silent", "lost"))
    return (
        f"{wrong} wrong states, {silent} silent losses and {lost} losses of {bits['tried']} flipped bits"
        f" and {sectors['tried']} zeroed sectors and cuts of database, log and copy"
    )


def bad_frames(long: bool) -> str:
    """Measure frames that show no tray."""
    from test_bad_frames import outcome

    read, sure = outcome(range(1250 if long else 25))
    return f"0 crashes, {sure} sure dice in {read} bad frames"


def damaged_pictures(long: bool) -> str:
    """Measure JPEGs with changed bytes, read without and with the program's check, and the cost of the check."""
    import cv2
    import numpy as np
    from test_damaged_pictures import TRAYS, outcome

    from dicereader.data.pictures import load

    def bare(file: Path) -> object:
        return cv2.imdecode(np.frombuffer(file.read_bytes(), np.uint8), cv2.IMREAD_COLOR)

    count = 1000 if long else 100
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "damaged.jpg"
        before, after = outcome(file, count, unchecked=True), outcome(file, count)
    unchecked_ms = sum(milliseconds(partial(bare, file)) for file in TRAYS * 5)
    checked_ms = sum(milliseconds(partial(load, file)) for file in TRAYS * 5)
    return (
        f"{after['sure and wrong']} of {after['pictures']} damaged pictures sure and wrong, {before['sure and wrong']}"
        f" unchecked; loading takes {checked_ms / unchecked_ms:.1f} times as long"
    )


def hanging_eye(long: bool) -> str:
    """Measure buttons and page while the eye does not answer."""
    presses: list[float] = []
    pages: list[float] = []
    with new_table("--players", "Ann,Ben") as running:
        running.throw([1, 1, 1, 3, 4, 6])
        for _ in range(20 if long else 4):
            running.until(lambda state: not state["degraded"])
            os.kill(running.children()[0], signal.SIGSTOP)
            for _ in range(10):
                presses.append(milliseconds(lambda: running.post("buttons/keep", {"press": "tap"})))
                pages.append(milliseconds(lambda: running.get("state")))
            running.until(lambda state: state["degraded"])
    return f"ms: a press {spread(presses, 1)}; the state {spread(pages, 1)}"


def month(long: bool) -> str:
    """Measure the resources of the process after the first and after the last of some evenings at simulated speed."""
    from test_trouble import month as evenings

    with tempfile.TemporaryDirectory() as folder:
        found, done = evenings(Path(folder), *((30, 5) if long else (4, 2)))
    first, last = found[min(5, len(found) - 2)], found[-1]
    return (
        f"{len(found)} evenings, {done['games']} games, {done['acts']} acts: memory"
        f" {(last.kilobytes - first.kilobytes) / 1000:+.1f} MB, threads {first.threads} to {last.threads},"
        f" files {first.files} to {last.files}"
    )


def start_up(long: bool) -> str:
    """Measure the time from the command to the page, on a journal of a hundred thousand events."""
    from test_trouble import big_journal

    with tempfile.TemporaryDirectory() as folder:
        big_journal(Path(folder), 100_000)
        took = []
        for _ in range(5 if long else 2):
            began = time.monotonic()
            with table(Path(folder)) as running:
                running.ready()
                took.append(time.monotonic() - began)
    return f"s to the page: {spread(took, 2)}"


def cpu(long: bool) -> str:
    """Measure the game's process and the eye's, idle and while a game plays itself, in per cent of one core."""
    seconds = 60 if long else 15
    with new_table("--players", "Ann,Ben") as running:
        running.throw([1, 1, 1, 3, 4, 6])
        idle = busy(running.process.pid, seconds)
    with new_table("--autoplay", "--players", "Ann,Ben") as running:
        until_read(running)
        playing = busy(running.process.pid, seconds)
    return f"idle {idle:.1f} %, playing {playing:.1f} % of one core, {seconds} s each"


def busy(pid: int, seconds: float) -> float:
    """Return the per cent of one core that a process takes over some seconds."""
    began, first = time.monotonic(), cpu_s(pid)
    threading.Event().wait(seconds)
    return 100 * (cpu_s(pid) - first) / (time.monotonic() - began)


def page(long: bool) -> str:
    """Measure the page on a phone four times slower than this machine: its total bytes, and its first paint."""
    from playwright.sync_api import sync_playwright
    from served import served

    paints: list[float] = []
    taken: list[int] = []
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as running, sync_playwright() as playwright:
        running.game().throws("112346")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for _ in range(20 if long else 5):
            context = browser.new_context(viewport={"width": 390, "height": 844})
            opened = context.new_page()
            wire = context.new_cdp_session(opened)
            wire.send("Emulation.setCPUThrottlingRate", {"rate": 4})
            wire.send("Network.enable")
            sizes: list[int] = []
            wire.on("Network.dataReceived", lambda told, sizes=sizes: sizes.append(told["dataLength"]))
            opened.goto(str(running.client.base_url))
            opened.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
            opened.wait_for_selector(".dome.lit")
            paints.append(opened.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            taken.append(sum(sizes))
            context.close()
        browser.close()
    return f"first paint, ms: {spread(paints, 0)}; {max(taken) / 1000:.0f} kB in all"


MEASURES: dict[str, Callable[[bool], str]] = {
    "power cut": power_cut,
    "kill -9": killed,
    "damaged journal": damaged,
    "bad frames": bad_frames,
    "damaged pictures": damaged_pictures,
    "hanging eye": hanging_eye,
    "web flood": flood,
    "many games": games_flood,
    "month": month,
    "start-up": start_up,
    "processor": cpu,
    "page": page,
}
"""The measurements, by the names of the rows of docs/safety.toml."""


def noted(text: str, name: str, figure: str) -> str:
    """Return the text of docs/safety.toml with another figure in the row of this name."""
    row = re.compile(rf'(name = "{re.escape(name)}"\n(?:(?!\[\[)[^\n]*\n)*?figure = )"[^"]*"')
    changed, count = row.subn(lambda found: f'{found[1]}"{figure}"', text)
    if count != 1:
        raise SystemExit(f"expected one row named {name!r} with a figure in {NOTES.name}, got {count}")
    return changed


def main() -> int:
    """Measure and print. Write the figures if `--write` is given."""
    parser = argparse.ArgumentParser(description="What the board promises, measured.")
    parser.add_argument("--long", action="store_true", help="the whole numbers that are promised")
    parser.add_argument("--only", nargs="+", choices=MEASURES, default=list(MEASURES), metavar="NAME")
    parser.add_argument("--write", action="store_true", help="note the figures in docs/safety.toml")
    arguments = parser.parse_args()
    for name in arguments.only:
        figure = MEASURES[name](arguments.long)
        sys.stdout.write(f"{name:16}{figure}\n")
        sys.stdout.flush()
        if arguments.write:
            NOTES.write_text(noted(NOTES.read_text(encoding="utf-8"), name, figure), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
