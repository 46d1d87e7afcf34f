"""`farklecrib doctor`: what is wrong with this machine, and the command that mends it."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from companion.cli.config import unusable
from companion.config import Config, load_config
from companion.doctor.checks import examine
from companion.doctor.findings import Finding, Level, failed
from companion.doctor.machine import Machine, this_machine
from companion.errors import CompanionError, ConfigError


def run_doctor(
    given: Path | None, *, bundle: Path | None = None, json_out: bool = False, machine: Machine | None = None
) -> int:
    """Look at everything and say it; 1 where something fails."""
    machine = machine or this_machine()
    config, findings = _configured(given)
    findings += examine(machine, config)
    if json_out:
        print(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        for finding in findings:
            print(finding.line())
        print(_summary(findings))
    if bundle is not None:
        from companion.doctor.bundle import write_bundle

        try:
            write_bundle(bundle, machine, config, findings)
        except OSError as error:
            raise CompanionError(f"expected a file that can be written, got {str(bundle)!r}: {error}") from error
        sys.stderr.write(f"farklecrib: {bundle} holds what a bug report needs; look into it before you send it\n")
    return 1 if any(finding.level is Level.FAIL for finding in findings) else 0


def _configured(given: Path | None) -> tuple[Config, tuple[Finding, ...]]:
    """The configuration, and a finding for each value that cannot be used; of one that cannot be read the defaults."""
    mend = f"farklecrib config check{f' --config {given}' if given else ''}"
    try:
        config = load_config(given)
    except ConfigError as error:
        return Config(), (failed("config", str(error), mend),)
    return config, tuple(failed("config", wrong, mend) for wrong in unusable(config))


def _summary(findings: tuple[Finding, ...]) -> str:
    counts = {level: sum(finding.level is level for finding in findings) for level in Level}
    return f"{counts[Level.PASS]} pass, {counts[Level.WARN]} warn, {counts[Level.FAIL]} fail"
