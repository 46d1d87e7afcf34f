"""The board as a drawing: the places of a layout in millimetres, as JSON, from which the page draws its board."""

import json
from collections.abc import Sequence

from pegboard.layout import Lamp, Layout


def plans_json(layouts: Sequence[Layout]) -> str:
    """The layouts as a JSON list: each with `name`, `size`, `pitch`, `lanes` (each `spots` and `farkles`), `shelf`.

    A place is `[x, y]` in millimetres; `spots` are the start, the holes 1 to 120 and the game hole.
    """
    plans = [
        {
            "name": layout.name,
            "size": list(layout.size_mm),
            "pitch": layout.pitch_mm,
            "lanes": [{"spots": _places(lane.spots), "farkles": _places(lane.farkles)} for lane in layout.lanes],
            "shelf": _places(layout.shelf),
        }
        for layout in layouts
    ]
    return json.dumps(plans, separators=(",", ":"))


def _places(lamps: Sequence[Lamp]) -> list[list[float]]:
    return [[round(lamp.x, 1), round(lamp.y, 1)] for lamp in lamps]
