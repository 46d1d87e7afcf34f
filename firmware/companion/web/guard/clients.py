"""Who sends a request, and in which language: this machine, a paired phone by its cookie, or anybody else."""

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import Scope

from companion.config import is_loopback
from companion.pairing.phones import LIFE_S, Phone
from companion.table.state.inputs import Origin
from companion.words import Catalogue, Languages

CLIENT = "companion.client"
"""The key of the ASGI scope under which the guard puts the `Client` of a request."""

CHECK_AGAIN = "companion.check_again"
"""The key of the ASGI scope under which the guard puts a function that checks the rights of a write once more."""

WALL = "/wall"
"""The address of the view for a TV."""

_FORWARDED = frozenset({b"forwarded", b"via", b"x-real-ip", b"cf-connecting-ip", b"true-client-ip"})
_FORWARDED_BY = (b"x-forwarded", b"tailscale-")
"""Headers that proxies add, and the beginnings of others."""


@dataclass(frozen=True)
class SeatedPhone:
    """A paired phone, and the player whose place it has taken; empty without a place."""

    id: str
    name: str
    seat: str


@dataclass(frozen=True)
class Access:
    """What a client may do: play and set the table up.

    `why` says why it may only watch; it is empty if it may play. `phone` is null unless the client is a paired phone.
    `here`: the client is the table's own machine.
    """

    play: bool
    set_up: bool
    why: str
    phone: SeatedPhone | None = None
    here: bool = False


@dataclass(frozen=True)
class Client:
    """Who sends a request: this machine, a paired phone, or anybody else."""

    local: bool = False
    phone: Phone | None = None
    may_set_up: bool = False

    @property
    def may_play(self) -> bool:
        """Whether it may play, and so may see the camera's pictures."""
        return self.local or self.phone is not None

    @property
    def id(self) -> str:
        """What tells this browser from others: the id of its phone, `here` on this machine, empty for anybody else."""
        return self.phone.id if self.phone else "here" if self.local else ""


def client_of(request: Request) -> Client:
    """Return who sends a request."""
    client = request.scope.get(CLIENT)
    return client if isinstance(client, Client) else Client()


def check_again(request: Request) -> None:
    """Refuse a write whose client has lost its rights since the body came; `HTTPException` reaches the caller."""
    request.scope[CHECK_AGAIN]()


def is_trusted(request: Request) -> bool:
    """Return whether a request comes from somebody who may play, and so may see the camera's pictures."""
    return client_of(request).may_play


def access_of(request: Request) -> Access:
    """Return what the client of a request may do."""
    client = client_of(request)
    phone = SeatedPhone(client.phone.id, client.phone.name, client.phone.seat) if client.phone else None
    why = "" if client.may_play else words_of(request)("access.watching")
    return Access(client.may_play, client.may_set_up, why, phone, client.local)


def origin_of(request: Request) -> Origin:
    """Return where the presses and answers of a request come from."""
    return Origin.MACHINE if client_of(request).local else Origin.NETWORK


def require_trusted(request: Request) -> None:
    """Refuse a request from a client that may not play; a dependency of routes.

    Raises:
        HTTPException: 403.
    """
    if not is_trusted(request):
        raise HTTPException(403, words_of(request)("access.only_players"))


def require_set_up(request: Request) -> None:
    """Refuse a request from a client that may not set the table up; a dependency of routes.

    Raises:
        HTTPException: 403.
    """
    if not client_of(request).may_set_up:
        raise HTTPException(403, words_of(request)("access.only_set_up"))


def cookie_name(scope: Scope) -> str:
    """Return the name of the cookie that holds a phone's token.

    Cookies ignore ports. Over TLS the prefix `__Host-` keeps others from setting it (RFC 6265bis, 4.1.3.2), and on
    plain HTTP the port tells two tables of one machine apart.
    """
    return "__Host-farklecrib" if scope["scheme"] == "https" else f"farklecrib-{(scope.get('server') or ('', 0))[1]}"


def cookie(scope: Scope, token: str) -> str:
    """Return the header `Set-Cookie` that gives a phone its token."""
    secure = "; Secure" if scope["scheme"] == "https" else ""
    return f"{cookie_name(scope)}={token}; Path=/; Max-Age={LIFE_S:.0f}; HttpOnly; SameSite=Strict{secure}"


def token_in(cookies: str, name: str) -> str:
    """Return the value of a cookie in the header `Cookie` (RFC 6265, 4.2.1); empty if it is not there."""
    pairs = (each.strip().partition("=") for each in cookies.split(";"))
    return next((value for key, _, value in pairs if key == name), "")


def is_this_machine(scope: Scope) -> bool:
    """Return whether a request comes by loopback, or from the very address that it came in on.

    A request that a proxy forwarded comes from somewhere else, even if the proxy runs on this machine. So does one to a
    public address: nobody but a proxy writes it on this machine.
    """
    if any(name in _FORWARDED or name.startswith(_FORWARDED_BY) for name, _ in scope["headers"]):
        return False
    address, server = address_of(scope), scope.get("server") or ("", 0)
    return is_loopback(address) or (address == server[0] != "" and not _is_public(address))


def address_of(scope: Scope) -> str:
    """Return the address that a request comes from; empty if it has none."""
    return scope["client"][0] if scope.get("client") else ""


def _is_public(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_global
    except ValueError:
        return False


def words_of(request: Request) -> Catalogue:
    """Return the catalogue of the language of a request.

    It is `lang` in the address, else the first language of the header Accept-Language that the table has, else the
    table's own. A browser lists its languages in the order in which its user wants them. The wall ignores the header,
    because nobody has set up its browser.
    """
    languages: Languages = request.app.state.languages
    header = "" if request.url.path == WALL else request.headers.get("accept-language", "")
    return languages.first(_wanted(f"{request.query_params.get('lang', '')},{header}"))


def _wanted(header: str) -> Iterator[str]:
    """Yield the codes of the header, each followed by that of its language without the country."""
    for entry in header.split(","):
        code = entry.partition(";")[0].strip().replace("_", "-")
        yield code
        yield code.partition("-")[0]
