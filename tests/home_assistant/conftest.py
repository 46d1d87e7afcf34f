"""A broker for all tests of a file."""

from collections.abc import Iterator

import pytest
from brokers import Broker, mosquitto


@pytest.fixture(scope="module")
def broker(tmp_path_factory) -> Iterator[Broker]:
    with mosquitto(tmp_path_factory.mktemp("broker")) as running:
        yield running
