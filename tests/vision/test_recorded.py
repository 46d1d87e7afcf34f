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
    def __init__(self) -> None:
        self.now = 50.0

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


@pytest.fixture(
    params=["photographs", "a clip", "a simulated tray", "a camera of the Pi", "a camera in the network", "a phone"]
)
def source(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FrameSource]:
    """Return each source in turn. A stand-in with the same rules replaces picamera2, which only a Pi's apt installs."""
    monkeypatch.syspath_prepend(Path(__file__).parent / "wire")
    match request.param:
        case "photographs":
            name, arg = "recorded", str(photos(tmp_path, "a.jpg", "b.png"))
        case "a clip":
            name, arg = "recorded", str(clip(tmp_path / "throw.avi"))
        case "a simulated tray":
            name, arg = "synthetic", "3"
        case "a camera of the Pi":
            name, arg = "picamera2", ""
        case "a phone":
            name, arg = "phone", ""
        case _:
            name, arg = "url", request.getfixturevalue("network_camera")
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


def test_every_source_gives_frames_whose_numbers_and_times_go_on(source: FrameSource):
    frames = frames_of(source)
    assert len(frames) >= 5
    assert [frame.number for frame in frames] == list(range(len(frames)))
    assert all(a.at_s < b.at_s for a, b in itertools.pairwise(frames))


def test_every_source_marks_stills_if_and_only_if_it_is_not_live(source: FrameSource):
    assert {frame.still for frame in frames_of(source)} == {not source.live}
    assert isinstance(source, StillSource) is not source.live


def test_every_source_can_be_closed_twice(source: FrameSource):
    source.close()
    source.close()


def test_an_unknown_source_is_refused_and_the_known_ones_are_listed():
    with pytest.raises(SourceError, match=r"picamera2, recorded, synthetic, url, usb, got 'webcam'"):
        open_source("webcam", "", Clock())


def test_a_simulated_table_has_a_number():
    with pytest.raises(SourceError, match="table's number after synthetic:, got 'pub'"):
        open_source("synthetic", "pub", Clock())


def test_photographs_come_in_the_order_of_their_names_and_repeat(tmp_path: Path):
    source = open_source("recorded", str(photos(tmp_path, "b.jpg", "c.png", "a.bmp")), Clock())
    assert isinstance(source, StillSource)
    names = []
    for _ in range(5):
        source.advance()
        frame = source.next(0)
        assert frame is not None
        names.append(frame.name)
    assert names == ["a.bmp", "b.jpg", "c.png", "a.bmp", "b.jpg"]


def test_a_photograph_comes_only_when_it_is_asked_for(tmp_path: Path):
    source = open_source("recorded", str(photos(tmp_path, "a.jpg")), Clock())
    assert isinstance(source, StillSource)
    assert source.next(0) is None
    source.advance()
    assert source.next(0) is not None
    assert source.next(0) is None


def test_a_broken_photograph_is_named_and_the_next_one_comes(tmp_path: Path):
    photos(tmp_path, "a.jpg", "c.jpg")
    (tmp_path / "b.jpg").write_bytes(b"no picture")
    source = open_source("recorded", str(tmp_path), Clock())
    assert isinstance(source, StillSource)
    source.advance()
    source.next(0)
    source.advance()
    with pytest.raises(PictureError, match=r"b\.jpg"):
        source.next(0)
    frame = source.next(0)
    assert frame is not None
    assert frame.name == "c.jpg"


def test_a_folder_of_broken_photographs_ends(tmp_path: Path):
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_bytes(b"no picture")
    source = open_source("recorded", str(tmp_path), Clock())
    assert isinstance(source, StillSource)
    source.advance()
    with pytest.raises(PictureError):
        source.next(0)
    with pytest.raises(SourceError, match="none of 2 can be read"):
        source.next(0)


def test_one_photograph_is_read_like_a_folder_with_one(tmp_path: Path):
    photos(tmp_path, "a.jpg", "b.jpg")
    source = open_source("recorded", str(tmp_path / "b.jpg"), Clock())
    assert isinstance(source, StillSource)
    source.advance()
    frame = source.next(0)
    assert frame is not None
    assert frame.name == "b.jpg"


@pytest.mark.parametrize(
    ("names", "what"),
    [((), "an empty folder"), (("notes.txt",), r"1 other files, such as 'notes\.txt'")],
)
def test_a_folder_without_pictures_is_refused(tmp_path: Path, names, what):
    for name in names:
        (tmp_path / name).write_text("nothing")
    with pytest.raises(SourceError, match=what):
        open_source("recorded", str(tmp_path), Clock())


def test_a_path_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(SourceError, match=r"nowhere.*cannot be opened: No such file"):
        open_source("recorded", str(tmp_path / "nowhere"), Clock())


def test_pictures_and_clips_in_one_folder_are_refused(tmp_path: Path):
    photos(tmp_path, "a.jpg")
    clip(tmp_path / "b.avi")
    with pytest.raises(SourceError, match="got both: 1 pictures and 1 clips"):
        open_source("recorded", str(tmp_path), Clock())


def test_a_clip_s_frames_come_when_they_are_due(tmp_path: Path):
    clock = Clock()
    source = open_source("recorded", str(clip(tmp_path / "a.avi", rate=10.0)), clock)
    assert source.next(0) is not None
    assert source.next(0) is None
    clock.now += 0.11
    frame = source.next(0)
    assert frame is not None
    assert frame.at_s == pytest.approx(0.1)
    assert source.next(0) is None


def test_a_clock_at_infinity_makes_every_frame_due(tmp_path: Path):
    source = open_source("recorded", str(clip(tmp_path / "a.avi", frames=4)), lambda: math.inf)
    assert [source.next(0) is not None for _ in range(9)] == [True] * 9


def test_clips_follow_each_other_in_time(tmp_path: Path):
    clip(tmp_path / "a.avi", frames=3)
    clip(tmp_path / "b.avi", frames=3)
    source = open_source("recorded", str(tmp_path), lambda: math.inf)
    frames = [source.next(0) for _ in range(7)]
    assert [frame.name for frame in frames if frame] == ["a.avi"] * 3 + ["b.avi"] * 3 + ["a.avi"]
    assert all(a.at_s < b.at_s for a, b in itertools.pairwise(frames) if a and b)


def test_the_frames_of_one_clip_end(tmp_path: Path):
    frames = list(clip_frames(clip(tmp_path / "a.avi", frames=5, rate=20.0)))
    assert [frame.at_s for frame in frames] == pytest.approx([0.0, 0.05, 0.1, 0.15, 0.2])
    assert not frames[0].still


def test_a_broken_clip_is_refused(tmp_path: Path):
    (tmp_path / "a.mp4").write_bytes(b"no clip")
    with pytest.raises(PictureError, match=r"a\.mp4"):
        list(clip_frames(tmp_path / "a.mp4"))
    with pytest.raises(SourceError, match="none of 1 can be read"):
        ClipSource([tmp_path / "a.mp4"], Clock()).next(0)
