"""Check a Pi's power: the firmware's flags of under-voltage and heat, and whether the voltage is too low now."""

from companion.doctor.findings import Finding, failed, passed, warned
from companion.doctor.machine import Machine

THROTTLED = "sys/devices/platform/soc*/soc*:firmware/get_throttled"
POWER_NOW, HOT_NOW, POWER_ONCE, HOT_ONCE = 0x1, 0xC, 0x1_0000, 0xC_0000
"""Bits of get_throttled (Raspberry Pi's documentation of vcgencmd): under-voltage, and throttled for heat."""

MONITORS = "sys/class/hwmon/hwmon*/name"
VOLTAGE, ALARM = "rpi_volt", "in0_lcrit_alarm"
"""The kernel's monitor of a Pi's voltage (raspberrypi-hwmon.c), and its file that holds 1 while the voltage is too low.

The driver asks the firmware every two seconds, so the file also shows a dip of the last two.
"""


def power(machine: Machine) -> Finding:
    """Check the firmware's flags of under-voltage and heat."""
    files = machine.find(THROTTLED)
    if not files:
        if machine.family is None:
            return passed("power", "no Raspberry Pi, so no flags")
        return warned("power", "the firmware's flags cannot be read", "vcgencmd get_throttled")
    text = files[0].read_text(encoding="ascii", errors="replace").strip()
    flags = _flags(text)
    if flags is None:
        return warned("power", f"the firmware's flags say {text!r}", "vcgencmd get_throttled")
    supply = "give the Pi its own 5 V supply with a short, thick cable; the strip's current never comes from its pins"
    if flags & POWER_NOW:
        return failed("power", f"under-voltage now (0x{flags:x})", supply)
    if flags & POWER_ONCE:
        return warned("power", f"under-voltage since the start (0x{flags:x})", supply)
    if flags & (HOT_NOW | HOT_ONCE):
        return warned("power", f"slowed down for heat (0x{flags:x})", "give the Pi air or a heat sink")
    return passed("power", "no under-voltage, no heat since the start")


def under_voltage(machine: Machine) -> bool | None:
    """Return whether the voltage is too low now; None on a machine that does not say."""
    for name in machine.find(MONITORS):
        relative = name.relative_to(machine.root)
        alarm = machine.text(str(relative.with_name(ALARM)))
        if alarm in {"0", "1"} and machine.text(str(relative)) == VOLTAGE:
            return alarm == "1"
    for file in machine.find(THROTTLED):
        flags = _flags(machine.text(str(file.relative_to(machine.root))))
        if flags is not None:
            return bool(flags & POWER_NOW)
    return None


def _flags(text: str) -> int | None:
    try:
        return int(text, 16)
    except ValueError:
        return None
