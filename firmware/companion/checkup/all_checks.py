"""Run all checks of the machine and of its devices in order; a check that raises is a finding too."""

from companion.checkup import buttons, camera, leds, sound, system
from companion.checkup.findings import Finding, Level
from companion.checkup.machine import Machine
from companion.config import Config

CHECKS = (
    *(system.model, system.system, system.version, system.python, system.libraries, system.groups),
    *(leds.strip, leds.layout, buttons.gpiochip, buttons.buttons, camera.camera, camera.eye, sound.sound),
    *(system.power, system.phones, system.disk, system.clock),
)
"""Each check yields its findings."""


def examine(machine: Machine, config: Config) -> tuple[Finding, ...]:
    """Run all checks, and return their findings."""
    findings: list[Finding] = []
    for check in CHECKS:
        try:
            findings += list(check(machine, config))
        except Exception as error:  # noqa: BLE001 - an error in one check must not stop the others
            cure = "please report this: farklecrib doctor --bundle farklecrib-report.tar.gz"
            findings.append(Finding(check.__name__, Level.FAIL, f"could not be checked: {error!r}", cure))
    return tuple(findings)
