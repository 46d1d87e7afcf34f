"""The feature for MQTT and Home Assistant; it is off if no broker is configured."""

from companion.features.home_assistant.mqtt import Mqtt
from companion.runtime.parts import ProgramPart
from companion.web.feature import Feature, OpenedFeature, TableParts


def _opened(table: TableParts) -> OpenedFeature:
    if not table.config.mqtt.host:
        return OpenedFeature()
    return OpenedFeature(parts=(ProgramPart.of("mqtt", Mqtt(table)),))


FEATURE = Feature("home_assistant", opened=_opened)
"""MQTT and Home Assistant."""
