"""The house's rule sets as a feature of the program."""

from dataclasses import replace
from pathlib import Path

from companion.config import Config
from companion.features.house_rules.api import router
from companion.features.house_rules.rules_folder import RulesFolder, rules_folder, saved_rules
from companion.features.house_rules.table import HOUSE_RULES
from companion.table.state.state import TableState
from companion.web.feature import Feature, OpenedFeature, TableParts


def _begins(state: TableState, _: Config, data: Path) -> TableState:
    return replace(state, own_rules=saved_rules(rules_folder(data)))


def _opened(table: TableParts) -> OpenedFeature:
    return OpenedFeature(offers=(RulesFolder(rules_folder(table.data), saved=table.saved),))


FEATURE = Feature("house_rules", HOUSE_RULES, begins=_begins, opened=_opened, routers=(router,))
