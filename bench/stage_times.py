"""Time the stages of one reading: the milliseconds that the reader's stages take, from Python's profiler."""

import cProfile
import pstats
from collections.abc import Callable
from pathlib import Path

from dicereader.reading import DiceReading

STAGES = {
    "rectify": ("rectify", "rectify"),
    "detector": ("detector", "find_candidates"),
    "closeup": ("closeup", "classify"),
    "usual size": ("search", "at_usual_size"),
    "all round": ("closeup", "classify_all_round"),
    "whole dice": ("whole_die", "see_whole"),
    "judge": ("judge", "judge"),
    "unread": ("unread", "find_unread"),
    "again": ("looks", "_look"),
    "plane": ("plane", "find_plane"),
    "bodies": ("bodies", "find_bodies"),
    "sharpen": ("plane", "sharpened"),
    "level dice": ("level_dice", "choose_level"),
    "judge level": ("judge_level", "judge_level"),
}
"""Stages by name, each as its module and function; a stage may be part of another one."""


def stage_times(read: Callable[[], DiceReading]) -> tuple[DiceReading, dict[str, float]]:
    """Read once. Return the reading, and the milliseconds of each stage that ran."""
    profile = cProfile.Profile()
    reading = profile.runcall(read)
    times: dict[str, float] = {}
    for (file, _, function), (_, _, _, cumulative, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        for name, (module, stage) in STAGES.items():
            if function == stage and Path(file).match(f"stages/*/{module}.py"):
                times[name] = cumulative * 1e3
    return reading, {name: times[name] for name in STAGES if name in times}
