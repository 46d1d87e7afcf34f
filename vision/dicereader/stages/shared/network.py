"""Run the small networks with ONNX Runtime, on the caller's thread; several threads may run one at once."""

from functools import lru_cache
from pathlib import Path

import numpy as np
import onnxruntime

from dicereader.data.arrays import Floats, Values

MODELS = Path(__file__).parents[2] / "models"
"""The folder with the weights of the networks and of the formulas."""

BATCH = 16
"""Crops that a network is given at a time: more take more memory, and more time each."""


def run(weights: Path, batch: Values) -> Values:
    """Return the output of a network for a batch; both have the shapes that its file of weights says."""
    session = _session(weights)
    (output,) = session.run(None, {session.get_inputs()[0].name: batch})
    return np.asarray(output, np.float32)


def run_on_crops(weights: Path, crops: Values, outputs: int) -> Floats:
    """Return a network's outputs (n, outputs) for n crops."""
    found = np.empty((len(crops), outputs))
    for first in range(0, len(crops), BATCH):
        part = slice(first, first + BATCH)
        found[part] = run(weights, crops[part]).reshape(-1, outputs)
    return found


@lru_cache(maxsize=4)
def _session(weights: Path) -> "onnxruntime.InferenceSession":
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Its arena would keep the memory of the largest picture.
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False
    return onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
