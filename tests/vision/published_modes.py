"""The sensor modes of Raspberry Pi's camera modules, from published output of `rpicam-hello --list-cameras`.

A row is: bits of a pixel, width and height that the sensor sends, most frames a second, and the part of the sensor that
the mode covers (x, y, width, height in pixels of the sensor). The sources were read on 2026-11-24.
"""

from typing import Any

Row = tuple[int, int, int, float, int, int, int, int]

ARRAYS: dict[str, tuple[int, int]] = {
    "ov5647": (2592, 1944),
    "imx219": (3280, 2464),
    "imx477": (4056, 3040),
    "imx708": (4608, 2592),
    "imx708_wide": (4608, 2592),
}
"""The pixels of each sensor, as the first line of a camera names them."""

_IMX219 = (
    (640, 480, 206.65, 1000, 752, 1280, 960),
    (1640, 1232, 41.85, 0, 0, 3280, 2464),
    (1920, 1080, 47.57, 680, 692, 1920, 1080),
    (3280, 2464, 21.19, 0, 0, 3280, 2464),
)
_IMX708: tuple[Row, ...] = (
    (10, 1536, 864, 120.13, 768, 432, 3072, 1728),
    (10, 2304, 1296, 56.03, 0, 0, 4608, 2592),
    (10, 4608, 2592, 14.35, 0, 0, 4608, 2592),
)

MODES: dict[str, tuple[Row, ...]] = {
    # raspberrypi/rpicam-apps, issue 427
    "ov5647": (
        (10, 640, 480, 58.92, 16, 0, 2560, 1920),
        (10, 1296, 972, 43.25, 0, 0, 2592, 1944),
        (10, 1920, 1080, 30.62, 348, 434, 1928, 1080),
        (10, 2592, 1944, 15.63, 0, 0, 2592, 1944),
    ),
    # raspberrypi/documentation, pull request 2587, for imx219 and imx477
    "imx219": (*((10, *row) for row in _IMX219), *((8, *row) for row in _IMX219)),
    "imx477": (
        (10, 1332, 990, 120.05, 696, 528, 2664, 1980),
        (12, 2028, 1080, 50.03, 0, 440, 4056, 2160),
        (12, 2028, 1520, 40.01, 0, 0, 4056, 3040),
        (12, 4056, 3040, 10.0, 0, 0, 4056, 3040),
    ),
    # raspberrypi/picamera2, issue 1184
    "imx708": _IMX708,
    # pollen-robotics/reachy_mini, documentation of the media controls
    "imx708_wide": _IMX708,
}

_IMX477 = (
    ((1332, 990), (696, 528, 2664, 1980), 120.50, 101.68),
    ((2028, 1080), (0, 440, 4056, 2160), 74.74, 62.81),
    ((2028, 1520), (0, 0, 4056, 3040), 53.77, 45.19),
    ((4056, 2160), (0, 440, 4056, 3040), 19.58, 16.39),
    ((4056, 3040), (0, 0, 4056, 3040), 14.00, 11.72),
)
NEWER_IMX477: tuple[Row, ...] = (
    *((10, *size, fps, *crop) for size, crop, fps, _ in _IMX477),
    *((12, *size, fps, *crop) for size, crop, _, fps in _IMX477),
)
"""The imx477 of newer kernels (raspberrypi/linux, pull request 6798): each mode with 10 and with 12 bits; 8 left out.

The crop of 4056 x 2160 is listed so, beyond the sensor's last row.
"""

WITHOUT_CROP: tuple[Row, ...] = (
    (10, 1536, 864, 30.0, 65535, 65535, 65535, 65535),
    (10, 2304, 1296, 30.0, 65535, 65535, 65535, 65535),
    (10, 4608, 2592, 30.0, 65535, 65535, 65535, 65535),
)
"""An imx708 whose driver reports no crop, as libcamera without Raspberry Pi's pipeline lists it."""

FULL_FIELD = {
    "ov5647": (1296, 972),
    "imx219": (1640, 1232),
    "imx477": (2028, 1520),
    "imx708": (2304, 1296),
    "imx708_wide": (2304, 1296),
}
"""The mode of each sensor that a picture of 1280 x 960 shall be made from."""


def listed(rows: tuple[Row, ...]) -> list[dict[str, Any]]:
    """Return modes in the form of picamera2's `sensor_modes`."""
    return [
        {
            "format": f"SRGGB{bits}_CSI2P" if bits > 8 else "SRGGB8",
            "unpacked": f"SRGGB{bits}",
            "bit_depth": bits,
            "size": (width, height),
            "fps": fps,
            "crop_limits": crop,
            "exposure_limits": (75, 11766829),
        }
        for bits, width, height, fps, *rest in rows
        for crop in [tuple(rest)]
    ]
