"""A served table for each test, and a real Chromium in which its page is opened in one of the states of `states.py`."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from resized import laid_out
from served import ELSEWHERE, Served, served
from states import STATES

SIZES = {
    "small": {"width": 320, "height": 568},
    "phone": {"width": 390, "height": 844},
    "across": {"width": 844, "height": 390},
    "laptop": {"width": 1280, "height": 800},
}

EXPECTED = ("409", "422", "404", "ERR_")
"""The browser writes refused and lost answers to its console."""


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    """Serve a table of the test's own, with what an indirect parameter says of it."""
    with served(tmp_path, **getattr(request, "param", {})) as running:
        yield running


class Tabs:
    """The open tabs, one for each set of the browser's options. Tests share them, because a new tab is slow."""

    def __init__(self, chromium):
        self.chromium = chromium
        self.complaints = []
        self.written = []
        self._open = {}

    def __call__(self, options=None, size="laptop"):
        key = json.dumps(options or {}, sort_keys=True)
        if key not in self._open:
            page = self._open[key] = self.chromium.new_context(**(options or {})).new_page()
            page.on("console", self._hear)
            page.on("pageerror", lambda error: self.complaints.append(str(error)))
            page.on("request", self._note)
        self._open[key].set_viewport_size(SIZES[size])  # a test before may have left it as small as a phone
        return self._open[key]

    def _hear(self, said):
        if said.type in ("error", "warning"):
            self.complaints.append(said.text)

    def _note(self, sent):
        if sent.method == "POST":
            self.written.append((sent.url.partition("/api/v1/")[2], sent.post_data_json))

    def rest(self):
        """Leave every page, and return what the browser complained about."""
        for page in self._open.values():
            if page.url != "about:blank":
                page.unroute_all()
                page.goto("about:blank")
        return [one for one in self.complaints if not any(word in one for word in EXPECTED)]


@pytest.fixture(scope="session")
def _tabs(chromium):
    return Tabs(chromium)


@pytest.fixture
def tabs(_tabs, table):
    """Yield the tabs of the browser. At the end there must be no error, warning or refused content."""
    _tabs.complaints.clear()
    _tabs.written.clear()
    yield _tabs
    assert _tabs.rest() == []


@pytest.fixture
def written(tabs):
    """Return a function that waits for some writes of the pages, and returns path and body of all so far."""

    def waited(page, count=0):
        for _ in range(6000):
            if len(tabs.written) >= count:
                break
            page.wait_for_timeout(10)
        assert len(tabs.written) >= count, tabs.written
        return [*tabs.written]

    return waited


@pytest.fixture
def open_page(tabs, table):
    """Return a function that brings the table to a state, and opens its page."""

    def opened(state="to_throw", size="laptop", *, path="", watch=False, **options):
        if state:
            STATES[state](table)
        if watch:
            options["extra_http_headers"] = ELSEWHERE
        page = tabs({"reduced_motion": "reduce", **options}, size)
        page.goto(f"{table.client.base_url}/{path}")
        if options.get("java_script_enabled", True):
            page.locator(".peg-layer[aria-label]").wait_for(state="attached")
            if not path:
                page.locator("#room[data-seq]").wait_for()
            if not path and not watch and table.state()["phase"] == "choosing":
                # The page draws the dice again when their picture arrives: a test must not hold the old elements.
                page.locator(".picture[href]:not([hidden])").wait_for(state="attached")
            laid_out(page)
        return page

    return opened
