"""The loop in which a network learns: batches in another order each time, a rate that rises and falls, and a word now
and then."""

import sys
import time
from collections.abc import Callable

import torch
from torch import nn

TOLD_EVERY = 200
"""Steps from one line about the loss to the next."""


def learnt(
    model: nn.Module,
    examples: int,
    batch: int,
    epochs: float,
    rate: float,
    loss_of: Callable[[torch.Tensor], torch.Tensor],
) -> nn.Module:
    """The model after so many epochs of that many examples; `loss_of` gives the loss of a batch by its indices."""
    steps = int(epochs * examples / batch)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps + 1)
    order, at, total, begin = torch.randperm(examples), 0, 0.0, time.monotonic()
    model.train()
    for step in range(1, steps + 1):
        if at + batch > examples:
            order, at = torch.randperm(examples), 0
        loss = loss_of(order[at : at + batch])
        at += batch
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        total += loss.item()
        if step % TOLD_EVERY == 0:
            took = time.monotonic() - begin
            sys.stdout.write(f"  step {step} of {steps}: loss {total / TOLD_EVERY:.3f}, {took:.0f} s\n")
            sys.stdout.flush()
            total = 0.0
    return model.eval()
