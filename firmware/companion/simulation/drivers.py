"""Make the hands at the tray for a camera: simulated hands, photographs, or the players' own."""

import random
from collections.abc import Callable
from concurrent.futures import Future

from companion.config import CameraChoice
from companion.devices.eye_events import EyeEvents
from companion.devices.eye_process import EyeProcess
from companion.runtime.feed import Feed
from companion.runtime.host import Clock
from companion.simulation.hands import SimulatedHands
from companion.simulation.photo_source import PhotoThrows
from companion.simulation.simulated_table import SimulatedTable
from companion.simulation.tray_hands import TrayHands
from companion.table.state.inputs import Input
from companion.table.view import View


def open_tray_hands(
    camera: CameraChoice,
    *,
    seed: int,
    eye: EyeProcess,
    eye_events: EyeEvents,
    feed: Feed,
    submit: Callable[[Input], "Future[View]"],
    clock: Clock,
    chance: random.Random,
    autoplay: bool,
) -> TrayHands:
    """Return the hands for a camera.

    Args:
        camera: The camera that the configuration names.
        seed: The number of the simulated table.
        eye: Shows the next photograph, or a simulated World.
        eye_events: With photographs, its observations go through them; they skip those that do not fit.
        feed: The table's views.
        submit: The host's inbox.
        clock: The clock of the simulated tray.
        chance: Chooses the faces of simulated throws.
        autoplay: With photographs, bank a turn if the next one shows another number of dice than must be thrown.
    """
    if camera.name == "recorded":
        photos = PhotoThrows(
            feed=feed,
            advance=eye.next_picture,
            accept=eye_events.accept,
            press=submit,
            eye_failure=lambda: eye_events.fatal,
            banking=autoplay,
        )
        eye_events.observed, eye_events.hello = photos.observed, photos.hello
        return photos
    if camera.simulated:
        return SimulatedTable(hands=SimulatedHands(seed), lay=eye.set_world, feed=feed, clock=clock, chance=chance)
    return TrayHands()
