"""The result of a check: a level, a text, and the command that cures the problem. findings.toml has their words."""

import tomllib
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path


class Level(StrEnum):
    """The severity of a finding: no problem, worth knowing, or the table cannot run well."""

    PASS = "PASS"  # noqa: S105 - no password
    WARN = "WARN"
    FAIL = "FAIL"


@dataclass(frozen=True)
class Finding:
    """One finding: the name of its check, its text, and the cure, which is empty for a pass."""

    name: str
    level: Level
    said: str
    mend: str = ""

    def __post_init__(self) -> None:
        if (self.level is Level.PASS) == bool(self.mend):
            raise ValueError(f"expected a cure for a problem, and no cure for a pass, got {asdict(self)!r}")

    def line(self) -> str:
        """Return the finding as one line, and its cure as a second one."""
        first = f"{self.level}  {self.name:10} {self.said}"
        return f"{first}\n                 mend: {self.mend}" if self.mend else first


TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""What each check may find, in words."""


def told(name: str, found: str, /, **values: object) -> Finding:
    """Return a finding of a check.

    Args:
        name: the check.
        found: which of its findings in findings.toml.
        values: what the texts of the finding name.
    """
    texts = TEXTS[name][found]
    level = next(level for level in Level if level.lower() in texts)
    mend = "" if level is Level.PASS else texts.get("mend") or TEXTS[name]["mend"]
    return Finding(name, level, texts[level.lower()].format(**values), mend.format(**values))


def judged(name: str, good: object, /, **values: object) -> Finding:
    """Return the finding `good` of a check if `good` is true, else the finding `wrong`."""
    return told(name, "good" if good else "wrong", **values)
