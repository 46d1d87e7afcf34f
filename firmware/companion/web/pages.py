"""Render pages on the server, complete without JavaScript; and the table's own page."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache, partial
from pathlib import Path as FilePath
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.templating import Jinja2Templates
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape
from starlette.exceptions import HTTPException

import farklestyles
from companion.config import is_open
from companion.table.state.inputs import TrackHoles
from companion.web.address import other_addresses, played_with, qr_svg
from companion.web.assets import Versioned, assets
from companion.web.feature import tried
from companion.web.guard.clients import client_of, is_trusted, words_of
from companion.web.schema import adapter_of
from companion.web.table import WebTable, table_of
from companion.words import Catalogue, Message, Text
from companion.words.catalogue import clipped
from farkle.game.seating import MOST_PLAYERS
from pegboard.drawing import plan_json
from pegboard.layouts import Layout
from pegboard.layouts.long_board import long_board
from pegboard.track import HOLES

FRESH = {"cache-control": "no-store"}

FEWEST_LANES, MOST_LANES = 2, 4
"""The lanes of the boards that the page draws by the number of sides, if the configuration names no layout."""

BOARDS_KEPT = 64
"""Drawn boards that are kept for the next page."""

AUTHORITY_FILE = "/farklecrib.crt"
"""Where phones get the certificate of the table's own authority; they keep the file under this name."""

LONGEST_REASON = 600
"""The most characters of a reason on a page."""

router = APIRouter(include_in_schema=False)


def words_in_html(words: Catalogue) -> Callable[..., Markup]:
    """Return the function that a template calls for the sentence of a key; a field may hold markup."""

    def escaped(value: object) -> object:
        if isinstance(value, Message):
            return escape(words.text(value))
        if isinstance(value, str):
            return escape(value)
        return tuple(map(escaped, value)) if isinstance(value, tuple | list) else value

    def sentence(key: str, **fields: object) -> Markup:
        given = {name: escaped(value) for name, value in fields.items()}
        return Markup(words(key, **given))  # noqa: S704 - the catalogue has no markup, and the fields are escaped

    return sentence


def begun_in(words: Catalogue) -> Callable[[float], str]:
    """Return the function that a template calls for a wall-clock time in seconds: `21 Nov 2026, 20:14`.

    The time is in this machine's time zone; a time that is out of range gives an empty text.
    """

    def begun(at: float) -> str:
        try:
            return words("game_list.begun", at=datetime.fromtimestamp(at).astimezone())
        except (ValueError, OverflowError, OSError):
            return ""

    return begun


_loader = FileSystemLoader([FilePath(__file__).parent / "templates", farklestyles.FOLDER / "templates"])


def page_environment() -> Environment:
    """Return the environment of Jinja in which the templates are rendered; see `Versioned`."""
    environment = Environment(
        extensions=[Versioned],
        loader=_loader,
        autoescape=True,  # an SVG, too
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    return environment


_templates = Jinja2Templates(env=page_environment())


def add_templates(folder: FilePath) -> None:
    """Look for templates in a feature's folder, too."""
    if str(folder) not in _loader.searchpath:
        _loader.searchpath.append(str(folder))


def in_language(words: Catalogue) -> dict[str, object]:
    """Return what templates need of a catalogue.

    `words` gives the sentence of a key, `text` that of a message, `sections` the words for the page's scripts,
    `number` a number with separators, `begun` the day and time of a game, and `face_word` a face in words. `language`
    is the language's code, and `direction` that of its script.
    """
    return {
        "words": words_in_html(words),
        "text": words.text,
        "sections": words.for_scripts,
        "number": words.decimal,
        "begun": begun_in(words),
        "face_word": words.face,
        "language": words.code,
        "direction": words.direction,
    }


def render(request: Request, template: str, context: Mapping[str, object], status: int = 200) -> HTMLResponse:
    """Return a page made from a template of `templates/` in the client's language; browsers do not store it.

    In the template `play` says whether the client may play. Who may only watch gets no control. `by_phone` says
    whether the table's camera is a phone. Features add to that.
    """
    files = assets()  # a template asks for them in each of its addresses
    table = getattr(request.app.state, "table", None)  # none while the data folder cannot be used
    names = request.app.state.languages.names.items()
    languages = [(code, name, request.url.include_query_params(lang=code).query) for code, name in names]
    known = {"assets": lambda: files, "play": is_trusted(request), "languages": languages}
    if table is not None:
        known["by_phone"] = table.camera is not None
        for feature in table.features:
            known |= tried(feature, partial(feature.context, request), {})
    context = {**in_language(words_of(request)), **known, **context}
    return _templates.TemplateResponse(request, template, context, status_code=status, headers=FRESH)


def render_problem(
    request: Request, heading: Text, reason: Text, status: int, template: str = "games-problem.html"
) -> HTMLResponse:
    """Return the page that says what is wrong."""
    words = words_of(request)
    context = {"heading": words.text(heading), "reason": clipped(words.text(reason), LONGEST_REASON)}
    return render(request, template, context, status)


drawn_board = lru_cache(BOARDS_KEPT)(long_board)
drawing_of = lru_cache(BOARDS_KEPT)(plan_json)


def board_for(table: WebTable, sides: int, track: int) -> Layout:
    """Return the board to draw: the built one, or the narrowest with a lane for each side, or the widest."""
    return table.board or drawn_board(min(max(sides, FEWEST_LANES), MOST_LANES), track)


def _view_of(request: Request) -> object:
    view = table_of(request).shown_in(words_of(request)).view
    return adapter_of(view).dump_python(view, mode="json")


@router.get("/", response_class=HTMLResponse)
async def table_page(request: Request) -> Response:
    """Return the page of the table, or the one that a feature shows in its place."""
    table = table_of(request)
    for feature in table.features:
        if (front := tried(feature, partial(feature.front, request), None)) is not None:
            return front
    return render(request, "table.html", {"state": _view_of(request), "hold_s": table.hold_s})


@router.get("/boards/{sides}.json")
async def board_drawing(
    request: Request, sides: Annotated[int, Path(ge=0, le=MOST_PLAYERS)], track: TrackHoles = HOLES
) -> Response:
    """Return the drawing of the board for a number of sides and a track, see `plan_json`."""
    board = board_for(table_of(request), sides, track)
    return Response(drawing_of(board), media_type="application/json", headers=FRESH)


@router.get("/wall", response_class=HTMLResponse)
async def wall_page(request: Request, scheme: str = "dark") -> HTMLResponse:
    """Return the view for a TV: the same table, large and without controls; `scheme=device` may make it light."""
    table = table_of(request)
    qr = qr_svg(f"{table.address()}join") if is_open(table.config.host) else ""
    context = {"state": _view_of(request), "device": scheme == "device", "qr": qr}
    return render(request, "wall.html", context)


@router.get("/join", response_class=HTMLResponse)
async def join_page(request: Request) -> HTMLResponse:
    """Return the page on which a phone asks to play, and answers with what the table shows."""
    table, phone = table_of(request), client_of(request).phone
    view = table.feed.latest.view
    return render(
        request, "join.html", {"phone": phone.name if phone else "", "holes": len(view.players), "track": view.track}
    )


@router.get("/phones", response_class=HTMLResponse)
async def phones_page(request: Request) -> HTMLResponse:
    """Return the page with the phones that play, and this phone's place."""
    return render(request, "phones.html", {})


@router.get("/phone", response_class=HTMLResponse)
async def phone_page(request: Request) -> HTMLResponse:
    """Return the page that shows the table's address to another phone, and how a phone comes to trust the one with TLS.

    The fingerprint of the table's authority is shown on this machine alone: on the way to a phone it could be changed.
    """
    table = table_of(request)
    if not is_open(table.config.host):
        return render(request, "phone.html", {"address": None, "starts": played_with("--host 0.0.0.0")})
    address, authority = table.address(), table.authority()
    context = {
        "address": address,
        "others": other_addresses(table.config.host, address),
        "qr": qr_svg(f"{address}join"),
        "starts": played_with("--host 0.0.0.0 --tls"),
        "secure": table.secure_address(),
        "authority": AUTHORITY_FILE if authority else None,
        "fingerprint": authority.fingerprint if authority and client_of(request).local else None,
    }
    return render(request, "phone.html", context)


@router.get(AUTHORITY_FILE)
async def authority_file(request: Request) -> Response:
    """Return the certificate of the table's own authority, for phones to install.

    Raises:
        HTTPException: 404 without TLS, or with a certificate of the owner's.
    """
    authority = table_of(request).authority()
    if authority is None:
        raise HTTPException(404)
    return Response(authority.der, media_type="application/x-x509-ca-cert", headers=FRESH)
