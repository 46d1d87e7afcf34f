"""Build Blender's shader graphs in fewer words."""

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray


class Graph:
    """A material's graph. Each method adds a node and returns the socket that carries its result."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.tree.nodes.clear()
        self.output = self.tree.nodes.new("ShaderNodeOutputMaterial")

    def add(self, kind: str, inputs: dict[str | int, Any] | None = None, **settings: Any) -> Any:
        """Add a node; an input is a value or another node's socket."""
        node = self.tree.nodes.new(f"ShaderNode{kind}")
        for name, value in settings.items():
            setattr(node, name, value)
        for name, value in (inputs or {}).items():
            if isinstance(value, bpy.types.NodeSocket):
                self.tree.links.new(value, node.inputs[name])
            elif isinstance(value, tuple) and len(value) == 3 and node.inputs[name].type == "RGBA":
                node.inputs[name].default_value = (*value, 1.0)
            else:
                node.inputs[name].default_value = value
        return node

    def place(self, scale: float = 1.0, *, own: bool = False) -> Any:
        """Return coordinates of the object, scaled; `own` shifts them for each object."""
        at = self.add("TexCoord").outputs["Object"]
        if own:
            by = self.add("Math", {0: self.add("ObjectInfo").outputs["Random"], 1: 57.0}, operation="MULTIPLY")
            at = self.add("VectorMath", {0: at, 1: by.outputs[0]}, operation="ADD").outputs[0]
        return self.add("Mapping", {"Vector": at, "Scale": (scale,) * 3}).outputs[0]

    def stretched(self, scale: tuple[float, float, float], turn: float = 0.0) -> Any:
        """Return coordinates of the object, turned around the vertical and scaled by axis."""
        at = self.add("TexCoord").outputs["Object"]
        turned = self.add("Mapping", {"Vector": at, "Rotation": (0.0, 0.0, turn)}).outputs[0]
        return self.add("Mapping", {"Vector": turned, "Scale": scale}).outputs[0]

    def noise(self, at: Any, scale: float, detail: float = 3.0, distortion: float = 0.0) -> Any:
        """Return smooth noise from 0 to 1."""
        return self.add("TexNoise", {"Vector": at, "Scale": scale, "Detail": detail, "Distortion": distortion}).outputs[
            "Fac"
        ]

    def mixed(self, share: Any, first: Any, second: Any, how: str = "MIX") -> Any:
        """Return two colours mixed."""
        return self.add("MixRGB", {"Fac": share, "Color1": first, "Color2": second}, blend_type=how).outputs[0]

    def math(self, how: str, first: Any, second: Any = 0.0, *, clamp: bool = False) -> Any:
        """Return a sum, product and so on."""
        return self.add("Math", {0: first, 1: second}, operation=how, use_clamp=clamp).outputs[0]

    def steps(self, value: Any, low: float, high: float) -> Any:
        """Return 0 below `low`, 1 above `high`, and a straight line between."""
        return self.add("MapRange", {"Value": value, "From Min": low, "From Max": high}, clamp=True).outputs[0]

    def bump(self, height: Any, strength: float, distance: float) -> Any:
        """Return a normal for a relief of this height in centimetres."""
        return self.add("Bump", {"Height": height, "Strength": strength, "Distance": distance}).outputs[0]

    def principled(self, **inputs: Any) -> Any:
        """Return a surface. Underscores in the inputs' names stand for blanks."""
        named = {name.replace("_", " "): value for name, value in inputs.items()}
        return self.add("BsdfPrincipled", named).outputs[0]

    def either(self, share: Any, first: Any, second: Any) -> Any:
        """Return two surfaces mixed."""
        return self.add("MixShader", {0: share, 1: first, 2: second}).outputs[0]

    def done(self, surface: Any, volume: Any = None) -> Any:
        """Return the material with this surface."""
        self.tree.links.new(surface, self.output.inputs["Surface"])
        if volume is not None:
            self.tree.links.new(volume, self.output.inputs["Volume"])
        return self.material


def image(name: str, pixels: NDArray[Any], *, data: bool = False) -> Any:
    """Return a picture (rows, columns, 2 or 3), the lowest row first: bytes, floats of light, or `data`."""
    rows, columns, channels = pixels.shape
    whole = np.ones((rows, columns, 4), np.float32)
    whole[..., :channels] = pixels / 255.0 if pixels.dtype == np.uint8 else pixels
    made = bpy.data.images.new(name, columns, rows, float_buffer=pixels.dtype != np.uint8, alpha=False)
    made.colorspace_settings.name = "Non-Color" if data else "sRGB" if pixels.dtype == np.uint8 else "Linear Rec.709"
    made.pixels.foreach_set(whole.ravel())
    return made


def printed(name: str, page: NDArray[np.uint8]) -> Any:
    """Return a print (rows from the top, blue, green, red) as a picture."""
    return image(name, np.ascontiguousarray(page[::-1, :, ::-1]))
