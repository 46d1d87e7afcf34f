"""Writes the generated parts of the docs between their markers, from the program itself.

Run `make docs`, or `.venv/bin/python docs/generate.py`; the tests fail when a part is stale. A part is between
`<!-- generated: NAME -->` and `<!-- end -->`; NAME is a key of `PARTS`, for some parts followed by an argument
(`options play`, `example read_a_picture.py`).
"""

import ast
import importlib
import inspect
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import typer

from companion.app import FEATURES
from companion.cameras import CAMERAS, CameraChoice
from companion.cli.main import app
from companion.config import Config
from companion.config_files import explained
from companion.storage import database
from companion.storage.codec import kinds_beside
from companion.table.asking.answers import QUESTIONS
from companion.table.asking.items import ITEMS
from companion.table.buttons.buttons import PRESSES
from companion.table.buttons.modes import MODES, Mode, PagePhase
from companion.table.state.events import Aside, TableEvent
from companion.table.state.inputs import Button, Gesture
from companion.words import english
from dicereader import sources
from dicereader.live import messages
from farkle.game import events as game
from farkle.game.machine import TRANSITIONS
from farkle.game.state import Phase
from farkle.notation import KEYWORDS
from pegboard.buttons import button_drivers as button_table
from pegboard.buttons import port as button_port
from pegboard.buttons.port import Pins
from pegboard.leds import led_drivers as led_table
from pegboard.leds import port as led_port
from pegboard.sound import port as sound_port
from pegboard.sound import sound_drivers as sound_table

DOCS = Path(__file__).resolve().parent
sys.path += [str(DOCS), str(DOCS / "hardware"), str(DOCS.parent / "board" / "enclosure")]
import cables  # noqa: E402 - scripts beside this one
import enclosure_tables  # noqa: E402
import event_tables  # noqa: E402
import hardware_tables  # noqa: E402
import layout_tables  # noqa: E402
import paper_pdf  # noqa: E402
import parts_list  # noqa: E402
import perfboard  # noqa: E402
import pi_boards  # noqa: E402
import power_tables  # noqa: E402
import public_names  # noqa: E402
import rule_tables  # noqa: E402
import steps  # noqa: E402
import table_plan  # noqa: E402
import wiring  # noqa: E402
from builds import builds  # noqa: E402
from scene_forms import FORMS  # noqa: E402

ROOT = DOCS.parent
DEFAULTS = ROOT / "firmware" / "companion" / "config.default.toml"
MARKED = re.compile(r"(<!-- generated: (?P<name>[^>\n]+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def documents() -> list[Path]:
    """Return the Markdown files that may hold generated parts."""
    others = [*ROOT.glob("systemd/*.md"), *ROOT.glob("board/*/*.md")]
    return [*sorted(ROOT.glob("*.md")), *sorted(others), *sorted(DOCS.rglob("*.md"))]


def filled(text: str) -> str:
    """Return the text with every generated part made again."""
    return MARKED.sub(lambda found: f"{found[1]}{part(found['name'])}\n{found[3]}", text)


def part(name: str) -> str:
    """Return the Markdown of one generated part. Raises `KeyError` for an unknown name."""
    kind, _, word = name.partition(" ")
    return PARTS[kind](word)


def table(head: tuple[str, ...], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    lines = [head, ("---",) * len(head), *(tuple(str(cell).replace("|", "\\|") for cell in row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def first_sentence(thing: Any) -> str:
    """Return the first paragraph of a class's or module's docstring."""
    return (thing.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ").strip()


def asked_when(question: type) -> str:
    """Return when a question is asked: the sentence of its docstring that begins with "Asked when"."""
    text = " ".join((question.__doc__ or "").split())
    return text.partition("Asked when ")[2].partition(". ")[0].removesuffix(".")


def code(words: Iterable[str]) -> str:
    """Join words as code, with commas between them."""
    return ", ".join(f"`{word}`" for word in words)


def turn_diagram(_: str) -> str:
    """Return the transitions of the game as a Mermaid state diagram."""
    lines = ["```mermaid", "stateDiagram-v2"]
    lines += [f'    state "{phase.value}" as {phase.name}' for phase in Phase]
    lines.append(f"    [*] --> {Phase.TO_THROW.name}: a game starts")
    for (phase, command), transition in TRANSITIONS.items():
        for after, why in transition.leads_to.items():
            reason = why.replace(": ", ", ")
            lines.append(f"    {phase.name} --> {after.name}: {command.__name__}, {reason}")
    return "\n".join([*lines, f"    {Phase.OVER.name} --> [*]", "```"])


def presses(_: str) -> str:
    """Return what each button does, tapped and held, in each mode of the table."""
    rows = []
    for each in Mode:
        cells = []
        for button in Button:
            tap, hold = (PRESSES.get((each, button, gesture)) for gesture in (Gesture.TAP, Gesture.HOLD))
            said = [tap.words] if tap else []
            cells.append("; ".join([*said, f"held: {hold.words}"] if hold else said) or "-")
        rows.append((each.value, *cells))
    return table(("while", *(button.value.upper() for button in Button)), rows)


def modes(_: str) -> str:
    """Return the modes of the table, in the order in which they are tried."""
    return "\n".join(f"{place}. {row.mode.value}" for place, row in enumerate(MODES, start=1))


def phases(_: str) -> str:
    """Return the phases that the page names."""
    return code(get_args(PagePhase)) + "."


def questions(_: str) -> str:
    """Return every question of the table: when it is asked, what each button answers, and what holding ROLL does."""
    return table(
        ("the question", "when", "KEEP", "ROLL", "BANK", "ROLL held"),
        (
            (
                f"{first_sentence(kind).partition('?')[0]}?",
                asked_when(kind),
                row.keep,
                row.roll,
                row.bank,
                row.hold.value,
            )
            for kind, row in QUESTIONS.items()
        ),
    )


def menu_items(_: str) -> str:
    """Return the items of the pause menu, each with its name for programs."""
    return ", ".join(f"{english()(f'menu.{name}')} (`{name}`)" for name in ITEMS) + "."


def checks(_: str) -> str:
    """List everything that a scene may expect."""
    return table(("expected", "is"), ((f"`{form}`", says) for form, says in FORMS.items()))


def ports(_: str) -> str:
    """List every port with the names of its drivers, from the tables that open them."""
    journals = f"{database.__name__}.{database.Connection.__name__}"
    rows = (
        ("frame source", sources, "FrameSource", sources, sources.SOURCES, "tests/vision/test_recorded.py"),
        ("LED strip", led_port, "LedStrip", led_table, led_table.DRIVERS, "tests/board/test_leds.py"),
        ("buttons", button_port, "Buttons", button_table, button_table.DRIVERS, "tests/board/test_button_port.py"),
        ("sound", sound_port, "Sound", sound_table, sound_table.DRIVERS, "tests/board/test_sound_port.py"),
    )
    named = [
        (port, f"`{module.__name__}.{protocol}`", f"`{table.__name__}`", code(sorted(drivers)), f"`{test}`")
        for port, module, protocol, table, drivers, test in rows
    ]
    connections = f"`{database.connect.__module__}.{database.connect.__name__}`"
    named.append(
        (
            "journal's connection",
            f"`{journals}`",
            connections,
            "sqlite3 (apsw in tests)",
            "`tests/companion/test_journal_port.py`",
        )
    )
    return table(("port", "what it is", "drivers are opened by", "drivers", "contract test"), named)


def cameras(_: str) -> str:
    """Return the names that may stand after `--camera`, and the eye's source for each."""
    return table(("camera", "frame source"), ((f"`{name}`", f"`{CameraChoice(name).source}`") for name in CAMERAS))


def layers(_: str) -> str:
    """List the layers of imports, from the contracts that `make check` enforces."""
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lines: list[str] = []
    for contract in document["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "forbidden":
            rule = f"`{' | '.join(contract['source_modules'])}` not `→ {' | '.join(contract['forbidden_modules'])}`"
        else:
            rule = f"`{' → '.join(contract['layers'])}`"
        lines += [f"- {contract['name']}:", f"  {rule}"]
    return "\n".join(lines)


def crossing(_: str) -> str:
    """Return the messages of the eye's socket in each direction."""
    rows = [
        (way, f"`{kind.__name__}`", re.sub(r"^(To|From) the eye[,:]? ", "", first_sentence(kind)))
        for way, kinds in (("game → eye", messages.ToEye), ("eye → game", messages.FromEye))
        for kind in get_args(kinds)
    ]
    return table(("way", "message", "what it says"), rows)


def events(_: str) -> str:
    """List every kind of event that the journal holds, with the keys of its body."""
    kinds = [("game", kind.__name__, kind) for kind in game.EVENT_KINDS]
    kinds += [("table", kind.__name__, kind) for kind in TableEvent.__subclasses__() if kind is not Aside]
    names = {feature.name for feature in FEATURES}
    for name, kind in sorted(kinds_beside().items()):
        package, _, room = kind.__module__.partition(".features.")
        room = room.partition(".")[0]
        if package.partition(".")[0] == "companion":  # and not of another package
            kinds.append((room if room in names else "table", name, kind))
    return table(
        ("of the", "kind", "body", "what has happened"),
        (
            (whose, f"`{name}`", code(field.name for field in fields(kind)), first_sentence(kind))
            for whose, name, kind in kinds
        ),
    )


def options(command: str) -> str:
    """List every argument and option of a command, such as `rules show`, with its `--help` text."""
    found: Any = typer.main.get_command(app)
    for word in command.split():
        found = found.commands[word]
    rows = []
    for parameter in found.params:
        metavar = parameter.metavar or ""
        spelled = parameter.opts[0] if parameter.param_type_name == "option" else ""
        rows.append((f"`{f'{spelled} {metavar}'.strip()}`", getattr(parameter, "help", "") or ""))
    return table(("argument or option", "meaning"), rows) if rows else "No options."


def example(file: str) -> str:
    """Return a file of `docs/examples`, or a scene of the tests, as a code block."""
    path = ROOT / "tests" / "table" / file if file.endswith(".scene") else DOCS / "examples" / file
    kind = {".py": "python", ".conf": "ini", ".farkle": "text", ".toml": "toml", ".scene": "text"}[path.suffix]
    return f"```{kind}\n{path.read_text(encoding='utf-8').rstrip()}\n```"


def signature(name: str) -> str:
    """Return the head of a function (`farkle.rules.dice.check_faces`) with its docstring, as a code block."""
    module, _, function = name.rpartition(".")
    source = inspect.getsource(getattr(importlib.import_module(module), function))
    docstring = ast.parse(source).body[0].body[0]
    return "\n".join(["```python", *source.splitlines()[: docstring.end_lineno], "```"])


def played(file: str) -> str:
    """Return a written game of `docs/examples` as a code block, and its standing at the end."""
    return f"{example(file)}\n\n{rule_tables.outcome(file)}"


def defaults(_: str) -> str:
    """Return the packaged configuration file, which explains every key."""
    return f"```toml\n{explained(Config()).rstrip()}\n```"


def keywords(_: str) -> str:
    """Return the notation's keywords, which need quotes as players' names."""
    return code(sorted(KEYWORDS)) + "."


def decisions(_: str) -> str:
    """Return the decision records by their headings."""
    records = sorted((DOCS / "decisions").glob("[0-9]*.md"))
    headings = ((path, path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")) for path in records)
    return "\n".join(f"- [{heading}]({path.name})" for path, heading in headings)


def safety(_: str) -> str:
    """Return the board's promises, with the trial, the tests and the last figure of each."""
    promises = tomllib.loads((DOCS / "safety.toml").read_text(encoding="utf-8"))["promise"]
    return table(
        ("promise", "how it is tried", "tests", "figure"),
        (
            (
                f"**{each['name']}**: {each['says']}",
                each["tried"],
                "<br>".join(f"`{test.rpartition('/')[2]}`" for test in each["tests"]),
                each.get("figure") or "",
            )
            for each in promises
        ),
    )


PARTS: Mapping[str, Callable[[str], str]] = {
    "cameras": cameras,
    "checks": checks,
    "configuration": defaults,
    "crossing": crossing,
    "decisions": decisions,
    "events": events,
    "example": example,
    "fastenings": lambda _: enclosure_tables.fastenings(table),
    "keywords": keywords,
    "layers": layers,
    "layouts": lambda _: layout_tables.boards(table),
    "layout-keys": lambda _: layout_tables.keys(table),
    "menu-items": menu_items,
    "modes": modes,
    "options": options,
    "played": played,
    "cables": lambda _: cables.lengths(table),
    "camera-heights": lambda _: hardware_tables.heights(table),
    "named-events": lambda _: event_tables.kinds(table),
    "named-example": event_tables.example,
    "named-fields": lambda kind: event_tables.common_fields(kind, table),
    "needs": lambda step: steps.first_evening(int(step), table),
    "needs-long": lambda _: steps.long_boards(table),
    "needs-wooden": lambda _: steps.wooden_long_board(table),
    "parts": lambda _: parts_list.parts(table),
    "parts-sums": lambda _: parts_list.sums(table),
    "pins": lambda _: hardware_tables.pins(table),
    "phases": phases,
    "ports": ports,
    "power": lambda _: power_tables.power(table),
    "fuses": lambda _: power_tables.fuses(table),
    "power-feeds": lambda _: power_tables.feeds(table),
    "power-rates": lambda _: power_tables.rates(table),
    "presses": presses,
    "public": lambda package: public_names.names(table, package),
    "public-members": lambda name: public_names.members(table, name),
    "printed-parts": lambda _: enclosure_tables.printed(table),
    "questions": questions,
    "refusals": lambda _: public_names.refusals(table),
    "rule-exclusions": lambda _: rule_tables.exclusions(),
    "rule-scores": lambda _: rule_tables.scores(table),
    "rule-sets-compared": lambda _: rule_tables.side_by_side(table),
    "rule-switches": lambda group: rule_tables.switches(table, group),
    "safety": safety,
    "signature": signature,
    "strips": lambda _: hardware_tables.strips(table),
    "turn-diagram": turn_diagram,
}
"""The function that makes each part; its argument is the text after the part's name."""


def drawings() -> dict[str, str]:
    """Return the drawings of hardware.md as SVG, by the names of their files."""
    boards = {f"pi-{board.file}": pi_boards.svg(board, Pins()) for board in pi_boards.BOARDS}
    wired = {f"wiring-{build.key}": wiring.svg(build, Pins()) for build in builds()}
    plans = {f"table-{build.key}": table_plan.svg(build) for build in builds()}
    return {"perfboard": perfboard.svg(), **wired, **plans, **boards}


def main() -> None:
    """Write the parts, drawings and paper trays that are stale."""
    wanted = {DOCS / "pictures" / "hardware" / f"{name}.svg": drawing.encode() for name, drawing in drawings().items()}
    wanted |= {path: filled(path.read_text(encoding="utf-8")).encode() for path in documents()}
    wanted |= paper_pdf.files()
    wanted[DOCS / "events.schema.json"] = event_tables.schema().encode()
    wanted[DEFAULTS] = explained(Config()).encode()  # a Pi that builds the package has no pydantic yet
    for path, content in wanted.items():
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
            sys.stdout.write(f"{path.relative_to(ROOT)} written\n")


if __name__ == "__main__":
    main()
