"""What the classes in :mod:`neurogauge.metrics.classes` are made of: ``torchmetrics.Metric`` where it is installed, and
elsewhere the part of it that works without PyTorch."""

from __future__ import annotations

import copy
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

Self = TypeVar("Self", bound="PlainBase")


class PlainBase:
    """State, calls and copies as of ``torchmetrics.Metric``; the state is a record of each batch, as bytes."""

    def __init__(self, *, sync_on_compute: bool = True) -> None:
        self.sync_on_compute = sync_on_compute
        self.batches: list[Any] = []

    def update(self, reference: Any, reconstruction: Any) -> None:
        raise NotImplementedError

    def compute(self) -> Any:
        raise NotImplementedError

    def forward(self, reference: Any, reconstruction: Any) -> Any:
        """Takes in a batch, and gives the value of this batch alone. Calling the metric does the same."""
        before, syncs = self.batches, self.sync_on_compute
        self.batches, self.sync_on_compute = [], False
        try:
            self.update(reference, reconstruction)
            return self.compute()
        finally:
            self.batches, self.sync_on_compute = before + self.batches, syncs

    def __call__(self, reference: Any, reconstruction: Any) -> Any:
        return self.forward(reference, reconstruction)

    def reset(self) -> None:
        """Forgets all batches."""
        self.batches = []

    def clone(self: Self) -> Self:
        """A copy that is independent from then on."""
        return copy.deepcopy(self)

    def _as_state(self, content: bytes) -> Any:
        return content

    def _as_value(self, mean: float) -> Any:
        return mean

    def _content(self, batches: Any) -> bytes:
        return b"".join(batches)

    def _of_all_processes(self) -> Any:
        """The batches of all processes, one process after the other."""
        distributed: Any = getattr(sys.modules.get("torch"), "distributed", None)
        is_alone = distributed is None or not distributed.is_available() or not distributed.is_initialized()
        if is_alone or not self.sync_on_compute:
            return self.batches
        batches: list[Any] = [None] * distributed.get_world_size()
        distributed.all_gather_object(batches, self.batches)
        return [batch for of_process in batches for batch in of_process]

    def _merge(self, incoming: PlainBase) -> None:
        self.batches.extend(incoming.batches)


if TYPE_CHECKING:
    Base = PlainBase
    OPTIONS: Sequence[str] = ()
else:
    try:
        from .._torchmetrics import OPTIONS
        from .._torchmetrics import TorchBase as Base
    except ImportError:
        Base = PlainBase
        OPTIONS = ("sync_on_compute",)
