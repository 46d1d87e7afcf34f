"""`farklecrib words check`: how far the file of a language is, what it lacks, and what is wrong with it."""

import re
import tomllib
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import tell
from companion.errors import reporting_file_errors
from companion.setting import toml
from companion.words import Catalogue, english
from companion.words.catalogue import LANGUAGE
from companion.words.check import misfits, mistakes

app = typer.Typer(no_args_is_help=True, help="The words of a language: check a file of your own.")


@app.command("check")
def check_words(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A language's TOML file, named by its code.")],
) -> int:
    """Check a language's file: say how far it is, what it lacks, with the English to translate, and its mistakes."""
    from dicereader.data.files import read_text

    with reporting_file_errors("a file of words", file):
        text = read_text(file.expanduser())
    try:
        document = tomllib.loads(text)
        words = Catalogue(document, file.stem, english())
        wrong = [*mistakes(words, english()), *misfits(words)]
    except (TypeError, ValueError, RecursionError) as error:
        tell(f"{file}: expected the words as in languages/{LANGUAGE}.toml, got: {error}")
        return 1
    every, own, section = [*english()], {*words}, ""
    missing = [key for key in every if key not in own]
    done = len(every) - len(missing)
    tell(f"{file}: {done:,} of {len(every):,} sentences ({done * 100 // len(every)} %)")
    for key in missing:
        before, (section, _, name) = section, key.partition(".")
        if section != before:
            tell(f"\n# these lines go below the file's own [{section}]" if section in document else f"\n[{section}]")
        tell(f"{name if re.fullmatch('[A-Za-z0-9_-]+', name) else toml(name)} = {toml(entry_of(key))}")
    for line in wrong:
        tell(f"{file}: {line}")
    if words.counts_as_english:
        tell(f"{file}: Babel on this machine lacks the language {words.code!r}: numbers and plurals are as in English")
    return 1 if wrong or missing else 0


def entry_of(key: str) -> str | tuple[str, ...]:
    """Return the entry of a key in the English file: a text, or the forms that differ from it."""
    text, short, spoken = english().forms(key)
    return (text, short, spoken) if spoken != text else (text, short) if short != text else text
