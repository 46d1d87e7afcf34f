"""Network namespaces: the table in one, and clients in others, each at an address of its own and none on loopback.

Namespaces need root, or a user namespace (`as_root`). Nothing is left behind: a namespace ends with its last descriptor
and process.
"""

import ctypes
import http.client
import json
import os
import select
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

CLONE_NEWNET = 0x40000000
AS_ROOT = ("unshare", "--map-root-user", "--net")
"""Runs a command as root of a user namespace; some machines forbid it to users without rights."""

_libc = ctypes.CDLL(None, use_errno=True)


def lacking() -> str:
    """Return why this machine can make no network namespace, even by `as_root`; empty if it can."""
    if missing := [each for each in ("ip", "unshare") if shutil.which(each) is None]:
        return f"expected {' and '.join(missing)} (Debian: iproute2, util-linux) for network namespaces"
    command = ["unshare", "--net", "true"] if os.geteuid() == 0 else [*AS_ROOT, "true"]
    tried = subprocess.run(command, capture_output=True, text=True, check=False)
    return f"expected the right to make network namespaces, got: {tried.stderr.strip()}" if tried.returncode else ""


def as_root(*command: str) -> tuple[str, ...]:
    """Return a command of this interpreter, run as root of a user namespace if this process is not root."""
    return (*(AS_ROOT if os.geteuid() else ()), sys.executable, *command)


@contextmanager
def inside(namespace: int) -> Iterator[None]:
    """Let this thread make its sockets and start its processes in a namespace, given by its descriptor."""
    before = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    try:
        _check(_libc.setns(namespace, CLONE_NEWNET))
        yield
    finally:
        _check(_libc.setns(before, CLONE_NEWNET))
        os.close(before)


def program_inside(namespace: int, program: Path, folder: Path) -> Path:
    """Return a script, written into a folder, that runs a program in a namespace: for a browser's executable."""
    script = folder / f"{program.name}-{namespace}"
    script.write_text(f'#!/bin/sh\nexec nsenter --net=/proc/{os.getpid()}/fd/{namespace} {program} "$@"\n', "utf-8")
    script.chmod(0o755)
    return script


@dataclass(frozen=True)
class Place:
    """A namespace of clients: its descriptor, the table's address as seen from here, and the clients' addresses."""

    namespace: int
    table: str
    addresses: tuple[str, ...]


@dataclass
class Network:
    """The table's namespace, given by its descriptor, and the places that a cable connects with it."""

    table: int
    places: list[Place] = field(default_factory=list)

    def __enter__(self) -> "Network":
        """Return the network."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of all namespaces."""
        for namespace in (self.table, *(each.namespace for each in self.places)):
            os.close(namespace)

    def place(self, addresses: int) -> Place:
        """Add a place with a cable to the table, and this many addresses."""
        number = len(self.places)
        made = Place(_new(), f"10.77.{number}.1", tuple(f"10.77.{number}.{2 + n}" for n in range(addresses)))
        self.places.append(made)
        far = f"/proc/{os.getpid()}/fd/{made.namespace}"
        _ip(self.table, f"link add cable{number} type veth peer name cable netns {far}")
        _ip(self.table, f"address add {made.table}/24 dev cable{number}", f"link set cable{number} up")
        _ip(made.namespace, *(f"address add {each}/24 dev cable" for each in made.addresses), "link set cable up")
        if number == 0:  # by this route the table finds its address in the network
            _ip(self.table, f"route add default via {made.addresses[0]}")
        return made


def network() -> Network:
    """Return a network of the table alone; use it in a `with` block."""
    return Network(_new())


class Client(http.client.HTTPConnection):
    """A client of the table's API at an address of its own; like a browser it keeps its connection."""

    def __init__(self, namespace: int, host: str, port: int, address: str = "") -> None:
        super().__init__(host, port, timeout=60, source_address=(address, 0) if address else None)
        self.namespace = namespace
        self.own = {"origin": f"http://{host}:{port}", "sec-fetch-site": "same-origin"}
        self.cookie = ""

    def connect(self) -> None:
        """Connect from the client's namespace."""
        with inside(self.namespace):
            super().connect()

    def asks(self, method: str, path: str, body: object = None) -> tuple[int, bytes]:
        """Send a request as the table's own page does; return the status and the body of the answer.

        A cookie of the answer is sent with every request after it.
        """
        if self.sock is not None and select.select([self.sock], [], [], 0)[0]:
            self.close()  # the table has ended the idle connection
        sent = None if body is None else json.dumps(body)
        kind = {} if sent is None else {"content-type": "application/json"}
        self.request(method, path, sent, {**self.own, **kind, **({"cookie": self.cookie} if self.cookie else {})})
        answer = self.getresponse()
        if given := answer.getheader("set-cookie"):
            self.cookie = given.partition(";")[0]
        return answer.status, answer.read()

    def api(self, method: str, path: str, body: object = None) -> dict:
        """Send a request to the API, and return its answer.

        Raises:
            AssertionError: if it is refused.
        """
        status, answer = self.asks(method, f"/api/v1/{path}", body)
        assert status in {200, 204}, (method, path, body, status, answer)
        return dict(json.loads(answer)) if answer else {}


def let_in(here: Client, phones: Sequence[Client], names: Sequence[str]) -> None:
    """Let phones in: the first asks, this machine lets it in by the menu, and all answer with the digits.

    Args:
        here: A client on the table's own machine.
        phones: The phones.
        names: Their names.
    """
    phones[0].api("POST", "pairing/ask", {"name": names[0]})
    here.api("POST", "pause", {})
    here.api("POST", "answer", {"answer": "let_in"})
    digits = here.api("GET", "pairing/door")["digits"]
    for phone, name in zip(phones, names, strict=True):
        phone.api("POST", "pairing/answer", {"name": name, "digits": digits})


def _new() -> int:
    """Return the descriptor of a new namespace, whose loopback is up."""
    made: list[int | OSError] = []

    def make() -> None:
        try:
            _check(_libc.unshare(CLONE_NEWNET))
            made.append(os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC))
        except OSError as error:
            made.append(error)

    thread = threading.Thread(target=make)  # it alone changes its namespace
    thread.start()
    thread.join()
    if isinstance(made[0], OSError):
        raise made[0]
    _ip(made[0], "link set lo up")
    return made[0]


def _ip(namespace: int, *commands: str) -> None:
    with inside(namespace):
        subprocess.run(["ip", "-batch", "-"], input="\n".join(commands), text=True, check=True)


def _check(result: int) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
