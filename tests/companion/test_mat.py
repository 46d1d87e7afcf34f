"""`farklecrib mat` writes the paper tray."""

import tomllib
from importlib import resources
from pathlib import Path

import pytest
from pypdf import PdfReader

from companion.calibration.paper import printed_paper
from companion.cli.calibrate import mat
from companion.errors import CompanionError
from companion.words import Catalogue, load_catalogue
from dicereader.tray.printed_sheets import PAGES_MM

POINTS = 72 / 25.4


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_pdf_is_one_page_in_true_size_with_the_words(tmp_path: Path, capsys, paper) -> None:
    file = tmp_path / "new" / "tray.pdf"
    assert mat(file, paper) == 0
    (page,) = PdfReader(file).pages
    assert [float(page.mediabox.width), float(page.mediabox.height)] == pytest.approx(
        [side * POINTS for side in PAGES_MM[paper]], abs=0.01
    )
    text = page.extract_text()
    assert "box's lid" in text
    assert "100 mm" in text
    assert f"wrote {file}: print it on" in capsys.readouterr().out


def test_a_language_without_a_pdf_gets_the_english_one() -> None:
    english = tomllib.loads(resources.files("companion.words").joinpath("languages/en.toml").read_text("utf-8"))
    german = Catalogue(english, "de", load_catalogue())
    assert printed_paper("a4", "pdf", german) == printed_paper("a4", "pdf", load_catalogue())


@pytest.mark.parametrize("name", ["tray.png", "tray"])
def test_another_ending_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(CompanionError, match=r"expected a file that ends in \.svg or \.pdf, got "):
        mat(tmp_path / name)
    assert not list(tmp_path.iterdir())
