"""All that the doctor looks at, in order; what breaks while it looks is a finding too."""

from collections.abc import Callable, Iterable

from companion.config import Config, data_folder
from companion.doctor import camera, system, wiring
from companion.doctor.findings import Finding, failed
from companion.doctor.machine import Machine


def uses(config: Config) -> frozenset[str]:
    """The devices of a Pi that the configuration uses."""
    wanted = {
        "leds": config.leds.driver.partition(":")[0] == "neopixel",
        "buttons": config.buttons.driver == "gpio",
        "camera": config.camera.source.partition(":")[0] == "picamera2",
    }
    return frozenset(name for name, used in wanted.items() if used)


def examine(machine: Machine, config: Config) -> tuple[Finding, ...]:
    """Look at everything."""
    used = uses(config)
    looks: tuple[tuple[str, Callable[[], Finding | Iterable[Finding]]], ...] = (
        ("model", lambda: system.model(machine, used)),
        ("system", lambda: system.system(machine)),
        ("python", lambda: system.python(machine)),
        ("libraries", lambda: system.libraries(machine, config)),
        ("groups", lambda: system.groups(machine, used)),
        ("strip", lambda: wiring.strip(machine, config)),
        ("layout", lambda: wiring.layout(config)),
        ("buttons", lambda: wiring.buttons(machine, config)),
        ("camera", lambda: camera.camera(machine, config)),
        ("power", lambda: system.power(machine)),
        ("disk", lambda: system.disk(machine, data_folder(config))),
        ("clock", lambda: system.clock(machine)),
    )
    found: list[Finding] = []
    for name, look in looks:
        try:
            seen = look()
            found += [seen] if isinstance(seen, Finding) else list(seen)
        except Exception as error:  # noqa: BLE001 - a strange machine must not silence the rest
            found.append(
                failed(
                    name,
                    f"could not be looked at: {error!r}",
                    "please report this: farklecrib doctor --bundle farklecrib-report.tar.gz",
                )
            )
    return tuple(found)
