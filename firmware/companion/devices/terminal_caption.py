"""The text that a terminal shows below the board: message, scores, roll, selections, and what glows."""

from companion.devices.buttons import lit_buttons
from companion.table.state.shown_standing import PlayerView
from companion.table.view import View
from companion.words import NOTHING, Catalogue, Text, message

MOST_SELECTIONS = 4


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
