"""The pages of the set-up: an overview, one page a step, and what can be downloaded."""

import io
import tempfile
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.background import BackgroundTask

from companion.boards import layout_of
from companion.calibration.paper import KINDS, PAPERS, printed_paper
from companion.cameras import camera_shown
from companion.checkup.camera import found_cameras
from companion.checkup.leds import COLOURS, strip_pictures
from companion.config_files import explained
from companion.features.set_up.api import TableSetUp, set_up_of
from companion.features.set_up.set_up import FORMS, STEPS, SetUp, fields_of
from companion.games.backup import write_backup
from companion.web.address import played_with
from companion.web.guard.clients import client_of, require_set_up, words_of
from companion.web.pages import FRESH, render, render_problem
from companion.web.table import table_of
from companion.words import message
from farkle.rules.catalogue import catalogue

router = APIRouter(include_in_schema=False)

PAGES = (*(step for step in STEPS if step != "tray"), *(page for page in FORMS if page not in STEPS))
"""The pages of `/set-up/`; that of the tray is `/calibrate`."""


def address_of_step(step: str) -> str:
    """Return the address of a step's page."""
    return "/calibrate" if step == "tray" else f"/set-up/{step}"


def kept_out(request: Request) -> Response | None:
    """Return the page for a client that may not set the table up: how it can, or that it may only watch."""
    client, table = client_of(request), table_of(request)
    if client.may_set_up:
        return None
    by_command = table.offered(SetUp) is not None and not table.pairing.real_buttons
    if client.phone is not None or by_command:
        return render(request, "set-up-ask.html", {"paired": client.phone is not None, "by_command": by_command}, 403)
    return render_problem(request, message("problem.only_at_table"), message("access.watching"), 403)


def steps_shown(request: Request) -> list[dict[str, object]]:
    """Return the steps for a page's navigation: id, address, and whether each is done."""
    set_up = table_of(request).offered(SetUp)
    done = set_up.done if set_up is not None else frozenset()
    return [{"id": step, "address": address_of_step(step), "done": step in done} for step in STEPS]


@router.get("/set-up", response_class=HTMLResponse)
def overview_page(request: Request) -> Response:
    """Return the overview: each step and whether it is done, the settings, and the downloads."""
    if (page := kept_out(request)) is not None:
        return page
    set_up = set_up_of(request)
    context = {
        "steps": steps_shown(request),
        "settings": [page for page in FORMS if page not in STEPS],
        "version": version("farklecrib"),
        "file": str(set_up.changes.file),
        "written": not set_up.untouched,
        "pi": set_up.on_a_pi,
    }
    return render(request, "set-up.html", context)


@router.get("/set-up/{page}", response_class=HTMLResponse)
def step_page(request: Request, page: str) -> Response:
    """Return the page of a step.

    Raises:
        HTTPException: 404 if there is no such page.
    """
    if page not in PAGES:
        raise HTTPException(404)
    if (refused := kept_out(request)) is not None:
        return refused
    table, set_up = table_of(request), set_up_of(request)
    after = STEPS[STEPS.index(page) + 1 :] if page in STEPS else None
    context: dict[str, object] = {
        "page": page,
        "steps": steps_shown(request),
        "next": None if after is None else address_of_step(after[0]) if after else "/set-up",
        "done": page in set_up.done,
        "trouble": [words_of(request).text(why) for why in set_up.trouble(page)],
        "fields": fields_of(page, set_up, words_of(request), (*catalogue(), *table.own_rules())),
        "run": set_up.run,
    }
    if page == "camera":
        fixed = set_up.changes.layers.overrides.get("camera.source") is not None
        found = found_cameras(set_up.config, set_up.machine)
        context |= {"cameras": found, "fixed": fixed, "played_with": played_with}
    if page == "lights":
        context |= {
            "shown": [name for name in strip_pictures(layout_of(set_up.config)) if name not in COLOURS],
            "colours": COLOURS,
            "neopixel": set_up.config.leds.driver.startswith("neopixel"),
        }
    return render(request, f"set-up-{page}.html" if page in STEPS else "set-up-fields.html", context)


downloads = APIRouter(prefix="/set-up/files", include_in_schema=False, dependencies=[Depends(require_set_up)])


@downloads.get("/config.toml")
def download_config(set_up: TableSetUp) -> Response:
    """Return the configuration with every key explained, as `config show --explain` prints it, and without secrets."""
    camera = replace(set_up.config.camera, source=camera_shown(set_up.config.camera.source))
    return _download(explained(replace(set_up.config, camera=camera)).encode(), "application/toml", "config.toml")


@downloads.get("/farklecrib-games.zip")
def download_backup(request: Request) -> Response:
    """Return a backup of all games."""
    games, folder = table_of(request).games, tempfile.TemporaryDirectory(prefix="farklecrib-")
    file = Path(folder.name) / "farklecrib-games.zip"
    try:
        write_backup(games.store, games.images, file)
    except BaseException:
        folder.cleanup()
        raise
    done = BackgroundTask(folder.cleanup)
    return FileResponse(file, media_type="application/zip", filename=file.name, background=done)


@downloads.get("/farklecrib-report.tar.gz")
def download_report(request: Request, set_up: TableSetUp) -> Response:
    """Return the doctor's bundle for a bug report."""
    from companion.checkup.all_checks import examine
    from companion.checkup.bundle import write_bundle  # only where it is asked for

    machine, config = set_up.machine, set_up.config
    players = {name for summary in table_of(request).games.summaries() for name in summary.players}
    made = io.BytesIO()
    write_bundle(made, machine, config, tuple(examine(machine, config)), machine.log_lines(), players)
    return _download(made.getvalue(), "application/gzip", "farklecrib-report.tar.gz")


papers = APIRouter(prefix="/set-up/paper", include_in_schema=False)


@papers.get("/{paper}.{kind}")
def print_paper(request: Request, paper: str, kind: str) -> Response:
    """Return the paper tray to print; everyone may have it.

    Raises:
        HTTPException: 404 for another paper or kind of file.
    """
    if paper not in PAPERS or kind not in KINDS:
        raise HTTPException(404)
    media = "image/svg+xml" if kind == "svg" else "application/pdf"
    return Response(printed_paper(paper, kind, words_of(request)), media_type=media, headers=FRESH)


def _download(content: bytes, media: str, name: str) -> Response:
    return Response(
        content, media_type=media, headers={**FRESH, "content-disposition": f'attachment; filename="{name}"'}
    )
