"""The sounds of a house as a feature of the program.

They are WAV files in the folder `sounds` of the data folder, named after moments. Table and page play them in place of
their tones.
"""

from collections.abc import Callable
from pathlib import Path
from typing import get_args

from fastapi import APIRouter, HTTPException, Request, Response

from companion.log import logger_of
from companion.table.state.cues import CueKind, MomentKind
from companion.web.feature import Feature, OpenedFeature, TableParts
from companion.web.table import table_of
from pegboard.errors import DriverError
from pegboard.sound.wav_file import read_wav

FOLDER = "sounds"

KINDS = {kind.replace(" ", "_"): kind for kind in (*get_args(MomentKind), CueKind.SETTLED.value)}
"""The moments and the cue that have a sound, by the names of their files, the loudest first."""

router = APIRouter(include_in_schema=False)


class OwnSounds(dict[str, bytes]):
    """The WAV files of a table, by moment."""


def own_sounds(data: Path, report: Callable[[str], object]) -> OwnSounds:
    """Return the sounds in a data folder, the loudest moment first.

    Args:
        data: the data folder.
        report: gets a line about each file that is left out, because it cannot be used or is named after no moment.
    """
    files = {file.stem: file for file in (data / FOLDER).glob("*.wav") if file.is_file()}
    if others := sorted(files.keys() - KINDS.keys()):
        report(f"{data / FOLDER}: expected files named {', '.join(KINDS)}, got {', '.join(others)}")
    found = OwnSounds()
    for name in (each for each in KINDS if each in files):
        try:
            found[KINDS[name]] = read_wav(files[name])
        except DriverError as error:
            report(str(error))
    return found


@router.get("/sounds/{kind}.wav")
async def own_sound(request: Request, kind: str) -> Response:
    """Return the sound of a moment as a WAV file.

    Raises:
        HTTPException: 404 if the table has no such sound.
    """
    wav = (table_of(request).offered(OwnSounds) or OwnSounds()).get(kind)
    if wav is None:
        raise HTTPException(404)
    return Response(wav, media_type="audio/wav")


def _opened(table: TableParts) -> OpenedFeature:
    found = own_sounds(table.data, lambda wrong: logger_of("sounds").warning("own sounds: %s", wrong))
    if "espeak" in table.config.sound.drivers and "sound espeak" not in table.missing:
        table.wavs.update(found)
    return OpenedFeature(offers=(found,))


def _context(request: Request) -> dict[str, object]:
    """Return the moments for which the page has to load a sound."""
    return {"own_sounds": [kind for kind in table_of(request).offered(OwnSounds) or () if kind != CueKind.SETTLED]}


FEATURE = Feature("own_sounds", opened=_opened, routers=(router,), context=_context)
