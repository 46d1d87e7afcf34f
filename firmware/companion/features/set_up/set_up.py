"""What the pages of the set-up need of a running table: its configuration, its parts to try, and how far it is."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion.calibration.session import CalibrationSession
from companion.cameras import camera_named
from companion.checkup.buttons import ButtonSearch
from companion.checkup.camera import CameraPictures
from companion.checkup.machine import Machine, this_machine
from companion.checkup.trials import has_device
from companion.config import Config
from companion.devices.lights import LEDS
from companion.features.set_up.brought_games import BroughtGames
from companion.runtime.changes import Changes
from companion.words import Text

STEPS = ("camera", "tray", "lights", "buttons", "sound", "games")
"""The steps of the set-up, in order. The first two are for everyone; the others are for a table that is built."""

PARTS = {
    "camera": ("camera", "eye"),
    "lights": ("lights", LEDS, "layout"),
    "buttons": ("buttons",),
    "sound": ("sound",),
}
"""The parts of the faults that belong to a step; a sound's part has the driver's name behind it."""


@dataclass
class SetUp:
    """The set-up of a running table.

    Args:
        config: the configuration that it runs by.
        changes: its settings.
        restart: builds it anew.
        data: its data folder.
        trial: shows a trial on the strip.
        say: speaks a sentence.
        faults: returns the parts that are missing or do not answer, each with the reason.
        calibration: its calibration session; None without a camera that can be calibrated.
        machine: the machine that it runs on.
        search: finds the pins of buttons.
        pictures: takes pictures of cameras that the table does not use.
        run: another text after each restart.
    """

    config: Config
    changes: Changes
    restart: Callable[..., object]
    data: Path
    trial: Callable[[str], object]
    say: Callable[[str], object]
    faults: Callable[[], Mapping[str, Text]]
    calibration: CalibrationSession | None = None
    machine: Machine = field(default_factory=this_machine)
    search: ButtonSearch = field(default_factory=ButtonSearch)
    run: str = field(default_factory=lambda: secrets.token_hex(4))
    pictures: CameraPictures = field(default_factory=CameraPictures)
    brought: BroughtGames = field(init=False)

    def __post_init__(self) -> None:
        self.brought = BroughtGames(self.data)

    @property
    def done(self) -> frozenset[str]:
        """The steps that are done: their device is a real one and works, or there are games."""
        config = self.config
        chosen = {
            "camera": not camera_named(config.camera.source).simulated,
            "tray": self.calibration is not None and self.calibration.stored(),
            "lights": has_device(config, "leds"),
            "buttons": has_device(config, "buttons"),
            "sound": has_device(config, "sound"),
        }
        return frozenset(step for step, done in chosen.items() if done and not self.trouble(step))

    @property
    def needed_for_dice(self) -> str | None:
        """The step that real dice need next: the camera, or its tray; None if both are there."""
        if camera_named(self.config.camera.source).simulated:
            return "camera"
        return "tray" if self.calibration is not None and not self.calibration.stored() else None

    def trouble(self, step: str) -> tuple[Text, ...]:
        """Return why the device of a step does not work; empty if it does, or none is chosen."""
        return tuple(why for part, why in self.faults().items() if part.partition(" ")[0] in PARTS.get(step, ()))

    @property
    def on_a_pi(self) -> bool:
        """Whether the table runs on a Raspberry Pi."""
        return self.machine.family is not None

    @property
    def untouched(self) -> bool:
        """Whether nobody has set anything on the page yet."""
        return not self.changes.file.exists()

    def close(self) -> None:
        """Release the pins that are watched, and end a look through a camera and the check of a backup."""
        self.search.close()
        self.pictures.close()
        self.brought.close()
