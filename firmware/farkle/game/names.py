"""The names of players and teams: which a new game accepts, and which are one name.

Only new names are checked. The events of a stored game hold names as they were accepted, and fold by any later rule.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from farkle.errors import SeatingError

IGNORABLE = (
    *(range(0x00AD, 0x00AE), range(0x034F, 0x0350), range(0x061C, 0x061D), range(0x115F, 0x1161)),
    *(range(0x17B4, 0x17B6), range(0x180B, 0x1810), range(0x200B, 0x2010), range(0x202A, 0x202F)),
    *(range(0x2060, 0x2070), range(0x3164, 0x3165), range(0xFE00, 0xFE10), range(0xFEFF, 0xFF00)),
    *(range(0xFFA0, 0xFFA1), range(0xFFF0, 0xFFF9), range(0x1BCA0, 0x1BCA4), range(0x1D173, 0x1D17B)),
    range(0xE0000, 0xE1000),
)
"""The characters without a shape of their own, as ranges of code points.

These are the lines of `Default_Ignorable_Code_Point` in the Unicode Character Database's DerivedCoreProperties.txt,
version 14.0 (unchanged in 15.1), with adjacent ranges joined: fillers, joiners, variation selectors, marks of
direction.
"""

BLANK = "\u2800"
"""The braille pattern without dots: a symbol in Unicode that looks like a space."""

_IGNORED = re.compile(f"[{''.join(f'{chr(each.start)}-{chr(each.stop - 1)}' for each in IGNORABLE)}]")
_JOINER = re.compile("[\u200c\u200d]")
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f")
"""The flag of a region such as Scotland: a black flag and its tags (Unicode TS 51, ED-14a)."""


def one_form(name: str) -> str:
    """Return a name in Unicode's normal form C, with one plain space for each run of spaces of any kind."""
    plain = "".join(" " if unicodedata.category(each) == "Zs" else each for each in name)
    return re.sub(" +", " ", unicodedata.normalize("NFC", plain))


@lru_cache(maxsize=1024)
def name_key(name: str) -> str:
    """Return what all spellings of one name share.

    Upper and lower case, compatible forms (NFKC), kinds of spaces, and characters without a shape make no difference
    (compare NFKC_Casefold in chapter 3.13 of the Unicode Standard). A stored name without a visible character is its
    own key.
    """
    key = name
    if name.isascii():
        return " ".join(name.casefold().split()) or name
    for _ in range(2):  # folding the case may make characters that NFKC or the next folding changes
        shown = _IGNORED.sub("", unicodedata.normalize("NFKC", key))
        key = " ".join(unicodedata.normalize("NFKC", shown.casefold()).replace(BLANK, " ").split())
    return key or name


def repeated(names: Iterable[str]) -> str:
    """Return the first spelling of a name that is there twice, or "" if all differ."""
    seen: dict[str, str] = {}
    for name in names:
        if (key := name_key(name)) in seen:
            return seen[key]
        seen[key] = name
    return ""


def check_name(whose: str, name: str) -> None:
    """Check a new name; `whose` is "player" or "team".

    Raises:
        SeatingError: if it has no visible character, spaces around it, double quotes, or control characters.
    """
    if not isinstance(name, str):
        raise SeatingError(f"expected a {whose}'s name as text, got {name!r}")
    if not name.strip():
        raise SeatingError(f"expected a {whose}'s name, got {name!r}", "name_empty")
    if name != name.strip():
        raise SeatingError(f"expected a {whose}'s name without spaces around it, got {name!r}", "name_spaces")
    if '"' in name or not (name if name.isascii() else _plain(name)).isprintable():
        text = f"expected a {whose}'s name without double quotes and control characters, got {name!r}"
        raise SeatingError(text, "name_signs")
    if not (name.isascii() or _has_shape(name)):
        raise SeatingError(f"expected a {whose}'s name with a visible character, got {name!r}", "name_invisible")


def _has_shape(name: str) -> bool:
    """Return whether a character shows by itself: one that has a shape, and is no space and no mark on another."""
    shown = _IGNORED.sub("", name).replace(BLANK, "")
    return any(unicodedata.category(each)[0] not in "ZCM" for each in shown)


def _plain(name: str) -> str:
    """Return a name without the joiners and tags that scripts and emoji need.

    A joiner stands between letters without case, or between symbols.
    """

    def kept(found: re.Match[str]) -> str:
        before, after = (name[place : place + 1] for place in (found.start() - 1, found.end()))
        joins = before and after and category(before) in _BEFORE_JOINER and category(after) in _AFTER_JOINER
        return "" if joins else found[0]

    category = unicodedata.category
    return _FLAG.sub("", _JOINER.sub(kept, name))


_AFTER_JOINER = frozenset({"Lo", "So", "Sm"})
_BEFORE_JOINER = _AFTER_JOINER | {"Mn", "Mc", "Me", "Sk"}  # a vowel sign, a variation selector, a skin tone
