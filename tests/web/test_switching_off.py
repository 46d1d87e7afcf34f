"""The API says where a press comes from: no phone, and no page beside real buttons, switches the table off."""

import pytest
from served import Served

from companion.table.state.inputs import Started

ROLL = ("buttons/roll", {"press": "tap"})
ANSWER = ("answer", {"answer": "power_off"})


def asked(table: Served) -> None:
    """Open the question whether to switch the table off."""
    for path, body in (("pause", {}), ANSWER):
        assert table.post(path, body).status_code == 200
    assert table.state()["question"]["text"] == "End the table? The game is kept. Confirm at the table."


@pytest.mark.parametrize(("path", "body"), [ROLL, ANSWER])
def test_three_requests_of_a_phone_do_not_switch_the_table_off(table: Served, path: str, body: dict[str, str]) -> None:
    phone = table.phone()
    asked(table.game())
    before = table.state()
    answer = table.afar("POST", f"/api/v1/{path}", body, **phone)
    assert answer.status_code == 422
    assert answer.json()["detail"] == "only the page on the table's own machine can do that"
    assert table.state()["question"] == before["question"]
    assert table.post(path, body).status_code == 200
    assert table.state()["message"]["text"].startswith("Good night.")


@pytest.mark.parametrize(("path", "body"), [ROLL, ANSWER])
def test_beside_real_buttons_the_page_of_this_machine_does_not_either(
    table: Served, path: str, body: dict[str, str]
) -> None:
    table.take(Started(real_buttons=True))
    asked(table.game())
    answer = table.post(path, body)
    assert answer.status_code == 422
    assert answer.json()["detail"] == "press ROLL at the table itself to confirm it"
