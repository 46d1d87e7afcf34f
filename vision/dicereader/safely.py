"""Write files so that a plug pulled meanwhile leaves the old ones or the new, never half of one."""

import os
from collections.abc import Mapping
from pathlib import Path


def write_whole(contents: Mapping[Path, bytes]) -> None:
    """Write some files that belong together: all are on the disk before the first takes its place. Raises OSError."""
    fresh = {path: path.with_name(f"{path.name}.new") for path in contents}
    try:
        for path, content in contents.items():
            with fresh[path].open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        for path, new in fresh.items():
            new.replace(path)
    finally:
        for new in fresh.values():
            new.unlink(missing_ok=True)
