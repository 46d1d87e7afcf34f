"""The lobby: a game begins here, from the page, from the command line or by button."""

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest

from companion.errors import RefusedError
from companion.table.acts import Step, act_of_game, ask, say
from companion.table.cues import Cue, CueKind
from companion.table.events import StartToBeThrown, TrackLaid
from companion.table.inputs import Button, NewGame
from companion.table.questions import throw_for_start
from companion.table.state import Lobby, ManualEntry, TableState
from farkle.game.seating import start
from farkle.rules.catalogue import catalogue, find_rule_set
from farkle.rules.ruleset import RuleSet

SEATS = ("Orange", "Sky", "Green", "Yellow", "Red", "Purple", "Amber", "Azure", "Jade", "Lemon", "Scarlet", "Violet")
"""The names of players who join by button, in the order of the lane colours."""

LONGEST_NAME = 20


def lobby_press(state: TableState, button: Button, now: float) -> Step:
    """Take a press in the lobby: KEEP adds a player, ROLL chooses the next rule set, BANK starts.

    Raises:
        RefusedError: if no more players can join.
    """
    lobby = state.lobby
    match button:
        case Button.KEEP:
            if lobby.players >= len(SEATS):
                raise RefusedError(f"at most {len(SEATS)} players")
            lobby = replace(lobby, players=lobby.players + 1)
            said = f"{SEATS[lobby.players - 1]} joins."
        case Button.ROLL:
            lobby = replace(lobby, rules=(lobby.rules + 1) % len(catalogue()), preset=None)
            said = f"{catalogue()[lobby.rules].title}."
        case Button.BANK if lobby.players > 1:
            return ask(state, throw_for_start())
        case Button.BANK:
            return start_from_lobby(state, now, thrown_for=False)
    return say(replace(state, lobby=lobby), said)


def remove_player(state: TableState, now: float) -> Step:  # noqa: ARG001 - every press is given the time
    """Remove the player who joined last.

    Raises:
        RefusedError: if only one player is left.
    """
    lobby = state.lobby
    if lobby.players == 1:
        raise RefusedError("at least one player")
    fewer = replace(state, lobby=replace(lobby, players=lobby.players - 1))
    return say(fewer, f"{SEATS[lobby.players - 1]} leaves.")


def start_from_lobby(state: TableState, now: float, *, thrown_for: bool) -> Step:
    """Start the game that was put together by button."""
    lobby = state.lobby
    given = lobby.preset or NewGame(lobby.rule_set.key, ())
    return new_game(state, replace(given, players=SEATS[: lobby.players], thrown_for=thrown_for), now)


def preset_lobby(preset: NewGame) -> Lobby:
    """Return the lobby of a game that is described but for its players; a `FarkleError` says why it cannot be."""
    rules, _ = _rules(preset)
    keys = [each.key for each in catalogue()]
    index = keys.index(rules.key) if rules.key in keys else -1  # the next one after an own rule set is the first
    return Lobby(rules=index, preset=preset)


def open_lobby(state: TableState) -> TableState:
    """Open the lobby for another game; holding ROLL goes back to the last one."""
    return replace(state, lobby=replace(state.lobby, open=True), announced="", manual=ManualEntry.NO)


def new_game(state: TableState, given: NewGame, now: float) -> Step:
    """Start another game; the one before stays in the journal.

    Raises:
        RefusedError: if there are no players, or it is unclear who begins.
    """
    if not given.players:
        raise RefusedError("expected at least one player, got none")
    rules, track = _rules(given)
    players = tuple(_name(player) for player in given.players)
    teams = {_name(team): tuple(_name(each) for each in members) for team, members in given.teams.items()}
    if sorted(taking_turns(teams)) == sorted(players):
        players = _alternating(players, teams)
    names = [name.casefold() for name in players]
    begins = _name(given.start).casefold() if given.start is not None else names[0]
    if begins not in names:
        raise RefusedError(f"expected one of the players {', '.join(players)} to start, got {given.start!r}")
    started = start(rules, players, first=names.index(begins), teams=teams or None)
    if given.thrown_for and given.start is not None:
        raise RefusedError(f"expected a throw for who begins, or {given.start!r}, got both")
    thrown_for = (StartToBeThrown(),) if given.thrown_for and len(players) > 1 else ()
    empty = replace(
        state, out_of_step=False, farkled=None, lobby=Lobby(), manual=ManualEntry.NO, confirm_readings=False
    )
    number = 1 if state.play is None else state.play.number + 1
    events = (*started, TrackLaid(track), *thrown_for)
    return act_of_game(empty, number, events, now, Cue(CueKind.OUT_OF_STEP))


def _rules(given: NewGame) -> tuple[RuleSet, int]:
    """Return the rules of the game and a track that they fit; a `RuleSetError` says why they do not fit."""
    settings = dict(given.settings)
    rules = given.rules if isinstance(given.rules, RuleSet) else find_rule_set(given.rules)
    to_end = rules.to_track_end and "target" not in settings and "target" not in rules.settings()
    if given.track is not None and to_end:
        settings["target"] = given.track * rules.points_a_hole(given.track)
    rules = rules.with_settings(settings)
    track = given.track if given.track is not None else rules.smallest_track
    rules.check_fit(track)
    if rules.switches.one_peg_per_hole != "off" and rules.points_a_hole(track) != rules.hole_points:
        # Who bumps whom depends on the board, so the game itself remembers how far its holes are.
        rules = rules.with_settings({"points_a_hole": rules.points_a_hole(track)})
    return rules, track


def taking_turns(teams: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the players of all teams in an order in which the teams alternate."""
    return tuple(name for row in zip_longest(*teams.values()) for name in row if name is not None)


def _alternating(players: tuple[str, ...], teams: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the players in their own order if the teams alternate in it, else in one in which they do."""
    seat = {name: index % len(teams) for index, name in enumerate(players)} if teams else {}
    alternates = all(len({seat[name] for name in members}) == 1 for members in teams.values())
    return players if alternates else taking_turns(teams)


def _name(given: str) -> str:
    """Return a player's name in Unicode's normal form C.

    Raises:
        RefusedError: if the name is too long to show.
    """
    name = unicodedata.normalize("NFC", given)
    if len(name) > LONGEST_NAME:
        raise RefusedError(f"expected a name of at most {LONGEST_NAME} characters, got {name!r}")
    return name
