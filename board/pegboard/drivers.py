"""Drivers by name: from a table, or from a Python file that the configuration names."""

from collections.abc import Callable, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from pegboard.errors import DriverError, NoDeviceError, PegboardError, UnknownDriverError

SUFFIX = ".py"


def open_driver(
    kind: str, name: str, drivers: Mapping[str, Callable[..., Any]], function: str, *arguments: object
) -> Any:
    """Return the opened driver.

    Args:
        kind: the kind of driver, for errors.
        name: a name in `drivers`, or a Python file whose `function` opens the driver.
        drivers: the functions that open a driver, by name.
        function: the name of the function in a Python file.
        arguments: the arguments of either function.

    Raises:
        UnknownDriverError: if the name is not in the table; its text lists the names that are.
        PegboardError: if the function of a Python file raises this error.
        NoDeviceError: if the function of a Python file raises any other exception.
    """
    if not isinstance(name, str) or not name.endswith(SUFFIX):
        if name not in drivers:
            raise UnknownDriverError(f"expected one of the {kind} drivers {', '.join(drivers)}; got {name!r}")
        return drivers[name](*arguments)
    opening = _function(name, function)
    try:
        return opening(*arguments)
    except PegboardError:
        raise
    except Exception as error:
        raise NoDeviceError(f"{name}: {type(error).__name__}: {error}") from error


def _function(file: str, name: str) -> Callable[..., Any]:
    """Return the function of a Python file.

    Raises:
        DriverError: if there is no such file or function, or the file fails.
    """
    path = Path(file)
    if not path.is_file():
        raise DriverError(f"expected a driver's file, got {file!r}, which is not a file")
    spec = spec_from_file_location(f"own_driver_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise DriverError(f"expected a driver in {file!r}, got {type(error).__name__}: {error}") from error
    found: Callable[..., Any] | None = getattr(module, name, None)
    if not callable(found):
        raise DriverError(f"expected a function {name} in {file!r}, got none")
    return found
