"""A camera in the network: an MJPEG stream, a JPEG that is asked for again and again, or RTSP.

HTTP goes through httpx, because FFmpeg would follow redirects and take answers of any size. RTSP goes through FFmpeg in
OpenCV, which gets no other protocols. No error shows an address with its user name and password.
"""

import os
import re
import time
from collections.abc import Callable, Iterator

import httpx

from dicereader.errors import SourceError
from dicereader.sources.addresses import checked, shown
from dicereader.sources.camera_thread import CameraThread

SILENT_S = 10.0
"""Seconds that a camera may take to answer, or between two pieces of its stream."""

JPEG_EVERY_S = 0.1
"""Seconds from one request for a single JPEG to the next."""

MOST_BYTES = 8 << 20
"""The most bytes of a picture."""

MOST_HEAD_BYTES = 8192
"""The most bytes of a picture's head in an MJPEG stream."""

RTSP_OPTIONS = "rtsp_transport;tcp|protocol_whitelist;rtp,rtsp,rtsps,tcp,tls,udp"
"""FFmpeg's options for RTSP (ffmpeg-protocols(1)): by TCP, which loses no part of a picture, and no other protocol."""


def open_url(arg: str, clock: Callable[[], float]) -> "NetworkCamera":
    """Return the camera at an address. It opens in a thread of its own, and `next` raises what goes wrong.

    `SourceError` reaches the caller if the address has another form.
    """
    scheme = checked(arg).scheme
    return (RtspCamera if scheme in {"rtsp", "rtsps"} else HttpCamera)(arg, clock, shown(arg))


class NetworkCamera(CameraThread):
    """A camera in the network, which may be slow."""

    silent_s = SILENT_S
    waiting = "no picture comes from the camera in the network"

    def __init__(self, url: str, clock: Callable[[], float], name: str) -> None:
        self._url = url
        self._before = b""  # the last picture of HTTP
        super().__init__(clock, name, None)


class HttpCamera(NetworkCamera):
    """Frames from an address of HTTP."""

    def _take(self) -> str:
        try:
            with httpx.Client(timeout=SILENT_S, follow_redirects=False, trust_env=False) as client:
                while not self._ending:
                    began_s = time.monotonic()
                    with client.stream("GET", self._url) as answer:
                        self._read(answer)
                    time.sleep(max(0.0, began_s + JPEG_EVERY_S - time.monotonic()))
        except httpx.TimeoutException:
            return f"expected pictures from {self._name!r}, and it has been silent for {SILENT_S:g} s"
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            reason = re.sub(r"^\[Errno -?\d+\] ", "", str(error)) or type(error).__name__
            return f"expected pictures from {self._name!r}, got: {reason}"
        except SourceError as error:
            return str(error)
        return ""

    def _read(self, answer: httpx.Response) -> None:
        """Offer the picture of an answer, or each one of a stream.

        Raises:
            SourceError: if the answer is something else.
        """
        if answer.is_redirect:
            target = shown(answer.headers.get("location", ""))
            raise SourceError(f"expected pictures from {self._name!r}, got a redirect to {target!r}: name that address")
        if answer.status_code != 200:
            reason = f"{answer.status_code} {answer.reason_phrase}".strip()
            cure = ": write user name and password as http://NAME:PASSWORD@..." if answer.status_code == 401 else ""
            raise SourceError(f"expected pictures from {self._name!r}, got {reason}{cure}")
        kind, _, options = answer.headers.get("content-type", "").partition(";")
        kind = kind.strip().casefold()
        if kind == "multipart/x-mixed-replace":
            for picture in pictures(answer.iter_raw(), boundary_in(options), self._name):
                self._offer_new(picture)
                if self._ending:
                    break
            else:
                raise SourceError(f"expected pictures from {self._name!r}, and they have stopped")
        elif kind in {"image/jpeg", "image/jpg", "image/pjpeg"}:
            self._offer_new(b"".join(limited(answer.iter_bytes(), self._name)))
        else:
            raise SourceError(f"expected image/jpeg or multipart/x-mixed-replace from {self._name!r}, got {kind!r}")

    def _offer_new(self, picture: bytes) -> None:
        """Offer a picture, unless the camera has only sent the one before again."""
        if picture != self._before:
            self._before = picture
            self._offer(picture, self._clock())


def boundary_in(options: str) -> bytes:
    """Return what separates the parts of an MJPEG stream (RFC 2046, 5.1.1); some cameras write its dashes, too."""
    found = re.search(r'boundary\s*=\s*"?([^";,\s]+)', options, re.IGNORECASE)
    return b"--" + (found[1] if found else "").encode("latin-1", "replace").lstrip(b"-")


def limited(chunks: Iterator[bytes], name: str) -> Iterator[bytes]:
    """Yield the pieces of one picture.

    Raises:
        SourceError: if they have more than `MOST_BYTES`.
    """
    length = 0
    for chunk in chunks:
        length += len(chunk)
        if length > MOST_BYTES:
            raise SourceError(f"expected a picture of at most {MOST_BYTES:,} bytes from {name!r}, got more")
        yield chunk


def pictures(chunks: Iterator[bytes], boundary: bytes, name: str) -> Iterator[bytes]:
    """Yield each picture of an MJPEG stream as soon as it is whole.

    A part ends after the length in its head. Without a length it ends before the next boundary.

    Args:
        chunks: the bytes as they arrive.
        boundary: what stands before each part, with its dashes.
        name: the camera, for errors.

    Raises:
        SourceError: if a head has more than `MOST_HEAD_BYTES`, or a picture more than `MOST_BYTES`.
    """
    data = bytearray()
    head_end = -1  # where the present part's body begins; -1 while its head is read
    length: int | None = None
    for chunk in chunks:
        data += chunk
        while True:
            if head_end < 0:
                begin = data.find(boundary)
                blank = re.search(rb"\r?\n\r?\n", data[begin:]) if begin >= 0 else None
                if blank is None:
                    if len(data) > MOST_HEAD_BYTES:
                        raise SourceError(f"expected the head of a picture from {name!r}, got {len(data):,} bytes")
                    break
                head = bytes(data[begin : begin + blank.start()])
                found = re.search(rb"^content-length:\s*(\d{1,10})\s*$", head, re.IGNORECASE | re.MULTILINE)
                length = int(found[1]) if found else None
                del data[: begin + blank.end()]
                head_end = 0
            end = length if length is not None else data.find(boundary)
            if max(len(data), end) > MOST_BYTES:
                raise SourceError(f"expected pictures of at most {MOST_BYTES:,} bytes from {name!r}, got more")
            if end < 0 or len(data) < end:
                break
            yield bytes(data[:end])
            del data[:end]
            head_end = -1


class RtspCamera(NetworkCamera):
    """Frames from an address of RTSP, decoded by FFmpeg."""

    def _take(self) -> str:
        import cv2

        os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = RTSP_OPTIONS  # OpenCV reads it when it opens an address
        milliseconds = int(1000 * SILENT_S)
        waits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, milliseconds, cv2.CAP_PROP_READ_TIMEOUT_MSEC, milliseconds]
        capture = cv2.VideoCapture(self._url, cv2.CAP_FFMPEG, waits)
        try:
            if not capture.isOpened():
                return f"expected an RTSP stream at {self._name!r}, and it cannot be opened: name, password and path?"
            return self._take_from(capture, f"expected pictures from {self._name!r}, and they have stopped")
        finally:
            capture.release()
