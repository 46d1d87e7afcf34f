"""The caption: the few lines of words that stand below the board where a driver can show text, as a terminal can."""

from companion.table.view import PlayerView, SelectionView, View
from farkle.rules.dice import spaced

MOST_SELECTIONS = 4


def caption(view: View, answer: str = "") -> tuple[str, ...]:
    """What the table says (or `answer`, to a press that was not allowed), the scores, the roll, what counts of it."""
    lines = [answer or view.message.text]
    if view.players:
        lines.append("   ".join(_player(player, view) for player in view.players))
    if view.roll:
        aside = spaced(view.chosen.dice) if view.chosen else ""
        lines.append(f"roll {spaced(view.roll)}" + (f"   set aside {aside}" if aside else ""))
    if view.phase == "choosing":
        counts = "   ".join(_selection(each) for each in view.selections[:MOST_SELECTIONS])
        more = "   ..." if len(view.selections) > MOST_SELECTIONS else ""
        lines.append(f"counts {counts}{more}")
    lines.extend(f"! {each}" for each in view.degraded)
    return tuple(lines)


def _player(player: PlayerView, view: View) -> str:
    moving = player.name == view.to_move
    at_risk = view.turn_points + (view.chosen.points if view.chosen else 0)
    risk = f" +{at_risk} at risk" if moving and at_risk else ""
    return f"{'> ' if moving else ''}{player.name} {player.score}{risk}"


def _selection(selection: SelectionView) -> str:
    return f"{spaced(selection.dice)} = {selection.points}"
