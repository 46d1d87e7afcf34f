"""Picture files: decoded safely, or refused with one line that names the content found."""

import struct
import zlib
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from dicereader.data.pictures import DamagedPictureError, decode, load
from dicereader.errors import PictureError

GRADIENT = np.dstack([np.tile(np.arange(64, dtype=np.uint8), (48, 1)) * k for k in (1, 2, 3)])


def encoded(suffix: str, pixels: np.ndarray = GRADIENT) -> bytes:
    return cv2.imencode(suffix, pixels)[1].tobytes()


def png_header(width: int, height: int) -> bytes:
    chunk = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))


def with_exif(jpeg: bytes, orientation: int) -> bytes:
    tiff = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    app1 = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(app1) + 2) + app1 + jpeg[2:]


@pytest.mark.parametrize("suffix", [".png", ".bmp"])
def test_pixels_come_as_they_were(suffix: str) -> None:
    assert (decode(encoded(suffix)) == GRADIENT).all()


@pytest.mark.parametrize(
    "pixels",
    [GRADIENT[..., 0], GRADIENT.astype(np.uint16) * 257, np.dstack([GRADIENT, GRADIENT[..., 0]])],
    ids=["grey", "16 bit", "alpha"],
)
def test_every_depth_becomes_eight_bit_colour(pixels: np.ndarray) -> None:
    got = decode(encoded(".png", pixels))
    assert (got.shape, got.dtype) == ((48, 64, 3), np.uint8)


def test_a_picture_is_turned_as_its_camera_says() -> None:
    assert decode(with_exif(encoded(".jpg"), 6)).shape == (64, 48, 3)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "got 0 bytes of something else"),
        (b"GIF89a" + bytes(40), "got 46 bytes of something else"),
        (encoded(".jpg")[:200], "ends in"),
        *((encoded(".jpg")[:-cut], "expected a whole picture .* ends in the middle") for cut in (1, 2, 40)),
        (encoded(".png")[:-20], "ends in the middle"),
        (encoded(".png")[:20], "ends in its header"),
        (png_header(30_000, 30_000), "at most 20,000,000 pixels"),
        (png_header(0, 10), "at least 16 x 16 pixels"),
        (encoded(".png", np.zeros((8, 8, 3), np.uint8)), "at least 16 x 16 pixels"),
        (png_header(64, 48) + b"IEND", "got"),
    ],
)
def test_an_incomplete_picture_is_refused_in_one_line(data: bytes, what: str) -> None:
    with pytest.raises(PictureError, match=what) as refused:
        decode(data, "mine.jpg")
    assert not isinstance(refused.value, DamagedPictureError)  # it is not even read
    assert "'mine.jpg'" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_bytes_changed_anywhere_are_refused_or_decoded_and_never_crash() -> None:
    rng = np.random.default_rng(1)
    for suffix in (".jpg", ".png", ".bmp"):
        whole = np.frombuffer(encoded(suffix), np.uint8)
        for _ in range(150):
            broken = whole.copy()
            broken[rng.integers(0, len(broken), 3)] = rng.integers(0, 256, 3)
            with suppress(PictureError):
                assert decode(broken.tobytes()).ndim == 3


def test_a_file_that_is_not_there_is_named_and_a_folder_is_no_picture(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"none\.jpg.*No such file"):
        load(tmp_path / "none.jpg")
    with pytest.raises(PictureError, match="expected a picture in"):
        load(tmp_path)


def test_a_bmp_with_the_header_of_os_2_is_read() -> None:
    rows = np.full((20, 30 * 3 + 2), 90, np.uint8)  # each row is filled up to four bytes
    header = struct.pack("<2sIHHI", b"BM", 26 + rows.size, 0, 0, 26) + struct.pack("<IHHHH", 12, 30, 20, 1, 24)
    assert decode(header + rows.tobytes()).shape == (20, 30, 3)
