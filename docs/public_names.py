"""The tables of each library's public names: its `__all__`, the members of its classes, the codes of its errors."""

import importlib
import inspect
from collections.abc import Callable, Iterable
from typing import Any, get_args

from companion.words import english

Table = Callable[[tuple[str, ...], Iterable[tuple[str, ...]]], str]


def sentence(thing: Any) -> str:
    """Return the first sentence of a docstring."""
    paragraph = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())
    return paragraph.partition(". ")[0].removesuffix(".") + "."


def names(table: Table, package: str) -> str:
    """Return the public names of a package, its errors last."""
    module = importlib.import_module(package)
    found = {name: getattr(module, name) for name in module.__all__ if not name.startswith("__")}
    errors = [name for name, each in found.items() if inspect.isclass(each) and issubclass(each, Exception)]
    ordered = [*(name for name in found if name not in errors), *errors]
    return table(("name", "what it is"), ((f"`{name}`", _what(found[name])) for name in ordered))


def _what(thing: Any) -> str:
    kinds = [f"`{kind.__name__}`" for kind in get_args(thing)]  # empty unless `thing` is a union of classes
    return f"Any of {', '.join(kinds)}." if kinds else sentence(thing)


def members(table: Table, dotted: str) -> str:
    """Return the public members of a class, such as `farkle.Game`: properties first, then methods with arguments."""
    package, _, name = dotted.rpartition(".")
    kind = getattr(importlib.import_module(package), name)
    found = {key: inspect.getattr_static(kind, key) for key in vars(kind) if not key.startswith("_")}
    found = {key: each for key, each in found.items() if isinstance(each, property) or callable(getattr(kind, key))}
    properties = [(f"`{key}`", sentence(each)) for key, each in found.items() if isinstance(each, property)]
    methods = [
        (f"`{key}({_arguments(getattr(kind, key))})`", sentence(getattr(kind, key)))
        for key, each in found.items()
        if not isinstance(each, property)
    ]
    return table(("member", "what it gives or does"), [*properties, *methods])


def refusals(table: Table) -> str:
    """Return the codes of `farkle`'s errors with their sentences in the catalogue of words."""
    sentences = english().section("rules")
    return table(("code", "in words"), ((f"`{code}`", sentence) for code, sentence in sentences.items()))


def _arguments(method: Callable[..., object]) -> str:
    return ", ".join(
        f"*{each.name}" if each.kind is each.VAR_POSITIONAL else each.name
        for each in inspect.signature(method).parameters.values()
        if each.name != "self"
    )
