"""gpiozero for the drivers on the Pi's header, imported only when one is opened."""

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

INSTALL = "pip install 'farklecrib[pi]', or sudo apt install python3-gpiozero python3-lgpio"
"""The commands that install gpiozero."""


@contextmanager
def imported_gpiozero() -> Iterator[Any]:
    """Yield the module gpiozero, and ignore its warnings about every back end that fails."""
    os.environ.setdefault("LG_WD", tempfile.gettempdir())  # lgpio makes a pipe in the working directory
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import gpiozero

        yield gpiozero
