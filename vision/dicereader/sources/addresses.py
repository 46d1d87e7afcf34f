"""The address of a camera in the network: which ones may be opened, and what of one may be shown."""

import re
from urllib.parse import SplitResult, urlsplit

from dicereader.errors import SourceError

SCHEMES = ("http", "https", "rtsp", "rtsps")

LONGEST_SHOWN = 80
"""The most characters that are shown of an address that cannot be opened."""


def checked(address: str) -> SplitResult:
    """Return the parts of a camera's address.

    Raises:
        SourceError: if it has another form.
    """
    parts = _parts(address)
    if parts is None or parts.scheme not in SCHEMES or re.search(r"[\x00-\x20\x7f]", address):
        forms = ", ".join(f"{each}://" for each in SCHEMES[:-1])
        raise SourceError(
            f"expected {forms} or {SCHEMES[-1]}:// and the address of a camera after url:, got {shown(address)!r}"
        )
    return parts


def shown(address: str) -> str:
    """Return an address without its user name, password, path and query, any of which may be secret."""
    parts = _parts(address)
    if parts is None:
        return re.sub(r".*@", "...@", address, flags=re.DOTALL).partition("?")[0][:LONGEST_SHOWN]
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{host}{port}{'/...' if parts.path.strip('/') or parts.query else ''}"


def _parts(address: str) -> SplitResult | None:
    """Return the parts of an address with a scheme and a host; None for another text."""
    try:
        parts = urlsplit(address)
        return parts if parts.scheme and parts.hostname and parts.port != 0 else None
    except ValueError:  # a port that is no number, or half of an IPv6 address
        return None
