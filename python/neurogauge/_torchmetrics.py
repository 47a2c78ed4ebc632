"""A metric of :mod:`neurogauge.metrics.classes` as a torchmetrics metric. Imported only if torchmetrics is
installed."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torchmetrics
from torchmetrics.utilities import dim_zero_cat

from ._errors import UsageError
from ._result import Result

if TYPE_CHECKING:
    from .metrics.classes import Metric


class TorchMetric(torchmetrics.Metric):
    """A metric of Neurogauge where one of torchmetrics is expected.

    Its state is the metric's record of each batch, as bytes: they move with the metric to its device, and torchmetrics
    gathers them from all processes in their order, so that ``compute`` covers the pairs of all processes.

    Attributes:
        metric: the metric of :mod:`neurogauge.metrics.classes`, with its options.
        result: the :class:`~neurogauge.Result` of the last ``compute`` or ``forward``, with interval and undefined
            pairs; None before.
    """

    full_state_update = False
    is_differentiable = False

    def __init__(self, metric: Metric[Any], **options: Any) -> None:
        super().__init__(**options)
        self.metric = metric.clone()
        self.metric.reset()
        self.result: Result | None = None
        self.batches: Any
        self.add_state("batches", default=[], dist_reduce_fx="cat")

    @property
    def higher_is_better(self) -> bool:
        """Which direction is better."""
        return self.metric.higher_is_better

    def update(self, reference: Any, reconstruction: Any) -> None:
        """Adds a batch: the items seen, then the items decoded."""
        content = io.BytesIO()
        for array in self.metric._kept(self.metric._seen(reference, reconstruction)):
            np.save(content, array, allow_pickle=False)
        kept = np.frombuffer(content.getvalue(), np.uint8).copy()
        self.batches.append(torch.from_numpy(kept).to(self.device))

    def compute(self) -> Any:
        """The mean over all pairs, NaN where there is none; ``result`` has the rest.

        Raises:
            UsageError: before the first batch.
        """
        # After gathering from several processes, the state is a single tensor.
        if isinstance(self.batches, list) and not self.batches:
            raise UsageError(f"{self.metric!r} has seen no batch; call update before compute")
        content = io.BytesIO(dim_zero_cat(self.batches).cpu().numpy().tobytes())
        end = content.getbuffer().nbytes
        state = []
        while content.tell() < end:
            arrays = [np.load(content, allow_pickle=False) for _ in range(self.metric._N_KEPT)]
            state.append(self.metric._restored(arrays))
        self.result = self.metric._result(state)
        return torch.tensor(self.result.mean, device=self.device)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.metric!r})"
