"""Fixtures and reports for all tests."""

import gc
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No test may depend on the machine's speed: on a fresh one the first text that hypothesis draws takes seconds.
# The few examples are the same in each run, so that a change fails by its own faults; the many ones are new each time.
settings.register_profile(
    "few",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
    max_examples=10,
    derandomize=True,
)
settings.register_profile("many", settings.get_profile("few"), max_examples=100, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "few")

os.environ["FARKLECRIB_CONFIG"] = ""  # the tests ignore the configuration of a table installed on this machine

# Without bytecode each worker reads all tests anew, and a start of the program takes a quarter more.
os.environ["PYTHONDONTWRITEBYTECODE"], sys.dont_write_bytecode = "", False

MEMORY, MEMORY_BYTES = Path("/dev/shm"), 2 << 30
"""The file system in memory, and how much of it must be free: a container may have 64 MB."""

# Every act of a journal waits for the disk. The tests of power cuts simulate a disk; the others need no real one.
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= MEMORY_BYTES:
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None

# A shell tells background jobs to ignore these signals. The programs that a test interrupts would ignore them, too.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL)):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, handler)

# Collection makes a million objects that live until the end. The garbage collector would go over all of them often.
gc.disable()

ROOT = Path(__file__).resolve().parent.parent
BROWSER_MS = 60_000
"""What a busy machine may take until the page shows something."""

CHROMIUMS = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
"""Debian's browsers, the quicker one first: the same engine, without windows, takes two fifths of the time."""

CHROMIUM_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

XDG = {
    "XDG_CACHE_HOME": ".cache",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_RUNTIME_DIR": "run",
}
"""The variables that name a user's folders, and where these lie in the home of a test."""

USERS_OWN = tuple(
    str(Path(os.environ.get(name) or Path.home() / folder) / "farklecrib") for name, folder in XDG.items()
)
"""The folders of the program in the home of the person who runs the tests. No test opens them."""

OPENING = {"open", "os.mkdir", "os.listdir", "os.scandir", "sqlite3.connect"}
OPENED: list[str] = []


def note_opened(event: str, given: tuple[object, ...]) -> None:
    """Note a file in `USERS_OWN` that this process opens, and a program that it starts without a home."""
    if event in OPENING and str(given[0]).startswith(USERS_OWN):
        OPENED.append(str(given[0]))
    elif event == "subprocess.Popen" and given[3] is not None and "HOME" not in given[3]:
        OPENED.append(f"those of {given[1]}, which has no HOME")


sys.addaudithook(note_opened)

MAY_BE_SKIPPED = (
    "needs the shared folder",
    "needs OpenSCAD",
    "needs espeak-ng",
    "needs Blender's module",
    "needs aplay",
    "needs dbus-daemon",
    "needs rpi-lgpio",
    "needs rpi_ws281x",
    "needs gcc",
    "needs systemd",
    "needs curl",
    "needs certutil",
    "needs shellcheck",
    "needs root",
    "needs Mosquitto",
    "needs PostgreSQL",
    "the numbers of the system calls are those of x86-64",
    "expected a kernel that can refuse executable memory",
)
"""How the reasons begin for which a test may be skipped where `CI` is set: no lock and no `make` installs these."""


ORDER = os.environ.get("TEST_ORDER", "")
"""The seed of a random order of the tests; without one they run in the order of their files."""


def pytest_report_header() -> str:
    """Name the order of the tests, so that it can be repeated."""
    return f"random order: TEST_ORDER={ORDER}" if ORDER else ""


def shuffle(items: list[pytest.Item]) -> None:
    """Shuffle the files, and the tests of each: what the tests of a file share is made once."""
    chance, files = random.Random(ORDER), list(dict.fromkeys(item.path for item in items))
    chance.shuffle(items)
    chance.shuffle(files)
    places = {file: place for place, file in enumerate(files)}
    items.sort(key=lambda item: places[item.path])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark browser tests without the mark `smoke` as exhaustive, for `make test-all`, and choose the order."""
    if ORDER:
        shuffle(items)
    for item in items:
        if item.get_closest_marker("browser") and not item.get_closest_marker("smoke"):
            item.add_marker("exhaustive")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Collect garbage from here on, but do not look at what the collection of tests has made."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, object, object]:
    """Collect no garbage while a failure is written: Python 3.11 ends the run if a finalizer fails meanwhile."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@contextmanager
def living_in(home: Path) -> Iterator[None]:
    """Make a home, and give it to the tests and the programs that they start."""
    (home / XDG["XDG_RUNTIME_DIR"]).mkdir(parents=True, mode=0o700)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        for name, folder in XDG.items():
            patch.setenv(name, str(home / folder))
        yield


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(scope="session", autouse=True)
def _home_of_the_session(_homes: Iterator[Path]) -> Iterator[None]:
    with living_in(next(_homes)):
        yield


@pytest.fixture(scope="module", autouse=True)
def _home_of_the_module(_homes: Iterator[Path]) -> Iterator[None]:
    with living_in(next(_homes)):
        yield


@pytest.fixture(autouse=True)
def _home_of_the_test(_homes: Iterator[Path]) -> Iterator[None]:
    with living_in(next(_homes)):
        yield
    opened, OPENED[:] = OPENED[:], []
    assert not opened, "expected a test to use its own home, got files of the person who runs the tests"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder of pictures and worked examples beside the repository. Without it the test is skipped."""
    folder = ROOT.parent / "shared"
    if not (folder / "data").is_dir():
        pytest.skip(f"needs the shared folder beside the repository, and there is none at {folder.name}")
    return folder


def patient(make: Callable[..., object]) -> Callable[..., object]:
    """Give what a function of Playwright makes the time of a busy machine, in place of 30 seconds."""

    def made(*given: object, **options: object) -> object:
        opened = make(*given, **options)
        opened.set_default_timeout(BROWSER_MS)
        return opened

    return made


def effective(route: Callable[..., object]) -> Callable[..., object]:
    """Make `Page.route` wait until Chromium holds requests; for some milliseconds it still sends them at once."""

    def made(page, *given: object, **options: object) -> object:  # type: ignore[no-untyped-def]
        route(page, "**/routed", lambda one: one.fulfill(status=204))
        while page.url != "about:blank" and page.evaluate("fetch('/routed').then(({ status }) => status !== 204)"):
            pass
        return route(page, *given, **options)

    return made


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """Start Debian's Chromium without windows, driven by Playwright. Without it the test is skipped."""
    program = next(filter(Path.exists, CHROMIUMS), None)
    if program is None:
        pytest.skip(f"needs Chromium at {CHROMIUMS[0]}: apt install {CHROMIUMS[0].name}")
    sync_api = pytest.importorskip("playwright.sync_api")
    if subprocess.run([sys.executable, "-m", "playwright", "--version"], capture_output=True, check=False).returncode:
        pytest.skip("needs the library that Playwright's driver is linked with: apt install libatomic1")
    sync_api.expect.set_options(timeout=BROWSER_MS)
    for kind, name in ((sync_api.Browser, "new_context"), (sync_api.Browser, "new_page")):
        setattr(kind, name, patient(getattr(kind, name)))
    sync_api.Page.route = effective(sync_api.Page.route)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(program), args=list(CHROMIUM_OPTIONS))
        yield browser
        browser.close()


def skip_reasons(terminalreporter: pytest.TerminalReporter) -> Counter[str]:
    """Return why tests were skipped, each with the number of tests."""
    reports = terminalreporter.stats.get("skipped", [])
    return Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print each folder's tests and their seconds, summed over the workers, and one line about skipped tests."""
    seconds: Counter[str] = Counter()
    tests: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                folder = report.nodeid.split("/")[1]
                seconds[folder] += report.duration
                tests[folder] += report.when == "call" or report.skipped
    if not tests:
        return
    terminalreporter.section("seconds by folder")
    for folder, taken in seconds.most_common():
        terminalreporter.write_line(f"{folder:10} {taken:6.0f} s  {tests[folder]:5} tests")
    terminalreporter.write_line(f"{'all':10} {sum(seconds.values()):6.0f} s  {sum(tests.values()):5} tests")
    if why := skip_reasons(terminalreporter):
        terminalreporter.write_line(
            "skipped: " + "; ".join(f"{count} ({reason})" for reason, count in why.most_common())
        )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail if `CI` is set and a test was skipped for a reason that `MAY_BE_SKIPPED` does not name."""
    terminalreporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not os.environ.get("CI") or terminalreporter is None or session.exitstatus != pytest.ExitCode.OK:
        return
    terminalreporter.write_line(f"\nMay be skipped here: {'; '.join(MAY_BE_SKIPPED)}")
    if [why for why in skip_reasons(terminalreporter) if not why.startswith(MAY_BE_SKIPPED)]:
        terminalreporter.write_line("Something else was skipped, and where CI is set that is a failure.")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
