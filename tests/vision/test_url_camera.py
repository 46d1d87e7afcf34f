"""Cameras in the network: real servers of HTTP and RTSP that work, stall, break off or send something else; a phone."""

import base64
import socket
import socketserver
import struct
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import cv2
import numpy as np
import pytest
from network_cameras import PATIENCE_S, Answer, jpeg, said, serving, stream, with_broken_pipe

from dicereader.errors import PictureError, SourceError
from dicereader.sources import open_source, url_camera
from dicereader.sources.addresses import checked, shown
from dicereader.sources.camera_thread import DAMAGED
from dicereader.sources.phone import PhoneCamera
from dicereader.sources.url_camera import MOST_BYTES, MOST_HEAD_BYTES, boundary_in, limited, pictures


def error_of(url: str) -> str:
    camera = open_source("url", url, lambda: 7.0)
    with pytest.raises(SourceError) as refused:
        camera.next(PATIENCE_S)
    return str(refused.value)


@pytest.mark.parametrize(("boundary", "sized"), [("frame", True), ("--dashes", False)])
def test_an_mjpeg_stream_gives_its_newest_picture(boundary: str, sized: bool) -> None:
    ended = threading.Event()
    with serving(stream(jpeg(), jpeg(640, 480), boundary=boundary, sized=sized, ended=ended)) as url:
        camera = open_source("url", url, lambda: 7.0)
        frame = camera.next(PATIENCE_S)
        while frame is not None and frame.size != (640, 480):
            frame = camera.next(PATIENCE_S)
        assert (frame.at_s, frame.still) == (7.0, False)
        camera.close()
        ended.set()


def test_an_address_of_one_jpeg_is_asked_again_and_the_same_picture_is_no_new_one() -> None:
    grey = [60]
    with serving(lambda request: said(200, "image/jpeg", jpeg(grey=grey[0]))(request)) as url:
        camera = open_source("url", url, lambda: 7.0)
        first = camera.next(PATIENCE_S)
        assert camera.next(0.3) is None
        grey[0] = 90
        second = camera.next(PATIENCE_S)
        assert [round(frame.pixels.mean()) for frame in (first, second)] == [60, 90]
        camera.close()


def test_name_and_password_are_sent_and_not_shown() -> None:
    wanted = "Basic " + base64.b64encode(b"mia:hush").decode()

    def answer(request: BaseHTTPRequestHandler) -> None:
        allowed = request.headers.get("authorization") == wanted
        (said(200, "image/jpeg", jpeg()) if allowed else said(401, "text/plain"))(request)

    with serving(answer) as url:
        camera = open_source("url", url.replace("//", "//mia:hush@"), lambda: 7.0)
        assert camera.next(PATIENCE_S) is not None
        camera.close()
        wrong = error_of(url.replace("//", "//mia:guess@"))
        assert "401" in wrong
        assert "guess" not in wrong


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (said(404, "text/html"), "got 404 Not Found"),
        (said(302, "text/html", location="http://elsewhere.example/cam?key=hush"), "a redirect to 'http://elsewhere.e"),
        (said(200, "text/html", b"<html>"), "expected image/jpeg or multipart/x-mixed-replace"),
        (stream(jpeg()), "and they have stopped"),
        (said(200, "image/jpeg", b"\0" * (MOST_BYTES + 1)), "expected a picture of at most 8,388,608 bytes"),
        (stream(b"\0" * (MOST_BYTES + 1)), "expected pictures of at most 8,388,608 bytes"),
    ],
    ids=["missing", "redirect", "a page", "broken off", "a huge picture", "a huge part"],
)
def test_what_an_address_gives_instead_is_named(answer: Answer, why: str) -> None:
    with serving(answer) as url:
        camera = open_source("url", url, lambda: 7.0)
        with pytest.raises(SourceError) as refused:
            [None for _ in iter(lambda: camera.next(PATIENCE_S), None)]
        assert why in str(refused.value)
        assert "hush" not in str(refused.value)


def test_a_camera_that_falls_silent_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(url_camera, "SILENT_S", 0.2)
    ended = threading.Event()
    with serving(stream(jpeg(), ended=ended, silent=True)) as url:
        camera = open_source("url", url, lambda: 7.0)
        with pytest.raises(SourceError, match=r"it has been silent for 0\.2 s"):
            [None for _ in iter(lambda: camera.next(PATIENCE_S), None)]
        ended.set()


def test_parts_are_found_wherever_the_stream_is_cut_by_boundaries_as_cameras_write_them() -> None:
    small = [jpeg(32, 32, grey) for grey in (10, 200)]
    whole = b"".join(b"--x\r\nContent-Type: image/jpeg\r\n\r\n" + each + b"\r\n" for each in small) + b"--x--"
    for step in (1, 7, 4096):
        chunks = (whole[at : at + step] for at in range(0, len(whole), step))
        assert [each.rstrip() for each in pictures(chunks, b"--x", "camera")] == small
    with pytest.raises(SourceError, match="expected the head of a picture from 'camera', got"):
        list(pictures(iter([b"--x\r\n" + b"a" * MOST_HEAD_BYTES]), b"--x", "camera"))
    assert len(b"".join(limited(iter([b"\0" * MOST_BYTES]), "camera"))) == MOST_BYTES
    for options in (' boundary="--frame"', "boundary=frame", "charset=x; BOUNDARY=frame "):
        assert boundary_in(options) == b"--frame"


@pytest.mark.parametrize(
    ("scheme", "says"), [("http", "Connection refused"), ("rtsp", "expected an RTSP stream at 'rtsp://127.0.0.1:")]
)
def test_an_address_where_nothing_listens_is_named_without_its_password(scheme: str, says: str) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        why = error_of(f"{scheme}://mia:hush@127.0.0.1:{bound.getsockname()[1]}/live")
    assert says in why
    assert "hush" not in why


@pytest.mark.parametrize(
    "address",
    [
        *("", "192.168.1.9:8080/video", "ftp://camera/", "file:///etc/passwd", "http://", "http:///video"),
        *("http://camera:0/", "http://camera:none/", "http://[::1", "http://cam era/", "rtmp://camera/live"),
        *("concat:a|b", "http://camera/\nHost: x"),
    ],
)
def test_an_address_of_another_form_is_refused(address: str) -> None:
    with pytest.raises(SourceError, match="expected http://, https://, rtsp:// or rtsps:// and the address"):
        checked(address)


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("http://mia:hush@192.168.1.9:8080/video?key=hush", "http://192.168.1.9:8080/..."),
        ("rtsp://camera/user=mia_password=hush", "rtsp://camera/..."),
        ("https://[fe80::1]:8443/", "https://[fe80::1]:8443"),
        ("http://mia:hu/sh@camera/", "...@camera/"),
        ("camera?key=hush", "camera"),
    ],
)
def test_an_address_is_shown_without_what_may_be_secret(address: str, text: str) -> None:
    assert shown(address) == text


# RTSP (RFC 2326) with JPEG in RTP (RFC 2435), as far as a player needs it.

SDP = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=tray\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\na=control:video\r\n"
WIDTH, HEIGHT = 320, 240


def rtp_packets(picture: bytes, number: int, timestamp: int) -> Iterator[bytes]:
    """Yield a JPEG of 4:2:0 as packets of RTP; its tables stand in the first one."""
    tables = b""
    at = picture.index(b"\xff\xdb")
    while picture[at : at + 2] == b"\xff\xdb":
        length = struct.unpack(">H", picture[at + 2 : at + 4])[0]
        body = picture[at + 4 : at + 2 + length]
        tables += b"".join(body[1 + 65 * each : 65 * (each + 1)] for each in range(len(body) // 65))
        at += 2 + length
    scan = picture.index(b"\xff\xda")
    data = picture[scan + 2 + struct.unpack(">H", picture[scan + 2 : scan + 4])[0] : -2]
    for offset in range(0, len(data), 1000):
        part = data[offset : offset + 1000]
        last = offset + 1000 >= len(data)
        head = struct.pack(">BBHII", 0x80, 26 | (0x80 if last else 0), number & 0xFFFF, timestamp, 1)
        head += struct.pack(">I", offset) + bytes([1, 255, WIDTH // 8, HEIGHT // 8])
        quantization = struct.pack(">BBH", 0, 0, len(tables)) + tables if offset == 0 else b""
        yield head + quantization + part
        number += 1


class Rtsp(socketserver.StreamRequestHandler):
    """One connection to a camera that sends one picture again and again."""

    picture = b""

    def handle(self) -> None:
        with_broken_pipe(self._serve)

    def _serve(self) -> None:
        while line := self.rfile.readline().decode():
            method = line.split(" ")[0]
            heads = dict(iter(lambda: tuple(self.rfile.readline().decode().strip().partition(": ")[::2]), ("", "")))
            body, extra = "", ""
            match method:
                case "OPTIONS":
                    extra = "Public: OPTIONS, DESCRIBE, SETUP, PLAY\r\n"
                case "DESCRIBE":
                    body, extra = SDP, "Content-Type: application/sdp\r\n"
                case "SETUP":
                    extra = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n"
                case _:
                    extra = "Session: 1\r\n"
            answer = f"RTSP/1.0 200 OK\r\nCSeq: {heads['CSeq']}\r\n{extra}Content-Length: {len(body)}\r\n\r\n{body}"
            self.wfile.write(answer.encode())
            if method == "PLAY":
                self._play()

    def _play(self) -> None:
        number = 0
        for frame in range(10_000):
            for packet in rtp_packets(self.picture, number, frame * 3000):
                self.wfile.write(b"$\0" + struct.pack(">H", len(packet)) + packet)
                number += 1
            threading.Event().wait(0.03)


class RtspServer(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


def test_an_rtsp_stream_is_read() -> None:
    drawn = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    drawn[:, WIDTH // 2 :] = 200
    options = [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420]
    Rtsp.picture = cv2.imencode(".jpg", drawn, options)[1].tobytes()
    with RtspServer(("127.0.0.1", 0), Rtsp) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        camera = open_source("url", f"rtsp://mia:hush@127.0.0.1:{server.server_address[1]}/tray", lambda: 7.0)
        frame = camera.next(PATIENCE_S)
        assert frame.size == (WIDTH, HEIGHT)
        assert frame.pixels[:, : WIDTH // 2 - 8].mean() < 40
        assert frame.pixels[:, WIDTH // 2 + 8 :].mean() > 150
        camera.close()
        server.shutdown()


@pytest.fixture
def phone() -> PhoneCamera:
    source = open_source("phone", "", lambda: 7.0)
    assert isinstance(source, PhoneCamera)
    return source


def test_the_newest_picture_is_given_once(phone: PhoneCamera) -> None:
    assert phone.next(60.0) is None
    phone.give(jpeg(grey=60))
    phone.give(jpeg(grey=160))
    frame = phone.next(60.0)
    assert (frame.at_s, round(float(frame.pixels.mean()))) == (7.0, 160)
    assert phone.next(60.0) is None
    phone.give(jpeg(grey=160))
    assert phone.next(60.0) is None, "it was sent again"
    with pytest.raises(SourceError, match="expected phone without a colon, got 'phone:0'"):
        open_source("phone", "0", lambda: 7.0)


def test_a_picture_with_too_many_pixels_is_refused_before_it_is_decoded(phone: PhoneCamera) -> None:
    phone.give(jpeg(4000, 3000))
    with pytest.raises(PictureError, match="expected at most 4,000,000 pixels from the phone, got 4000 x 3000"):
        phone.next(60.0)


def test_a_damaged_picture_is_left_out_and_many_are_a_fault(phone: PhoneCamera) -> None:
    noise = np.random.default_rng(1)
    for _ in range(DAMAGED - 1):
        phone.give(jpeg()[:-200] + noise.bytes(100))
        assert phone.next(60.0) is None
    phone.give(jpeg()[:-200])
    with pytest.raises(PictureError):
        phone.next(60.0)
