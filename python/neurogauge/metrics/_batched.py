"""What the classes in :mod:`neurogauge.metrics.classes` share: state, merging, gathering from processes."""

from __future__ import annotations

import copy
import inspect
import json
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from .. import _neurogauge
from .._arrays import Floats, rows_of_pairs
from .._concatenation import concat
from .._errors import DataError, UsageError
from .._result import INTERVALS, Result, bootstrap, summed_up

if TYPE_CHECKING:
    from .._torchmetrics import TorchMetric

State = TypeVar("State")
Self = TypeVar("Self", bound="Metric[Any]")
Rows = tuple[Floats, Floats]

_FEWEST_RESAMPLES = 2


class Metric(Generic[State]):
    """What all of them share.

    Args:
        sync_on_compute: where ``torch.distributed`` is initialised, ``compute`` is of the batches of all processes, one
        process
            after the other.
        options: those of the function.

    Raises:
        UsageError: for an option that the function does not have.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (6, 16, 16, 3), dtype=np.uint8)
        >>> decoded = stimuli.copy()[::-1]
        >>> metric = ng.metrics.classes.Ssim(pixel_size=None)
        >>> for batch in (slice(0, 4), slice(4, 6)):
        ...     metric.update(stimuli[batch], decoded[batch])
        >>> metric.compute().mean == ng.metrics.ssim(stimuli, decoded, pixel_size=None).mean
        True
    """

    function: ClassVar[Callable[..., Result]]
    # Number of arrays that are kept of a batch.
    _N_KEPT: ClassVar[int] = 2

    def __init__(self, *, sync_on_compute: bool = True, **options: Any) -> None:
        known = list(inspect.signature(self.function).parameters)[2:]
        for name in options:
            if name not in known:
                raise UsageError(f"{type(self).__name__} has no option {name!r}; it has {', '.join(known)}")
        if "progress" in known:
            options.setdefault("progress", False)
        self.options = options
        self.sync_on_compute = sync_on_compute
        self.state: list[State] = []

    def update(self, reference: Any, reconstruction: Any) -> None:
        """Takes in a batch.

        Args:
            reference: as for the function: what was seen.
            reconstruction: what was decoded, item i of both being a pair.

        Raises:
            DataError, UsageError: as the function.
        """
        self.state.append(self._seen(reference, reconstruction))

    def compute(self) -> Result:
        """The result of all batches since the last ``reset``; pairs are called by their places.

        Raises:
            UsageError: before the first batch.
        """
        state = self._of_all_processes() if self.sync_on_compute else self.state
        if not state:
            raise UsageError(f"{type(self).__name__} has seen no batch; call update before compute")
        return self._result(state)

    def forward(self, reference: Any, reconstruction: Any) -> Result:
        """Takes in a batch, and gives the result of this batch alone. Calling the metric does the same."""
        seen = self._seen(reference, reconstruction)
        self.state.append(seen)
        return self._result([seen])

    def __call__(self, reference: Any, reconstruction: Any) -> Result:
        return self.forward(reference, reconstruction)

    def reset(self) -> None:
        """Forgets all batches."""
        self.state = []

    def merge_state(self: Self, incoming: Self) -> None:
        """Takes in all batches of another metric of this class, such as that of another process, behind the own ones.

        Raises:
            UsageError: for one of another class, or with other options.
        """
        if type(incoming) is not type(self):
            raise UsageError(f"a {type(incoming).__name__} cannot be merged into a {type(self).__name__}")
        if repr(incoming) != repr(self):
            raise UsageError(f"{incoming!r} cannot be merged into {self!r}: they have other options")
        self.state.extend(incoming.state)

    def clone(self: Self) -> Self:
        """A copy that is independent from then on."""
        return copy.deepcopy(self)

    def as_torchmetrics(self, **options: Any) -> TorchMetric:
        """This metric, without its batches, as a ``torchmetrics.Metric``. Needs torchmetrics.

        ``update`` and ``forward`` take stimuli and reconstructions, in this order. ``compute`` gives the mean as a
        tensor, and ``result`` is then the whole :class:`~neurogauge.Result`. It moves with ``.to``, joins a
        ``MetricCollection``, is gathered from the processes of a distributed run, and is logged by Lightning:
        ``self.log("ssim", metric)``.

        Args:
            options: of ``torchmetrics.Metric``, such as ``sync_on_compute=False`` or ``compute_on_cpu=True``.

        Raises:
            ImportError: where torchmetrics is not installed.
        """
        try:
            from .._torchmetrics import TorchMetric
        except ImportError as error:
            raise ImportError(
                f"{type(self).__name__}.as_torchmetrics() needs torchmetrics, which is not installed: pip install torchmetrics. The "
                "metric itself has update, compute and reset without it"
            ) from error
        return TorchMetric(self, **options)

    @property
    def higher_is_better(self) -> bool:
        """Which direction is better."""
        return _neurogauge.metric_spec(self._id())["direction"] == "higher"

    def __repr__(self) -> str:
        words = ", ".join(
            f"{name}={value!r}" for name, value in self.options.items() if (name, value) != ("progress", False)
        )
        return f"{type(self).__name__}({words})"

    def _id(self) -> str:
        return self.function.__name__

    def _seen(self, reference: Any, reconstruction: Any) -> State:
        raise NotImplementedError

    def _result(self, state: list[State]) -> Result:
        raise NotImplementedError

    def _kept(self, seen: State) -> Sequence[npt.NDArray[Any]]:
        """What is kept of a batch as arrays, as many as ``_N_KEPT``."""
        raise NotImplementedError

    def _restored(self, arrays: Sequence[npt.NDArray[Any]]) -> State:
        """What was kept of a batch, from its arrays."""
        raise NotImplementedError

    def _of_all_processes(self) -> list[State]:
        distributed = getattr(sys.modules.get("torch"), "distributed", None)
        if distributed is None or not distributed.is_available() or not distributed.is_initialized():
            return self.state
        states: list[Any] = [None] * distributed.get_world_size()
        distributed.all_gather_object(states, self.state)
        return [seen for state in states for seen in state]


class OfPairs(Metric[Result]):
    """A metric of single pairs, of which the batches' results are kept."""

    def _seen(self, reference: Any, reconstruction: Any) -> Result:
        return type(self).function(reference, reconstruction, **{**self.options, "resamples": _FEWEST_RESAMPLES})

    def _result(self, state: list[Result]) -> Result:
        over = {name: self.options[name] for name in INTERVALS if name in self.options}
        return concat(state, **over)

    def _kept(self, seen: Result) -> Sequence[npt.NDArray[Any]]:
        words = {
            "metric": seen.metric,
            "chance": seen.chance,
            "stand_in": seen.stand_in,
            "undefined": list(seen.undefined.items()),
        }
        return seen.per_pair, np.array(json.dumps(words))

    def _restored(self, arrays: Sequence[npt.NDArray[Any]]) -> Result:
        values, words = arrays
        found = json.loads(str(words))
        reasons = [(place, reason) for place, reason in found["undefined"]]
        over = bootstrap({"resamples": _FEWEST_RESAMPLES})
        return summed_up(found["metric"], (values, reasons), over, chance=found["chance"], stand_in=found["stand_in"])


class OfAll(Metric[Rows]):
    """A metric that needs the features of all pairs at once, so these are kept."""

    def _seen(self, reference: Any, reconstruction: Any) -> Rows:
        # Copied, since the caller may change the memory before the features are compared.
        first, second = rows_of_pairs(reference, reconstruction)
        if self.state and first.shape[1] != self.state[0][0].shape[1]:
            raise DataError(
                f"rows of {first.shape[1]} features; those of the batches before have {self.state[0][0].shape[1]}"
            )
        return first.copy(), second.copy()

    def _result(self, state: list[Rows]) -> Result:
        sides = [np.concatenate(side) for side in zip(*state, strict=True)]
        return type(self).function(*sides, **self.options)

    def _kept(self, seen: Rows) -> Sequence[npt.NDArray[Any]]:
        return seen

    def _restored(self, arrays: Sequence[npt.NDArray[Any]]) -> Rows:
        first, second = arrays
        return first, second
