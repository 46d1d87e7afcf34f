"""`farklecrib mat`: write the paper tray to print."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from companion.cli.options import tell, written
from companion.errors import CompanionError, reporting_file_errors


def mat(
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help="Where to; the ending says how: .svg or .pdf.")] = Path(
        "paper-tray.pdf"
    ),
    paper: Annotated[Literal["a4", "letter"], typer.Option(metavar="a4|letter", help="The paper to print on.")] = "a4",
) -> int:
    """Write the paper tray to print: tags, throw area, shelf, and a line to check the scale."""
    from companion.calibration.paper import printed_paper
    from companion.words import english

    sheet = printed_paper(paper, _kind(file), english())
    with reporting_file_errors("a file that can be written", file):
        file.parent.mkdir(parents=True, exist_ok=True)
    with written(file) as opened:
        opened.write(sheet)
    tell(english()("mat.wrote", file=file, paper=paper.upper() if paper == "a4" else paper.title()))
    return 0


def _kind(file: Path) -> str:
    """Return how a file is written, by its ending.

    Raises:
        CompanionError: if it has another ending.
    """
    from companion.calibration.paper import KINDS

    kind = file.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise CompanionError(f"expected a file that ends in .svg or .pdf, got {str(file)!r}")
    return kind
