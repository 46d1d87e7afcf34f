"""The paper tray to print, with its words, as SVG or PDF."""

from importlib import resources

from companion.words import Catalogue, english

PAPERS = ("a4", "letter")
"""The papers that it can be printed on."""

KINDS = ("svg", "pdf")
"""The endings of the files that can be written."""


def printed_paper(paper: str, kind: str, words: Catalogue) -> bytes:
    """Return a file with the paper tray.

    Args:
        paper: `a4` or `letter`.
        kind: `svg` or `pdf`.
        words: the language of the sheet; a PDF is in English if none in that language comes with the program.
    """
    if kind == "pdf":
        sheets = resources.files("companion.calibration").joinpath("sheets")
        found = sheets.joinpath(pdf_name(paper, words))
        return (found if found.is_file() else sheets.joinpath(pdf_name(paper, english()))).read_bytes()
    from dicereader.tray.printed_sheets import SheetWords, paper_sheet  # loads OpenCV

    said = SheetWords((words("mat.lid"), words("mat.prop")), words("mat.shelf"), words("mat.check"))
    return paper_sheet(paper, said).encode()


def pdf_name(paper: str, words: Catalogue) -> str:
    """Return the name of a PDF in the folder `sheets`, which `make docs` writes (docs/paper_pdf.py)."""
    return f"{words.code}-{paper}.pdf"
