"""A rule card: one rule set on one printed page, from what scores to the points of a hole."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from companion.web.rules.sentences import RuleSentence, Section, about, sentences_of, to_end
from companion.web.rules.switches import label, value_words
from companion.words import Message, Text, message
from farkle.rules.combinations import KIND_NAMES, POINTS_A_PEG, CardRow, card_rows
from farkle.rules.dice import Faces
from farkle.rules.ruleset import RuleSet
from farkle.rules.scoring import Selection
from farkle.rules.selections import legal_selections
from farkle.rules.switches import Value

SHOWN_ROLL: Faces = (1, 1, 1, 5, 2, 4)
"""The example throw of every card: some of its dice score by every rule set."""

MOST_LINES = 28
"""Lines of a card that one page holds in its usual print."""


@dataclass(frozen=True)
class EqualDice:
    """One line of the table of equal dice: the points of each face, or None for a face without points.

    A full house that has no points of its own is one, by the face of its three equal dice.
    """

    name: str
    points: tuple[int | None, ...]

    @property
    def same(self) -> int | None:
        """The points of any face if they are the same for all six, else None."""
        return self.points[0] if len(set(self.points)) == 1 else None


@dataclass(frozen=True)
class Conversion:
    """Amounts in another measure: points in holes of a track, or pegs in points."""

    measure: Message
    amounts: tuple[Message, ...]


@dataclass(frozen=True)
class Card:
    """The contents of a card; `query` holds the house's settings as the query of an address."""

    rules: RuleSet
    about: Text
    equal: tuple[EqualDice, ...]
    patterns: tuple[CardRow, ...]
    example: tuple[Selection, ...]
    scoring: tuple[RuleSentence, ...]
    sections: tuple[tuple[Section, tuple[RuleSentence, ...]], ...]
    amounts: tuple[int, ...]
    conversions: tuple[Conversion, ...]
    tracks: tuple[Message, ...]
    changes: tuple[Message, ...]
    query: str

    @property
    def dense(self) -> bool:
        """Whether the card needs small print to fit on one page."""
        rules = sum(len(rows) for _, rows in self.sections)
        return len(self.patterns) + len(self.scoring) + len(self.changes) + rules > MOST_LINES


def card_of(rules: RuleSet, tracks: Collection[int] = ()) -> Card:
    """Return the card of a rule set with the house's settings, for these tracks or, without any, for its sheet's."""
    tracks = sorted(tracks or rules.tracks)
    sentences = sentences_of(rules)
    rows = card_rows(rules.table.combinations)
    faces = {*KIND_NAMES.values(), "full house" if rules.switches.full_house_bonus else ""}  # points by their face
    patterns = tuple(row for row in rows if row.name not in faces)
    worth = _amounts(rules, patterns)
    return Card(
        rules=rules,
        about=about(rules),
        equal=_equal_dice(rules),
        patterns=patterns,
        example=_example(rules),
        scoring=tuple(one for one in sentences if one.section is Section.SCORING),
        sections=tuple(
            (section, tuple(one for one in sentences if one.section is section))
            for section in Section
            if section is not Section.SCORING
        ),
        amounts=worth,
        conversions=_conversions(rules, worth, tracks),
        tracks=tuple(_track(rules, track) for track in tracks),
        changes=changes_of(rules),
        query=query_of(rules.settings()),
    )


def changes_of(rules: RuleSet) -> tuple[Message, ...]:
    """Return the switches that the house has changed, in plain words."""
    return tuple(_changed(name, value, rules) for name, value in rules.settings().items())


def _changed(name: str, value: Value, rules: RuleSet) -> Message:
    said = label(name, rules.chart)
    if value is True:
        return message("card.changed", label=said)
    return message("card.changed_to", label=said, value=value_words(name, value, rules.chart))


def query_of(settings: Mapping[str, Value]) -> str:
    """Return settings as the query of an address."""
    return urlencode({name: str(value).lower() for name, value in settings.items()})


def _equal_dice(rules: RuleSet) -> tuple[EqualDice, ...]:
    worth = {each.dice: each.points for each in rules.table.combinations if each.name in KIND_NAMES.values()}
    lines = (
        EqualDice(name, tuple(worth.get((face,) * size) for face in range(1, 7))) for size, name in KIND_NAMES.items()
    )
    houses = {each.dice[2]: each.points for each in rules.table.combinations if each.name == "full house"}
    house = EqualDice("full house", tuple(map(houses.get, range(1, 7))))
    found = (*lines, *((house,) if rules.switches.full_house_bonus else ()))
    return tuple(line for line in found if any(each is not None for each in line.points))


def _example(rules: RuleSet) -> tuple[Selection, ...]:
    """Return the two best selections of the example throw, and the lowest."""
    found = legal_selections(rules, SHOWN_ROLL[: rules.n_dice])
    return (*found[:2], found[-1]) if len(found) > 3 else found


def _amounts(rules: RuleSet, patterns: tuple[CardRow, ...]) -> tuple[int, ...]:
    """Return the amounts to convert: the most frequent ones of the card, and the target if one ends the game."""
    few = [each.points for each in rules.table.combinations if len(each.dice) in (1, 3)]
    return (*sorted({*few, *(row.points for row in patterns)})[:9], *filter(None, (rules.goal,)))


def _conversions(rules: RuleSet, amounts: tuple[int, ...], tracks: Collection[int]) -> tuple[Conversion, ...]:
    if rules.chart.pegs and rules.points_a_hole(min(rules.tracks)) == 1:
        pegs = tuple(message("card.whole", amount=amount * POINTS_A_PEG) for amount in amounts)
        return (Conversion(message("card.points_a_hole", points=POINTS_A_PEG), pegs),)
    return tuple(
        Conversion(
            message("card.holes_of", track=track),
            tuple(_holes(amount, rules.points_a_hole(track)) for amount in amounts),
        )
        for track in tracks
        if rules.fits(track)
    )


def _holes(amount: int, ratio: int) -> Message:
    """Return an amount in holes; half a hole is written as a fraction."""
    whole, rest = divmod(amount, ratio)
    if not rest:
        return message("card.whole", amount=whole)
    if rest * 2 == ratio:
        return message("card.and_half", amount=whole) if whole else message("card.half")
    return message("card.nearly", amount=amount / ratio)


def _track(rules: RuleSet, track: int) -> Message:
    ratio = rules.points_a_hole(track)
    if not (rules.fits(track) or to_end(rules)):
        return message("card.too_short", track=track, points=ratio)
    if not rules.goal:
        return message("card.track_of_rounds", track=track, points=ratio)
    hole = message("card.whole", amount=track) if to_end(rules) else _holes(rules.switches.target, ratio)
    return message("card.track", track=track, points=ratio, hole=hole)
