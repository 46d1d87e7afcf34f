"""Train the network of `dicereader.stages.shared.classify` on crops of places that the detector finds."""

import sys
from collections.abc import Callable
from functools import partial
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).parent.parent))

from closeups import Cut, Examples
from detector_training import truth_of
from figures import share, spread
from learning import learnt
from scenes import MadeScene

from dicereader.stages.shared.classify import CLASSES, OUTPUTS
from dicereader.stages.shared.crops import FACE, CropShape

RATE, BATCH = 6e-3, 256
"""The highest learning rate, and the crops in a batch."""


def conv(a: int, b: int, size: int = 3) -> list[nn.Module]:
    """Return the layers of a convolution from a to b channels: a larger one has no padding."""
    return [nn.Conv2d(a, b, size, padding=size // 2 if size == 3 else 0), nn.BatchNorm2d(b), nn.ReLU()]


def network() -> nn.Sequential:
    """Return the network from (n, 3, 32, 32) crops to (n, OUTPUTS, 1, 1) outputs."""
    return nn.Sequential(
        *conv(3, 16), nn.MaxPool2d(2), *conv(16, 32), nn.MaxPool2d(2), *conv(32, 48), *conv(48, 48), nn.MaxPool2d(2),
        *conv(48, 64, 4), nn.Conv2d(64, OUTPUTS, 1),
    )  # fmt: skip


def joined(parts: list[Examples]) -> Examples:
    """Return the examples of several parts as one."""
    crops, kinds, known = zip(*parts, strict=True)
    return np.concatenate(crops), np.concatenate(kinds), np.concatenate(known)


def of_scene(seed: int, made: MadeScene, cut: Cut) -> Examples:
    """Return the examples of one made scene."""
    pixels, dice = made(seed)
    slant = np.array([die.slant for die in dice]).reshape(-1, 2)
    return cut(pixels, truth_of(dice, pixels.shape[1::-1]), slant, np.random.default_rng(seed))


def of_scenes(made: MadeScene, seeds: range, cut: Cut) -> Examples:
    """Return the examples of the scenes with these seeds."""
    with Pool(initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        return joined(list(pool.imap(partial(of_scene, made=made, cut=cut), seeds, 8)))


def varied(x: torch.Tensor, t: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return crops and their labels, mirrored, turned, recoloured, blurred and with noise, at random."""
    n = len(x)
    if torch.rand(()) < 0.5:
        x, t = x.flip(3), t.clone()
        t[:, [0, 2, 5, 6]] *= -1
    if torch.rand(()) < 0.5:
        x, t = x.flip(2), t.clone()
        t[:, [1, 3, 5, 6]] *= -1
    if torch.rand(()) < 0.5:  # mirrored at the diagonal
        x, t = x.transpose(2, 3), t[:, [1, 0, 3, 2, 7, 6, 5, 4]]
    x = x[:, torch.randperm(3)]
    sign = torch.where(torch.rand(n) < 0.35, -1.0, 1.0)[:, None, None, None]
    grey = x.mean(1, keepdim=True)
    x = torch.lerp(x, grey.expand_as(x), (torch.rand(n) < 0.2).float()[:, None, None, None])
    x = x * sign * torch.exp(torch.randn(n, 1, 1, 1) * 0.2)
    soft = nn.functional.avg_pool2d(x, 3, 1, 1, count_include_pad=False)
    x = torch.lerp(x, soft, (torch.rand(n, 1, 1, 1) < 0.3) * torch.rand(n, 1, 1, 1))
    return (x + torch.randn_like(x) * torch.rand(n, 1, 1, 1) * 0.12).clamp(-3, 3), t


def loss_of(said: torch.Tensor, kinds: torch.Tensor, known: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Return the loss: cross entropy of the classes, and smooth errors of known slants and corrections."""
    loss = nn.functional.cross_entropy(said[:, :CLASSES], kinds, weight, label_smoothing=0.01)
    told = (kinds > 0) & known.isfinite().all(1)
    if told.any():
        error = said[told, CLASSES:] - known[told]
        scale = torch.tensor([5.0, 5.0, 4.0, 4.0, 3.0, 3.0, 3.0, 3.0])
        off = nn.functional.smooth_l1_loss(error, torch.zeros_like(error), beta=0.05, reduction="none")
        loss = loss + (off * scale).mean()
    return loss


def trained(examples: Examples, epochs: float, seed: int) -> nn.Module:
    """Return a network trained on examples."""
    torch.manual_seed(seed)
    model = network()
    x, y, t = (torch.from_numpy(part) for part in examples)
    y = y.long()
    often = np.bincount(examples[1], minlength=CLASSES) + 1.0
    weight = torch.from_numpy((often.mean() / often) ** 0.4).float()

    def loss_at(index: torch.Tensor) -> torch.Tensor:
        crops, known = varied(x[index].float(), t[index])
        return loss_of(model(crops).flatten(1).float(), y[index], known, weight)

    return learnt(model, len(x), BATCH, epochs, RATE, loss_at)


def tell(model: Callable[[torch.Tensor], torch.Tensor], name: str, examples: Examples) -> list[bool]:
    """Print the shares of right and false faces, and the errors of slant and place. Return which crops are right."""
    with torch.no_grad():
        said = torch.cat([model(part.float()) for part in torch.from_numpy(examples[0]).split(1024)]).flatten(1).numpy()
    best, y = said[:, :CLASSES].argmax(1), examples[1]
    face, taken = y > 0, best > 0
    sys.stdout.write(f"{name}\n  faces told right     {share(int((best == y)[face].sum()), int(face.sum()))}\n")
    sys.stdout.write(f"  another face said    {share(int((taken & (best != y))[face].sum()), int(face.sum()))}\n")
    sys.stdout.write(f"  nothing, yet a face  {share(int(taken[y == 0].sum()), int((y == 0).sum()))}\n")
    known = face & np.isfinite(examples[2]).all(1)
    if known.any():
        error = said[known, CLASSES:] - examples[2][known]
        sys.stdout.write(f"  slant off, degrees   {spread(np.degrees(np.hypot(*error[:, :2].T)).tolist(), 1)}\n")
        sys.stdout.write(f"  place off, half edges {spread(np.hypot(*error[:, 2:4].T).tolist(), 3)}\n")
    sys.stdout.flush()
    return [bool(each) for each in best == y]


def write(model: nn.Module, target: Path, shape: CropShape = FACE) -> None:
    """Write a network as ONNX, for any number of crops of this shape."""
    names = {"input_names": ["crops"], "output_names": ["said"]}
    axes = {"crops": {0: "n"}, "said": {0: "n"}}
    torch.onnx.export(
        model, (torch.zeros(2, 3, shape.side, shape.side),), str(target), dynamo=False, dynamic_axes=axes, **names
    )
