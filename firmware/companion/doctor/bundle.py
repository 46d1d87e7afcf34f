"""A bundle for a bug report: what the doctor found, versions, boot files; no names of people, and no pictures.

Nothing of the games goes in, no log (it may hold names), no serial number, no address. The user's, the machine's and
the players' names are taken out wherever they stand.
"""

import io
import json
import re
import socket
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from importlib.metadata import distributions
from ipaddress import IPv6Address
from pathlib import Path

from companion.config import Config
from companion.doctor.findings import Finding
from companion.doctor.machine import SERVICE_USER, Machine
from companion.doctor.pi_model import CMDLINE_FILE, CONFIG_FILE

OURS = "farklecrib|numpy|opencv|picamera2|simplejpeg|adafruit|rpi|lgpio|gpio|fastapi|starlette|uvicorn|pydantic|pip"
"""The beginnings of the libraries' names that matter here."""

FOLDER = "farklecrib-report"
VERSIONS = "versions.txt"

IPV6 = re.compile(r"(?i)(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}(?:[0-9a-f]{1,4}|(?<=::))(?!\w)")
"""What may be an address of IPv6; a time looks like one, too."""


def write_bundle(file: Path, machine: Machine, config: Config, findings: Iterable[Finding]) -> None:
    """Write the bundle, a gzipped tar; raises OSError where it cannot be written."""
    with tarfile.open(file, "w:gz") as bundle:
        for name, text in contents(machine, config, findings):
            data = text.encode()
            entry = tarfile.TarInfo(f"{FOLDER}/{name}")
            entry.size, entry.mtime = len(data), int(machine.now())
            bundle.addfile(entry, io.BytesIO(data))


def contents(machine: Machine, config: Config, findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """Every file of the bundle and its text, with names taken out."""
    nameless = replace(config, table=replace(config.table, players=tuple("?" for _ in config.table.players)))
    files = {
        "doctor.json": json.dumps([asdict(each) for each in findings], indent=1, ensure_ascii=False),
        "config.json": json.dumps(asdict(nameless), indent=1, ensure_ascii=False),
        VERSIONS: "\n".join(_versions(machine)),
        "config.txt": "\n".join(_lines(machine.text(CONFIG_FILE))),
        "cmdline.txt": " ".join(word for word in machine.text(CMDLINE_FILE).split() if word.startswith("spidev.")),
        "devices.txt": "\n".join(_devices(machine)),
    }
    secrets = tuple(_secrets(machine, config))
    for name, text in files.items():
        clean = without_names if name == VERSIONS else without  # a version may look like an address
        yield name, clean(f"{text}\n", secrets)


def without(text: str, secrets: Iterable[str]) -> str:
    """The text without these words, and without addresses of any network."""
    text = re.sub(r"(?<![\d.])(?!127\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}(?![\d.])", "***", text)
    text = re.sub(r"(?i)(?<!\w)(?:[0-9a-f]{2}:){5}[0-9a-f]{2}(?!\w)", "***", text)
    return without_names(IPV6.sub(_unless_own, text), secrets)


def without_names(text: str, secrets: Iterable[str]) -> str:
    """The text without these words."""
    for secret in sorted(set(secrets), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", "***", text, flags=re.IGNORECASE)
    return text


def _unless_own(found: re.Match[str]) -> str:
    """Stars for an address of a network; what is none, or means this machine or all of them, as it is."""
    try:
        address = IPv6Address(found[0])
    except ValueError:
        return found[0]
    return found[0] if address.is_loopback or address.is_unspecified else "***"


def _secrets(machine: Machine, config: Config) -> Iterator[str]:
    """Names that must not be in the bundle: people's, the machine's, a WLED's."""
    users = (line.split(":")[0] for line in machine.text("etc/passwd").splitlines() if "/home/" in line)
    host = config.leds.driver.partition(":")[2] if config.leds.driver.startswith("wled:") else ""
    names = (*users, machine.user, machine.text("etc/hostname") or socket.gethostname(), host, *config.table.players)
    common = {"root", SERVICE_USER, "farklecrib", "localhost", "pi", ""}
    return (name for name in names if name.lower() not in common)


def _versions(machine: Machine) -> Iterator[str]:
    yield f"model {machine.model or 'none'}"
    yield f"system {machine.release.get('PRETTY_NAME', 'unknown')} {machine.architecture}"
    yield f"python {'.'.join(str(part) for part in machine.python)}"
    found = {each.metadata["Name"]: each.version for each in distributions()}
    yield from sorted(f"{name} {version}" for name, version in found.items() if re.match(OURS, name, re.IGNORECASE))


def _lines(text: str) -> Iterator[str]:
    """The lines that count: a comment may say anything."""
    return (line for raw in text.splitlines() if (line := raw.partition("#")[0].strip()))


def _devices(machine: Machine) -> Iterator[str]:
    for pattern in ("dev/spidev*", "dev/pio*", "dev/gpio*", "dev/video*", "dev/media*", "dev/dma_heap/*"):
        yield from (str(path.relative_to(machine.root)) for path in machine.find(pattern))
