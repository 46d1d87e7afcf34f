"""Speech by the small synthesizer flite, tones by the desktop: --sound docs/examples/drivers/own_sound.py"""

import subprocess

from pegboard import Loudness, Tone

TONES = {Tone.TICK: "message", Tone.FALL: "dialog-error", Tone.BELL: "bell"}


class Flite:
    def __init__(self, loudness: Loudness, _language: str) -> None:
        self.tones, self.closed = loudness.tones, False

    def say(self, text: str) -> None:
        self.run("flite", "-t", text[:400].replace("\0", " "))

    def play(self, tone: Tone, times: int = 1) -> None:
        if self.tones:
            self.run("canberra-gtk-play", "-i", TONES[tone], "-l", str(times))

    def run(self, *command: str) -> None:
        if not self.closed:  # the shell ends at once, so there is no process to wait for
            subprocess.run(["sh", "-c", '"$@" &', "sh", *command], check=True)

    def close(self) -> None:
        self.closed = True


open_sound = Flite
