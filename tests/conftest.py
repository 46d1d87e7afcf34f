"""What all tests share."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# How fast a machine is decides no test: on a fresh one the first text that hypothesis draws takes seconds.
# On a desk a few examples are enough; where CI is set every change is tried with more.
settings.register_profile("ci", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("dev", settings.get_profile("ci"), max_examples=25)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "dev"))

os.environ["FARKLECRIB_CONFIG"] = ""  # a table that is installed on this machine is none of the tests' business

ROOT = Path(__file__).resolve().parent.parent
BROWSER_MS = 60_000
"""What a busy machine may take until the page shows something."""

CHROMIUM = Path("/usr/bin/chromium")
CHROMIUM_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of pictures and worked examples beside the repository; the test is skipped where it is not there."""
    folder = ROOT.parent / "shared"
    if not (folder / "data").is_dir():
        pytest.skip(f"needs the shared folder beside the repository, and there is none at {folder.name}")
    return folder


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """Debian's Chromium, driven by Playwright; the test is skipped where it is not installed."""
    if not CHROMIUM.exists():
        pytest.skip(f"needs Chromium at {CHROMIUM}: apt install chromium")
    sync_api = pytest.importorskip("playwright.sync_api")
    sync_api.expect.set_options(timeout=BROWSER_MS)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(CHROMIUM_OPTIONS))
        yield browser
        browser.close()
