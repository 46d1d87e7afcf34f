"""The place of a player: who acts in a turn when phones have taken places."""

from companion.errors import RefusedError
from companion.pairing.phones import Phone
from companion.table.state.inputs import Answer, ChooseSelection, CountPoints, EnterRoll, Input, Press
from companion.table.view import View
from companion.words import message

OF_THE_TURN = (Press, ChooseSelection, EnterRoll, CountPoints, Answer)
"""What the player to move does. A correction, an undo or the pause menu is everybody's."""


def check_seat(phone: Phone, given: Input | None, view: View) -> None:
    """Check that a phone with a seat does not act in the turn of another player whose own phone shows the page.

    Phones without a seat may always act. The buttons of the board do not pass through this check.

    Args:
        phone: the phone that acts.
        given: what it does; None throws simulated dice.
        view: the table.

    Raises:
        RefusedError: if the turn belongs to another player's phone.
    """
    if not phone.seat or phone.seat == view.to_move or not isinstance(given, (*OF_THE_TURN, type(None))):
        return
    if view.question is not None and view.question.kind == "menu":
        return
    if any(player.phones for player in view.players if player.name == view.to_move):
        raise RefusedError(message("refused.turn_of", name=view.to_move))
