"""What the classes in :mod:`neurogauge.metrics.classes` share: batches, their results, merging."""

from __future__ import annotations

import inspect
import io
import json
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from .. import _neurogauge
from .._arrays import Floats, rows_of_pairs
from .._concatenation import concat
from .._errors import DataError, UsageError
from .._result import INTERVALS, Result, bootstrap, summed_up
from ._metric_base import OPTIONS, Base

Self = TypeVar("Self", bound="Metric")
Rows = tuple[Floats, Floats]

_FEWEST_RESAMPLES = 2


class Metric(Base):
    """What all of them share. Where torchmetrics is installed, each is a ``torchmetrics.Metric``.

    Args:
        options: those of the function, and ``sync_on_compute``: where ``torch.distributed`` is initialised,
            ``compute`` is of the batches of all processes, one process after the other. Where torchmetrics is
            installed, also the other options of its metrics.

    Attributes:
        result: the :class:`~neurogauge.Result` of the last ``compute`` or ``forward``, with interval and undefined
            pairs; None before.

    Raises:
        UsageError: for an option that the function does not have.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (6, 16, 16, 3), dtype=np.uint8)
        >>> decoded = stimuli.copy()[::-1]
        >>> metric = ng.metrics.classes.Ssim(pixel_size=None)
        >>> for batch in (slice(0, 4), slice(4, 6)):
        ...     metric.update(stimuli[batch], decoded[batch])
        >>> float(metric.compute()) == metric.result.mean == ng.metrics.ssim(stimuli, decoded, pixel_size=None).mean
        True
    """

    function: ClassVar[Callable[..., Result]]
    # Number of arrays that are kept of a batch.
    _N_KEPT: ClassVar[int] = 2

    def __init__(self, **options: Any) -> None:
        known = list(inspect.signature(self.function).parameters)[2:]
        for name in options:
            if name not in (*known, *OPTIONS):
                raise UsageError(f"{type(self).__name__} has no option {name!r}; it has {', '.join(known)}")
        super().__init__(**{name: options.pop(name) for name in OPTIONS if name in options})
        if "progress" in known:
            options.setdefault("progress", False)
        self.options = options
        self.result: Result | None = None

    def update(self, reference: Any, reconstruction: Any) -> None:
        """Takes in a batch.

        Args:
            reference: as for the function: what was seen.
            reconstruction: what was decoded, item i of both being a pair.

        Raises:
            DataError, UsageError: as the function.
        """
        content = io.BytesIO()
        for array in self._kept(self._seen(reference, reconstruction)):
            np.save(content, array, allow_pickle=False)
        self.batches.append(self._as_state(content.getvalue()))

    def compute(self) -> Any:
        """The mean over all pairs since the last ``reset``, NaN where there is none: a tensor where torchmetrics is
        installed, else a number. ``result`` has the rest; pairs are called by their places.

        Raises:
            UsageError: before the first batch.
        """
        state = self._read(self._of_all_processes())
        if not state:
            raise UsageError(f"{type(self).__name__} has seen no batch; call update before compute")
        self.result = self._result(state)
        return self._as_value(self.result.mean)

    def merge_state(self: Self, incoming: Self) -> None:
        """Takes in all batches of another metric of this class, such as that of another process, behind the own ones.

        Raises:
            UsageError: for one of another class, or with other options.
        """
        if type(incoming) is not type(self):
            raise UsageError(f"a {type(incoming).__name__} cannot be merged into a {type(self).__name__}")
        if repr(incoming) != repr(self):
            raise UsageError(f"{incoming!r} cannot be merged into {self!r}: they have other options")
        self._merge(incoming)

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

    def _seen(self, reference: Any, reconstruction: Any) -> Any:
        raise NotImplementedError

    def _result(self, state: list[Any]) -> Result:
        raise NotImplementedError

    def _kept(self, seen: Any) -> Sequence[npt.NDArray[Any]]:
        """What is kept of a batch as arrays, as many as ``_N_KEPT``."""
        raise NotImplementedError

    def _restored(self, arrays: Sequence[npt.NDArray[Any]]) -> Any:
        """What was kept of a batch, from its arrays."""
        raise NotImplementedError

    def _read(self, batches: Any) -> list[Any]:
        """What was kept of these batches."""
        content = io.BytesIO(self._content(batches))
        end, found = content.getbuffer().nbytes, []
        while content.tell() < end:
            found.append(self._restored([np.load(content, allow_pickle=False) for _ in range(self._N_KEPT)]))
        return found


class OfPairs(Metric):
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


class OfAll(Metric):
    """A metric that needs the features of all pairs at once, so these are kept."""

    def _seen(self, reference: Any, reconstruction: Any) -> Rows:
        rows = rows_of_pairs(reference, reconstruction)
        for before, _ in self._read(self.batches[:1]):
            if rows[0].shape[1] != before.shape[1]:
                raise DataError(
                    f"rows of {rows[0].shape[1]} features; those of the batches before have {before.shape[1]}"
                )
        return rows

    def _result(self, state: list[Rows]) -> Result:
        sides = [np.concatenate(side) for side in zip(*state, strict=True)]
        return type(self).function(*sides, **self.options)

    def _kept(self, seen: Rows) -> Sequence[npt.NDArray[Any]]:
        return seen

    def _restored(self, arrays: Sequence[npt.NDArray[Any]]) -> Rows:
        first, second = arrays
        return first, second
