"""Decode picture files safely: the size is checked in the header before anything is decoded, and damage is an error.

OpenCV decodes a damaged JPEG as well as it can, and libjpeg only prints that its data is corrupt. So libjpeg-turbo
decodes each JPEG a second time, at an eighth of its size and strictly (docs/decisions/0045).
"""

import os
import struct
from typing import cast

import numpy as np

from dicereader.data.files import MOST_PICTURE_BYTES, read_bytes
from dicereader.data.frame import Pixels, check_size
from dicereader.errors import PictureError, quoted

JPEG_MAGIC = b"\xff\xd8\xff"
BLOCKS_PX = (8, 16)
"""Heights in pixels of a JPEG's rows of blocks."""

LEAST_BLOCKS, LEAST_JUMP, LEAST_STEP = 16, 14, 0.8
"""When a step of colour is damage: the least rows and columns of blocks in the picture, the least jump in grey levels,
and the least fraction of the picture's width. Not one of 899 undamaged photographs and renders has such a step."""

CUT = "a file that ends in the middle"
"""The damage of a file of which the last part is missing."""

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp")
"""The endings of picture files, in small letters."""


class DamagedPictureError(PictureError):
    """A JPEG's data has changed since it was written: the decoded `pixels` may be wrong anywhere.

    `padded` says that there were only more bytes than needed. Some cameras always add a few.
    """

    def __init__(self, text: str, pixels: Pixels, *, padded: bool) -> None:
        super().__init__(text)
        self.pixels = pixels
        self.padded = padded


def load(path: os.PathLike[str] | str) -> Pixels:
    """Return the picture in a file, shape (height, width, 3) BGR uint8, turned as its EXIF says.

    16 bit, alpha and grey become 8-bit BGR.

    Raises:
        PictureError: if there is no such file, or it is no ordinary one, larger than `MOST_PICTURE_BYTES`, not a
            picture, broken, cut short, smaller than 16 x 16, or has more than `LARGEST_PX` pixels in its header.
        DamagedPictureError: if it is a JPEG that can be decoded, and its data is damaged.
    """
    name = str(path)
    try:
        data = read_bytes(path, MOST_PICTURE_BYTES)
    except OSError as error:
        raise PictureError(f"expected a picture in {name!r}, got: {error.strerror or error}") from error
    except (TypeError, ValueError) as error:  # a path of bytes, or with a character that no path can have
        raise PictureError(f"expected the path of a picture, got {quoted(path)}: {error}") from error
    pixels = decode(data, name)
    if data[:3] == JPEG_MAGIC and _shifted(pixels):
        text = f"expected an undamaged picture in {name!r}, got one whose colours change in the middle of a line"
        raise DamagedPictureError(text, pixels, padded=False)
    return pixels


def decode(data: bytes, name: str = "picture") -> Pixels:
    """Return the picture in a file's bytes; see `load`.

    Raises:
        PictureError: as for `load`.
        DamagedPictureError: as for `load`.
    """
    check_size(*size(data, name), f" in {name!r}")
    damage = _damage(data)
    if damage == CUT:
        raise PictureError(f"expected a whole picture in {name!r}, got {CUT}")
    import cv2  # only where a picture is decoded: the rest of the package is quick to import

    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise PictureError(f"expected a picture in {name!r}, got one that cannot be decoded: {error.err}") from error
    if pixels is None:
        raise PictureError(f"expected a picture in {name!r}, got a broken file")
    if damage:
        text = f"expected an undamaged picture in {name!r}, got: {damage}"
        raise DamagedPictureError(text, cast(Pixels, pixels), padded="extraneous bytes" in damage)
    return cast(Pixels, pixels)


def _damage(data: bytes) -> str:
    """Return what libjpeg-turbo finds wrong with a JPEG, `CUT` if it or a PNG lacks its end, or "".

    OpenCV silently fills what is missing with grey. Bytes after the end mark are not part of a JPEG.
    """
    if data[:3] != JPEG_MAGIC:
        return CUT if data[:4] == b"\x89PNG" and b"IEND" not in data[-64:] else ""
    import simplejpeg

    try:
        _, _, colours, _ = simplejpeg.decode_jpeg_header(data)
        simplejpeg.decode_jpeg(data, "CMYK" if colours in {"CMYK", "YCCK"} else "GRAY", fastdct=True, min_factor=8)
    except ValueError as error:
        return CUT if str(error).startswith("Premature end") else str(error)
    return ""


def _shifted(pixels: Pixels) -> bool:
    """Return whether all colours change by the same amount from some block of a JPEG on.

    JPEG stores the mean of each block as its difference from the block before. So damage that the decoder cannot notice
    shifts all blocks after it, row by row from left to right: the edge is a step from one row of blocks to the next.
    """
    import cv2

    for block in BLOCKS_PX:
        rows, columns = pixels.shape[0] // block, pixels.shape[1] // block
        if min(rows, columns) < LEAST_BLOCKS:
            continue
        edges = np.arange(1, rows) * block
        near = np.stack([pixels[edges + offset, : columns * block] for offset in (-2, -1, 0, 1)])
        lines = near.reshape(-1, columns * block, 3)
        means = cv2.resize(lines, (columns, len(lines)), interpolation=cv2.INTER_AREA)
        colours = cv2.cvtColor(means, cv2.COLOR_BGR2YCrCb).astype(np.int16)
        outer, above, below, inner = colours.reshape(4, rows - 1, columns, 3)
        jumps = below - above - (inner - below + above - outer) // 2
        for jumped in (jumps >= LEAST_JUMP, jumps <= -LEAST_JUMP):
            changed = jumped.astype(np.int32)
            before = np.cumsum(changed, axis=1) - changed
            after = changed.sum(axis=1, keepdims=True) - before
            step = (after[:-1] + before[1:]) - (before[:-1] + after[1:])  # an edge that goes a row down here
            # Both parts of the edge: an edge all along one row is that of a bar above or below a picture.
            left = np.arange(columns)[:, None]
            both = (before[1:] >= LEAST_STEP * left) & (after[:-1] >= LEAST_STEP * (columns - left))
            ends = columns // 10
            if (both & (step >= LEAST_STEP * columns))[:, ends : columns - ends].any():
                return True
    return False


def size(data: bytes, name: str = "picture") -> tuple[int, int]:
    """Return width and height from the header of a JPEG, PNG or BMP, before EXIF turns the picture.

    Raises:
        PictureError: if the header is cut short, or of another format.
    """
    try:
        if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR":
            width, height = struct.unpack(">II", data[16:24])
        elif data[:2] == b"BM":
            narrow = struct.unpack("<I", data[14:18])[0] == 12  # the header of OS/2
            # A negative height counts from the top.
            width, height = map(abs, struct.unpack("<HH", data[18:22]) if narrow else struct.unpack("<ii", data[18:26]))
        elif data[:3] == JPEG_MAGIC:
            import simplejpeg

            height, width, _, _ = simplejpeg.decode_jpeg_header(data, strict=False)
        else:
            raise PictureError(f"expected a JPEG, PNG or BMP in {name!r}, got {len(data)} bytes of something else")
    except PictureError:
        raise
    except (struct.error, ValueError, KeyError) as error:  # KeyError: simplejpeg found no frame header
        raise PictureError(f"expected a whole picture in {name!r}, got a file that ends in its header") from error
    return width, height


def jpeg(pixels: Pixels, quality: int = 85) -> bytes:
    """Return pixels as a JPEG file.

    Raises:
        PictureError: if JPEG cannot hold them.
    """
    import cv2

    done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise PictureError(f"expected a picture that JPEG can hold, got one of shape {pixels.shape}")
    return bytes(data)
