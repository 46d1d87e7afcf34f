#!/usr/bin/env python3
"""Install Farkle Crib as a service on a Raspberry Pi, or uninstall it; run by make install-pi and uninstall-pi.

It may be run again at any time: it keeps what is right and renews what is old. Before it changes config.txt or
cmdline.txt it shows the lines and asks. `--dry-run` changes nothing and says what would be done. `--root` works on
another root (of a card, or of a test) and only names the commands to run there. The games and the configuration are
never removed. It uses the standard library alone: it runs before anything is installed.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPO / "firmware"))

if sys.version_info < (3, 11):  # noqa: UP036 - an old card has an older one, and is to be told so
    sys.stderr.write(
        f"farklecrib: error: expected Python 3.11 or newer, as Raspberry Pi OS on Debian bookworm or trixie has it; "
        f"got {sys.version.split()[0]}\n"
    )
    sys.exit(2)

import tomllib  # noqa: E402 - new in 3.11

from companion.doctor import pi_model  # noqa: E402 - of the clone, and without libraries
from companion.doctor.boot_files import (  # noqa: E402
    Installation,
    InstallError,
    boot_files,
    family_of,
    restore_boot_files,
)

HOME = "opt/farklecrib"
COMMAND = "usr/local/bin/farklecrib"
CONFIG = "etc/farklecrib/config.toml"
FILES = {
    "farklecrib.service": "etc/systemd/system/farklecrib.service",
    "farklecrib.sysusers": "etc/sysusers.d/farklecrib.conf",
    "60-farklecrib.rules": "etc/udev/rules.d/60-farklecrib.rules",
}
RESTART = "etc/systemd/system/farklecrib.service.d/restart.conf"
"""What only systemd 254 or newer understands: Debian bookworm has 252."""

DOCUMENTS = {"systemd/README.md": f"{HOME}/share/doc/README.md"}
PACKAGES = ("python3-venv", "python3-dev", "gcc", "python3-lgpio", "python3-picamera2", "espeak-ng")
"""Debian packages: what pip cannot install (libcamera, lgpio on Trixie), and what builds rpi_ws281x."""

RELEASES = ("bookworm", "trixie")
"""The Debian releases whose Python the locks in requirements/ support."""

PI_VALUES = "systemd/pi.toml"


def release_of(machine: Installation) -> str:
    """Return the code name of the Debian release.

    Raises:
        InstallError: if the release is not supported.
    """
    lines = machine.text("etc/os-release").splitlines()
    name = next((line.partition("=")[2].strip('"') for line in lines if line.startswith("VERSION_CODENAME=")), "")
    if name not in RELEASES:
        raise InstallError(f"expected Raspberry Pi OS on Debian {' or '.join(RELEASES)}, got {name or 'unknown'!r}")
    return name


def install(machine: Installation) -> None:
    """Install step by step; a step changes nothing that is already right."""
    family, release = family_of(machine), release_of(machine)
    machine.tell(f"Farkle Crib on a Raspberry Pi {family} with Debian {release}")
    machine.run(["apt-get", "update"])
    machine.run(["apt-get", "install", "--yes", "--no-install-recommends", *PACKAGES])
    python = f"/{HOME}/bin/python"
    if not machine.path(f"{HOME}/bin/python").exists():
        machine.run(["/usr/bin/python3", "-m", "venv", "--system-site-packages", f"/{HOME}"])
    pip = [python, "-m", "pip", "install", "--no-build-isolation"]  # what builds is locked, too
    for lock in ("build", "pi5" if family is pi_model.Family.PI_5 else "pi"):
        machine.run([*pip, "--require-hashes", "--requirement", str(REPO / "requirements" / f"{lock}.txt")])
    machine.run([*pip, "--no-deps", str(REPO)])
    if not machine.path(COMMAND).is_symlink():
        machine.run(["ln", "-sfn", f"/{HOME}/bin/farklecrib", f"/{COMMAND}"])
    for source, target in {**{f"systemd/{name}": target for name, target in FILES.items()}, **DOCUMENTS}.items():
        machine.write(target, (REPO / source).read_text(encoding="utf-8"))
    if release != "bookworm":
        machine.write(RESTART, (REPO / "systemd/restart.conf").read_text(encoding="utf-8"))
    if not machine.path(CONFIG).exists():
        machine.write(CONFIG, pi_configuration())
    machine.run(["systemd-sysusers"])
    machine.run(["udevadm", "control", "--reload"])
    machine.run(["udevadm", "trigger"])
    restart = boot_files(machine, family)
    machine.run(["systemctl", "daemon-reload"])
    machine.run(["systemctl", "enable", "farklecrib.service"])
    machine.run(["systemctl", "restart", "--no-block", "farklecrib.service"])
    if restart:
        machine.tell("restart the Pi for the new lines to count: sudo reboot")
    machine.run([f"/{HOME}/bin/farklecrib", "doctor"])


def pi_configuration() -> str:
    """Return the packaged defaults, with each key explained and the values of a table on a Pi."""
    text = (REPO / "firmware/companion/config.default.toml").read_text(encoding="utf-8")
    values = tomllib.loads((REPO / PI_VALUES).read_text(encoding="utf-8"))
    section, lines = "", []
    for line in text.splitlines():
        section = line.strip("[]") if line.startswith("[") else section
        key = line.partition(" = ")[0] if re.match(r"\w+ = ", line) else None
        given = values.get(section, {}).get(key)
        lines.append(line if given is None else f"{key} = {json.dumps(given)}")  # which TOML reads, too
    return "\n".join(lines) + "\n"


def uninstall(machine: Installation) -> None:
    """Remove everything except the games and the configuration."""
    if machine.path(FILES["farklecrib.service"]).exists():
        machine.run(["systemctl", "disable", "--now", "farklecrib.service"])
    for name in (*FILES.values(), RESTART, COMMAND, HOME):
        machine.remove(name)
    machine.run(["systemctl", "daemon-reload"])
    machine.run(["udevadm", "control", "--reload"])
    restore_boot_files(machine)
    machine.tell("the games stay in /var/lib/farklecrib, the configuration in /etc/farklecrib; to forget them too:")
    machine.tell("    sudo rm -r /var/lib/farklecrib /etc/farklecrib && sudo deluser farklecrib")


def _machine(arguments: argparse.Namespace) -> Installation:
    if arguments.root == Path("/") and not arguments.dry_run and os.geteuid() != 0:
        raise InstallError("expected root, got another user; run: sudo make install-pi (or with ARGS=--dry-run)")

    elsewhere = arguments.root != Path("/")

    def run(command: Sequence[str]) -> None:
        print(
            f"{'would run' if arguments.dry_run else 'to run there' if elsewhere else 'running'}: {' '.join(command)}"
        )
        if not arguments.dry_run and not elsewhere:
            done = subprocess.run(command, check=False)
            if done.returncode and not command[-1].endswith("doctor"):  # doctor's own answer may be no
                raise InstallError(f"expected {command[0]!r} to end well, got status {done.returncode}")

    def ask(question: str) -> bool:
        if arguments.yes:
            return True
        try:
            return input(f"{question} [y/N] ").strip().lower() in {"y", "yes"}
        except EOFError:
            return False

    family = pi_model.Family(arguments.family) if arguments.family else None
    return Installation(arguments.root, run, ask, print, arguments.dry_run, family)


def main(arguments: Sequence[str] | None = None) -> int:
    """Install or uninstall, and return the exit status: 2 with one line if that is not possible."""
    parser = argparse.ArgumentParser(description="Install Farkle Crib as a service on a Raspberry Pi.")
    parser.add_argument("--uninstall", action="store_true", help="take it away; games and configuration stay")
    parser.add_argument("--dry-run", action="store_true", help="change nothing, say what would be done")
    parser.add_argument("--yes", action="store_true", help="change config.txt and cmdline.txt without asking")
    parser.add_argument("--root", type=Path, default=Path("/"), help="another root than this machine's")
    families = [family.value for family in pi_model.Family]
    parser.add_argument("--family", choices=families, help="which Pi, where --root is a card that is not running")
    given = parser.parse_args(arguments)
    try:
        (uninstall if given.uninstall else install)(_machine(given))
    except (InstallError, OSError) as error:
        sys.stderr.write(f"farklecrib: error: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
