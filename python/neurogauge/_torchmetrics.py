"""What the classes in :mod:`neurogauge.metrics.classes` are made of where torchmetrics is installed. Imported only
there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torchmetrics
from torchmetrics.utilities import dim_zero_cat


class TorchBase(torchmetrics.Metric):
    """A ``torchmetrics.Metric`` whose state is a record of each batch, as bytes: they move with the metric to its
    device, and torchmetrics gathers them from all processes in their order, so that ``compute`` covers the pairs of
    all processes."""

    full_state_update = False
    is_differentiable = False

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.batches: Any
        self.add_state("batches", default=[], dist_reduce_fx="cat")

    def _as_state(self, content: bytes) -> Any:
        return torch.from_numpy(np.frombuffer(content, np.uint8).copy()).to(self.device)

    def _as_value(self, mean: float) -> Any:
        # Metal has no numbers of 64 bits.
        dtype = torch.float32 if str(self.device).startswith("mps") else torch.float64
        return torch.tensor(mean, dtype=dtype, device=self.device)

    def _content(self, batches: Any) -> bytes:
        # After gathering from several processes, the state is a single tensor.
        is_empty = isinstance(batches, list) and not batches
        return b"" if is_empty else dim_zero_cat(batches).cpu().numpy().tobytes()

    def _of_all_processes(self) -> Any:
        # torchmetrics gathers them before it calls compute.
        return self.batches

    def _merge(self, incoming: TorchBase) -> None:
        self.batches.extend(incoming.batches)
        self._update_count += incoming._update_count
        self._computed = None


OPTIONS: Sequence[str] = (
    "compute_on_cpu",
    "dist_sync_on_step",
    "process_group",
    "dist_sync_fn",
    "distributed_available_fn",
    "sync_on_compute",
    "compute_with_cache",
)
