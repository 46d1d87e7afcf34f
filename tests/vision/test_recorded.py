"""Folders of photographs and clips, and the common behaviour of all sources of frames."""

import itertools
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from network_cameras import PATIENCE_S, jpeg, said, serving

from dicereader.data.frame import Frame
from dicereader.errors import PictureError, SourceError
from dicereader.sources import FrameSource, GivenSource, RemoteSource, StillSource, open_source
from dicereader.sources.recorded import ClipSource, clip_frames


class Clock:
    now = 50.0

    def __call__(self) -> float:
        return self.now


def picture(shade: int) -> np.ndarray:
    return np.full((48, 64, 3), shade, np.uint8)


def photos(folder: Path, *names: str) -> Path:
    for n, name in enumerate(names):
        cv2.imwrite(str(folder / name), picture(20 * (n + 1)))
    return folder


def clip(path: Path, frames: int = 6, rate: float = 10.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, (64, 48))
    for n in range(frames):
        writer.write(picture(20 * (n + 1)))
    writer.release()
    return path


@pytest.fixture(scope="module")
def network_camera() -> Iterator[str]:
    """Serve a JPEG at an address, another one each time."""
    greys = itertools.cycle(range(60, 200))
    with serving(lambda request: said(200, "image/jpeg", jpeg(grey=next(greys)))(request)) as address:
        yield address


@pytest.fixture(params=["recorded", "a clip", "synthetic", "picamera2", "url", "phone"])
def source(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FrameSource]:
    """Return each source in turn. A stand-in with the same rules replaces picamera2, which only a Pi's apt installs."""
    monkeypatch.syspath_prepend(Path(__file__).parent / "wire")
    name, arg = request.param, {"synthetic": "3"}.get(request.param, "")
    match name:
        case "recorded":
            arg = str(photos(tmp_path, "a.jpg", "b.png"))
        case "a clip":
            name, arg = "recorded", str(clip(tmp_path / "throw.avi"))
        case "url":
            arg = request.getfixturevalue("network_camera")
    opened = open_source(name, arg, CLOCK)
    yield opened
    opened.close()
    sys.modules.pop("picamera2", None)


CLOCK = Clock()


def frames_of(source: FrameSource) -> list[Frame]:
    """Return the frames of a source in three seconds, with ten requests for stills."""
    frames = []
    for _ in range(10):
        CLOCK.now += 0.3
        if isinstance(source, StillSource):
            source.advance()
        if isinstance(source, GivenSource):
            source.give(jpeg(grey=60 + len(frames)))
        frame = source.next(PATIENCE_S if isinstance(source, RemoteSource) else 0.1)
        if frame is not None:
            frames.append(frame)
    return frames


def test_every_source_gives_frames_whose_times_go_on_and_stills_unless_it_is_live(source: FrameSource):
    frames = frames_of(source)
    assert len(frames) >= 5
    assert all(a.at_s < b.at_s for a, b in itertools.pairwise(frames))
    assert {frame.still for frame in frames} == {not source.live}
    assert isinstance(source, StillSource) is not source.live
    source.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with photographs, clips, both, texts, and nothing."""
    for name in ("empty", "texts", "both"):
        (tmp_path / name).mkdir()
    (tmp_path / "texts" / "notes.txt").write_text("nothing")
    clip(photos(tmp_path / "both", "a.jpg") / "b.avi")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "arg", "says"),
    [
        ("webcam", "", "picamera2, recorded, synthetic, url, usb, got 'webcam'"),
        ("synthetic", "pub", "table's number after synthetic:, got 'pub'"),
        ("recorded", "empty", "an empty folder"),
        ("recorded", "texts", r"1 other files, such as 'notes\.txt'"),
        ("recorded", "both", "got both: 1 pictures and 1 clips"),
        ("recorded", "nowhere", r"nowhere.*cannot be opened: No such file"),
    ],
)
def test_a_source_that_is_unknown_or_has_no_pictures_is_refused(folder: Path, name: str, arg: str, says: str):
    with pytest.raises(SourceError, match=says):
        open_source(name, str(folder / arg) if name == "recorded" else arg, Clock())


def shown(source: FrameSource) -> str | None:
    """Ask for the next photograph and return its name."""
    source.advance()
    frame = source.next(0)
    return frame and frame.name


def test_photographs_come_when_they_are_asked_for_in_the_order_of_their_names_and_repeat(tmp_path: Path):
    source = open_source("recorded", str(photos(tmp_path, "b.jpg", "c.png", "a.bmp")), Clock())
    assert source.next(0) is None
    assert [shown(source) for _ in range(4)] == ["a.bmp", "b.jpg", "c.png", "a.bmp"]
    assert source.next(0) is None
    assert shown(open_source("recorded", str(tmp_path / "b.jpg"), Clock())) == "b.jpg"  # one alone


def test_a_broken_photograph_is_named_and_the_next_one_comes(tmp_path: Path):
    (photos(tmp_path, "a.jpg", "c.jpg") / "b.jpg").write_bytes(b"no picture")
    source = open_source("recorded", str(tmp_path), Clock())
    assert shown(source) == "a.jpg"
    with pytest.raises(PictureError, match=r"b\.jpg"):
        shown(source)
    assert source.next(0).name == "c.jpg"


def test_a_folder_of_broken_photographs_ends(tmp_path: Path):
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_bytes(b"no picture")
    source = open_source("recorded", str(tmp_path), Clock())
    with pytest.raises(PictureError):
        shown(source)
    with pytest.raises(SourceError, match="none of 2 can be read"):
        source.next(0)


def test_a_clip_s_frames_come_when_they_are_due(tmp_path: Path):
    clock = Clock()
    source = open_source("recorded", str(clip(tmp_path / "a.avi", rate=10.0)), clock)
    assert source.next(0) is not None
    assert source.next(0) is None
    clock.now += 0.11
    frame = source.next(0)
    assert frame.at_s == pytest.approx(0.1)
    assert source.next(0) is None


def test_clips_follow_each_other_in_time(tmp_path: Path):
    clip(tmp_path / "a.avi", frames=3)
    clip(tmp_path / "b.avi", frames=3)
    source = open_source("recorded", str(tmp_path), lambda: math.inf)
    frames = [source.next(0) for _ in range(7)]  # at the end of time every frame is due
    assert [frame.name for frame in frames if frame] == ["a.avi"] * 3 + ["b.avi"] * 3 + ["a.avi"]
    assert all(a.at_s < b.at_s for a, b in itertools.pairwise(frames) if a and b)


def test_the_frames_of_one_clip_end_and_a_broken_clip_is_refused(tmp_path: Path):
    frames = list(clip_frames(clip(tmp_path / "b.avi", frames=5, rate=20.0)))
    assert [frame.at_s for frame in frames] == pytest.approx([0.0, 0.05, 0.1, 0.15, 0.2])
    assert not frames[0].still
    (tmp_path / "a.mp4").write_bytes(b"no clip")
    with pytest.raises(PictureError, match=r"a\.mp4"):
        list(clip_frames(tmp_path / "a.mp4"))
    with pytest.raises(SourceError, match="none of 1 can be read"):
        ClipSource([tmp_path / "a.mp4"], Clock()).next(0)
