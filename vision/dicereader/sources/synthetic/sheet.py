"""The printed paper tray as a texture: margins, the tint of the throw area, lines and tags."""

import cv2
import numpy as np

from dicereader.data.arrays import Values
from dicereader.sources.synthetic.lamp import bgr
from dicereader.tray.geometry import Tray
from dicereader.tray.printed_sheets import PAGES_MM
from dicereader.tray.tags import DICTIONARY

PX_PER_MM = 5.0
WHITE, BLACK = 232.0, 26.0
"""Grey levels of paper and ink in full light."""

LINES = 0.5
"""Brightness of the printed lines, as a fraction of the tint's."""


def sheet_texture(tray: Tray, tint: tuple[int, int, int]) -> tuple[Values, tuple[float, float]]:
    """Return a printed sheet, (rows, columns, 3) BGR in full light, and half its width and depth in millimetres.

    Args:
        tray: the tray's measures.
        tint: the colour that the printer gave the ground: red, green, blue from 0 to 255.
    """
    half = PAGES_MM["a4"][0] / 2, PAGES_MM["a4"][1] / 2
    columns, rows = (round(2 * each * PX_PER_MM) for each in half)
    printed = np.full((rows, columns, 3), 255.0, np.float32)

    def box(x0: float, y0: float, x1: float, y1: float, colour: Values | float, width: int = cv2.FILLED) -> None:
        corners = [
            (round((x + half[0]) * PX_PER_MM), round((half[1] - y) * PX_PER_MM)) for x, y in ((x0, y1), (x1, y0))
        ]
        cv2.rectangle(printed, corners[0], corners[1], np.broadcast_to(colour, 3).tolist(), width)

    wide, deep = tray.half_mm, tray.half_depth_mm
    ground = bgr(tint)
    line = ground * np.float32(LINES)
    box(-wide, -deep, wide, deep, ground)
    box(-wide, tray.rail_y_mm - 0.4, wide, tray.rail_y_mm + 0.4, line)
    for pocket in range(tray.pockets):
        x, y = tray.pocket_centre_mm(pocket)
        along, up = tray.pocket_pitch_mm / 2 - 1, tray.shelf_mm / 2 - 1
        box(x - along, y - up, x + along, y + up, line, 2)
    for tag in range(4):
        x, y = tray.tag_centre_mm(tag)
        plate = tray.plate_mm / 2
        box(x - plate, y - plate, x + plate, y + plate, 255.0)
        marker = cv2.aruco.generateImageMarker(DICTIONARY, tag, round(tray.tag_mm * PX_PER_MM))
        left, top = (round((each - tray.tag_mm / 2) * PX_PER_MM) for each in (x + half[0], half[1] - y))
        printed[top : top + len(marker), left : left + len(marker)] = marker[..., None]
    return np.asarray(BLACK + printed * ((WHITE - BLACK) / 255), np.float32), half
