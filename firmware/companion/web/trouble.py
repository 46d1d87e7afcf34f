"""The page that a table shows while its data folder cannot be used: the reason, and a way to try again."""

from collections.abc import Callable

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from companion.config import WebConfig
from companion.errors import DataFolderError
from companion.web import assets
from companion.web.guard.access import RequestGuard, own_hosts
from companion.web.language import all_catalogues
from companion.web.pages import render
from companion.web.request_reports import RequestReports
from companion.web.schema import problem


def make_trouble_app(config: WebConfig, reason: str, attempt: Callable[[], object]) -> FastAPI:
    """Return an application that answers every request with the reason.

    Args:
        config: the address that it is bound to, and its names.
        reason: what is wrong, in one line.
        attempt: opens the data folder, when somebody asks to try again; raises `DataFolderError` if it cannot be used.
    """
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.reason = reason
    app.state.languages = all_catalogues()
    app.add_route(f"{assets.PREFIX}{{path:path}}", assets.serve, include_in_schema=False)

    @app.get("/again", response_class=HTMLResponse)
    def again(request: Request) -> Response:
        try:
            attempt()
        except DataFolderError as error:
            app.state.reason = str(error)
            return render(request, "trouble.html", {"reason": app.state.reason}, 503)
        return render(request, "trouble.html", {"reason": None})

    @app.api_route("/api/{path:path}", methods=["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"])
    async def refuse() -> JSONResponse:
        return problem(503, app.state.reason)

    @app.get("/{path:path}", response_class=HTMLResponse)
    async def told(request: Request) -> Response:
        return render(request, "trouble.html", {"reason": app.state.reason}, 503)

    app.add_middleware(RequestGuard, hosts=lambda: own_hosts(config.host, config.hosts))
    app.add_middleware(RequestReports)
    return app
