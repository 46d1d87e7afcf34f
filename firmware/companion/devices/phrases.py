"""A view in words: the spoken sentences, call-outs of what has just happened, and the lines below a terminal's board.

A call-out explains the score: "three fours, eight; one, one; nine at risk". What has no phrase in the section [say],
such as a question, is spoken in the words of the table. Pure.
"""

import re
from collections.abc import Iterator, Sequence

from companion.devices.buttons import lit_buttons
from companion.table.state.cues import Cue, CueKind
from companion.table.throws.shown_standing import PlayerView
from companion.table.view import View
from companion.words import NOTHING, Catalogue, Text, message
from farkle.rules.combinations import Combination

MOST_SELECTIONS = 4
"""The most selections that a terminal shows."""

SILENT = frozenset({CueKind.SETTLED, CueKind.BUMPED})
"""Cues with a tone and no words."""

SKUNKS = (("say.skunked", "say.skunked_together"), ("say.double_skunked", "say.double_skunked_together"))
"""The phrases of a skunk and of a double skunk, for one side and for several."""


def call_out(words: Catalogue, view: View, cues: Sequence[Cue]) -> str:
    """Return the sentences of an update's cues, each once."""
    sentences = dict.fromkeys(_sentence(words, view, cue) for cue in cues)
    return re.sub(r"([?!])\.", r"\1", ". ".join(filter(None, sentences)))


def _sentence(words: Catalogue, view: View, cue: Cue) -> str:
    match cue.kind:
        case kind if kind in SILENT:
            return ""
        case CueKind.CHOSEN:
            return _set_aside(words, view)
        case CueKind.HOT_DICE:
            return words("say.hot_dice")
        case CueKind.FARKLE:
            return _with_manner(words, _farkle(words, view), view, "farkle")
        case CueKind.BANK:
            return _with_manner(words, _bank(words, view), view, "bank") or words.text(cue.text).rstrip(".")
        case CueKind.FINAL_ROUND:
            return words("say.final_round")
        case CueKind.GAME_OVER:
            return _with_manner(words, _over(words, view), view, "wins")
        case CueKind.TURN if not cue.text or cue.text == view.message.told:
            said = "say.throw_for" if view.bot is not None and not view.simulated else "say.turn"
            return words(said, name=view.to_move) if view.to_move else ""
        case _:
            return words.text(cue.text).rstrip(".")


def _with_manner(words: Catalogue, said: str, view: View, event: str) -> str:
    """Return a sentence, followed by what the manner of the bot that it is about adds to it, if that is worth a word.

    A farkle is if it lost points, and a bank if it took the lead. A voice without the section [manner] adds nothing.
    """
    last = view.last
    about = view.winners[:1] if event == "wins" else (last.player,) if last is not None and last.points else ()
    player = next((each for each in view.players if each.name in about and each.bot), None)
    if player is None or not said or (view.phase == "over") is not (event == "wins"):
        return said
    if event == "bank" and last is not None and not _took_the_lead(view, player, last.points):
        return said
    key = f"manner.{player.bot}_{event}"
    return f"{said}. {words(key, name=player.name)}" if key in frozenset(words) else said


def _took_the_lead(view: View, player: PlayerView, points: int) -> bool:
    """Return whether a player's bank of these points passed the best of the others."""
    best = max((each.score for each in view.players if each.side != player.side), default=0)
    return player.score - points <= best < player.score


def _set_aside(words: Catalogue, view: View) -> str:
    chosen = view.chosen
    if chosen is None:
        return words("say.nothing_counts") if view.shelf else ""
    parts = words("say.between").join(spoken_part(words, part) for part in chosen.made)
    return words("say.set_aside", parts=parts, risk=view.turn_points + chosen.points)


def _farkle(words: Catalogue, view: View) -> str:
    name = view.last.player if view.last else ""
    times = next((player.farkles for player in view.players if player.name == name), 1)
    return words("say.farkle") if times < 2 else words("say.farkle_again", times=times)


def _bank(words: Catalogue, view: View) -> str:
    if view.last is None or view.last.kind != "bank":
        return ""
    name, points = view.last.player, view.last.points
    score = next((player.score for player in view.players if player.name == name), 0)
    key = "say.bank" if points else "say.stays"
    return words(key, name=name, points=points, score=score)


def _over(words: Catalogue, view: View) -> str:
    if view.loser is not None:
        return words("say.lost", name=view.loser)
    key = ("say.nobody_won", "say.won", "say.won_together")[min(len(view.winners), 2)]
    return ". ".join((words(key, names=words.listed(view.winners, "say.and")), *_skunks(words, view)))


def _skunks(words: Catalogue, view: View) -> Iterator[str]:
    """Yield who is skunked, and who is double skunked."""
    teams = tuple(view.teams)
    sides = {player.side: (teams[player.side] if teams else player.name, player.skunk) for player in view.players}
    for grade, (one, several) in enumerate(SKUNKS, 1):
        found = [name for name, skunk in sides.values() if skunk == grade]
        if found:
            yield words(one if len(found) == 1 else several, names=words.listed(found, "say.and"))


def spoken_part(words: Catalogue, part: Combination) -> str:
    """Return a combination and its points as the voice says them: `three fours, eight`."""
    what = words.combination(part.name, "combinations")
    if what == part.name and len(set(part.dice)) == 1:
        face, count = part.dice[0], len(part.dice)
        what = words.face(face) if count == 1 else f"{words.number(count)} {words.many_faces(face)}"
    return words("say.part", what=what, points=part.points)


def caption(view: View, words: Catalogue, answer: Text = NOTHING) -> tuple[str, ...]:
    """Return the lines of a view in the language of `words`; `answer`, if any, replaces the table's message."""
    lines: list[Text] = [answer or view.message.text]
    if view.question is not None and view.question.kind == "menu":
        lines.append(view.message.short)  # the item that is marked
    if view.players:
        lines.append("   ".join(_player(player, view, words) for player in view.players))
    if view.roll and view.chosen:
        lines.append(message("terminal.set_aside", dice=view.roll, aside=view.chosen.dice))
    elif view.roll:
        lines.append(message("terminal.roll", dice=view.roll))
    if view.phase == "choosing":
        shown = view.selections[:MOST_SELECTIONS]
        best = [words("terminal.selection", dice=each.dice, points=each.points) for each in shown]
        more = ["..."] if len(view.selections) > MOST_SELECTIONS else []
        lines.append(message("terminal.counts", selections="   ".join(best + more)))
    glowing = [name for name in view.captions if name in lit_buttons(view)]
    if glowing:
        said = [words("said.press", button=name.upper(), tap=view.captions[name].tap) for name in glowing]
        lines.append(message("terminal.glows", presses="   ".join(said)))
    lines.extend(f"! {words.text(each)}" for each in view.degraded)
    return tuple(map(words.text, lines))


def _player(player: PlayerView, view: View, words: Catalogue) -> str:
    moving = player.name == view.to_move
    at_risk = view.turn_points + (view.chosen.points if view.chosen else 0)
    said = words("terminal.score", name=player.name, score=player.score)
    if moving and at_risk:
        said = words("terminal.at_risk", name=player.name, score=player.score, points=at_risk)
    return f"{'> ' if moving else ''}{said}"
