"""A broker for all tests of a file."""

from collections.abc import Iterator

import pytest
from asked import run
from brokers import Broker, mosquitto

__all__ = ["run"]


@pytest.fixture(scope="module")
def broker(tmp_path_factory) -> Iterator[Broker]:
    with mosquitto(tmp_path_factory.mktemp("broker")) as running:
        yield running
