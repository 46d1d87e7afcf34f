"""Fold journals that version 0.1.0 wrote, and compare the views with those that version 0.1.0 made of them.

`journals/scenes.db.gz` holds one game for each scene of `tests/table`; `journals/by-chance.db.gz` holds games of every
rule set with random throws, undo, corrections and table acts. Beside each journal stands the last view of each of its
games, and a digest of the view after each act, without the sentences that people read.
"""

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

from companion.storage.data_folder import open_storage
from companion.storage.files import FILE
from companion.storage.rows import acts_of
from companion.table.state.state import restored, with_acts
from companion.table.step import with_open_choice
from companion.table.view import view
from companion.web.schema import adapter_of
from companion.words import english

JOURNALS = Path(__file__).parent / "journals"
SENTENCES = ("message", "refused")
ADDED = {"may_throw", "blind", "loser", "outcomes", "made", "why", "captions", "next", "glows", "first_turn"}
ADDED |= {"moments", "round", "rounds", "ahead"}
ADDED |= {"sound", "count_unit", "address_digits", "finish", "version"}  # of the view, and of its question:
ADDED |= {"faces", "keys", "skunk_lines", "outlook", "skunk", "needs", "begins"}
ADDED |= {"asks", "lets_in", "door_open", "sets_up", "by", "phones", "bot", "coach", "tournament"}
"""Fields that the view has got since."""
LOBBY = ("players", "rules")
"""The fields that the lobby had."""


def without_added(value):
    """Return the JSON of a view without the fields that were added since; points are written as they were then."""
    if isinstance(value, dict):
        kept = {name: without_added(each) for name, each in value.items() if name not in ADDED}
        return kept | {"parts": re.sub(r"(\d),(\d{3})", r"\1\2", kept["parts"])} if "parts" in kept else kept
    return [without_added(each) for each in value] if isinstance(value, list) else value


def shown(state):
    made = english().rendered(view(with_open_choice(state)))
    shown = without_added(adapter_of(made).dump_python(made, mode="json"))
    return {**shown, "lobby": {name: shown["lobby"][name] for name in LOBBY}}


def without_sentences(seen):
    """Return the JSON of a view without the sentences that people read."""
    plain = {name: value for name, value in seen.items() if name not in SENTENCES}
    if plain["question"]:
        plain["question"] = {name: value for name, value in plain["question"].items() if name != "text"}
    return plain


def digest(seen):
    """Return the digest of a view without its sentences."""
    text = json.dumps(without_sentences(seen), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize("name", ["scenes", pytest.param("by-chance", marks=pytest.mark.exhaustive)])
def test_a_journal_of_version_0_1_folds_to_the_same_views(name: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(gzip.decompress((JOURNALS / f"{name}.db.gz").read_bytes()))
    expected = json.loads(gzip.decompress((JOURNALS / f"{name}.json.gz").read_bytes()))
    storage = open_storage(tmp_path, lambda: 1_790_000_000.0)
    try:
        assert storage.loaded.loss is None
        games = {each["game"]: acts_of(storage.journal.rows(each["game"])) for each in expected}
    finally:
        storage.close()
    for each in expected:
        game, acts = each["game"], games[each["game"]]
        whole = restored(acts, seq=acts[-1].number, game_number=game)
        assert without_sentences(shown(whole)) == without_sentences(each["view"]), each["title"]
        state, digests = restored((), seq=0, game_number=0), []
        for act in acts:
            state = with_acts(state, game, (act,))
            digests.append(digest(shown(state)))
        assert digests == each["digests"], each["title"]
