"""The voice: each update's newest words and its tones, on any sound driver."""

import pytest
from tables import Table

from companion.feed import Feed
from companion.table.cues import Cue, CueKind
from companion.table.inputs import Fault
from companion.voice import Voice
from pegboard.sound.port import Tone
from pegboard.sound.recorder import SoundRecorder


class Spoken:
    """A table whose updates are heard."""

    def __init__(self) -> None:
        self.table = Table()
        self.feed = Feed(self.table.view)
        self.sound = SoundRecorder()
        self.voice = Voice(self.feed, self.sound)

    def publish(self) -> None:
        self.feed.publish(self.table.view, tuple(self.table.cues))

    def after(self) -> list[str | Tone]:
        """What is heard of the newest act alone."""
        self.sound.heard.clear()
        self.publish()
        return list(self.sound.heard)


@pytest.fixture
def spoken() -> Spoken:
    made = Spoken()
    made.table.start()
    return made


def test_a_throw_ticks_and_is_called_out(spoken: Spoken) -> None:
    spoken.table.throws("233346")
    assert spoken.after() == [Tone.TICK, "Ann throws 2 3 3 3 4 6."]


def test_a_farkle_falls(spoken: Spoken) -> None:
    spoken.table.throws("334466")
    assert spoken.after() == [Tone.TICK, Tone.FALL, "Ann throws 3 3 4 4 6 6. Farkle."]


def test_a_bank_says_points_and_score(spoken: Spoken) -> None:
    spoken.table.throws("233346").taps("bank")
    assert spoken.after() == ["Ann keeps 3 3 3 2 for 8. Ann banks 8: 8."]


def test_the_final_round_rings(spoken: Spoken) -> None:
    spoken.table.start("Ann", "Ben", settings={"target": 5}).throws("233346").taps("bank")
    heard = spoken.after()
    assert heard[0] is Tone.BELL
    assert "final round" in str(heard[1])


def test_hot_dice_are_said(spoken: Spoken) -> None:
    spoken.table.throws("111222").throws("233346", shelf="111222")
    assert "All six count!" in str(spoken.after()[-1])


def test_a_question_is_asked_once(spoken: Spoken) -> None:
    spoken.table.throws("233346", sure=False)
    question = spoken.table.view.question
    assert question is not None
    assert spoken.after() == [question.text]
    spoken.table.cues = []
    assert spoken.after() == []


def test_an_undo_speaks_only_the_change(spoken: Spoken) -> None:
    spoken.table.throws("233346").taps("bank").undoes()
    assert spoken.after() == ["Undone: Ann keeps 3 3 3 2 for 8. Ann banks 8: 8."]


def test_a_table_that_cannot_see_says_so(spoken: Spoken) -> None:
    spoken.table.take(Fault("eye", "I can't see the tray: no frames"))
    assert spoken.after() == ["I can't see the tray: no frames"]


def test_of_several_words_at_once_the_newest_are_said(spoken: Spoken) -> None:
    spoken.table.cues = [Cue(CueKind.TURN, "first"), Cue(CueKind.REFUSED, "second"), Cue(CueKind.OUT_OF_STEP)]
    assert spoken.after() == ["second"]


def test_a_closed_voice_is_silent(spoken: Spoken) -> None:
    spoken.voice.close()
    spoken.table.throws("233346")
    assert spoken.after() == []
