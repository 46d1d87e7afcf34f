"""The house's rule sets at the table: the lobby offers them, and its draft takes the one that was saved last."""

from dataclasses import dataclass, replace

from companion.table.feature import TableFeature
from companion.table.lobby.form import with_draft, with_rules
from companion.table.state.acts import Step, say
from companion.table.state.inputs import PageInput
from companion.table.state.state import TableState
from companion.words import message
from farkle.rules.catalogue import catalogue
from farkle.rules.ruleset import RuleSet


@dataclass(frozen=True)
class OwnRulesRead(PageInput):
    """These are the rule sets that the house has saved now; `saved` or `deleted` is the key that has changed."""

    sets: tuple[RuleSet, ...]
    saved: str = ""
    deleted: str = ""


def own_rules_read(state: TableState, given: OwnRulesRead) -> Step:
    """Note the rule sets that the house has saved; the draft takes the saved one, and lets go of a deleted one."""
    after, draft = replace(state, own_rules=given.sets), state.lobby.draft
    rules = next((each for each in given.sets if each.key == given.saved), None)
    if rules is not None and state.in_lobby:
        return say(with_draft(after, with_rules(draft, rules)), message("said.rules_saved", rules=rules.title))
    if given.deleted and draft.rules.key == given.deleted:
        said = message("said.rules_deleted", rules=draft.rules.title)
        return say(with_draft(after, with_rules(draft, catalogue()[0])), said)
    return Step(after)


HOUSE_RULES = TableFeature("house_rules", handlers={OwnRulesRead: lambda state, given, _: own_rules_read(state, given)})
"""The house's rule sets at the table."""
