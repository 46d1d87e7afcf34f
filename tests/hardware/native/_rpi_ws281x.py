"""A stand-in for rpi_ws281x's C module: it keeps its settings and writes the wire's bytes of each frame to a file.

The order of a strip's bytes on the wire follows its type: each type's constant names the shifts of red, green and blue
(ws2811.h), and the library sends red, green, blue. `PEGBOARD_WIRE` names the file; each frame is a line of hex digits.
`PEGBOARD_INIT` and `PEGBOARD_RENDER` are what `ws2811_init` and `ws2811_render` answer; `PEGBOARD_HANG` a frame's
number from which rendering never returns, `PEGBOARD_LATE` seconds that each takes.
"""

import os
import time

WS2811_SUCCESS = 0
WS2811_STRIP_RGB = 0x00100800
SK6812_STRIP_RGBW = 0x18100800
SPI_PIN, PWM_PINS = 10, (12, 13, 18, 19)

WORDS = {
    -3: "Hardware revision is not supported",
    -5: "mmap() failed",
    -13: "Unable to initialize SPI",
    -14: "SPI transfer error",
}


class Channel:
    def __init__(self):
        self.count = self.gpionum = self.invert = self.brightness = self.strip_type = 0
        self.leds = {}


class Strip:
    def __init__(self):
        self.channels = (Channel(), Channel())
        self.frames = 0


def new_ws2811_t():
    return Strip()


def delete_ws2811_t(strip):
    del strip


def ws2811_channel_get(strip, number):
    return strip.channels[number]


def _setter(name):
    def set_it(channel, value):
        setattr(channel, name, value)

    return set_it


ws2811_channel_t_count_set = _setter("count")
ws2811_channel_t_gpionum_set = _setter("gpionum")
ws2811_channel_t_invert_set = _setter("invert")
ws2811_channel_t_brightness_set = _setter("brightness")
ws2811_channel_t_strip_type_set = _setter("strip_type")


def ws2811_channel_t_gpionum_get(channel):
    return channel.gpionum


def ws2811_channel_t_strip_type_get(channel):
    return channel.strip_type


def ws2811_t_freq_set(strip, hertz):
    assert hertz == 800_000


def ws2811_t_dmanum_set(strip, number):
    assert 0 <= number <= 14


def ws2811_init(strip):
    answer = int(os.environ.get("PEGBOARD_INIT", "0"))
    if answer == 0 and strip.channels[0].gpionum != SPI_PIN:
        return -5  # PWM and PCM need /dev/mem, and so root
    return answer


def ws2811_get_return_t_str(code):
    return WORDS.get(code, "Generic failure")


def ws2811_led_set(channel, led, colour):
    assert 0 <= led < channel.count
    channel.leds[led] = colour


def ws2811_render(strip):
    strip.frames += 1
    time.sleep(float(os.environ.get("PEGBOARD_LATE", "0")))
    while strip.frames >= int(os.environ.get("PEGBOARD_HANG", "1000000")):
        time.sleep(60)
    if (answer := int(os.environ.get("PEGBOARD_RENDER", "0"))) != 0:
        return answer
    channel = strip.channels[0]
    assert (channel.gpionum, channel.brightness, channel.invert) == (SPI_PIN, 255, 0)
    shifts = [channel.strip_type >> part & 0xFF for part in (16, 8, 0)]
    wire = bytes(channel.leds.get(led, 0) >> shift & 0xFF for led in range(channel.count) for shift in shifts)
    with open(os.environ["PEGBOARD_WIRE"], "a", encoding="ascii") as file:
        file.write(wire.hex() + "\n")
    return WS2811_SUCCESS


def ws2811_fini(strip):
    del strip
