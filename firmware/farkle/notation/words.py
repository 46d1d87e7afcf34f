"""The notation's words: its keywords, and how a name is written so that it is none."""

import re

HEADERS = (
    "rules",
    "set",
    "players",
    "teams",
    "start",
    "throws-for-start",
    "scores",
    "farkles",
    "on-board",
    "out",
    "left-over",
    "final",
)
"""Lines that stand before the first turn."""

ACTS = ("adjust", "joins", "leaves", "skip", "throws", "ends")
"""Lines between turns: the table's own acts."""

ITEMS = ("bank", "counted", "farkle", "fresh", "piggyback", "points", "swap", "vant-hof")
"""Words within a turn."""

KEYWORDS = frozenset((*HEADERS, *ACTS, *ITEMS))
"""Words with a meaning of their own; a player or team of such a name is written in double quotes."""

_PLAIN = re.compile(r'[^\s:,;=#>"](?:[^:,;=#>"]*[^\s:,;=#>"])?')


def is_plain_name(text: str) -> bool:
    """Whether a name may stand as it is."""
    return bool(_PLAIN.fullmatch(text)) and text not in KEYWORDS


def written_name(name: str) -> str:
    """A name as it stands in the notation: in double quotes where it needs them."""
    return name if is_plain_name(name) else f'"{name}"'
