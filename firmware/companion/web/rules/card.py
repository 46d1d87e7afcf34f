"""A rule card: one rule set on one printed page, from what scores to the points of a hole."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from companion.web.rules.sentences import Section, Sentence, sentences_of, to_end
from companion.web.rules.words import label, number, points, value_words
from farkle.rules.combinations import KIND_NAMES, POINTS_A_PEG, CardRow, card_rows
from farkle.rules.dice import Faces
from farkle.rules.ruleset import TRACKS, RuleSet
from farkle.rules.scoring import Selection
from farkle.rules.selections import legal_selections
from farkle.rules.switches import Value

SHOWN_ROLL: Faces = (1, 1, 1, 5, 2, 4)
"""The example throw of every card: some of its dice score by every rule set."""

MOST_LINES = 28
"""Lines of a card that one page holds in its usual print."""


@dataclass(frozen=True)
class EqualDice:
    """One line of the table of equal dice: the points of each face, or None for a face without points."""

    name: str
    size: int
    points: tuple[int | None, ...]

    @property
    def same(self) -> int | None:
        """The points of any face if they are the same for all six, else None."""
        return self.points[0] if len(set(self.points)) == 1 else None


@dataclass(frozen=True)
class Conversion:
    """Amounts in another measure: points in holes of a track, or pegs in points."""

    measure: str
    amounts: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """A switch that the house has changed; `value` is "" if the switch is on."""

    name: str
    label: str
    value: str


@dataclass(frozen=True)
class Card:
    """The contents of a card; `query` holds the house's settings as the query of an address."""

    rules: RuleSet
    unit: str
    equal: tuple[EqualDice, ...]
    patterns: tuple[CardRow, ...]
    example: tuple[Selection, ...]
    scoring: tuple[Sentence, ...]
    sections: tuple[tuple[str, tuple[Sentence, ...]], ...]
    amounts: tuple[str, ...]
    conversions: tuple[Conversion, ...]
    tracks: tuple[str, ...]
    changes: tuple[Change, ...]
    query: str

    @property
    def dense(self) -> bool:
        """Whether the card needs small print to fit on one page."""
        rules = sum(len(rows) for _, rows in self.sections)
        return len(self.patterns) + len(self.scoring) + len(self.changes) + rules > MOST_LINES


def card_of(rules: RuleSet) -> Card:
    """Return the card of a rule set with the house's settings."""
    sentences = sentences_of(rules)
    patterns = tuple(row for row in card_rows(rules.table.combinations) if row.name not in KIND_NAMES.values())
    worth = _amounts(rules, patterns)
    return Card(
        rules=rules,
        unit="holes" if rules.chart.pegs else "points",
        equal=_equal_dice(rules),
        patterns=patterns,
        example=_example(rules),
        scoring=tuple(one for one in sentences if one.section is Section.SCORING),
        sections=tuple(
            (section.value, tuple(one for one in sentences if one.section is section))
            for section in Section
            if section is not Section.SCORING
        ),
        amounts=tuple(number(amount) for amount in worth),
        conversions=_conversions(rules, worth),
        tracks=tuple(_track(rules, track) for track in TRACKS if track in rules.tracks),
        changes=changes_of(rules),
        query=query_of(rules.settings()),
    )


def changes_of(rules: RuleSet) -> tuple[Change, ...]:
    """Return the switches that the house has changed, in plain words."""
    return tuple(
        Change(name, label(name, rules.chart), "" if value is True else value_words(name, value, rules.chart))
        for name, value in rules.settings().items()
    )


def query_of(settings: Mapping[str, Value]) -> str:
    """Return settings as the query of an address."""
    return urlencode({name: str(value).lower() for name, value in settings.items()})


def _equal_dice(rules: RuleSet) -> tuple[EqualDice, ...]:
    worth = {each.dice: each.points for each in rules.table.combinations if each.name in KIND_NAMES.values()}
    lines = (
        EqualDice(name, size, tuple(worth.get((face,) * size) for face in range(1, 7)))
        for size, name in KIND_NAMES.items()
    )
    return tuple(line for line in lines if any(each is not None for each in line.points))


def _example(rules: RuleSet) -> tuple[Selection, ...]:
    """Return the two best selections of the example throw, and the lowest."""
    found = legal_selections(rules, SHOWN_ROLL[: rules.n_dice])
    return (*found[:2], found[-1]) if len(found) > 3 else found


def _amounts(rules: RuleSet, patterns: tuple[CardRow, ...]) -> tuple[int, ...]:
    """Return the amounts to convert: the most frequent ones of the card, and the target."""
    few = [each.points for each in rules.table.combinations if len(each.dice) in (1, 3)]
    return (*sorted({*few, *(row.points for row in patterns)})[:9], rules.switches.target)


def _conversions(rules: RuleSet, amounts: tuple[int, ...]) -> tuple[Conversion, ...]:
    if rules.chart.pegs and rules.points_a_hole(min(rules.tracks)) == 1:
        pegs = tuple(number(amount * POINTS_A_PEG) for amount in amounts)
        return (Conversion(f"points, {POINTS_A_PEG} a hole", pegs),)
    return tuple(
        Conversion(f"holes of {track}", tuple(_holes(amount, rules.points_a_hole(track)) for amount in amounts))
        for track in TRACKS
        if rules.fits(track)
    )


def _holes(amount: int, ratio: int) -> str:
    """Return an amount in holes; half a hole is written as a fraction."""
    whole, rest = divmod(amount, ratio)
    if not rest:
        return number(whole)
    if rest * 2 == ratio:
        return f"{number(whole) if whole else ''}\N{VULGAR FRACTION ONE HALF}"
    return f"{amount / ratio:.1f}"


def _track(rules: RuleSet, track: int) -> str:
    ratio = rules.points_a_hole(track)
    each = f"{points(ratio)} a hole"
    if not rules.fits(track):
        return f"{track} holes: too short at {each}"
    end = number(track) if to_end(rules) else _holes(rules.switches.target, ratio)
    return f"{track} holes: {each}, won at hole {end}"
