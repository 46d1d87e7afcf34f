"""A bundle for a bug report: the doctor's findings, the configuration, versions, boot files and the last log lines.

No game, no picture and no serial number goes in. The names of the user, the machine and the players, and the addresses
of networks, are masked in every file.
"""

import io
import json
import re
import socket
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from importlib.metadata import distributions
from ipaddress import IPv6Address
from typing import BinaryIO
from urllib.parse import urlsplit

from companion.cameras import camera_shown
from companion.checkup.findings import Finding
from companion.checkup.machine import SERVICE_USER, Machine
from companion.checkup.raspberry_pi import CMDLINE_FILE, CONFIG_FILE
from companion.config import Config

OURS = (
    "farklecrib|numpy|onnxruntime|opencv|picamera2|simplejpeg|adafruit|rpi|lgpio|gpio|fastapi|starlette|uvicorn"
    "|pydantic|pip"
)
"""Prefixes of the names of the libraries whose versions are listed."""

DEVICES = ("dev/spidev*", "dev/pio*", "dev/gpio*", "dev/video*", "dev/media*", "dev/dma_heap/*")

FOLDER = "farklecrib-report"
VERSIONS = "versions.txt"

IPV6 = re.compile(r"(?i)(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}(?:[0-9a-f]{1,4}|(?<=::))(?!\w)")
"""A possible IPv6 address; a time looks like one, too."""


def write_bundle(
    file: BinaryIO,
    machine: Machine,
    config: Config,
    findings: Iterable[Finding],
    log: str = "",
    players: Iterable[str] = (),
) -> None:
    """Write the bundle, a gzipped tar, or raise the OSError of the file.

    Args:
        file: The file to write into.
        machine: The machine that was examined.
        config: Its configuration.
        findings: The findings of the doctor.
        log: The last lines of the log.
        players: The names of the players of all kept games, to be masked.
    """
    nameless = replace(
        config,
        table=replace(config.table, players=tuple("?" for _ in config.table.players)),
        camera=replace(config.camera, source=camera_shown(config.camera.source)),
    )
    shown = asdict(nameless)
    shown |= {name: _veiled(shown[name]) for name in ("mqtt", "league")}
    shown["hook"] = [_veiled(each, "kinds") for each in shown["hook"]]
    # A comment of a boot file may hold private text.
    uncommented = (line.partition("#")[0].strip() for line in machine.text(CONFIG_FILE).splitlines())
    devices = (path for pattern in DEVICES for path in machine.find(pattern))
    files = {
        "doctor.json": json.dumps([asdict(each) for each in findings], indent=1, ensure_ascii=False),
        "config.json": json.dumps(shown, indent=1, ensure_ascii=False),
        VERSIONS: "\n".join(_versions(machine)),
        "config.txt": "\n".join(filter(None, uncommented)),
        "cmdline.txt": " ".join(word for word in machine.text(CMDLINE_FILE).split() if word.startswith("spidev.")),
        "devices.txt": "\n".join(str(path.relative_to(machine.root)) for path in devices),
        "log.txt": log.rstrip(),
    }
    secrets = tuple(_secrets(machine, config, players))
    with tarfile.open(fileobj=file, mode="w:gz") as bundle:
        for name, text in files.items():
            mask = mask_names if name == VERSIONS else mask_secrets  # a version may look like an address
            data = mask(f"{text}\n", secrets).encode()
            entry = tarfile.TarInfo(f"{FOLDER}/{name}")
            entry.size, entry.mtime = len(data), int(machine.now())
            bundle.addfile(entry, io.BytesIO(data))


def _veiled(section: Mapping[str, object], *shown: str) -> dict[str, object]:
    """Return the keys of a section, each text masked that may be an address or a secret: all but those of `shown`."""
    return {
        key: "***" if value and isinstance(value, str | tuple) and key not in shown else value
        for key, value in section.items()
    }


def mask_secrets(text: str, names: Iterable[str]) -> str:
    """Mask these names, and the IP and MAC addresses of networks, with asterisks."""
    text = re.sub(r"(?<![\d.])(?!127\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}(?![\d.])", "***", text)
    text = re.sub(r"(?i)(?<!\w)(?:[0-9a-f]{2}:){5}[0-9a-f]{2}(?!\w)", "***", text)
    return mask_names(IPV6.sub(_mask_ipv6, text), names)


def mask_names(text: str, names: Iterable[str]) -> str:
    """Mask these names with asterisks, as whole words in any case."""
    for name in sorted(set(names), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "***", text, flags=re.IGNORECASE)
    return text


def _mask_ipv6(found: re.Match[str]) -> str:
    """Mask an IPv6 address. Return loopback, unspecified and non-address text unchanged."""
    try:
        address = IPv6Address(found[0])
    except ValueError:
        return found[0]
    return found[0] if address.is_loopback or address.is_unspecified else "***"


def _secrets(machine: Machine, config: Config, players: Iterable[str]) -> Iterator[str]:
    """Yield the names that must not be in the bundle: of people, the machine, a WLED, a camera and brokers."""
    users = (line.split(":")[0] for line in machine.text("etc/passwd").splitlines() if "/home/" in line)
    host = config.leds.driver.partition(":")[2] if config.leds.driver.startswith("wled:") else ""
    name, _, address = config.camera.source.partition(":")
    camera = (urlsplit(address).hostname or "") if name == "url" else ""
    own = (machine.user, machine.text("etc/hostname") or socket.gethostname(), host, camera)
    names = (*users, *own, config.mqtt.host, config.league.host, *config.table.players, *players)
    common = {"root", SERVICE_USER, "farklecrib", "localhost", "pi", ""}
    return (name for name in names if name.lower() not in common)


def _versions(machine: Machine) -> Iterator[str]:
    yield f"model {machine.model or 'none'}"
    yield f"system {machine.release.get('PRETTY_NAME', 'unknown')} {machine.architecture}"
    yield f"python {'.'.join(str(part) for part in machine.python)}"
    found = {each.metadata["Name"]: each.version for each in distributions()}
    yield from sorted(f"{name} {version}" for name, version in found.items() if re.match(OURS, name, re.IGNORECASE))
