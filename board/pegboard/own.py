"""A driver of one's own: a function in a Python file, named in the configuration in a driver's place."""

from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from pegboard.errors import DriverError, NoDeviceError, PegboardError

SUFFIX = ".py"


def open_own(file: str, function: str, *given: object) -> Any:
    """What the function of that name in the file opens, given these.

    Raises DriverError where there is no such function or the file fails, NoDeviceError where the opening fails.
    """
    opening = _function(file, function)
    try:
        return opening(*given)
    except PegboardError:
        raise
    except Exception as error:
        raise NoDeviceError(f"{file}: {type(error).__name__}: {error}") from error


def _function(file: str, name: str) -> Callable[..., Any]:
    path = Path(file)
    if not path.is_file():
        raise DriverError(f"expected a driver's file, got {file!r}, which is none")
    spec = spec_from_file_location(f"own_driver_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise DriverError(f"expected a driver in {file!r}, got {type(error).__name__}: {error}") from error
    found = getattr(module, name, None)
    if not callable(found):
        raise DriverError(f"expected a function {name} in {file!r}, got none")
    opening: Callable[..., Any] = found
    return opening
