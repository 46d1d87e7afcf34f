"""The paper tray as PDF, which comes with the program: `make docs` writes a file for each language and paper.

fpdf2 writes it from the same SVG that the program makes, on the machine of whoever changes the sheet. So no table needs
fpdf2 (docs/decisions/0086).
"""

from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF
from fpdf.svg import SVGObject

from companion.calibration.paper import PAPERS, pdf_name, printed_paper
from companion.words import Catalogue, language_files, load_catalogue
from dicereader.tray.printed_sheets import PAGES_MM

FOLDER = Path(__file__).resolve().parents[1] / "firmware" / "companion" / "calibration" / "sheets"

PLAIN = str.maketrans("’‘“”–", "''\"\"-")
"""PDF's own fonts, which need no file, hold the letters of Latin-1 alone."""

MADE = datetime(2026, 11, 1, tzinfo=UTC)
"""The date in each file, so that the same sheet gives the same bytes."""


def files() -> dict[Path, bytes]:
    """Return the content of every file."""
    catalogues = [load_catalogue(language) for language in language_files()]
    return {FOLDER / pdf_name(paper, words): _pdf(paper, words) for words in catalogues for paper in PAPERS}


def _pdf(paper: str, words: Catalogue) -> bytes:
    """Return a PDF of one page with the paper tray."""
    pdf = FPDF(unit="mm", format=PAGES_MM[paper])
    pdf.set_title(words("mat.title"))
    pdf.set_creator("Farkle Crib")
    pdf.set_creation_date(MADE)
    pdf.set_compression(False)  # the same bytes with any zlib
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.add_page()
    svg = printed_paper(paper, "svg", words).decode()
    SVGObject(svg.translate(PLAIN).encode("latin-1", "replace").decode("latin-1")).draw_to_page(pdf)
    return bytes(pdf.output())
