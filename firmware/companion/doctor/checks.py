"""Run all checks of the doctor in order; a check that raises is a finding too."""

from collections.abc import Callable, Iterable

from companion.config import Config, data_folder
from companion.doctor import camera, phones, power, sound, system, wiring
from companion.doctor.findings import Finding, failed
from companion.doctor.machine import Machine


def uses(config: Config) -> frozenset[str]:
    """Return the devices of a Pi that the configuration uses."""
    wanted = {
        "leds": config.leds.driver.partition(":")[0] == "neopixel",
        "buttons": config.buttons.driver == "gpio",
        "camera": config.camera.source.partition(":")[0] == "picamera2",
    }
    return frozenset(name for name, used in wanted.items() if used)


def examine(machine: Machine, config: Config) -> tuple[Finding, ...]:
    """Run all checks, and return their findings."""
    used = uses(config)
    checks: tuple[tuple[str, Callable[[], Finding | Iterable[Finding]]], ...] = (
        ("model", lambda: system.model(machine, used)),
        ("system", lambda: system.system(machine)),
        ("version", lambda: system.version(machine)),
        ("python", lambda: system.python(machine)),
        ("libraries", lambda: system.libraries(machine, config)),
        ("groups", lambda: system.groups(machine, used)),
        ("strip", lambda: wiring.strip(machine, config)),
        ("layout", lambda: wiring.layout(config)),
        ("gpiochip", lambda: wiring.chip(machine, config)),
        ("buttons", lambda: wiring.buttons(machine, config)),
        ("camera", lambda: camera.camera(machine, config)),
        ("eye", lambda: camera.eye(machine)),
        ("sound", lambda: sound.sound(machine, config.sound)),
        ("power", lambda: power.power(machine)),
        ("phones", lambda: phones.phones(machine, config)),
        ("disk", lambda: system.disk(machine, data_folder(config))),
        ("clock", lambda: system.clock(machine)),
    )
    findings: list[Finding] = []
    for name, check in checks:
        try:
            found = check()
            findings += [found] if isinstance(found, Finding) else list(found)
        except Exception as error:  # noqa: BLE001 - an error in one check must not stop the others
            cure = "please report this: farklecrib doctor --bundle farklecrib-report.tar.gz"
            findings.append(failed(name, f"could not be checked: {error!r}", cure))
    return tuple(findings)
