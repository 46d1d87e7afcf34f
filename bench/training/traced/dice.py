"""Draw the looks of dice at random: their body, pips, edges and sense of rotation."""

import colorsys
from dataclasses import dataclass
from random import Random

from looks import ALONG_A_SIDE, PLACES

RGB = tuple[float, float, float]

MATERIALS = {
    "opaque": 32, "acrylic": 13, "frosted": 5, "pearl": 9, "swirl": 9, "glitter": 5, "speckle": 5, "metal": 7,
    "wood": 6, "stone": 5, "glow": 4,
}  # fmt: skip
"""The materials of bodies and how often each is taken, in percent."""

PIPS = {"painted": 30, "drilled": 45, "engraved": 25}
"""Pips on the surface, round hollows, and hollows with a flat ground."""

MARKS = {"dot": 84, "ring": 5, "square": 4, "star": 4, "heart": 3}
"""The shapes of pips."""

LOGOS = ("star", "crown", "letter", "rings")
"""What takes the place of the one, or of the six, on dice that advertise."""

EASTERN = 0.15
"""The share of dice on which 1, 2, 3 run clockwise around their corner, as on most dice from East Asia."""


@dataclass(frozen=True)
class DieLook:
    """The look of one kind of dice. Lengths are shares of an edge, apart from `edge_cm`.

    `body`, `second` and `third` are the body's colours, `pip` that of the pips and `accent` that of the faces
    `accented` and of the logo. `turned` says of each face 1 to 6 whether its pips are turned by a quarter.
    `rounding` is the edges' radius, `ball_r` the radius of the sphere that cuts the corners off (0.87 cuts nothing).
    `depth` is that of the pips, `worn` the share of paint that is gone, `density` how dark a clear body is for each
    edge that light passes through. `numerals` marks dice with numerals, which are no dice to us.
    """

    material: str
    body: RGB
    second: RGB
    third: RGB
    pip: RGB
    accent: RGB
    accented: tuple[int, ...]
    pips: str
    mark: str
    logo: tuple[int, str] | None
    pip_r: float
    one_r: float
    two_r: float
    pitch: float
    six_narrow: float
    along_a_side: bool
    turned: tuple[bool, ...]
    eastern: bool
    rounding: float
    ball_r: float
    depth: float
    worn: float
    roughness: float
    coat: float
    density: float
    grain: float
    edge_cm: float
    numerals: bool = False

    def places(self, face: int) -> list[tuple[float, float]]:
        """Return the places of a face's pips from its middle, along and across."""
        found = ALONG_A_SIDE[face] if self.along_a_side and face in ALONG_A_SIDE else PLACES[face]
        narrow = self.six_narrow if face == 6 else 1.0
        return [(self.pitch * narrow * i, self.pitch * j) for i, j in found]

    def radius(self, face: int) -> float:
        """Return the radius of a face's pips."""
        return {1: self.one_r, 2: self.two_r}.get(face, self.pip_r)


def chosen(chance: Random, weights: dict[str, int]) -> str:
    """Return one of the names, as often as its weight says."""
    return chance.choices(list(weights), list(weights.values()))[0]


def luminance(colour: RGB) -> float:
    """Return the luminance of a linear colour."""
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


def coloured(
    chance: Random, strong: tuple[float, float] = (0.5, 1.0), bright: tuple[float, float] = (0.15, 0.95)
) -> RGB:
    """Return a colour of any hue, linear."""
    hue, saturation, value = chance.random(), chance.uniform(*strong), chance.uniform(*bright)
    red, green, blue = colorsys.hsv_to_rgb(hue, saturation, value)
    return red**2.2, green**2.2, blue**2.2


def pale(chance: Random) -> RGB:
    """Return white, ivory or another pale colour."""
    grey, warm = chance.uniform(0.55, 0.88), chance.uniform(0.0, 0.45) * chance.random()
    return grey, grey * (1 - 0.3 * warm), grey * (1 - warm)


def dark(chance: Random) -> RGB:
    """Return black or nearly black."""
    grey = chance.uniform(0.004, 0.03)
    return tuple(grey * chance.uniform(0.7, 1.3) for _ in range(3))  # type: ignore[return-value]


def look(chance: Random, ground: RGB, *, alike: bool, edge_cm: float) -> DieLook:
    """Return a random look. Its body differs from the ground unless it is `alike`; its pips differ from its body."""
    material = chosen(chance, MATERIALS)
    for _ in range(40):
        body = _body(chance, material)
        if alike and material in ("opaque", "swirl", "wood", "stone", "speckle"):
            body = tuple(min(0.9, max(0.004, each * chance.uniform(0.7, 1.4))) for each in ground)  # type: ignore[assignment]
        second, third = _others(chance, body)
        light = luminance(body) > 0.22
        pip = dark(chance) if light else pale(chance)
        draw = chance.random()
        if draw < 0.2:
            pip = coloured(chance)
        elif draw < 0.28:
            pip = (0.75, 0.5, 0.12)  # gold
        apart = abs(luminance(body) ** 0.45 - luminance(pip) ** 0.45)
        if apart > (0.4 if material in ("acrylic", "swirl", "stone") else 0.28):
            break
    pitch = chance.uniform(0.2, 0.29)
    most = 0.46 * pitch
    pip_r = min(chance.uniform(0.06, 0.125), most)
    if chance.random() < 0.12:  # so large that two pips nearly meet
        pip_r = 0.46 * pitch
    along_a_side = chance.random() < 0.08
    draw = chance.random()
    accented: tuple[int, ...] = ()
    accent = pip
    eastern = chance.random() < EASTERN
    if eastern and draw < 0.7:  # a large red one, and red fours
        accented, accent = (1, 4), (0.5, 0.01, 0.015)
    elif draw < 0.12:
        accented, accent = (1,), coloured(chance)
    kind = chosen(chance, PIPS)
    style = chance.random()
    if style < 0.16:  # casino: square, sharp, clear or bright, pips flush with the face
        rounding, ball_r, kind = chance.uniform(0.008, 0.02), 0.87, "painted"
        material = "acrylic" if chance.random() < 0.6 else material
    elif style < 0.45:
        rounding, ball_r = chance.uniform(0.02, 0.07), 0.87
    elif style < 0.75:  # soft
        rounding, ball_r = chance.uniform(0.08, 0.2), 0.87
    else:  # corners cut by a sphere
        rounding, ball_r = chance.uniform(0.02, 0.12), chance.uniform(0.66, 0.76)
    pip_r = min(pip_r, most)
    one_r = pip_r * (chance.uniform(1.4, 2.2) if 1 in accented or chance.random() < 0.15 else 1.0)
    two_r = pip_r * (chance.uniform(1.1, 1.5) if along_a_side or chance.random() < 0.12 else 1.0)
    ball_r = max(ball_r, (0.25 + (1.414 * pitch + 0.8 * max(pip_r, two_r)) ** 2) ** 0.5)
    logo = None
    if chance.random() < 0.06:
        logo = (chance.choice((1, 1, 6)), chance.choice(LOGOS))
    return DieLook(
        material=material,
        body=body,
        second=second,
        third=third,
        pip=pip,
        accent=accent,
        accented=accented,
        pips=kind,
        mark=chosen(chance, MARKS),
        logo=logo,
        pip_r=pip_r,
        one_r=min(one_r, 0.3),
        two_r=two_r,
        pitch=pitch,
        six_narrow=chance.uniform(0.8, 1.0) if pip_r < 0.36 * pitch else 1.0,
        along_a_side=along_a_side,
        turned=tuple(chance.random() < 0.5 for _ in range(6)),
        eastern=eastern,
        rounding=rounding,
        ball_r=min(ball_r, 0.87),
        depth={"painted": 0.0, "drilled": chance.uniform(0.3, 0.8) * pip_r, "engraved": chance.uniform(0.02, 0.05)}[
            kind
        ],
        worn=chance.uniform(0.1, 0.75) if chance.random() < 0.14 else 0.0,
        roughness=chance.uniform(0.02, 0.25) if chance.random() < 0.65 else chance.uniform(0.25, 0.65),
        coat=chance.uniform(0.3, 1.0) if chance.random() < 0.4 else 0.0,
        density=chance.uniform(0.5, 3.0),
        grain=chance.uniform(0.6, 2.2),
        edge_cm=edge_cm,
    )


def _body(chance: Random, material: str) -> RGB:
    if material == "opaque":
        draw = chance.random()
        if draw < 0.42:
            return pale(chance)
        return dark(chance) if draw < 0.55 else coloured(chance)
    if material == "metal":
        return chance.choice(
            [(0.75, 0.75, 0.74), (0.55, 0.56, 0.58), (0.8, 0.55, 0.2), (0.75, 0.38, 0.22), (0.14, 0.14, 0.16)]
        )
    if material == "wood":
        return chance.choice([(0.5, 0.3, 0.13), (0.3, 0.14, 0.05), (0.62, 0.45, 0.26), (0.1, 0.045, 0.02)])
    if material == "stone":
        return chance.choice(
            [
                (0.5, 0.48, 0.45),
                (0.04, 0.04, 0.045),
                (0.06, 0.25, 0.13),
                (0.03, 0.07, 0.3),
                (0.5, 0.25, 0.22),
                (0.7, 0.7, 0.66),
            ]
        )
    if material == "glow":
        return chance.choice([(0.6, 0.75, 0.5), (0.5, 0.7, 0.75), (0.75, 0.72, 0.55)])
    if material == "acrylic" and chance.random() < 0.2:  # clear as water
        return (0.9, 0.92, 0.93)
    return coloured(chance, (0.35, 1.0), (0.2, 1.0))


def _others(chance: Random, body: RGB) -> tuple[RGB, RGB]:
    """Return two colours that go with the body's: of its own hue, white, black, or any."""

    def one() -> RGB:
        draw = chance.random()
        if draw < 0.4:
            by = chance.uniform(0.3, 2.2)
            return tuple(min(0.95, each * by + 0.01) for each in body)  # type: ignore[return-value]
        if draw < 0.6:
            return pale(chance)
        return dark(chance) if draw < 0.75 else coloured(chance)

    return one(), one()
