"""Files of the pages: compressed, kept for ever under an address with their version, and never stale."""

import gzip
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from served import JPEG, Served, served

from companion.web import assets as assets_module
from companion.web.assets import STATIC, assets


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("assets")) as running:
        running.game().throws("233346")
        yield running


def linked(table: Served, page: str = "/") -> list[str]:
    """Return the addresses of the files that a page names."""
    return re.findall(r'(?:src|href)="(/static/[^"]+)"', table.client.get(page).text)


def test_every_file_of_a_page_may_be_kept_for_ever(table: Served) -> None:
    for page in ("/", "/wall", "/games", "/games/1", "/phone"):
        for path in linked(table, page):
            answer = table.client.get(path)
            assert answer.status_code == 200, path
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("path", ["/static/table.js", "/static/0123456789ab/table.js"])
def test_a_file_without_the_present_version_is_the_newest_one_and_asked_for_again(table: Served, path: str) -> None:
    answer = table.client.get(path)
    source = (STATIC / "table.js").read_text("utf-8")
    assert [line for line in answer.text.splitlines() if line] == [
        line.lstrip() for line in source.splitlines() if line and not line.lstrip().startswith("//")
    ]
    assert len(answer.text.splitlines()) == len(source.splitlines())
    assert answer.headers["cache-control"] == "no-cache"
    again = table.client.get(path, headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["", "none.js", "a/b/table.js", "../pages.py", "%2e%2e/pages.py", "hand.toml"])
def test_only_files_of_the_folder_are_served(table: Served, path: str) -> None:
    assert table.client.get(f"/static/{path}").status_code == 404


def test_a_changed_file_has_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "static"
    shutil.copytree(STATIC, folder)
    monkeypatch.setattr(assets_module, "STATIC", folder)
    before = assets().version
    os.utime(folder / "dom.js", (0, 0))
    assert assets().version == before
    (folder / "dom.js").write_text("export const changed = true;\n", encoding="utf-8")
    assert assets().version != before
    assert assets().files["dom.js"].body == b"export const changed = true;\n"


def raw(table: Served, path: str, encoding: str = "gzip, deflate") -> tuple[dict[str, str], bytes]:
    """Return the headers and the body of an answer as they were sent."""
    with table.client.stream("GET", path, headers={"accept-encoding": encoding}) as answer:
        return dict(answer.headers), b"".join(answer.iter_raw())


def test_text_scripts_and_styles_are_compressed_for_who_takes_it(table: Served) -> None:
    for path in ("/", "/wall", "/static/table.js", "/static/base.css", "/boards/2.json", "/api/v1/state"):
        headers, sent = raw(table, path)
        plain_headers, plain = raw(table, path, "identity")
        assert (headers["content-encoding"], plain_headers.get("content-encoding")) == ("gzip", None), path
        assert "accept-encoding" in headers["vary"].casefold()
        assert gzip.decompress(sent) == plain
        assert len(sent) < 0.6 * len(plain)


def test_a_jpeg_and_the_stream_of_events_are_not_compressed(table: Served) -> None:
    headers, sent = raw(table, "/api/v1/tray.jpg")
    assert "content-encoding" not in headers
    assert sent == JPEG
    with table.client.stream("GET", "/api/v1/events", headers={"accept-encoding": "gzip"}) as answer:
        assert "content-encoding" not in answer.headers
        assert next(answer.iter_lines()).startswith(("data:", "id:"))


@pytest.mark.parametrize(("page", "first"), [("/", {"table.js", "play.js"}), ("/wall", {"wall.js"})])
def test_a_page_names_all_modules_that_it_needs_at_once(table: Served, page: str, first: set[str]) -> None:
    named = re.findall(r'rel="modulepreload" href="/static/\w+/([\w-]+\.js)"', table.client.get(page).text)
    assert len(named) == len(set(named))
    needed = set(first)
    for name in named:
        needed |= set(re.findall(r'from "\./([\w-]+\.js)"', (STATIC / name).read_text("utf-8")))
    assert set(named) == needed


def test_the_page_can_be_installed_as_an_app(table: Served) -> None:
    found = re.search(r'<link rel="manifest" href="([^"]+)"', table.client.get("/").text)
    assert found
    told = table.client.get(found[1])
    assert told.headers["content-type"] == "application/manifest+json"
    sizes = set()
    for icon in told.json()["icons"]:
        answer = table.client.get(f"{found[1].rpartition('/')[0]}/{icon['src']}")
        assert answer.headers["content-type"] == "image/png"
        width = int.from_bytes(answer.content[16:20])
        assert icon["sizes"] == f"{width}x{width}"
        sizes.add((width, icon["purpose"]))
    assert {(192, "any"), (512, "maskable")} <= sizes
