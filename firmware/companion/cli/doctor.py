"""`farklecrib doctor`: examine this machine, and print each finding with the command that cures it."""

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import ConfigFile, Json, tell, written
from companion.errors import CompanionError, ConfigError

if TYPE_CHECKING:
    from companion.checkup.findings import Finding
    from companion.checkup.machine import Machine
    from companion.config import Config


def doctor(
    config: ConfigFile = None,
    bundle: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a .tar.gz for a bug report, names masked, without pictures."),
    ] = None,
    json_out: Json = False,
) -> int:
    """Examine this machine, and show each problem with the command that mends it."""
    from companion.checkup.machine import this_machine

    return examine_machine(this_machine(), config, bundle, json_out=json_out)


def examine_machine(
    machine: "Machine", file: Path | None, bundle: Path | None = None, *, json_out: bool = False
) -> int:
    """Print the findings of a machine; return 1 if a check fails."""
    from companion.checkup.all_checks import examine
    from companion.checkup.findings import Level

    config, findings = _configured(file)
    findings += (*examine(machine, config), *_authority(config))
    if json_out:
        print(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        for finding in findings:
            tell(finding.line())
        tell(", ".join(f"{sum(each.level is level for each in findings)} {level.lower()}" for level in Level))
    if bundle is not None:
        _write_bundle(bundle, machine, config, findings)
    return 1 if any(finding.level is Level.FAIL for finding in findings) else 0


def _write_bundle(file: Path, machine: "Machine", config: "Config", findings: "Iterable[Finding]") -> None:
    from companion.checkup.bundle import write_bundle
    from companion.config import data_folder
    from companion.games.control_socket import open_games

    try:
        with open_games(data_folder(config), time.time) as (games, _):
            players = {name for summary in games.summaries() for name in summary.players}
        log = machine.log_lines()
    except CompanionError as error:
        players, log = set(), f"left out, because the players' names to mask could not be read: {error}"
    with written(file) as opened:
        write_bundle(opened, machine, config, findings, log, players)
    tell(f"farklecrib: {file} holds what a bug report needs; look into it before you send it", err=True)


def _authority(config: "Config") -> "Iterator[Finding]":
    """Yield the table's own authority with its fingerprint, if HTTPS is configured and there is one."""
    from companion.checkup.findings import passed
    from companion.config import data_folder
    from companion.pairing.certificate_files import stored_authority

    if config.web.tls and not config.web.certificate:
        with suppress(ConfigError, OSError, ValueError):  # the table makes it anew, and says so
            found = stored_authority(data_folder(config))
            yield passed("https", f"its certificate until {found.end.date()} has the SHA-256 {found.fingerprint}")


def _configured(file: Path | None) -> "tuple[Config, tuple[Finding, ...]]":
    """Return the configuration, the defaults if it cannot be read, and a finding for each value that is wrong."""
    from companion.checkup.findings import failed
    from companion.cli.config import refused
    from companion.config import Config
    from companion.config_files import PACKAGED_FILE, damage, load_config, system_file

    cure = f"farklecrib config check{f' --config {file}' if file else ''}"
    found: tuple[Finding, ...] = ()
    named = system_file() if file is None else None
    if named is not None and PACKAGED_FILE.is_file() and (reason := damage(named)):
        file, again = PACKAGED_FILE, f"sudo cp {PACKAGED_FILE} {named} && sudo systemctl restart farklecrib"
        found = (failed("config", f"{named} cannot be used: {reason}", again),)
    try:
        config = load_config(file)
    except ConfigError as error:
        return Config(), (*found, failed("config", str(error), cure))
    return config, (*found, *(failed("config", wrong, cure) for wrong in refused(config)))
