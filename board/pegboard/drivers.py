"""Drivers by name: from a table, or from a Python file that the configuration names.

A person's own file may do anything: it may raise, hang, or open something that is no driver. All of that is a
`NoDeviceError`, so that the table goes on without the device. Only a file that is not there is an error of the
configuration.
"""

import difflib
import threading
from collections.abc import Callable, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from pegboard.errors import DriverError, NoDeviceError, PegboardError, UnknownDriverError
from pegboard.installation import add

SUFFIX = ".py"

OPEN_S = 20.0
"""Seconds that a person's own file may take to open its driver."""


def open_driver(
    kind: str, name: str, drivers: Mapping[str, Callable[..., Any]], function: str, port: type, *arguments: object
) -> Any:
    """Return the opened driver. The errors of the drivers in the table reach the caller.

    Args:
        kind: the kind of driver, for errors.
        name: a name in `drivers`, or a Python file whose `function` opens the driver.
        drivers: the functions that open a driver, by name.
        function: the name of the function in a Python file.
        port: the protocol with the methods that a driver must have.
        arguments: the arguments of either function.

    `check_driver` raises the errors of a name that is not in the table, and of a file that is not there.

    Raises:
        NoDeviceError: if the file's code fails, or what it opens is no driver.
    """
    check_driver(kind, name, drivers)
    if name in drivers:
        return drivers[name](*arguments)
    opened = _within(OPEN_S, name, lambda: load_function(name, function)(*arguments))
    missing = [
        method for method in vars(port) if not method.startswith("_") and not callable(getattr(opened, method, 0))
    ]
    if missing:
        raise NoDeviceError(
            f"expected {function} of {name!r} to return a driver with {', '.join(missing)}, got {type(opened).__name__}"
        )
    return opened


def check_driver(kind: str, name: str, drivers: Mapping[str, object]) -> None:
    """Check that there is a driver; see `open_driver` for the arguments.

    Raises:
        UnknownDriverError: if the name is not in the table; its text lists the names that are.
        DriverError: if there is no such file.
    """
    if isinstance(name, str) and name.endswith(SUFFIX):
        if not Path(name).is_file():
            raise DriverError(f"expected a file of your own, got {name!r}, which is not there")
    elif name not in drivers:
        near = difflib.get_close_matches(str(name), drivers, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise UnknownDriverError(f"expected one of the {kind} drivers {', '.join(drivers)}; got {name!r}{hint}")


def _within(seconds: float, name: str, opening: Callable[[], Any]) -> Any:
    """Return what a person's own code opens; it runs on a thread of its own, because it may never return.

    Raises:
        NoDeviceError: if it raises, exits, or does not return in time.
    """
    opened: list[Any] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            opened.append(opening())
        except BaseException as error:  # noqa: BLE001 - SystemExit, too, must not end the program
            raised.append(error)

    thread = threading.Thread(target=run, name=f"open {Path(name).name}", daemon=True)
    thread.start()
    thread.join(seconds)
    if opened:
        return opened[0]
    if not raised:
        raise NoDeviceError(f"expected {name!r} to open its driver, got nothing for {seconds:g} s")
    error = raised[0]
    if isinstance(error, NoDeviceError):
        raise error
    cure = f"; {add(error.name)}" if isinstance(error, ModuleNotFoundError) and error.name else ""
    got = str(error) if isinstance(error, PegboardError) else f"{type(error).__name__}: {error}"
    raise NoDeviceError(f"expected a driver in {name!r}, got {got}{cure}") from error


def load_function(file: str, name: str) -> Callable[..., Any]:
    """Return the function of a Python file.

    Raises:
        NoDeviceError: if there is no such function.
    """
    spec = spec_from_file_location(f"own_driver_{Path(file).stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[..., Any] | None = getattr(module, name, None)
    if not callable(found):
        raise NoDeviceError(f"expected a function {name} in {file!r}, got none")
    return found
