"""House rules as a feature: the lobby's rules are saved under a name over the API, and the lobby offers them."""

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field

from companion.config import Config
from companion.errors import RefusedError
from companion.features.house_rules.rules_folder import RulesFolder, free_key, rules_folder, saved_rules
from companion.features.house_rules.table import HOUSE_RULES, OwnRulesRead
from companion.rule_files import nearest_sheet, rules_text
from companion.table.lobby.form import checked_name
from companion.table.state.state import TableState
from companion.web.feature import Feature, OpenedFeature, TableParts
from companion.web.guard.clients import words_of
from companion.web.rules.api import requested_rules
from companion.web.rules.card import changes_of
from companion.web.schema import Write, problems
from companion.web.table import WebTable, table_of
from companion.web.writes import WRITTEN, write
from companion.words import Catalogue, message
from farkle.game.names import name_key
from farkle.rules.catalogue import catalogue
from farkle.rules.ruleset import RuleSet

MOST_SAVED = 40
"""The most rule sets that a house can save."""

MOST_TOLD = 3
"""The most switches that the line about saved rules names."""

router = APIRouter(prefix="/api/v1", responses=problems(421))


class SaveRulesRequest(Write):
    """The name under which the house saves the rules of the draft."""

    name: str = Field(max_length=100)


@router.post("/lobby/rules", responses=WRITTEN)
async def save_rules(request: Request, body: SaveRulesRequest) -> Response:
    """Save the draft's rules with their switches under a name; saved rules are saved again, also under a new name."""
    table, words = table_of(request), words_of(request)
    folder = _folder(table)
    async with folder.saving:
        key, text = _as_saved(table, checked_name(" ".join(body.name.split())), words)
        await asyncio.to_thread(folder.save, key, text)
        sets = await asyncio.to_thread(folder.read)
        return await write(request, OwnRulesRead(sets, saved=key), Write())


@router.post("/rules/{key}/delete", responses=WRITTEN)
async def delete_rules(request: Request, key: str, body: Write | None = None) -> Response:
    """Delete rules that the house has saved. Kept games go on by them.

    Raises:
        RefusedError: if the house has saved no such rules.
    """
    table = table_of(request)
    folder = _folder(table)
    async with folder.saving:
        if key not in {each.key for each in table.own_rules()}:
            raise RefusedError(message("refused.not_saved_rules"))
        await asyncio.to_thread(folder.delete, key)
        sets = await asyncio.to_thread(folder.read)
        return await write(request, OwnRulesRead(sets, deleted=key), body or Write())


def about_house(rules: RuleSet, words: Catalogue) -> str:
    """Return the line about rules that a house saves: the packaged rule set that they are like, and what differs."""
    like = nearest_sheet(rules)
    if like is None:
        return words("house.own")
    changes = [words.text(each) for each in changes_of(replace(like, switches=rules.switches))]
    if not changes:
        return words("house.same", rules=like.title)
    more = len(changes) - MOST_TOLD
    told = "; ".join(changes[:MOST_TOLD])
    if more > 0:
        return words("house.about_more", rules=like.title, changes=told, more=more)
    return words("house.about", rules=like.title, changes=told)


def _folder(table: WebTable) -> RulesFolder:
    """Return the folder of the saved rule sets.

    Raises:
        RefusedError: if the table has none.
    """
    folder = table.offered(RulesFolder)
    if folder is None:
        raise RefusedError(message("refused.no_rules_saved"))
    return folder


def _as_saved(table: WebTable, name: str, words: Catalogue) -> tuple[str, str]:
    """Return the key and the file of the draft's rules under this name; rules that are saved keep their key.

    A `RuleSetError` reaches the caller if the draft's switches do not go together.

    Raises:
        RefusedError: if no game is being put together, the name is taken, or too many rule sets are saved.
    """
    lobby, own = table.feed.latest.view.lobby, table.own_rules()
    if not lobby.open:
        raise RefusedError(message("refused.no_lobby"))
    rules = requested_rules(table, lobby.rules, lobby.settings)
    others = [each for each in own if each.key != rules.key]
    for each in (*catalogue(), *others):
        if name_key(name) in (each.key, name_key(each.title)):
            raise RefusedError(message("refused.rules_name_taken", name=each.title))
    text = partial(rules_text, rules, title=name, about=about_house(rules, words))
    if len(others) < len(own):
        return rules.key, text(rules.key)
    if len(own) >= MOST_SAVED:
        raise RefusedError(message("refused.too_many_rules", most=MOST_SAVED))
    key = free_key(name, frozenset(each.key for each in (*catalogue(), *own)))
    return key, text(key)


def _begins(state: TableState, _: Config, data: Path) -> TableState:
    return replace(state, own_rules=saved_rules(rules_folder(data)))


def _opened(table: TableParts) -> OpenedFeature:
    return OpenedFeature(offers=(RulesFolder(rules_folder(table.data), saved=table.saved),))


FEATURE = Feature("house_rules", HOUSE_RULES, begins=_begins, opened=_opened, routers=(router,))
