"""The text that a terminal shows below the board: message, scores, roll and selections."""

from companion.table.view import PlayerView, View
from farkle.rules.dice import spaced

MOST_SELECTIONS = 4


def caption(view: View, answer: str = "") -> tuple[str, ...]:
    """Return the lines of a view; `answer`, if any, replaces the table's message."""
    lines = [answer or view.message.text]
    if view.players:
        lines.append("   ".join(_player(player, view) for player in view.players))
    if view.roll:
        aside = f"   set aside {spaced(view.chosen.dice)}" if view.chosen else ""
        lines.append(f"roll {spaced(view.roll)}{aside}")
    if view.phase == "choosing":
        best = [f"{spaced(each.dice)} = {each.points}" for each in view.selections[:MOST_SELECTIONS]]
        more = ["..."] if len(view.selections) > MOST_SELECTIONS else []
        lines.append("counts " + "   ".join(best + more))
    lines.extend(f"! {each}" for each in view.degraded)
    return tuple(lines)


def _player(player: PlayerView, view: View) -> str:
    moving = player.name == view.to_move
    at_risk = view.turn_points + (view.chosen.points if view.chosen else 0)
    risk = f" +{at_risk} at risk" if moving and at_risk else ""
    return f"{'> ' if moving else ''}{player.name} {player.score}{risk}"
