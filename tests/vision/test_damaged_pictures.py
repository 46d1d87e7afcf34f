"""JPEGs with changed bytes: never sure if the decoder notices the damage, and rarely wrong if it does not."""

import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from trays import TRAYS, reading_of

from dicereader import read
from dicereader.data.pictures import DamagedPictureError, decode, load
from dicereader.errors import PictureError
from dicereader.reading import Doubt

PICTURES = Path(__file__).parent.parent / "pictures"
SOME_OR_ALL = pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.exhaustive)])


def damaged_trays(count: int, seed: int = 1) -> Iterator[tuple[Path, bytes]]:
    """Yield trays, each with some bytes or bits changed, or with a sector of zeros."""
    chance = np.random.default_rng(seed)
    for number in range(count):
        file = TRAYS[number % len(TRAYS)]
        data = bytearray(file.read_bytes())
        kind = chance.integers(0, 4)
        if kind == 0:
            data[int(chance.integers(2, len(data) - 2))] ^= 1 << int(chance.integers(0, 8))
        elif kind == 1:
            at = int(chance.integers(1, len(data) // 512)) * 512
            data[at : at + 512] = bytes(len(data[at : at + 512]))
        else:
            for at in chance.integers(2, len(data) - 2, int(chance.integers(1, 40))):
                data[at] = int(chance.integers(0, 256))
        yield file, bytes(data)


def outcome(path: Path, count: int) -> Counter[str]:
    """Count the results for damaged pictures that are sure when whole. Each is written to the file `path`."""
    found: Counter[str] = Counter()
    for file, data in damaged_trays(count):
        if not reading_of(file).sure:
            continue
        found["pictures"] += 1
        try:
            path.write_bytes(data)
            pixels = load(path)
        except PictureError:
            found["noticed"] += 1
            continue
        reading = read(pixels)
        found["sure and wrong"] += reading.sure and sorted(reading.faces) != sorted(reading_of(file).faces)
    return found


@pytest.mark.parametrize("count", [12, pytest.param(120, marks=pytest.mark.exhaustive)])
def test_of_damaged_pictures_hardly_any_is_sure_and_wrong(tmp_path: Path, count: int) -> None:
    found = outcome(tmp_path / "damaged.jpg", count)
    assert found["noticed"] > found["pictures"] / 2
    assert found["sure and wrong"] == 0


@pytest.mark.soak
def test_of_a_thousand_damaged_pictures_hardly_any_is_sure_and_wrong(tmp_path: Path) -> None:
    found = outcome(tmp_path / "damaged.jpg", 1000)
    assert found["sure and wrong"] <= found["pictures"] / 400


def test_a_damaged_picture_is_read_and_never_sure(tmp_path: Path) -> None:
    tray, file = TRAYS[1], tmp_path / "damaged.jpg"
    whole, sure = tray.read_bytes(), reading_of(tray)
    assert sure.sure
    lost = int(len(whole) * 0.97)  # the damage is below the last die, so all six can be read
    file.write_bytes(whole[:lost] + whole[lost + 100 :])
    with pytest.raises(DamagedPictureError, match=r"expected an undamaged picture in .*got: Corrupt JPEG data"):
        load(file)
    reading = read(file)
    assert (reading.faces, reading.sure) == (sure.faces, False)
    assert Doubt.FACE in reading.doubts


def test_a_picture_whose_colours_are_shifted_from_some_block_on_is_damaged(tmp_path: Path) -> None:
    pixels = load(TRAYS[0])
    row, column = 20 * 16, 30 * 16
    for grey in (-40, 40):
        shifted = pixels.astype(np.int16)
        shifted[row : row + 16, column:] += grey
        shifted[row + 16 :] += grey
        file = tmp_path / "shifted.jpg"
        cv2.imwrite(str(file), np.clip(shifted, 0, 255))
        with pytest.raises(DamagedPictureError, match="colours change in the middle of a line"):
            load(file)


@SOME_OR_ALL
def test_a_picture_with_bars_above_and_below_is_whole(tmp_path: Path, every: int) -> None:
    for tray, grey, bar in itertools.product(TRAYS[::every], (0, 114, 255), (32, 96)):
        file = tmp_path / tray.name
        cv2.imwrite(str(file), cv2.copyMakeBorder(load(tray), bar, bar, 0, 0, cv2.BORDER_CONSTANT, value=(grey,) * 3))
        load(file)


@pytest.mark.parametrize("after", [b"\0" * 10_000, b"\xff\xd8\xff\xe0 a preview \xff\xd9" * 500, TRAYS[1].read_bytes()])
def test_bytes_after_the_end_mark_are_no_damage(after: bytes) -> None:
    whole = TRAYS[0].read_bytes()
    assert np.array_equal(decode(whole + after), decode(whole))


@SOME_OR_ALL
def test_every_whole_picture_is_decoded_as_by_opencv_alone(every: int) -> None:
    for file in sorted(PICTURES.rglob("*.jpg"))[::every]:
        assert np.array_equal(load(file), cv2.imread(str(file), cv2.IMREAD_COLOR)), file


@pytest.mark.parametrize(
    "setting",
    [(cv2.IMWRITE_JPEG_PROGRESSIVE, 1), (cv2.IMWRITE_JPEG_RST_INTERVAL, 7), (cv2.IMWRITE_JPEG_OPTIMIZE, 1)],
    ids=["progressive", "restarts", "optimised"],
)
def test_every_kind_of_jpeg_is_whole(setting: tuple[int, int]) -> None:
    pixels = load(TRAYS[0])
    for kind in (pixels, pixels[..., 0]):
        data = cv2.imencode(".jpg", kind, setting)[1]
        assert np.array_equal(decode(data.tobytes()), cv2.imdecode(data, cv2.IMREAD_COLOR))


def without_tables(jpeg: bytes) -> bytes:
    """Return a JPEG without its Huffman tables, as USB cameras send it."""
    out, at = jpeg[:2], 2
    while jpeg[at + 1] != 0xDA:
        after = at + 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
        out += b"" if jpeg[at + 1] == 0xC4 else jpeg[at:after]
        at = after
    return out + jpeg[at:]


def test_a_picture_without_huffman_tables_is_whole() -> None:
    data = cv2.imencode(".jpg", load(TRAYS[0]))[1].tobytes()
    assert len(without_tables(data)) < len(data)
    assert np.array_equal(decode(without_tables(data)), decode(data))
