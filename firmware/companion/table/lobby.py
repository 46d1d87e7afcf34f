"""The lobby: how a game begins, from the page, from the command line or by button."""

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest

from companion.errors import RefusedError
from companion.table.acts import Step, act
from companion.table.asking import ask
from companion.table.cues import Cue, CueKind
from companion.table.events import StartToBeThrown, TrackLaid
from companion.table.inputs import Button, NewGame
from companion.table.state import ByHand, Lobby, Question, TableState
from farkle.game.seating import start
from farkle.rules.catalogue import catalogue, find_rule_set
from farkle.rules.ruleset import RuleSet

SEATS = ("Orange", "Sky", "Green", "Yellow", "Red", "Purple", "Amber", "Azure", "Jade", "Lemon", "Scarlet", "Violet")
"""The names of players who join by button, in the order of the lanes' colours."""

LONGEST_NAME = 20


def lobby_press(state: TableState, button: Button, now: float) -> Step:
    """KEEP: another player joins; ROLL: the next rule set; BANK: start, by throws or in order."""
    lobby = state.lobby
    match button:
        case Button.KEEP:
            if lobby.players >= len(SEATS):
                raise RefusedError(f"at most {len(SEATS)} players")
            lobby = replace(lobby, players=lobby.players + 1)
            said = f"{SEATS[lobby.players - 1]} joins."
        case Button.ROLL:
            lobby = replace(lobby, rules=(lobby.rules + 1) % len(catalogue()))
            said = f"{catalogue()[lobby.rules].title}."
        case Button.BANK if lobby.players > 1:
            return ask(state, Question("starts", "Throw for who begins?", "throw for it?", ("yes", "no")))
        case Button.BANK:
            return start_from_lobby(state, now, thrown_for=False)
    return Step(replace(state, lobby=lobby, said=said), cues=(Cue(CueKind.CHANGED, said),))


def one_fewer(state: TableState, now: float) -> Step:  # noqa: ARG001 - every press is given the time
    """The player who joined last leaves the lobby; one plays at least."""
    lobby = state.lobby
    if lobby.players == 1:
        raise RefusedError("at least one player")
    said = f"{SEATS[lobby.players - 1]} leaves."
    fewer = replace(state, lobby=replace(lobby, players=lobby.players - 1), said=said)
    return Step(fewer, cues=(Cue(CueKind.CHANGED, said),))


def start_from_lobby(state: TableState, now: float, *, thrown_for: bool) -> Step:
    """Begin the game that was put together by button."""
    lobby = state.lobby
    return new_game(state, NewGame(catalogue()[lobby.rules].key, SEATS[: lobby.players], thrown_for=thrown_for), now)


def rematch_question() -> Question:
    """Whether the same players play again; no opens the lobby."""
    return Question("rematch", "Another game with the same players?", "another game?", ("yes", "no"))


def open_lobby(state: TableState) -> TableState:
    """The table puts another game together; the last one lies there still, and holding ROLL goes back to it."""
    return replace(state, lobby=replace(state.lobby, open=True), said="", by_hand=ByHand.NO)


def new_game(state: TableState, given: NewGame, now: float) -> Step:
    """Begin another game; the one before stays in the journal as it is. Raises `RefusedError` or a `FarkleError`."""
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
        state,
        acts=(),
        effective=(),
        out_of_step=False,
        farkled=None,
        lobby=Lobby(),
        by_hand=ByHand.NO,
        distrust=False,
        game_number=state.game_number + 1,
    )
    begun = act(empty, (*started, TrackLaid(track), *thrown_for), now, Cue(CueKind.OUT_OF_STEP))
    return replace(begun, begins=True)


def _rules(given: NewGame) -> tuple[RuleSet, int]:
    """The rules of the game and its track, which they fit; raises `RuleSetError` where they do not."""
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
    """The players of the teams in an order in which the teams alternate."""
    return tuple(name for row in zip_longest(*teams.values()) for name in row if name is not None)


def _alternating(players: tuple[str, ...], teams: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The players in their own order where the teams alternate in it, else in one in which they do."""
    seat = {name: index % len(teams) for index, name in enumerate(players)} if teams else {}
    alternates = all(len({seat[name] for name in members}) == 1 for members in teams.values())
    return players if alternates else taking_turns(teams)


def _name(given: str) -> str:
    """A player's name in the one form that Unicode has for it (NFC); raises `RefusedError` on one too long to show."""
    name = unicodedata.normalize("NFC", given)
    if len(name) > LONGEST_NAME:
        raise RefusedError(f"expected a name of at most {LONGEST_NAME} characters, got {name!r}")
    return name
