"""No light of any animation flashes more than three times a second, measured on the bytes for the LEDs.

A flash is a pair of opposing changes of an LED's light (LED values are proportional to light) by a tenth or more of the
brightest that this LED gets, where the darker of the two is below four fifths: WCAG 2.2's general flash, made stricter
by measuring each LED against itself.
"""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from boards import board
from samples import sampled

from pegboard.animation.animator import Animator, LightSettings
from pegboard.layouts import load_layout
from pegboard.pegs import Effect, Prompt, ShelfLight, Status
from pegboard.track import Hole

FPS = 60
SECONDS = 4.0
MOST = 3
LIGHT = np.array([0.2126, 0.7152, 0.0722])
LAYOUTS = sampled(("long-board-2", "long-board-1", "classic-3"), "long-board-2")


PLAY = board((7, 13), (20, 20))
SHELF = (ShelfLight.COUNTS, ShelfLight.REFUSED, ShelfLight.REFUSED, *[ShelfLight.OFF] * 3)
GUESS = replace(PLAY, lanes=(replace(PLAY.lanes[0], preview=Hole(22)), PLAY.lanes[1]))

EVENINGS = {
    "waiting": [(PLAY, None)],
    "a guess": [(GUESS, None)],
    "a walk": [(board((7, 7), (20, 20)), None), (board((7, 27), (20, 20)), None)],
    "a run home": [(board((7, 37), (20, 20)), None), (board((7, 7), (20, 20)), Effect.FARKLE)],
    "a bank that bumps": [(board((7, 20), (20, 20)), None), (board((20, 20), (12, 12), turn=1), Effect.SWEEP)],
    "a swap": [(board((7, 7), (60, 60)), None), (board((60, 60), (7, 7)), None)],
    "hot dice": [(PLAY, Effect.SPARKLE)],
    "a turn": [(PLAY, Effect.SWEEP)],
    "an address": [(replace(PLAY, digits=(2, 0)), Effect.DIGITS)],
    "the shelf": [(replace(PLAY, shelf=SHELF), None)],
    "two outcomes": [(replace(PLAY, status=Status.ASK, prompt=Prompt((Hole(13), Hole(19)))), None)],
    "three outcomes": [(replace(PLAY, status=Status.ASK, prompt=Prompt((Hole(13), Hole(19), Hole(40)))), None)],
    "is it a five": [(replace(PLAY, status=Status.LOOK, prompt=Prompt(lit=5)), None)],
    "two dice in doubt": [(replace(PLAY, status=Status.LOOK, prompt=Prompt(blinking=2)), None)],
    "twelve sides": [(board(*((hole, hole) for hole in range(12))), None)],
    "all in one hole": [(board(*(((30, 30),) * 4)), None)],
    **{f"status {status}": [(replace(PLAY, status=status, leaders=(0, 1)), None)] for status in Status},
    "a hurried evening": [(board((0, 6 * number), (9, 9)), None) for number in (0, 5, 0, 4, 1)],
}

PEGS_STAY = [name for name, views in EVENINGS.items() if len(views) == 1 and name != f"status {Status.ATTRACT}"]


def light_of(layout, evening, calm):
    """Return the light of each LED in each frame, from 0 to 1. Each view of the evening lasts for an equal time."""
    animator = Animator(layout, LightSettings(calm=calm))
    changes = dict(zip(np.linspace(0, SECONDS / 2, len(evening), endpoint=False), evening, strict=True))
    frames = []
    for now in np.arange(0, SECONDS, 1 / FPS):
        while changes and min(changes) <= now:
            view, effect = changes.pop(min(changes))
            animator.show(view, now, effect)
        frames.append(np.frombuffer(animator.frame(now).data, np.uint8).reshape(-1, 3) @ LIGHT / 255)
    return np.array(frames)


def flashes_a_second(light):
    """Return the most flashes of one LED's light within any second."""
    peak = light.max()
    if peak <= 0:
        return 0
    turns, low, high, rising = [], light[0], light[0], None
    for number, level in enumerate(light):
        low, high = min(low, level), max(high, level)
        if rising is not True and level - low >= 0.1 * peak and low < 0.8 * peak:
            turns.append(number)
            rising, high = True, level
        elif rising is not False and high - level >= 0.1 * peak and level < 0.8 * peak:
            turns.append(number)
            rising, low = False, level
    return max((sum(1 for turn in turns if start <= turn < start + FPS) // 2 for start in turns), default=0)


def test_the_measure_counts_flashes():
    seconds = np.arange(0, SECONDS, 1 / FPS)
    for hertz in (1, 2, 3, 4, 5):
        assert flashes_a_second(0.5 + 0.5 * np.sin(2 * np.pi * hertz * seconds)) == hertz
    assert flashes_a_second(np.full(300, 0.7)) == 0
    assert flashes_a_second(0.95 + 0.04 * np.sin(60 * seconds)) == 0


@pytest.mark.parametrize(
    "calm", [pytest.param(False, id="lively"), pytest.param(True, id="calm", marks=pytest.mark.exhaustive)]
)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", EVENINGS)
def test_no_led_flashes_more_than_three_times_a_second(name, layout, calm):
    light = light_of(load_layout(layout), EVENINGS[name], calm)
    lit = np.flatnonzero(light.max(axis=0) - light.min(axis=0) > 0)
    assert max((flashes_a_second(light[:, led]) for led in lit), default=0) <= MOST
    assert flashes_a_second(light.sum(axis=1)) <= MOST


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", PEGS_STAY)
def test_a_calm_boards_lights_never_jump(name, layout):
    """Pegs still go from hole to hole. Lights that do not move fade."""
    light = light_of(load_layout(layout), EVENINGS[name], calm=True)
    assert np.abs(np.diff(light, axis=0)).max() < 0.12


def test_every_effect_and_status_is_measured():
    shown = list(itertools.chain(*EVENINGS.values()))
    assert {view.status for view, _ in shown} == set(Status)
    assert {effect for _, effect in shown} == {None, *Effect}
