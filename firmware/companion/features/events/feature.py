"""The feature that sends named events to other programs: the stream, and the configured hooks."""

from companion.features.events.hooks import hooks_of
from companion.features.events.stream import act_stream
from companion.web.feature import Feature, OpenedFeature, TableParts


def _opened(table: TableParts) -> OpenedFeature:
    return OpenedFeature(hooks_of(table), offers=(act_stream(table.events),))


FEATURE = Feature("events", opened=_opened)
