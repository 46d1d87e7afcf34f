"""The paper tray to print, with its words, as SVG or PDF."""

from companion.words import Catalogue

PAPERS = ("a4", "letter")
"""The papers that it can be printed on."""

KINDS = ("svg", "pdf")
"""The endings of the files that can be written."""

PLAIN = str.maketrans("’‘“”–", "''\"\"-")
"""PDF's own fonts, which need no file, hold the letters of Latin-1 alone."""


def printed_paper(paper: str, kind: str, words: Catalogue) -> bytes:
    """Return a file with the paper tray.

    Args:
        paper: `a4` or `letter`.
        kind: `svg` or `pdf`.
        words: the language of the sheet.
    """
    from dicereader.tray.paper_sheet import PAGES_MM, SheetWords, paper_sheet  # loads OpenCV

    said = SheetWords((words("mat.lid"), words("mat.prop")), words("mat.shelf"), words("mat.check"))
    svg = paper_sheet(paper, said)
    return svg.encode() if kind == "svg" else _as_pdf(svg, *PAGES_MM[paper], words("mat.title"))


def _as_pdf(svg: str, wide_mm: float, high_mm: float, title: str) -> bytes:
    """Return a PDF of one page with a drawing."""
    from fpdf import FPDF
    from fpdf.svg import SVGObject

    pdf = FPDF(unit="mm", format=(wide_mm, high_mm))
    pdf.set_title(title)
    pdf.set_creator("Farkle Crib")
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.add_page()
    SVGObject(svg.translate(PLAIN).encode("latin-1", "replace").decode("latin-1")).draw_to_page(pdf)
    return bytes(pdf.output())
