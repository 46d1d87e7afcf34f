"""Arcade buttons at a USB encoder, which Linux shows as a joystick: --buttons docs/examples/drivers/own_buttons.py"""

import os
import struct

from pegboard import Button, Contacts, Gesture, Pins, Timing


class Joystick:
    def __init__(self, _pins: Pins, timing: Timing) -> None:
        js0 = os.open(os.environ.get("JOYSTICK", "/dev/input/js0"), os.O_RDONLY | os.O_NONBLOCK)
        self.file = os.fdopen(js0, "rb", buffering=0)
        self.contacts = Contacts(timing)  # makes taps, holds and chords, and finds stuck buttons

    def poll(self, now_s: float) -> tuple[Gesture, ...]:
        found = self.contacts.tick(now_s)
        while not self.file.closed and (event := self.file.read(8)):
            _, value, kind, number = struct.unpack("IhBB", event)  # linux/joystick.h
            if kind == 1 and number < len(Button):
                found += self.contacts.level(now_s, list(Button)[number], bool(value))
        return () if self.file.closed else found

    def close(self) -> None:
        self.file.close()


open_buttons = Joystick
