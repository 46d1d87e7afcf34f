"""Train the network of `dicereader.stages.shared.whole_die` on crops of dice, and of places that resemble dice."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(Path(__file__).parent.parent))

import closeup_training
from closeup_training import conv, varied
from closeups import Examples
from figures import share, spread
from learning import learnt

from dicereader.stages.shared.crops import WHOLE_DIE
from dicereader.stages.shared.whole_die import OUTPUTS, SLANT

RATE, BATCH = 6e-3, 256
"""The highest learning rate, and the crops in a batch."""

LEAST_ERROR = 0.01
"""The smallest error, a sine, that the network may expect: the labels are no more accurate."""

OF_CLASSES = 1.5
"""Weight of the classes' loss beside that of the slants."""


def network() -> nn.Sequential:
    """Return the network from (n, 3, 56, 56) crops to (n, OUTPUTS, 1, 1) outputs."""
    return nn.Sequential(
        *conv(3, 16), nn.MaxPool2d(2), *conv(16, 32), nn.MaxPool2d(2), *conv(32, 48), *conv(48, 64), nn.MaxPool2d(2),
        *conv(64, 96), *conv(96, 96), *conv(96, 96, 7), nn.Conv2d(96, OUTPUTS, 1),
    )  # fmt: skip


def loss_of(said: torch.Tensor, kinds: torch.Tensor, slant: torch.Tensor) -> torch.Tensor:
    """Return the loss of crops: cross entropy of the classes, and what `slant_loss` says of the known slants (n, 2)."""
    loss = OF_CLASSES * nn.functional.cross_entropy(said[:, SLANT:], kinds, label_smoothing=0.01)
    told = (kinds > 0) & slant.isfinite().all(1)
    return loss + slant_loss(said[told], slant[told]) * told.float().mean() if told.any() else loss


def slant_loss(said: torch.Tensor, slant: torch.Tensor) -> torch.Tensor:
    """Return the negative log likelihood of slants (n, 2) whose errors' lengths have the expected mean (Laplace)."""
    off = torch.sqrt(((said[:, :2] - slant) ** 2).sum(1) + LEAST_ERROR**2)
    expected = said[:, 2].clamp(float(np.log(LEAST_ERROR)), 1.0)
    return (off * torch.exp(-expected) + 2 * expected).mean()


def trained(examples: Examples, epochs: float, seed: int) -> nn.Module:
    """Return a network trained on examples."""
    torch.manual_seed(seed)
    x, y, t = (torch.from_numpy(part) for part in examples)
    y = y.long()
    model = network()

    def loss_at(index: torch.Tensor) -> torch.Tensor:
        crops, known = varied(x[index].float(), t[index])
        return loss_of(model(crops).flatten(1).float(), y[index], known[:, :2])

    return learnt(model, len(x), BATCH, epochs, RATE, loss_at)


def tell(model: Callable[[torch.Tensor], torch.Tensor], name: str, examples: Examples) -> list[bool]:
    """Print the shares of right and false faces, and the errors of the slants. Return which crops are right."""
    with torch.no_grad():
        said = torch.cat([model(part.float()) for part in torch.from_numpy(examples[0]).split(1024)]).flatten(1).numpy()
    best, y = said[:, SLANT:].argmax(1), examples[1]
    face = y > 0
    known = face & np.isfinite(examples[2]).all(1)
    off = np.hypot(*(said[known, :2] - examples[2][known, :2]).T)
    sys.stdout.write(f"{name}\n  faces told right     {share(int((best == y)[face].sum()), int(face.sum()))}\n")
    sys.stdout.write(f"  nothing, yet a face  {share(int((best > 0)[~face].sum()), int((~face).sum()))}\n")
    sys.stdout.write(f"  slant off, degrees   {spread(np.degrees(off).tolist(), 1)}\n")
    sys.stdout.write(f"  expected, degrees    {spread(np.degrees(np.exp(said[known, 2])).tolist(), 1)}\n")
    sys.stdout.flush()
    return [bool(each) for each in best == y]


def write(model: nn.Module, target: Path) -> None:
    """Write the network as ONNX, for any number of crops."""
    closeup_training.write(model, target, WHOLE_DIE)
