"""Metrics of the user's own."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, SupportsFloat, TypeVar, overload

import numpy as np
import numpy.typing as npt

from . import _neurogauge
from ._arrays import vector
from ._errors import DataError, UsageError
from ._options import Unpack
from ._progress import Progress
from ._result import Bootstrap, IntervalOptions, Result, bootstrap, names_of, some, summed_up

if TYPE_CHECKING:
    from ._run import Run

# The function's arguments: an item of the reference and one of the reconstruction.
Seen = TypeVar("Seen")
Decoded = TypeVar("Decoded")
Function = Callable[[Seen, Decoded], "SupportsFloat | None"]

_REGISTERED: dict[str, OwnMetric[Any, Any]] = {}


class OwnMetric(Generic[Seen, Decoded]):
    """A metric that :func:`register_metric` made: called with two sides it gives a :class:`~neurogauge.Result`.

    Attributes:
        id: its name.
        function: gives the value of a pair, or None if there are only columns.
    """

    def __init__(self, id: str, function: Function[Seen, Decoded] | None) -> None:
        self.id = id
        self.function = function

    def __repr__(self) -> str:
        return f"<metric {self.id}>"

    def __call__(
        self,
        reference: Iterable[Seen],
        reconstruction: Iterable[Decoded],
        *,
        pairs: Sequence[str] | None = None,
        **intervals: Unpack[IntervalOptions],
    ) -> Result:
        """Its value for each pair, their mean and the interval.

        Args:
            reference: the items seen, one after the other, in the function's form.
            reconstruction: the items decoded.
            pairs: names of the pairs; their places if not given.
            intervals: of the interval.

        Raises:
            DataError: for another number of items on the two sides, or a value out of the metric's range.
            UsageError: for a metric without a function.
        """
        if self.function is None:
            raise UsageError(f"{self.id} was registered without a function; {self.id}.of(values) takes a column")
        if isinstance(reference, str) or isinstance(reconstruction, str):
            raise DataError("a text; expected an item for each pair")
        sides = list(reference), list(reconstruction)
        if len(sides[0]) != len(sides[1]):
            raise DataError(f"reference has {len(sides[0])} items and reconstruction {len(sides[1])}; expected as many")
        values = [self._value(one, other) for one, other in zip(*sides, strict=True)]
        return self.of(values, pairs=pairs, **intervals)

    def of(
        self,
        values: Any,
        *,
        pairs: Sequence[str] | None = None,
        **intervals: Unpack[IntervalOptions],
    ) -> Result:
        """The result of a column: a value for each pair, NaN where there is none.

        Args:
            values: (n_pairs,), or a mapping from names of pairs to values, or a Series, whose index has the names.
            pairs: names of the pairs; their places if not given.
            intervals: of the interval.

        Raises:
            DataError: for a value out of the metric's range, or another number of names.
            UsageError: for ``pairs`` beside values with names of their own.
        """
        names = [str(name) for name in values] if isinstance(values, Mapping) else names_of(values)
        if names is not None and pairs is not None:
            raise UsageError(
                f"pairs is given, and the values of {self.id} have names of their own ({some(names)}); leave it out"
            )
        pairs = pairs if names is None else names
        values = list(values.values()) if isinstance(values, Mapping) else values
        column: npt.NDArray[np.float64] = vector(self.id, values).copy()
        if pairs is not None and len(pairs) != len(column):
            raise DataError(f"{len(pairs)} names of pairs and {len(column)} values of {self.id}; expected as many")
        for place, value in enumerate(column):
            if outside := self._outside(value):
                raise DataError(f"{self.id} of pair {place} is {outside}")
        return self._summed_up(column, {}, bootstrap(intervals), pairs)

    def _value(self, one: Any, other: Any) -> float:
        assert self.function is not None
        found = self.function(one, other)
        return math.nan if found is None else float(found)

    def _outside(self, value: float) -> str | None:
        """The message for a value outside the metric's range."""
        low, high = _neurogauge.metric_spec(self.id)["range"]
        return None if math.isnan(value) or low <= value <= high else f"{value}; its range is {low:g} to {high:g}"

    def _summed_up(
        self,
        column: npt.NDArray[np.float64],
        failed: Mapping[int, str],
        options: Bootstrap,
        pairs: Sequence[str] | None,
    ) -> Result:
        missing = np.flatnonzero(~np.isfinite(column)).tolist()
        column[missing] = math.nan
        reasons = [(place, failed.get(place, "no value")) for place in missing]
        return summed_up(self.id, (column, reasons), options, pairs=pairs)


@overload
def register_metric(
    id: str,
    function: Function[Seen, Decoded],
    *,
    label: str | None = ...,
    about: str = ...,
    direction: Literal["higher", "lower"] = ...,
    range: tuple[float, float] = ...,
    chance: float | None = ...,
    decimals: int = ...,
) -> OwnMetric[Seen, Decoded]: ...


@overload
def register_metric(
    id: str,
    function: None = ...,
    *,
    label: str | None = ...,
    about: str = ...,
    direction: Literal["higher", "lower"] = ...,
    range: tuple[float, float] = ...,
    chance: float | None = ...,
    decimals: int = ...,
) -> Registration: ...


def register_metric(
    id: str,
    function: Function[Any, Any] | None = None,
    *,
    label: str | None = None,
    about: str = "",
    direction: Literal["higher", "lower"] = "higher",
    range: tuple[float, float] = (-math.inf, math.inf),
    chance: float | None = None,
    decimals: int = 3,
) -> OwnMetric[Any, Any]:
    """Registers your own metric for as long as Python runs.

    Its results have intervals, tables and plots. :meth:`Run.with_results` joins them to a run, and then
    :func:`neurogauge.compare` and :func:`neurogauge.agreement` count them among the run's metrics.
    :func:`neurogauge.score` computes a function by its id; the command ``neurogauge score`` does not.

    Args:
        id: its name: small letters, digits and ``_``. An earlier one of yours of this name is replaced.
        function: takes an item of the reference and one of the reconstruction, and gives a number; NaN or None where
            there is none.
            Without it, ``register_metric`` gives a metric of columns, which is also a decorator of functions.
        label: its name in tables; the id if not given.
        about: what it measures.
        direction: which is better.
        range: smallest and largest possible value; intervals do not leave it.
        chance: expected value for unrelated items, where it is known.
        decimals: that tables print.

    Raises:
        UsageError: for an id of Neurogauge's own, or one that is no name; a range or direction that is none.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> @ng.register_metric("same_colour", direction="higher", range=(0, 1))
        ... def same_colour(stimulus, reconstruction):
        ...     return np.mean(np.all(stimulus == reconstruction, axis=-1))
        >>> images = np.zeros((3, 2, 2, 3))
        >>> same_colour(images, images)
        <same_colour ↑: 1.000 [0.439, 1.000], 3 pairs>
        >>> ng.register_metric("rating", range=(1, 5)).of([2, 4, 5, 3]).mean
        3.5
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", id):
        raise UsageError(f"id is {id!r}; expected small letters, digits and _, beginning with a letter")
    if id not in _REGISTERED and _is_of_registry(id):
        raise UsageError(f"{id!r} is a metric of Neurogauge's own; take another id")
    if direction not in ("higher", "lower"):
        raise UsageError(f"direction is {direction!r}; expected 'higher' or 'lower'")
    low, high = (float(end) for end in range)
    if not low < high:
        raise UsageError(f"range is {range!r}; expected the smallest and the largest value")
    if isinstance(decimals, bool) or not isinstance(decimals, int) or not 0 <= decimals <= 15:
        raise UsageError(f"decimals is {decimals!r}; expected a whole number from 0 to 15")
    level = None if chance is None else float(chance)
    _neurogauge.register_metric(id, label or id, about, direction == "lower", (low, high), level, decimals)
    made: OwnMetric[Any, Any] = OwnMetric(id, function) if function is not None else Registration(id, None)
    _REGISTERED[id] = made
    return made


class Registration(OwnMetric[Any, Any]):
    """A metric of columns; as a decorator it takes the function of the metric."""

    @overload
    def __call__(
        self,
        reference: Iterable[Any],
        reconstruction: Iterable[Any],
        *,
        pairs: Sequence[str] | None = ...,
        **intervals: Unpack[IntervalOptions],
    ) -> Result: ...

    @overload
    def __call__(self, function: Function[Seen, Decoded], /) -> OwnMetric[Seen, Decoded]: ...

    def __call__(self, *items: Any, **options: Any) -> Any:
        """The metric with this function."""
        if len(items) == 1 and callable(items[0]) and not options:
            made = _REGISTERED[self.id] = OwnMetric(self.id, items[0])
            return made
        return super().__call__(*items, **options)


def registered() -> list[str]:
    """Ids of the user's metrics, in the order in which they were registered."""
    return list(_REGISTERED)


def asked_for(metrics: str | Sequence[str] | None) -> tuple[str | Sequence[str] | None, list[OwnMetric[Any, Any]]]:
    """Neurogauge's metrics and the user's, among the metrics that a run is asked for.

    Raises:
        UsageError: for a metric of columns, and where no metric is Neurogauge's own.
    """
    ids = [one.strip() for one in metrics.split(",")] if isinstance(metrics, str) else list(metrics or ())
    own = [_REGISTERED[id] for id in dict.fromkeys(ids) if id in _REGISTERED]
    if not own:
        return metrics, []
    for metric in own:
        if metric.function is None:
            raise UsageError(
                f"{metric.id} was registered without a function; join its column: run.with_results({metric.id}.of(values))"
            )
    others = [id for id in ids if id not in _REGISTERED]
    if not others:
        first = own[0].id
        raise UsageError(
            f'a run holds at least one metric of Neurogauge\'s own: name one beside {first}, such as "pixcorr", or call '
            f"{first}(stimuli, reconstructions)"
        )
    return others, own


def with_own(
    run: Run, metrics: Sequence[OwnMetric[Any, Any]], folder: str | os.PathLike[str], stops: bool, progress: Progress
) -> Run:
    """The run with the user's metrics of its images. Pairs that a function fails on have no value; the run's warnings
    name them.

    Raises:
        DataError: for a run without images; for a pair that a function fails on, if ``stops`` is set.
    """
    images = _neurogauge.RunImages(os.fspath(folder))
    columns = {metric.id: np.full(len(run.pairs), math.nan) for metric in metrics}
    failed: dict[str, dict[int, str]] = {metric.id: {} for metric in metrics}
    progress.start(f"computing {', '.join(columns)}", len(run.pairs), 0)
    for place, pair in enumerate(run.pairs):
        sides = images.pair(pair)
        for side in sides:
            # Several metrics get the same images, so none may change them.
            side.flags.writeable = False
        for metric in metrics:
            error, outside = None, None
            try:
                columns[metric.id][place] = value = metric._value(*sides)
                outside = metric._outside(value)
            except Exception as raised:
                error = raised
            if error is None and outside is None:
                continue
            message = f"gave {outside}" if error is None else f"{type(error).__name__}: {error}"
            if stops:
                raise DataError(f"{metric.id} of pair {pair!r}: {message}") from error
            columns[metric.id][place] = math.nan
            failed[metric.id][place] = message
        progress.show(place + 1, place + 1 == len(run.pairs))
    options = bootstrap(run.record["request"]["bootstrap"])
    joined = run.with_results(
        *(metric._summed_up(columns[metric.id], failed[metric.id], options, run.pairs) for metric in metrics)
    )
    for id, places in failed.items():
        if places:
            place, message = next(iter(places.items()))
            found = f"{id} failed on {len(places)} of {len(run.pairs)} pairs, first on {run.pairs[place]!r}: {message}"
            joined.warnings = (*joined.warnings, found)
    return joined


def _is_of_registry(id: str) -> bool:
    try:
        _neurogauge.metric_spec(id)
    except UsageError:
        return False
    return True
