"""What all tests share."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of pictures and worked examples beside the repository; the test is skipped where it is not there."""
    folder = ROOT.parent / "shared"
    if not (folder / "data").is_dir():
        pytest.skip(f"needs the shared folder beside the repository, and there is none at {folder.name}")
    return folder
