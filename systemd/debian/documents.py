"""The documents of the Debian package: manual page, completion, changelog, and the licences of bundled packages."""

import gzip
import os
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

import typer
from typer.completion import get_completion_script
from wheels import write

from companion.cli.main import COMPLETION, app

REPO = Path(__file__).resolve().parents[2]


def write_documents(root: Path, site: str, version: str, release: str, maintainer: str) -> None:
    """Write manual page, completion, changelog and copyright below `root`; `site` holds the bundled packages."""
    share, doc = root / "usr/share", root / "usr/share/doc/farklecrib"
    bash = get_completion_script(prog_name="farklecrib", complete_var=COMPLETION, shell="bash")  # noqa: S604 - a name
    write(share / "bash-completion/completions/farklecrib", bash + "\n")
    write(share / "man/man1/farklecrib.1.gz", packed(manual(typer.main.get_command(app), version)))
    date = format_datetime(datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC))
    change = f"farklecrib ({version}) {release}; urgency=medium\n\n  * See CHANGELOG.md.gz beside it.\n"
    write(doc / "changelog.gz", packed(f"{change}\n -- {maintainer}  {date}\n"))
    write(doc / "CHANGELOG.md.gz", packed((REPO / "CHANGELOG.md").read_text(encoding="utf-8")))
    write(doc / "copyright", copyright_text(root, site))


def packed(text: str) -> bytes:
    """Return a text as gzip without a name or a time, so that the same text gives the same bytes."""
    return gzip.compress(text.encode(), 9, mtime=0)


def manual(command: Any, version: str) -> str:
    """Return the manual page of a Typer command and its subcommands."""

    def lines(names: str, each: Any) -> Iterator[str]:
        for name, inner in getattr(each, "commands", {}).items():
            yield from lines(f"{names} {name}", inner)
        if not hasattr(each, "commands"):
            yield f".SS {names}\n{roff(each.help or '')}"
            for option in each.params:
                word = f"{option.opts[0] if option.param_type_name == 'option' else ''} {option.metavar or ''}".strip()
                yield f".TP\n.B {roff(word)}\n{roff(getattr(option, 'help', '') or '')}"

    head = f'.TH FARKLECRIB 1 "" "farklecrib {version}" "User Commands"\n.SH NAME\nfarklecrib \\- {command.help}'
    body = "\n".join(lines("farklecrib", command))
    return (
        f"{head}\n.SH SYNOPSIS\n.B farklecrib\n.I command\n[options]\n.SH COMMANDS\n{body}\n"
        ".SH FILES\n.TP\n.I /etc/farklecrib/config.toml\nThe configuration.\n"
        ".TP\n.I /var/lib/farklecrib\nThe games of the service.\n"
        ".SH EXIT STATUS\n0: done. 1: done, and the answer is no. 2: unusable input.\n"
    )


def roff(text: str) -> str:
    """Return a text for a manual page: on one line, hyphens as typed, no line that looks like a request."""
    return re.sub(r"^([.'])", r"\\&\1", " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-"))


def copyright_text(root: Path, site: str) -> str:
    """Return the copyright file: our licence, then the licence of each bundled package."""
    ours = (REPO / "LICENSE").read_text(encoding="utf-8").strip()
    holder = next(line for line in ours.splitlines() if line.startswith("Copyright")).partition(" ")[2]
    text = "\n".join(f" {line}" if line.strip() else " ." for line in ours.splitlines())
    parts = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: farklecrib",
        f"Files: *\nCopyright: {holder}\nLicense: MIT\n{text}",
    ]
    for each in sorted(distributions(path=[str(root / site)]), key=lambda one: one.metadata["Name"].lower()):
        name = each.metadata["Name"]
        if name != "farklecrib":
            folder = f"{re.sub(r'[-_.]+', '_', name)}-{each.version}.dist-info"
            parts.append(
                f"Files: {site}/{folder}/*\n"
                f"Copyright: {each.metadata.get('Author') or f'the authors of {name}'}\n"
                f"License: {licence(each)}\n"
                f"Comment: Covers the bundled package {name} {each.version}. Its full licence texts, where its wheel\n"
                " has them, are in that folder."
            )
    return "\n\n".join(parts) + "\n"


def licence(package: Distribution) -> str:
    """Return the short name of a package's licence, as its metadata states it."""
    data = package.metadata
    classified = [each.rpartition(" :: ")[2] for each in data.get_all("Classifier") or () if "License ::" in each]
    stated = data.get("License-Expression") or (classified[0] if classified else data.get("License") or "unknown")
    return re.sub(r"[^\w.+() -]", " ", stated.splitlines()[0]).strip()


if __name__ == "__main__":
    write_documents(Path(sys.argv[1]), *sys.argv[2:])
