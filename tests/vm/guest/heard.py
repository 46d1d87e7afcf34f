"""Print how many samples a recording has, and the loudest of them."""

import array
import wave

with wave.open("/run/heard.wav") as heard:
    levels = array.array("h", heard.readframes(heard.getnframes()))
print(len(levels), max(map(abs, levels or [0])))
