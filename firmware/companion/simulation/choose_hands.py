"""Open a camera, and the hands at its tray: simulated hands, photographs, or the players' own."""

import random
from collections.abc import Callable
from dataclasses import replace

from companion.cameras import CameraChoice, camera_named
from companion.devices.eye_events import EyeParts
from companion.errors import RefusedError
from companion.runtime.host import Clock, Host
from companion.simulation.hands import SimulatedHands
from companion.simulation.photo_source import PhotoThrows
from companion.simulation.simulated_table import SimulatedTable, TrayHands
from companion.table.state.inputs import BotChoice
from companion.table.view import View
from companion.words import message
from dicereader.sources.recorded import find_recorded

BANK_S = 10.0
"""Seconds that a bot may take for banking."""


def open_camera(source: str, chance: random.Random) -> CameraChoice:
    """Return the camera of `NAME[:ARG]`; a simulated table without a number gets a random one.

    `DiceReaderError` reaches the caller if there are no recorded pictures at a path.
    """
    camera = camera_named(source)
    if camera.name == "recorded":
        find_recorded(camera.arg)
    return replace(camera, arg=str(chance.randrange(1 << 16))) if camera.simulated and not camera.arg else camera


def bot_banks_on(host: Host) -> Callable[[View], None]:
    """Return a function that lets the bot to move bank what it has chosen, and waits until it has."""

    def bank(view: View) -> None:
        if view.chosen is None:
            raise RefusedError(message("refused.no_bot"))
        host.submit(BotChoice(view.chosen.dice, view.chosen.points, bank=True)).result(timeout=BANK_S)
        host.feed.wait(lambda update: update.view.phase != "choosing", BANK_S)

    return bank


def open_tray_hands(
    camera: CameraChoice, eye: EyeParts, host: Host, clock: Clock, chance: random.Random, *, autoplay: bool
) -> TrayHands:
    """Return the hands for a camera.

    Args:
        camera: The camera that `open_camera` returned.
        eye: Shows the next photograph, or a simulated World. Observations of photographs go through `PhotoThrows`,
            which skips those that do not fit.
        host: The table.
        clock: The clock of the simulated tray.
        chance: Chooses the faces of simulated throws.
        autoplay: With photographs, bank a turn if the next one shows another number of dice than must be thrown.
    """
    if camera.name == "recorded":
        photos = PhotoThrows(
            host.feed,
            eye.process.next_picture,
            eye.events.accept,
            lambda: eye.events.fatal,
            bot_banks_on(host) if autoplay else None,
        )
        eye.events.filter_by(photos)
        return photos
    if camera.simulated:
        return SimulatedTable(SimulatedHands(int(camera.arg)), eye.process.set_world, host.feed, clock, chance)
    return TrayHands()
