"""Train the network of `dicereader.stages.shared.detector` on windows of pictures."""

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

from figures import share, spread
from learning import learnt
from scenes import MadeScene
from windows import SIDE, Truth, Window, windows

from dicereader.stages.shared.detector import OUTPUTS, STRIDE

WINDOWS = 8
"""Windows of each scene."""

VISIBLE = 0.6
"""A face of which less can be seen and read may be found or not."""

SPARE = 8
"""The cells by which a window is larger than the random part of it that is learnt from."""


RATE, BATCH = 4e-3, 32
"""The highest learning rate, and the windows in a batch."""


def network() -> nn.Sequential:
    """Return the network from (n, 3, h, w) pictures to (n, OUTPUTS, h / 4, w / 4) outputs."""

    def conv(a: int, b: int, stride: int = 1, wide: int = 1) -> list[nn.Module]:
        return [nn.Conv2d(a, b, 3, stride, wide, wide), nn.BatchNorm2d(b), nn.ReLU()]

    return nn.Sequential(
        *conv(3, 16, 2), *conv(16, 32, 2), *conv(32, 32), *conv(32, 32, wide=2), *conv(32, 32, wide=3),
        nn.Conv2d(32, 48, 1), nn.ReLU(), nn.Conv2d(48, OUTPUTS, 1),
    )  # fmt: skip


def truth_of(dice: list, size: tuple[int, int]) -> Truth:
    """Return the truth of a drawn scene of this width and height."""

    def asked(die) -> bool:
        x, y = die.centre
        near = min(x, y, size[0] - x, size[1] - y)
        return die.aslant_deg < 40 and near > 0.9 * die.half_px and die.visible > VISIBLE

    return Truth(
        np.array([d.centre for d in dice]).reshape(-1, 2),
        np.array([d.along for d in dice]).reshape(-1, 2),
        np.array([d.across for d in dice]).reshape(-1, 2),
        np.array([d.face for d in dice], np.int64),
        np.array([asked(d) for d in dice], bool),
        np.ones(len(dice), bool),
    )


def of_scene(seed: int, made: MadeScene) -> list[Window]:
    """Return windows of one made scene."""
    pixels, dice = made(seed)
    return windows(pixels, truth_of(dice, pixels.shape[1::-1]), np.random.default_rng(seed), WINDOWS)


def of_scenes(made: MadeScene, seeds: range) -> list[Window]:
    """Return windows of the scenes with these seeds."""
    with Pool(initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        return [window for part in pool.imap(partial(of_scene, made=made), seeds, 8) for window in part]


def varied(x: torch.Tensor, t: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return pictures and their labels, turned, mirrored, recoloured, blurred and with noise, at random."""
    n = len(x)
    if torch.rand(()) < 0.5:
        x, t = x.flip(3), t.flip(3).clone()
        t[:, [2, 6, 8]] *= -1
    if torch.rand(()) < 0.5:
        x, t = x.flip(2), t.flip(2).clone()
        t[:, [3, 6, 8]] *= -1
    if torch.rand(()) < 0.5:  # mirrored at the diagonal
        x, t = x.transpose(2, 3), t.transpose(2, 3).clone()
        t[:, [2, 3]] = t[:, [3, 2]]
        t[:, 5] *= -1
        t[:, 8] *= -1
    x = x[:, torch.randperm(3)]
    sign = torch.where(torch.rand(n) < 0.35, -1.0, 1.0)[:, None, None, None]
    x = x * sign * torch.exp(torch.randn(n, 1, 1, 1) * 0.25) + torch.randn(n, 3, 1, 1) * 0.25
    grey = x.mean(1, keepdim=True)
    x = torch.lerp(x, grey.expand_as(x), (torch.rand(n) < 0.15).float()[:, None, None, None])
    soft = nn.functional.avg_pool2d(x, 3, 1, 1, count_include_pad=False)
    x = torch.lerp(x, soft, (torch.rand(n, 1, 1, 1) < 0.2) * torch.rand(n, 1, 1, 1))
    return (x + torch.randn_like(x) * torch.rand(n, 1, 1, 1) * 0.12).clamp(-2.2, 2.2), t


def loss_of(said: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
    """Return the loss: a focal loss for middles, smooth errors of place and shape, cross entropy of faces."""
    odds, here, counts = said[:, 0], t[:, 0], t[:, 1]
    p = torch.sigmoid(odds).clamp(1e-5, 1 - 1e-5)
    sure = here > 0.999
    hit = -((1 - p) ** 2) * torch.log(p) * sure
    miss = -((1 - here) ** 4) * p**2 * torch.log(1 - p) * ~sure
    dice = sure.sum().clamp(min=1)
    loss = ((hit + miss) * counts).sum() / dice
    known = (t[:, 9] > 0) & t[:, 2].isfinite()
    if known.any():
        error = said[:, 1:8].permute(0, 2, 3, 1)[known] - t[:, 2:9].permute(0, 2, 3, 1)[known]
        weight = torch.tensor([1.0, 1.0, 3.0, 3.0, 3.0, 0.5, 0.5])
        off = nn.functional.smooth_l1_loss(error, torch.zeros_like(error), beta=0.1, reduction="none")
        loss = loss + (off * weight).mean() * 2
    faced = t[:, 9] > 0
    if faced.any():
        loss = loss + 0.5 * nn.functional.cross_entropy(
            said[:, 8:14].permute(0, 2, 3, 1)[faced], t[:, 9][faced].long() - 1
        )
    return loss


def trained(parts: list[Window], epochs: float, seed: int) -> nn.Module:
    """Return a network trained on windows."""
    torch.manual_seed(seed)
    model = network()
    x = torch.from_numpy(np.stack([part[0] for part in parts])).permute(0, 3, 1, 2)
    t = torch.from_numpy(np.stack([part[1] for part in parts]))
    side = SIDE - SPARE * STRIDE

    def loss_at(index: torch.Tensor) -> torch.Tensor:
        i, j = (int(n) for n in torch.randint(0, SPARE + 1, (2,)))
        part, right = x[index, :, i * STRIDE :, j * STRIDE :], t[index, :, i:, j:]
        pictures, right = varied(
            (part[:, :, :side, :side].float() - 128) / 64, right[:, :, : side // STRIDE, : side // STRIDE].float()
        )
        return loss_of(model(pictures).float(), right)

    return learnt(model, len(x), BATCH, epochs, RATE, loss_at)


def tell(model: Callable[[torch.Tensor], torch.Tensor], name: str, parts: list[Window]) -> list[bool]:
    """Print the shares of found and false middles, and the errors of shapes. Return which windows have no error."""
    clean: list[bool] = []
    found = asked = extra = right = 0
    off, sizes = [], []
    with torch.no_grad():
        for k in range(0, len(parts), 32):
            x = torch.from_numpy(np.stack([p[0] for p in parts[k : k + 32]])).permute(0, 3, 1, 2)
            t = np.stack([p[1] for p in parts[k : k + 32]]).astype(np.float32)
            said = model((x.float() - 128) / 64).numpy()
            p = 1 / (1 + np.exp(-said[:, 0]))
            top = np.stack([cv2.dilate(one, np.ones((3, 3), np.uint8)) for one in p])
            middle = t[:, 0] > 0.999
            asked += int(middle.sum())
            good = middle & (top > 0.3)
            found += int(good.sum())
            right += int((said[:, 8:].argmax(1) + 1 == t[:, 9])[good].sum())
            phantom = (p == top) & (p > 0.3) & (t[:, 0] < 0.05) & (t[:, 1] > 0)
            extra += int(phantom.sum())
            clean += (~(phantom | (middle & ~good)).any((1, 2))).tolist()
            error = np.abs(said[:, 1:8] - t[:, 2:9]).transpose(0, 2, 3, 1)[good]
            off += np.hypot(error[:, 0], error[:, 1]).tolist()
            sizes += error[:, 2].tolist()
    sys.stdout.write(
        f"{name}\n  middles found      {share(found, asked)}\n  their faces right  {share(right, found)}\n"
    )
    sys.stdout.write(f"  else taken for one {extra} in {len(parts)} windows\n")
    sys.stdout.write(f"  place off, cells   {spread(off, 2)}\n  size off, log      {spread(sizes, 3)}\n")
    sys.stdout.flush()
    return clean


def write(model: nn.Module, target: Path) -> None:
    """Write the network as ONNX, for pictures of any size that STRIDE divides."""
    names = {"input_names": ["picture"], "output_names": ["cells"]}
    axes = {"picture": {2: "h", 3: "w"}, "cells": {2: "rows", 3: "columns"}}
    torch.onnx.export(model, (torch.zeros(1, 3, 64, 64),), str(target), dynamo=False, dynamic_axes=axes, **names)
