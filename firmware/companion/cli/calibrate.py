"""`farklecrib calibrate` and `mat`: learn the camera's place and the look of the dice, and print the paper tray."""

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from companion.cli.options import ConfigFile, Data, agreed, ask_line, tell, write_file
from companion.errors import CompanionError, reporting_file_errors
from companion.words import english

if TYPE_CHECKING:
    from companion.cameras import CameraChoice
    from dicereader.data.camera_modules import CameraView
    from dicereader.data.frame import Pixels
    from dicereader.tray.calibration import Calibration

say = partial(tell, err=True)

THROWS = 5
"""Number of throws that a person makes in front of a camera."""


def calibrate(
    paths: Annotated[list[Path] | None, typer.Argument(metavar="PATH...")] = None,
    camera: Annotated[str | None, typer.Option(metavar="NAME[:ARG]")] = None,
    pictures: Annotated[list[Path] | None, typer.Option("--from", metavar="PATH...")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    sheet: Annotated[Path | None, typer.Option(metavar="FILE")] = None,
    die_mm: Annotated[float, typer.Option("--die", metavar="MM", min=5, max=40)] = 16.0,
    corners: Annotated[str | None, typer.Option(metavar="'X,Y X,Y X,Y X,Y'")] = None,
    inside: Annotated[float, typer.Option(metavar="MM", min=50, max=1000)] = 230.0,
    data: Data = None,
    config: ConfigFile = None,
) -> int:
    """Learn where the camera is and how the dice look, from the empty tray and a few throws.

    Args:
        paths: More pictures, after the first one of --from.
        camera: The camera, as for play; a person lays what is asked for.
        pictures: Pictures or their folder: the empty tray, then some throws.
        save: Where to; else it becomes this table's.
        sheet: Write the tags to print (SVG), no more.
        die_mm: A die's edge.
        corners: Without tags: where the empty picture shows the inner corners of the walls' upper edge, clockwise from
            the top left.
        inside: With --corners: the inside.
    """
    from companion.calibration.picture_work import learn_tray, problem_in_words
    from companion.calibration.store import calibration_file, camera_identity
    from companion.cameras import camera_named
    from companion.config import data_folder
    from companion.config_files import load_config
    from dicereader.tray.calibration import save_with_empty
    from dicereader.tray.fitness import problems_of
    from dicereader.tray.printed_sheets import tag_sheet

    if sheet is not None:
        write_file(sheet, tag_sheet().encode())
        tell(f"wrote {sheet}: print it at 100 %, and check the line on it with a ruler")
        return 0
    loaded = load_config(config, {"camera.source": camera, "table.data": data})
    file = save or calibration_file(data_folder(loaded))
    if os.path.lexists(file) and sys.stdin.isatty() and not agreed(f"Replace the calibration {file}?"):
        say("nothing was replaced")
        return 1
    if pictures or paths:
        empty, throws = _from_files(pictures, paths)
        source, view = camera_identity(camera or ""), None
    else:
        source = camera_identity(loaded.camera.source)
        empty, throws, view = _from_camera(camera_named(loaded.camera.source))
    for problem in problems_of(empty, corners_given=corners is not None, view=view):
        say(f"the picture of the empty tray: {english().text(problem_in_words(problem))}")
    points = None if corners is None else corners_from(corners)
    known_fov_deg = view.known_across_deg if view is not None else None
    outcome = learn_tray(empty, throws, points, inside, die_mm, source, known_fov_deg)
    tell("\n".join(description(outcome.calibration)))
    tell(f"of {outcome.throws} throws {outcome.sure} are read surely")
    if outcome.calibration.dice is None:
        say(f"the dice were not learnt: {outcome.why or 'with what was learnt no throw is read surely'}")
        say("camera, tray and zones are saved; dice are read as in any picture, and doubtful throws are asked about")
    save_with_empty(outcome.calibration, empty, file)
    tell(f"saved as {file}")
    return 0


def mat(
    file: Annotated[Path, typer.Argument(metavar="[FILE]")] = Path("paper-tray.pdf"),
    paper: Annotated[Literal["a4", "letter"], typer.Option(metavar="a4|letter")] = "a4",
) -> int:
    """Write the paper tray to print: tags, throw area, shelf, and a line to check the scale.

    Args:
        file: Where to; the ending says how: .svg or .pdf.
        paper: The paper to print on.

    Raises:
        CompanionError: if the file has another ending.
    """
    from companion.calibration.paper import KINDS, printed_paper

    kind = file.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise CompanionError(f"expected a file that ends in .svg or .pdf, got {str(file)!r}")
    write_file(file, printed_paper(paper, kind, english()))
    tell(english()("mat.wrote", file=file, paper=paper.upper() if paper == "a4" else paper.title()))
    return 0


def description(known: "Calibration") -> Iterator[str]:
    """Yield lines that describe a calibration."""
    x, y, z = known.position_mm
    side, along = "right" if x > 0 else "left", "behind" if y > 0 else "before"
    yield f"camera: {z:.0f} mm over the floor, {abs(x):.0f} mm {side} and {abs(y):.0f} mm {along} the middle"
    tray = known.tray
    yield f"tray: {tray.inner_mm:.0f} mm inside, walls {tray.wall_height_mm:.0f} mm high"
    if (dice := known.dice) is not None:
        kind = "dark pips on light dice" if sum(dice.body) > sum(dice.pip) else "light pips on dark dice"
        wide, off = 2 * dice.pip_mm, dice.corner_mm
        yield f"dice: {tray.die_mm:.1f} mm, {kind}; pips {wide:.1f} mm wide, {off:.1f} mm off centre"


def corners_from(text: str) -> list[list[float]]:
    """Return four points `x,y x,y x,y x,y`.

    Raises:
        CompanionError: if the text has another form.
    """
    try:
        points = [[float(value) for value in point.split(",")] for point in text.split()]
    except ValueError:
        points = []
    if [len(point) for point in points] != [2, 2, 2, 2]:
        raise CompanionError(f"expected --corners 'x,y x,y x,y x,y', got {text!r}")
    return points


def _from_files(first: Sequence[Path] | None, more: Sequence[Path] | None) -> "tuple[Pixels, list[Pixels]]":
    """Return the empty tray and the throws, in the order given; a folder stands for its pictures, sorted by name.

    Raises:
        CompanionError: if there are fewer than two pictures, or `--from` names no picture.
    """
    from dicereader.data.pictures import SUFFIXES, load

    if more and not first:
        raise CompanionError(f"expected pictures after --from, got {str(more[0])!r}")
    files: list[Path] = []
    for path in (*(first or ()), *(more or ())):
        with reporting_file_errors("a picture or a folder of them", path):
            folder = path.is_dir()
            files += sorted(each for each in path.iterdir() if each.suffix.lower() in SUFFIXES) if folder else [path]
    if len(files) < 2:
        raise CompanionError(f"expected the empty tray and at least one throw after --from, got {len(files)} pictures")
    empty, *throws = (load(file) for file in files)
    return empty, throws


def _from_camera(camera: "CameraChoice") -> "tuple[Pixels, list[Pixels], CameraView | None]":
    """Return the empty tray and throws from a camera, and the camera's view, or None if the view is unknown.

    A person clears the tray and throws; a simulated tray draws its pictures.
    """
    from companion.calibration.samples import median_of
    from companion.checkup.camera_trial import open_tray

    if camera.name == "recorded":
        return *_from_files([Path(camera.arg)], None), None
    with open_tray(camera, ask_line, ", or pictures after --from") as tray:
        shown = tray.empty()
        if shown.view is not None:
            say(f"camera {shown.view}")
        requests = (
            f"Throw all six dice ({n} of {THROWS}); none may lean. Then press Enter." for n in range(1, THROWS + 1)
        )
        return median_of(shown.frames), [tray.throw(f"{request}\n")[1] for request in requests], shown.view
