"""Rule sets by name or file: a packaged one by key, title or alias, a house's own one by the path of its file."""

from pathlib import Path

from companion.errors import CompanionError
from farkle.rules.catalogue import find_rule_set, own_rule_set
from farkle.rules.ruleset import RuleSet


def rules_named(name: str) -> RuleSet:
    """Return the rule set of this name, or of the file at this path (it ends in `.toml`, or contains a slash).

    An unknown name raises `UnknownRuleSetError`; a file raises as `rules_in`.
    """
    if name.endswith(".toml") or "/" in name:
        return rules_in(Path(name))
    return find_rule_set(name)


def rules_in(path: Path) -> RuleSet:
    """Return the rule set of a file; what the file says may raise `RuleSetError`.

    Raises:
        CompanionError: if the file cannot be read.
    """
    try:
        text = path.expanduser().read_text(encoding="utf-8")
    except OSError as error:
        raise CompanionError(f"expected a rule set's file, got {str(path)!r}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CompanionError(f"expected a rule set's file in UTF-8, got {str(path)!r}") from error
    return own_rule_set(text, str(path))
