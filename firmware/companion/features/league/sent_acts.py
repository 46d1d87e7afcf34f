"""What a league gets of each act: which acts of the game no longer count, and which count from now on."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.storage.codec import encode
from companion.table.state.history import Act, Snapshot, add_act
from farkle.game.events import Event, GameStarted


class FoldedGame:
    """One game, folded act by act."""

    def __init__(self, number: int) -> None:
        """Begin a game, whose acts are to be added in order."""
        self.number = number
        self._history: list[Snapshot] = []
        self._sent: list[Act] = []  # the acts that count, as the league has them

    def add(self, act: Act, *, sent: bool) -> None:
        """Fold an act; `sent` says whether the league gets it, and so all that counts then."""
        add_act(self._history, act)
        if sent:
            self._sent = [each.act for each in self._history if each.act.game_events]

    def send(self, act: Act, act_id: str, at: float) -> dict[str, Any]:
        """Fold an act, and return it as the league gets it.

        Args:
            act: the act.
            act_id: its id.
            at: when it was made, in seconds since 1970.
        """
        before = self._sent
        self.add(act, sent=True)
        same = common(before, self._sent)
        last = self._history[-1] if self._history else None
        return {
            "game": self.number,
            "act": act.number,
            "id": act_id,
            "at": at,
            "keeps": before[same - 1].number if same else 0,
            "made": [[each.number, list(map(encoded, each.game_events))] for each in self._sent[same:]],
            "bots": {str(bot.player): bot.kind for bot in last.bots} if last else {},
        }


def common(before: Sequence[Act], after: Sequence[Act]) -> int:
    """Return how many of the first acts are the same in both: their numbers, and their events of the game."""
    for place, (was, now) in enumerate(zip(before, after, strict=False)):
        if was is not now and (was.number, was.game_events) != (now.number, now.game_events):
            return place
    return min(len(before), len(after))


def encoded(event: Event) -> list[Any]:
    """Return the kind and the body of an event of a game, as the journal writes them; teams have no names."""
    if isinstance(event, GameStarted):
        event = replace(event, teams=tuple(f"Team {number}" for number, _ in enumerate(event.teams, 1)))
    kind, _, body = encode(event)
    return [kind, json.loads(body)]
