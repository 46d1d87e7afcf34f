"""What the pages of the set-up need of a running table: its configuration and parts, how far it is, and its fields."""

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path

from companion.calibration.session import CalibrationSession
from companion.cameras import camera_named
from companion.checkup.buttons import ButtonSearch
from companion.checkup.camera import CameraPictures
from companion.checkup.machine import Machine, this_machine
from companion.checkup.sound import cards
from companion.checkup.trials import has_device
from companion.config import DECLARED, Config
from companion.devices.lights import LEDS
from companion.features.set_up.brought_games import BroughtGames
from companion.runtime.changes import Changes
from companion.setting import Control
from companion.words import Catalogue, Text, language_files, language_names
from farkle.rules.ruleset import RuleSet
from pegboard.layouts.load import layout_names

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


@dataclass(frozen=True)
class SettingField:
    """A key of the settings with its value, and how it is filled in.

    `choices` are pairs of value and words. `fixed` says that the command line sets it, so that a page cannot.
    """

    key: str
    control: Control
    value: object
    label: str
    choices: tuple[tuple[str, str], ...]
    fixed: bool


FORMS: dict[str, dict[str, Control]] = {}
"""The settings of each page, in order."""

for name, declared in DECLARED.items():
    if (form := declared.form) is not None:
        FORMS.setdefault(form.page, {})[name] = replace(form, choices=form.choices or declared.one_of)


def fields_of(page: str, set_up: SetUp, words: Catalogue, rules: Iterable[RuleSet]) -> tuple[SettingField, ...]:
    """Return the fields of a page with their values; none for a page without settings.

    Args:
        page: a key of `FORMS`.
        set_up: the set-up of the table.
        words: the language of the labels.
        rules: the rule sets that a game can be played by.
    """
    found = []
    for key, form in FORMS.get(page, {}).items():
        value = attrgetter(key)(set_up.config)
        choices = tuple((choice, words(f"setting_value.{key}={choice}")) for choice in form.choices)
        choices = choices or tuple(_found_choices(key, set_up, words, rules))
        if form.kind == "choice" and value not in dict(choices):
            value_shown = value.partition(":")[0]
            choices = tuple((value, label) if choice == value_shown else (choice, label) for choice, label in choices)
            if value not in dict(choices):
                choices = ((value, value), *choices)
        fixed = set_up.changes.layers.overrides.get(key) is not None
        found.append(SettingField(key, form, value, words(f"setting.{key}"), choices, fixed))
    return tuple(found)


def _found_choices(key: str, set_up: SetUp, words: Catalogue, rules: Iterable[RuleSet]) -> Iterable[tuple[str, str]]:
    """Yield the values of a key that depend on the machine or the house, each with its words."""
    match key:
        case "leds.layout":
            yield "", words("setting_value.leds.layout=")
            yield from ((name, name) for name in layout_names())
        case "sound.device":
            yield "", words("setting_value.sound.device=")
            yield from cards(set_up.machine).items()
        case "table.language":
            yield from language_names(language_files(set_up.data)).items()
        case "table.rules":
            yield from ((each.key, words("card.title", rules=each.title)) for each in rules)
        case _:
            pass
