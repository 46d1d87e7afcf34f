"""Opening: what the configuration says of a table and of what calibrates it, as these take it."""

from collections.abc import Callable
from pathlib import Path

from companion.calibration.session import Calibrator, Preview, Simulated
from companion.cameras import Camera
from companion.config import Config
from companion.table.history import Act
from companion.table.machine import resumed
from companion.table.state import House, TableState, restored


def opened_table(acts: tuple[Act, ...], *, seq: int, game_number: int, config: Config) -> TableState:
    """The table with these acts of its newest game, with the house's customs and times."""
    house = House(config.table.off_table, config.table.cocked)
    return resumed(restored(acts, seq=seq, game_number=game_number, times=config.times, house=house))


def calibrator_of(
    camera: Camera, data: Path, table_seed: int, preview: Callable[[], bytes | None], know: Callable[..., None]
) -> Calibrator | None:
    """What calibrates this table; photographs are no camera."""
    if camera.name == "recorded":
        return None
    if camera.name == "simulated":
        return Calibrator(Simulated(table_seed), f"simulated:{table_seed}", data, know)
    name = f"{camera.name}:{camera.arg}" if camera.arg else camera.name
    return Calibrator(Preview(preview), name, data, know)
