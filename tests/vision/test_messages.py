"""The messages on the eye's socket, and the data that never crosses it."""

import contextlib
import dataclasses
import typing
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dicereader.data.camera_modules import CameraView
from dicereader.errors import MessageError
from dicereader.live import messages
from dicereader.live.timing import SettleTiming
from dicereader.reading import Box, CameraFault, DiceReading, Doubt, Episode, Fate, Observation, ReadDie, Zone
from dicereader.sources.synthetic.world import (
    DieKey,
    DiePath,
    HandKey,
    HandPath,
    Pose,
    World,
    upright,
)
from dicereader.tray.calibration import Calibration

CAMERA = Calibration(960, 720, 739.0, ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)), (0.0, 0.0, 345.0))
WORLD = World(
    seed=4,
    dice=(DiePath((DieKey(0.0, Pose(1.0, 2.0, 8.0, upright(3))), DieKey(1.0, Pose(3.0, 2.0, 8.0)))),),
    hand=HandPath((HandKey(0.0, 0.0, -300.0),), 90.0),
)
DIE = ReadDie(5, Box(1, 2, 30, 31), 0.98, Zone.SHELF, (Doubt.COCKED,), ((1.0, 2.0), (3.5, 4.0)), (10.0, -3.5))
SEEN = Observation(
    DiceReading((DIE,), False, (Doubt.COUNT,), 12.5),
    Episode(False, True, (Fate.THROWN,), (0,)),
    True,
    "a.jpg",
)
MESSAGES = [
    messages.Setup("synthetic", "7", CAMERA, 4.0, SettleTiming(still_s=0.5, still_frames=7)),
    messages.Setup("recorded", "photos"),
    messages.Expect(),
    messages.Expect((2, 6)),
    messages.Expect((2,), ((3, 4), (6, 6))),
    messages.SetWorld(WORLD),
    messages.Forget(),
    messages.IgnoreFaults(),
    messages.NextPicture(),
    messages.PhonePicture(),
    messages.Stop(),
    messages.Hello(True),
    messages.Hello(True, CameraView("imx708", "2304 x 1296", 51.9, 41.0)),
    messages.Observed(SEEN),
    messages.MotionChanged(messages.Motion.HAND),
    messages.TrayPicture(),
    messages.Heartbeat(12.25),
    messages.NoFrames(),
    messages.Behind(8.0, 30.0),
    messages.FaultsChanged((CameraFault.BLACK, CameraFault.TORN)),
    messages.FaultsChanged(()),
    messages.TrayMoved(),
    messages.Trouble("no camera", True),
]


def test_every_kind_of_message_comes_out_as_it_went_in():
    assert {type(message) for message in MESSAGES} == {*get_args(messages.ToEye), *get_args(messages.FromEye)}
    for message in MESSAGES:
        assert messages.Decoder().feed(messages.encode(message, b"picture")) == [(message, b"picture")]


@given(st.lists(st.integers(1, 400), min_size=1, max_size=30))
def test_messages_come_whole_however_the_bytes_arrive(cuts):
    wire = b"".join(messages.encode(message, bytes(i)) for i, message in enumerate(MESSAGES))
    decoder, whole, at = messages.Decoder(), [], 0
    for cut in cuts:
        whole += decoder.feed(wire[at : at + cut])
        at += cut
    whole += decoder.feed(wire[at:])
    assert [message for message, _ in whole] == MESSAGES
    assert [len(payload) for _, payload in whole] == list(range(len(MESSAGES)))


def types_within(kind: object) -> set[type]:
    """Return all types that a value of this type can hold, at any depth."""
    if get_args(kind):
        return set().union(*(types_within(part) for part in get_args(kind)))
    if not isinstance(kind, type):
        return set()
    found = {kind}
    if dataclasses.is_dataclass(kind):
        for part in typing.get_type_hints(kind).values():
            found |= types_within(part)
    return found


def test_no_message_from_the_eye_can_hold_a_world():
    told = set().union(*(types_within(kind) for kind in get_args(messages.FromEye)))
    assert ReadDie in told  # the search reaches nested types
    assert {World, Pose} <= types_within(messages.SetWorld)
    secret = ("dicereader.sources.synthetic.world", "dicereader.tray.geometry")
    assert [kind for kind in told if kind.__module__ in secret] == []


SETUP, OBSERVED = (
    messages.encode(each)[messages.LENGTHS.size :] for each in (messages.Setup("synthetic"), messages.Observed(SEEN))
)


@pytest.mark.parametrize(
    "header",
    [
        *(b"", b"no json", b"[]", b'{"kind":"SetWorld"}', b"[" * 100_000, b"\xff\xfe"),
        *(b'{"kind":%s,"body":{}}' % kind for kind in (b'"Nothing"', b'["Stop"]', b"{}", b"null")),
        *(
            b'{"kind":"Heartbeat","body":{"at_s":%s}}' % number
            for number in (
                b'"soon"',
                b"NaN",
                b"9" * 400,
                b"-" + b"9" * 400,
                b"9" * 5000,
                b"1e400",
                b"true",
                b'1.0,"more":1',
            )
        ),
        b'{"kind":"Heartbeat","body":{}}',
        b'{"kind":"MotionChanged","body":{"motion":"dancing"}}',
        b'{"kind":"Expect","body":{"throw_counts":[1.5],"critical_rolls":[]}}',
        b'{"kind":"Observed","body":{"observation":null}}',
        rb'{"kind":"Trouble","body":{"text":"\ud800","fatal":false}}',
        SETUP.replace(b'"speed":1.0', b'"speed":0.0'),
        SETUP.replace(b'"still_s":0.35', b'"still_s":0.0'),
        SETUP.replace(b'"still_frames":5', b'"still_frames":2.5'),
        OBSERVED.replace(b'"number":0', b'"number":1%s' % (b"0" * 4000)),
        OBSERVED.replace(b'"face":5', b'"face":7'),
    ],
)
def test_bytes_that_are_no_message_are_refused(header):
    with pytest.raises(MessageError):
        messages.Decoder().feed(messages.LENGTHS.pack(len(header), 0) + header)


def test_a_message_above_the_size_limit_is_refused_at_once_and_one_at_the_limit_is_waited_for():
    assert messages.Decoder().feed(messages.LENGTHS.pack(messages.MOST_HEADER_BYTES, messages.MOST_PAYLOAD_BYTES)) == []
    for lengths in ((messages.MOST_HEADER_BYTES + 1, 0), (1, messages.MOST_PAYLOAD_BYTES + 1)):
        with pytest.raises(MessageError, match="at most"):
            messages.Decoder().feed(messages.LENGTHS.pack(*lengths))


def test_more_dice_than_possible_are_refused():
    for count in (-1, 61):
        with pytest.raises(MessageError, match="expected 0 to 60 dice, got"):
            messages.Expect((count,))
    stayed = Episode(True, False, (Fate.STAYED,) * 61)
    with pytest.raises(MessageError, match="expected at most 60 dice, got 61"):
        messages.Observed(dataclasses.replace(SEEN, reading=DiceReading((DIE,) * 61, True), episode=stayed))


@given(st.binary(max_size=300))
def test_noise_gives_an_error_or_nothing(noise):
    decoder = messages.Decoder()
    with contextlib.suppress(MessageError):
        assert decoder.feed(noise) == []
