"""Simulated players who know what they threw, and answer the table when it asks about their dice."""

from collections.abc import Callable, Mapping, Sequence

from companion.table.state.inputs import Answer, CorrectRoll, EnterRoll, Input

MOST_ASKED = 8
"""The most answers to a table about one throw: one for each die in doubt, and one about the whole throw."""

THROW_AGAIN = {"answer": "throw_again"}

INPUTS: Mapping[str, Callable[[dict], Input]] = {
    "answer": lambda body: Answer(body["answer"]),
    "correct": lambda body: CorrectRoll(tuple(body["roll"])),
    "roll": lambda body: EnterRoll(tuple(body["roll"])),
}
"""The input of each path of the API that a reply may take."""


def asks(state: dict) -> bool:
    """Return whether the table, by the state of its API, waits for somebody to say which dice lie there."""
    return state["phase"] == "asking" or state["look"] > 0


def reply(state: dict, thrown: Sequence[int]) -> tuple[str, dict]:
    """Return the players' answer as a path of the API and its body.

    They say yes if the eye names the right faces. Otherwise, and if the table asks them to look, they enter the faces.
    They wait for a slow eye, and say that they did not bank before they threw. They agree with its best guess of the
    dice set aside, and throw again if it has not seen each die fall: an eye with few frames may miss one.

    Raises `AssertionError` if the table asks about anything but a throw.
    """
    question = state["question"]
    if question is None:
        return "roll", {"roll": list(thrown)}
    match question["kind"]:
        case "blind":
            return "answer", {"answer": "wait"}
        case "thrown":  # a new eye may ask about dice that still lie there from the throw before
            asked = sorted(int(face) for face in question["text"] if face.isdigit())
            return "answer", {"answer": "yes" if asked == sorted(thrown) else "no"}
        case "banked":
            return "answer", {"answer": "no"}
        case "set aside":
            seen = sorted(question["faces"]) == sorted(thrown)
            return "answer", {"answer": question["answers"][0]} if seen else THROW_AGAIN
    assert question["kind"] == "doubt", question
    read = [die["face"] for die in state["reading"]["dice"] if die["zone"] != "shelf"]
    named = read if question["die"] is not None else [int(face) for face in question["text"] if face.isdigit()]
    if sorted(named) == sorted(read) == sorted(thrown):
        return "answer", {"answer": "yes"}
    return "correct", {"roll": list(thrown)}
