"""Without names: nothing that a broker gets names a player, a team or a phone."""

import random
from contextlib import suppress

import pytest
from brokers import Broker, listener
from hosted import seen
from told_tables import table, take

from companion.errors import CompanionError
from companion.features.home_assistant.names import StandIns
from companion.table.state import inputs
from companion.words import Message, english, joined, message
from farkle.errors import FarkleError

PLAYERS = ("Zaphod", "Ford Prefect", "Tril-lian", "Ünal", "Mrs. O'Nan", "Slartibartfass")
TEAMS = ("Heart of Gold", "Magrathea")
PHONES = ("Marvin", "Eddie the Computer", "Deep Thought")
NAMES = (*PLAYERS, *TEAMS, *PHONES, "Slarti", "Prefect", "lian", "Nan")
RULES = ("farkle-cribbage", "farkle-cribbage-advanced", "classic")


def new_game(chance: random.Random) -> inputs.NewGame:
    players = chance.sample(PLAYERS, 4)
    if chance.random() < 0.3:
        teams = {TEAMS[0]: (players[0], players[2]), TEAMS[1]: (players[1], players[3])}
        return inputs.NewGame("farkle-cribbage-advanced", tuple(players), teams=teams)
    target = {"target": 24} if chance.random() < 0.5 else {}
    return inputs.NewGame(RULES[0] if target else chance.choice(RULES), tuple(players), target)


def lobby(chance: random.Random) -> inputs.Input:
    names = tuple(chance.sample(PLAYERS, 3))
    plays = chance.choice(("", "round_robin"))
    return inputs.EditLobby(names=names, open=chance.choice((True, False, None)), plays=plays)


def any_input(chance: random.Random) -> inputs.Input:
    """Return something that happens at a table, often with a name in it."""
    phone = chance.choice(PHONES)
    make = chance.choices(
        (
            lambda: seen("".join(map(str, chance.choices(range(1, 7), k=chance.choice((6, 6, 6, 3, 2, 1)))))),
            lambda: inputs.Press(chance.choice(list(inputs.Button)), chance.choice(list(inputs.Gesture)), by=phone),
            lambda: inputs.Answer(chance.choice(("yes", "no", "go_on", "0", "1", "seat 1", "thrown"))),
            lambda: new_game(chance),
            lambda: lobby(chance),
            inputs.StartDraft,
            lambda: inputs.JoinGame(chance.choice(PLAYERS)),
            inputs.Undo,
            lambda: inputs.CorrectRoll(tuple(chance.choices(range(1, 7), k=6))),
            inputs.Pause,
            lambda: inputs.DoorChanged(phone, chance.random() < 0.5, chance.choice(("", phone))),
            lambda: inputs.PhoneLetIn(phone),
            lambda: inputs.PhonesSeated(dict.fromkeys(PLAYERS, (phone,))),
            lambda: inputs.Fault("camera", chance.choice((None, "It is dark."))),
            inputs.OpenDoor,
        ),
        (30, 25, 8, 1, 2, 2, 2, 4, 4, 3, 2, 2, 1, 1, 1),
    )[0]
    return make()


def menu_of(made: object, chance: random.Random) -> inputs.Input | None:
    """Return an answer to the open question or menu, by its name."""
    question = made.feed.latest.view.question  # type: ignore[attr-defined]
    return inputs.Answer(chance.choice(question.keys)) if question and chance.random() < 0.6 else None


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(2, 40))])
def test_no_name_leaves_the_table_in_any_evening(seed: int, tmp_path, broker: Broker) -> None:
    chance, acts = random.Random(seed), 0
    with listener(broker.port, f"farklecrib/{tmp_path.name}/#") as heard, table(tmp_path, broker.port, None) as made:
        heard.until(lambda _: heard.last("games/deleted"))
        take(made, new_game(chance))
        for _ in range(120):
            with suppress(CompanionError, FarkleError):
                take(made, menu_of(made, chance) or any_input(chance))
        acts = made.host.state.seq
        heard.until(lambda _: any(event["act"] == acts for event in heard.events()))
    assert acts > 10
    assert len({event["event_type"] for event in heard.events()}) > 5
    for each in heard.heard:
        text = f"{each.topic} {each.payload.decode()}"
        assert not [name for name in NAMES if name in text], text


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (message("event.PlayerJoined", name="Tom and Jo"), "Player 1 joins."),
        (message("event.PlayerJoined", name="Jo"), "Player 2 joins."),
        (message("event.PlayerJoined", name="Jo and Al (1.)"), "Player 2 and Player 3 joins."),
        (message("event.PlayerJoined", name="Marvin"), "Somebody joins."),
        (joined("Jo said: expected Al (1.), got Jordan", message("prompt.won", names=["Jo", "Marvin"])),
         "Player 2 said: expected Player 3, got Jordan Player 2 and Somebody win! Another game?"),
        (message("fault.feature", name="drinks"), "The feature drinks does not work; the table goes on without it."),
    ],
)  # fmt: skip
def test_a_sentence_names_only_stand_ins(said: Message, expected: str) -> None:
    names = StandIns.of(english(), ("Tom and Jo", "Jo", "Al (1.)"))
    assert english().text(names.put(said)) == expected
