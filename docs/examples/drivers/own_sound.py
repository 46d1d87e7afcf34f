"""Speech by the small synthesizer flite, tones by the desktop: --sound docs/examples/drivers/own_sound.py"""

import subprocess

from pegboard import DriverError, Loudness, Tone


class Flite:
    def __init__(self, loudness: Loudness, _language: str) -> None:
        self.tones, self.closed, self.running = loudness.tones, False, list[subprocess.Popen[bytes]]()

    def say(self, text: str) -> None:
        self.run("flite", "-t", text[:400].replace("\0", " "))

    def play(self, tone: Tone, times: int = 1) -> None:
        if self.tones:
            names = {Tone.TICK: "message", Tone.FALL: "dialog-error", Tone.BELL: "bell"}
            self.run("canberra-gtk-play", "-i", names[tone], "-l", str(times))

    def run(self, *command: str) -> None:
        self.running += [] if self.closed else [subprocess.Popen(command)]

    def check(self) -> bool:
        ended = [program for program in self.running if program.poll() is not None]
        self.running = [program for program in self.running if program not in ended]
        if any(program.returncode for program in ended):
            raise DriverError("expected to be heard, got an error of flite or canberra-gtk-play")
        return bool(self.running)

    def close(self) -> None:
        self.closed = True


open_sound = Flite
