"""Stand-ins for the programs that speak, espeak-ng and aplay."""

import io
import json
import stat
import sys
import wave
from pathlib import Path
from typing import Any

from started import Started

from pegboard.sound.espeak import Espeak
from pegboard.sound.port import Loudness

PATIENCE_S = 60.0
SPEAKER = f"""#!{sys.executable}
import json, signal, sys, time
signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as a program in C
words = sys.argv[-1]
with open({{heard!r}}, "a") as file:
    file.write(json.dumps(sys.argv[1:]) + "\\n")
if words == "broken":
    sys.exit("Error: The specified espeak-ng voice does not exist.")
sys.stdout.write(words)
sys.stdout.flush()
if words == "long":
    time.sleep(600)
"""
PLAYER = f"""#!{sys.executable}
import os, sys
if os.path.exists({{pulled!r}}):
    sys.stderr.write("ALSA lib pcm.c:2666:(snd_pcm_open_noupdate) Unknown PCM default\\n")
    sys.exit("aplay: main:831: audio open error: No such file or directory")
before = [open(name, "rb").read() for name in sys.argv[1:] if name != "-"]
words = "".join(f"[{{{{len(each)}}}} bytes] " for each in before)
if not before or sys.argv[-1] == "-":
    words += sys.stdin.read()
with open({{heard!r}}, "a") as file:
    file.write(words + "\\n")
"""


def wav_of(size: int, *, rate: int = 8000, channels: int = 1, width: int = 2) -> bytes:
    """Return a WAV file with this many bytes of silence."""
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setparams((channels, width, rate, 0, "NONE", ""))
        written.writeframes(bytes(size))
    return file.getvalue()


class Programs:
    """Stand-ins for espeak-ng and aplay, which keep what they are given. A loudspeaker can be pulled out."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._said, self._heard, self._pulled = (folder / name for name in ("said", "heard", "pulled"))
        self.espeak, self.aplay = folder / "espeak-ng", folder / "aplay"
        for program, text in ((self.espeak, SPEAKER), (self.aplay, PLAYER)):
            heard = self._said if program is self.espeak else self._heard
            program.write_text(text.format(heard=str(heard), pulled=str(self._pulled)), encoding="utf-8")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def open(self, loudness: Loudness | None = None, language: str = "en", **named: Any) -> Espeak:
        return Espeak(loudness or Loudness(), language, [str(self.espeak)], [str(self.aplay)], **named)

    def pull(self) -> None:
        self._pulled.touch()

    def plug_in(self) -> None:
        self._pulled.unlink()

    @property
    def options(self) -> list[list[str]]:
        """The options of each espeak-ng."""
        return [json.loads(line) for line in self._said.read_text(encoding="utf-8").splitlines()]

    @property
    def heard(self) -> list[str]:
        """The sentences that were played to their end, each behind the size of its WAV file."""
        return self._heard.read_text(encoding="utf-8").splitlines() if self._heard.exists() else []


def finish(sound: Espeak, started: Started) -> None:
    """Wait until the last sentence has been spoken; one that was not heard raises `DriverError`."""
    for process in started.processes:
        process.wait(PATIENCE_S)
    assert not sound.check()
