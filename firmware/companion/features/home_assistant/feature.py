"""MQTT and Home Assistant as a feature: off without a broker in the configuration."""

from companion.features.home_assistant.mqtt import Mqtt
from companion.runtime.parts import ProgramPart
from companion.web.feature import Feature, OpenedFeature, TableParts


def _opened(table: TableParts) -> OpenedFeature:
    if not table.config.mqtt.host:
        return OpenedFeature()
    return OpenedFeature(parts=(ProgramPart.of("mqtt", Mqtt(table)),))


FEATURE = Feature("home_assistant", opened=_opened)
"""What happens for a broker, and for Home Assistant through it."""
