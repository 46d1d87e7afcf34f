"""The training loop of a network: batches in random order, a rate that rises and falls, and regular lines of progress.

One process on each core learns from a part of every batch, and all processes take the mean of their gradients.
Convolutions run with the channels last and, where the processor has such instructions, in bfloat16: that halves the
time of a step.
"""

import os
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from torch import distributed, nn

Loss = Callable[[torch.Tensor], torch.Tensor]
"""The loss of a batch by the indices of its examples."""

BFLOAT16 = torch.cpu._is_avx512_bf16_supported()
"""Whether the processor multiplies bfloat16 in one instruction."""

TOLD_EVERY = 200
"""Steps from one line about the loss to the next."""


def learnt(
    model: nn.Module,
    examples: int,
    batch: int,
    epochs: float,
    rate: float,
    loss_of: Loss,
) -> nn.Module:
    """Return the model after `epochs` epochs of `examples` examples."""
    cores = len(os.sched_getaffinity(0))
    steps = int(epochs * examples / batch)
    model.to(memory_format=torch.channels_last)
    with TemporaryDirectory() as folder:

        def learn(rank: int) -> None:
            meeting = f"file://{Path(folder) / 'meeting'}"
            distributed.init_process_group("gloo", init_method=meeting, rank=rank, world_size=cores)
            torch.manual_seed(torch.initial_seed() + rank)
            _learn(model, examples, batch // cores, steps, rate, loss_of)
            distributed.destroy_process_group()

        # Forked processes share the examples without a copy.
        others = [get_context("fork").Process(target=learn, args=(rank,), daemon=True) for rank in range(1, cores)]
        for other in others:
            other.start()
        learn(0)
        for other in others:
            other.join()
    return model.to(memory_format=torch.contiguous_format).eval()


def _learn(
    model: nn.Module,
    examples: int,
    batch: int,
    steps: int,
    rate: float,
    loss_of: Callable[[torch.Tensor], torch.Tensor],
) -> None:
    first = distributed.get_rank() == 0
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps + 1)
    order, at, total, begin = torch.randperm(examples), 0, 0.0, time.monotonic()
    model.train()
    for step in range(1, steps + 1):
        if at + batch > examples:
            order, at = torch.randperm(examples), 0
        with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
            loss = loss_of(order[at : at + batch])
        at += batch
        optimiser.zero_grad()
        loss.backward()
        _take_the_mean(model)
        optimiser.step()
        schedule.step()
        total += loss.item()
        if first and step % TOLD_EVERY == 0:
            took = time.monotonic() - begin
            sys.stdout.write(f"  step {step} of {steps}: loss {total / TOLD_EVERY:.3f}, {took:.0f} s\n")
            sys.stdout.flush()
            total = 0.0


def _take_the_mean(model: nn.Module) -> None:
    """Set each weight's gradient to the mean over all processes."""
    slopes = [weight.grad for weight in model.parameters() if weight.grad is not None]
    together = torch.cat([slope.flatten() for slope in slopes])
    distributed.all_reduce(together)
    together /= distributed.get_world_size()
    at = 0
    for slope in slopes:
        slope.copy_(together[at : at + slope.numel()].view_as(slope))
        at += slope.numel()
