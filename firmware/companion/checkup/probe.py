"""What the doctor tries in a process of its own, because it may crash or hang: libraries, networks, a camera.

`python -m companion.checkup.probe NAME ARGUMENT...` prints the result of a probe as its last line, or ends with status
1 after the error. It ends before a library can print more, or wait for its threads.
"""

import json
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

PICTURE_S = 12.0
"""Seconds until a camera in the network must have given a picture."""


def modules(*names: str) -> str:
    """Import modules, and return the versions that they or their distributions tell."""
    found = []
    for name in names:
        told = getattr(import_module(name), "__version__", "")
        with suppress(PackageNotFoundError):
            told = told or version(name)
        found.append(told)
    return " ".join(found)


def networks() -> str:
    """Run each network of the reader once, and return the version of their library."""
    import numpy as np
    import onnxruntime

    from dicereader.stages.shared import classify, detector
    from dicereader.stages.shared.network import run

    run(detector.WEIGHTS_FILE, np.zeros((1, 3, 64, 64), np.float32))
    run(classify.WEIGHTS_FILE, np.zeros((1, 3, 32, 32), np.float32))
    return str(onnxruntime.__version__)


def view(arg: str) -> str:
    """Open the ribbon camera as the table does, and return what it shows, as JSON."""
    os.environ["LIBCAMERA_LOG_LEVELS"] = "*:ERROR"
    from dicereader.sources import ViewedSource, open_source

    source = open_source("picamera2", arg, time.monotonic)
    source.close()
    shown = source.view if isinstance(source, ViewedSource) else None
    return json.dumps(shown and asdict(shown))


def picture(address: str) -> str:
    """Take one picture of a camera in the network as the table does, and return its size.

    Raises:
        SourceError: if none comes.
    """
    from dicereader.errors import SourceError
    from dicereader.sources import open_source

    frame = open_source("url", address, time.monotonic).next(PICTURE_S)
    if frame is None:
        raise SourceError(f"no picture came within {PICTURE_S:.0f} s")
    return "{} x {} pixels".format(*frame.size)


def voice(name: str) -> str:
    """Let espeak-ng load a voice; `CalledProcessError` reaches the caller if it has none of this name."""
    return subprocess.run(["espeak-ng", "-q", "-v", name, "--", ""], check=True, capture_output=True, text=True).stdout


PROBES: Mapping[str, Callable[..., str]] = {each.__name__: each for each in (modules, networks, view, picture, voice)}


if __name__ == "__main__":
    status = 0
    try:
        sys.stderr.write(f"{PROBES[sys.argv[1]](*sys.argv[2:])}\n")
        sys.stderr.flush()
    except Exception:  # noqa: BLE001 - the process that started this one reads its last line
        traceback.print_exc()
        status = 1
    os._exit(status)
