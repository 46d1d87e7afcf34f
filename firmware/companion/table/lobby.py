"""The lobby: how a game begins, from the page, from the command line or by button."""

import unicodedata
from dataclasses import replace

from companion.errors import RefusedError
from companion.table.acts import Step, act
from companion.table.cues import Cue, CueKind
from companion.table.events import TrackLaid
from companion.table.inputs import Button, NewGame
from companion.table.state import TableState
from companion.table.words import plural
from farkle.game.machine import start
from farkle.game.standing import smallest_track
from farkle.rules.catalogue import catalogue, find_rule_set

SEATS = ("Orange", "Sky", "Green", "Yellow", "Red", "Purple", "Amber", "Azure", "Jade", "Lemon", "Scarlet", "Violet")
"""The names of players who join by button, in the order of the lanes' colours."""

LONGEST_NAME = 20


def lobby_press(state: TableState, button: Button, now: float) -> Step:
    """KEEP: another player joins; ROLL: the next rule set; BANK: start."""
    lobby = state.lobby
    match button:
        case Button.KEEP:
            if lobby.players >= len(SEATS):
                raise RefusedError(f"at most {len(SEATS)} players")
            lobby = replace(lobby, players=lobby.players + 1)
            said = f"{SEATS[lobby.players - 1]} joins."
        case Button.ROLL:
            lobby = replace(lobby, rules=(lobby.rules + 1) % len(catalogue()))
            said = catalogue()[lobby.rules].title
        case Button.BANK:
            return new_game(state, NewGame(catalogue()[lobby.rules].key, SEATS[: lobby.players]), now)
    return Step(replace(state, lobby=lobby, said=said), cues=(Cue(CueKind.CHANGED, said),))


def new_game(state: TableState, given: NewGame, now: float) -> Step:
    """Begin another game; the one before stays in the journal as it is. Raises `RefusedError` or a `FarkleError`."""
    if not given.players:
        raise RefusedError("expected at least one player, got none")
    settings = dict(given.settings)
    rules = find_rule_set(given.rules)
    if given.track is not None and "target" not in settings and rules.switches.target in rules.tracks:
        settings["target"] = given.track * rules.points_a_hole(given.track)
    rules = rules.with_settings(settings)
    track = given.track if given.track is not None else smallest_track(rules)
    holes = -(-rules.switches.target // rules.points_a_hole(track))
    if holes > track:
        raise RefusedError(f"expected a game that fits {track} holes, got a target of {plural(holes, 'hole')}")
    players = tuple(_name(player) for player in given.players)
    names = [name.casefold() for name in players]
    begins = _name(given.start).casefold() if given.start is not None else names[0]
    if begins not in names:
        raise RefusedError(f"expected one of the players {', '.join(players)} to start, got {given.start!r}")
    started = start(rules, players, first=names.index(begins))
    empty = replace(state, acts=(), effective=(), out_of_step=False, farkled=None, game_number=state.game_number + 1)
    begun = act(empty, (*started, TrackLaid(track)), now, Cue(CueKind.OUT_OF_STEP))
    return replace(begun, begins=True)


def _name(given: str) -> str:
    """A player's name in the one form that Unicode has for it (NFC); raises `RefusedError` on one too long to show."""
    name = unicodedata.normalize("NFC", given)
    if len(name) > LONGEST_NAME:
        raise RefusedError(f"expected a name of at most {LONGEST_NAME} characters, got {name!r}")
    return name
