"""Train the network of `dicereader.stages.network`: `make train`, or `python bench/training/train_network.py`.

Draws scenes (`scenes.py`), crops what the reader would look at (`examples.py`), adds photographs whose licence allows
it where the shared folder is there (development pictures only), trains, prints how well pictures are told that it was
not trained on (with `--leave-out` each photograph set left out once), and writes the ONNX file.
"""

import argparse
import sys
import time
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from examples import of_photograph, of_scene  # noqa: E402
from figures import share, spread  # noqa: E402
from picture_sets import LICENSED, all_sets  # noqa: E402

TARGET = HERE.parent.parent / "vision" / "dicereader" / "stages" / "faces.onnx"
CLASSES = 7
SLANT_WEIGHT = 2.0
"""What an error of the slant costs beside one of the class."""

Examples = tuple[np.ndarray, np.ndarray, np.ndarray]


def network() -> nn.Sequential:
    """From (n, 2, 32, 32) crops to (n, 9, 1, 1): the logarithms of how likely each class is, and the slant."""
    return nn.Sequential(
        nn.Conv2d(2, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(24, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 48, 4), nn.ReLU(),
        nn.Conv2d(48, CLASSES + 2, 1),
    )  # fmt: skip


def joined(parts: list[Examples]) -> Examples:
    """Several examples as one."""
    crops, kinds, slants = zip(*parts, strict=True)
    return np.concatenate(crops), np.concatenate(kinds), np.concatenate(slants)


def drawn(first: int, count: int) -> Examples:
    """Examples of drawn scenes with seeds from `first` on."""
    with Pool(initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        return joined(pool.map(of_scene, range(first, first + count), chunksize=8))


def photographed() -> dict[str, Examples]:
    """Examples of each licensed set's development pictures; empty where there is no shared folder."""
    found: dict[str, list[Examples]] = {}
    for each in all_sets():
        for picture in each.pictures if each.name in LICENSED else ():
            boxes = [die.box for die in picture.dice if die.box]
            if not picture.held_out and len(boxes) == len(picture.dice):
                found.setdefault(each.name, []).append(
                    of_photograph(picture.path, boxes, [die.face for die in picture.dice])
                )
    return {name: joined(parts) for name, parts in found.items()}


def varied(x: torch.Tensor, slant: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The crops turned, mirrored, moved, stretched, blurred and other contrast, each otherwise; and their slants."""
    n = len(x)
    turn = torch.randint(0, 4, (n,)) * (torch.pi / 2) + torch.randn(n) * 0.06
    scale = torch.exp(torch.randn(n) * 0.04)
    flip = torch.where(torch.rand(n) < 0.5, -1.0, 1.0)
    cos, sin = torch.cos(turn) * scale, torch.sin(turn) * scale
    move = torch.randn(n, 2) * 0.03
    affine = torch.stack(
        [torch.stack([cos * flip, -sin, move[:, 0]], 1), torch.stack([sin * flip, cos, move[:, 1]], 1)], 1
    )
    grid = nn.functional.affine_grid(affine, list(x.shape), align_corners=False)
    x = nn.functional.grid_sample(x, grid, padding_mode="border", align_corners=False)
    soft = nn.functional.avg_pool2d(x, 3, 1, 1)
    x = torch.where((torch.rand(n) < 0.25)[:, None, None, None], soft, x)
    x = x * torch.exp(torch.randn(n, 1, 1, 1) * 0.15) + torch.randn_like(x) * (torch.rand(n, 1, 1, 1) * 0.12)
    # The grid says where each place of the new crop was in the old one; directions go the other way.
    return x, torch.einsum("nij,ni->nj", affine[:, :, :2], slant) / scale[:, None]


def trained(examples: Examples, epochs: int, seed: int) -> nn.Sequential:
    """A network trained on examples."""
    torch.manual_seed(seed)
    model = network()
    x, y = torch.from_numpy(examples[0]), torch.from_numpy(examples[1]).long()
    slant = torch.from_numpy(examples[2])
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-3)
    batches = -(-len(x) // 256)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 6e-3, total_steps=epochs * batches)
    often = np.bincount(examples[1], minlength=CLASSES) + 1.0
    weight = torch.from_numpy((often.mean() / often) ** 0.4).float()
    loss_of = nn.CrossEntropyLoss(weight, label_smoothing=0.02)
    for _ in range(epochs):
        for batch in torch.randperm(len(x)).split(256):
            crops, there = varied(x[batch].float(), slant[batch])
            said = model(crops).flatten(1)
            known = (y[batch] > 0) & there.isfinite().all(1)
            loss = loss_of(said[:, :CLASSES], y[batch])
            if known.any():
                loss = loss + SLANT_WEIGHT * nn.functional.smooth_l1_loss(said[known, CLASSES:], there[known], beta=0.1)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    return model.eval()


def tell(model: nn.Sequential, name: str, examples: Examples) -> None:
    """Print how many faces are told right, and how often nothing is taken for a face."""
    with torch.no_grad():
        said = model(torch.from_numpy(examples[0]).float()).flatten(1).numpy()
    best, y = said[:, :CLASSES].argmax(1), examples[1]
    face, taken = y > 0, best > 0
    sys.stdout.write(f"{name}\n  faces told right     {share(int((best == y)[face].sum()), int(face.sum()))}\n")
    sys.stdout.write(f"  another face said    {share(int((taken & (best != y))[face].sum()), int(face.sum()))}\n")
    sys.stdout.write(f"  nothing, yet a face  {share(int(taken[y == 0].sum()), int((y == 0).sum()))}\n")
    known = face & np.isfinite(examples[2]).all(1)
    if known.any():
        off = np.degrees(np.hypot(*(said[known, CLASSES:] - examples[2][known]).T))
        sys.stdout.write(f"  slant off, degrees   {spread(off.tolist(), 1)}\n")
    sys.stdout.flush()


def write(model: nn.Sequential, target: Path) -> None:
    """Write the network as ONNX, for crops in any number."""
    crops = torch.zeros(2, 2, 32, 32)
    names = {"input_names": ["crops"], "output_names": ["classes"]}
    torch.onnx.export(
        model, (crops,), str(target), dynamo=False, dynamic_axes={"crops": {0: "n"}, "classes": {0: "n"}}, **names
    )


def main() -> int:
    """Make examples, train, print, and write."""
    parser = argparse.ArgumentParser(description="Train the network that tells faces apart.")
    parser.add_argument("--scenes", type=int, default=2500)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--cache", type=Path, help="examples of drawn scenes, kept between runs")
    parser.add_argument("--leave-out", action="store_true", help="also train without each photograph set, and tell it")
    parser.add_argument("--out", type=Path, default=TARGET)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    begin = time.monotonic()
    if arguments.cache and arguments.cache.exists():
        with np.load(arguments.cache) as kept:
            scenes = kept["x"], kept["y"], kept["slant"]
    else:
        scenes = drawn(1000, arguments.scenes)
        if arguments.cache:
            np.savez(arguments.cache, x=scenes[0], y=scenes[1], slant=scenes[2])
    photographs = photographed()
    unseen = drawn(0, 100)
    sys.stdout.write(f"{len(scenes[1])} crops drawn, {sum(len(y) for _, y, _ in photographs.values())} photographed\n")
    sys.stdout.write(f"  classes of those drawn: {sorted(Counter(scenes[1].tolist()).items())}\n")
    model = trained(scenes, arguments.epochs, 1)
    for name, examples in [("unseen scenes", unseen), *photographs.items()]:
        tell(model, f"{name}, trained on scenes alone", examples)
    for name, examples in photographs.items() if arguments.leave_out else ():
        others = [each for other, each in photographs.items() if other != name]
        tell(trained(joined([scenes, *others]), arguments.epochs, 1), f"{name}, left out", examples)
    if photographs:
        model = trained(joined([scenes, *photographs.values()]), arguments.epochs, 1)
        tell(model, "unseen scenes, trained on all", unseen)
    write(model, arguments.out)
    weights = sum(p.numel() for p in model.parameters())
    sys.stdout.write(f"{weights} weights in {arguments.out.name}, {time.monotonic() - begin:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
