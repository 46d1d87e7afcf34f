"""A setting is declared once: its type and default, its limits, what it is for, and how a browser may ask for it.

What it is for is the text below it in its section. From all that follow the check of the configuration, the file that
explains every key, and the forms of the set-up.
"""

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from itertools import pairwise
from typing import Any, ClassVar, Literal, TypeVar

from companion.errors import ConfigError

Value = TypeVar("Value")
Kind = Literal["number", "range", "check", "choice", "parts", "names"]

_DECLARED = "declared"


@dataclass(frozen=True)
class Control:
    """How a page of the set-up asks for a setting.

    It asks for a number within limits, for yes or no (`check`), for one choice, for any of some parts, or for names.
    Without `choices` it offers those that the setting allows.
    """

    page: str
    kind: Kind
    least: float = 0
    most: float = 0
    step: float = 1
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Declared:
    """What is declared of a setting beside its type and default.

    Args:
        within: its least and its most value, and what the error says of their unit; the default may lie outside.
        one_of: the texts that it, or each of its parts, may be.
        browser: the pattern of the texts that a browser may set; without it those of the form's choices.
        form: how a page asks for it; a browser may set it then.
    """

    within: tuple[float, float] | tuple[float, float, str] | None = None
    one_of: tuple[str, ...] = ()
    browser: str = ""
    form: Control | None = None

    @property
    def pattern(self) -> str:
        """The pattern of the texts that a browser may set; empty if the configuration alone checks them."""
        return self.browser or "|".join(map(re.escape, self.form.choices if self.form else ()))


def setting(default: Value, **declared: Any) -> Value:
    """Return the field of a section for a setting: its default, and what `Declared` holds."""
    return field(default=default, metadata={_DECLARED: Declared(**declared)})


@dataclass(frozen=True)
class ConfigSection:
    """A section of the configuration, which checks its settings; `section` is its name in the file."""

    section: ClassVar[str]

    def __init_subclass__(cls, section: str = "") -> None:
        cls.section = section or cls.section

    def __post_init__(self) -> None:
        """Check that each value is within its limits.

        Raises:
            ConfigError: if one is not; the text names its key.
        """
        for key, default, declared in settings_of(type(self)):
            name, value = f"{self.section}.{key}", getattr(self, key)
            for part in value if isinstance(value, tuple) else (value,):
                if declared.one_of and part not in declared.one_of:
                    raise ConfigError(f"{name}: expected {' or '.join(declared.one_of)}, got {part!r}")
            if declared.within is not None and value != default:
                check_within(name, value, *declared.within)


def check_within(name: str, value: float, least: float, most: float, unit: str = "") -> None:
    """Check that a value lies within limits.

    Raises:
        ConfigError: if it does not.
    """
    if not least <= value <= most:
        raise ConfigError(f"{name}: expected {least:g} to {most:g}{unit and f' ({unit})'}, got {value!r}")


def settings_of(section: type[ConfigSection]) -> Iterator[tuple[str, Any, Declared]]:
    """Yield the settings of a section: key, default, and what else is declared."""
    for each in fields(section):
        yield each.name, each.default, each.metadata.get(_DECLARED, Declared())


def texts_of(section: type) -> Mapping[str, str]:
    """Return what the fields of a class are for: the text below each in the source, for those that have one."""
    texts: dict[str, str] = {}
    for each in section.__mro__[:-1]:
        for statements in pairwise(_classes(each.__module__)[each.__name__].body):
            match statements:
                case ast.AnnAssign(ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                    texts.setdefault(name, " ".join(text.split()))
    return texts


@cache
def _classes(module: str) -> Mapping[str, ast.ClassDef]:
    """Return the classes in the source of a module."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def toml(value: object) -> str:
    """Return a value in TOML's notation. JSON's texts, numbers, truths and lists are TOML's too."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
