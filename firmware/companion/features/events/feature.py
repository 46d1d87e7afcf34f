"""Named events for other programs as a feature: the stream, and the hooks of the configuration."""

from companion.features.events.hooks import hooks_of
from companion.features.events.stream import act_stream
from companion.web.feature import Feature, OpenedFeature, TableParts


def _opened(table: TableParts) -> OpenedFeature:
    return OpenedFeature(hooks_of(table), offers=(act_stream(table.events),))


FEATURE = Feature("events", opened=_opened)
