"""The result of a metric: a value for each pair, their mean with its interval, and why some pairs have no value."""

from __future__ import annotations

import html
import json
import math
import os
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np
import numpy.typing as npt

from . import _neurogauge, _plots
from ._details import Details, frame
from ._errors import DataError, NeurogaugeWarning, UsageError
from ._options import check_names
from ._tables import LatexStyle, csv_text, data_frame, ends, html_table, latex_form, number, with_interval

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Bootstrap = tuple[int, float, int, str]
Interval = Literal["studentized", "bca", "percentile"]
Scored = tuple[npt.NDArray[np.float64], list[tuple[int, str]]]
OfStimuli = tuple[npt.NDArray[np.float64], list[int], float]
Summary = tuple[float | None, str | None, tuple[float, float] | None, int, int]


class IntervalOptions(TypedDict, total=False):
    """How intervals are computed: keywords of every function that returns one."""

    resamples: int
    """Bootstrap resamples."""
    level: float
    """Share of the resamples that the interval holds."""
    seed: int
    """Seed of the resamples, and of all else that is drawn."""
    interval: Interval
    """How the interval of a mean is made (convention `interval`)."""


INTERVALS = dict(zip(IntervalOptions.__annotations__, _neurogauge.DEFAULT_BOOTSTRAP, strict=True))
LEVEL = _neurogauge.DEFAULT_BOOTSTRAP[1]
# Name of models without weights, whose numbers mean nothing.
PLACEHOLDER = "placeholder"


class Result:
    """The outcomes of one metric over all pairs.

    Attributes:
        metric: id of the metric, as in the command line.
        label: its name in tables.
        direction: "higher" or "lower", whichever is better.
        range: smallest and largest possible value.
        chance: expected value for unrelated images, or None where it is not known.
        conventions: ids of the conventions (the documentation's Conventions) that decide its value.
        pairs: names of the pairs: their places, or stems where they come from files.
        per_pair: 64-bit floats of shape (n_pairs,), NaN where there is no value.
        undefined: for each pair without a value its place and the reason.
        mean: mean over the pairs that have a value, NaN if none has; of a composite such as SEED the mean of the means
            of its parts.
        interval: ends of the interval of the mean (conventions `interval` and, of identification and retrieval,
            `identification-intervals`), or None where fewer than two pairs have a value, or all values are equal.
        level: share of the resamples that the interval holds.
        population: what the interval describes, such as "new stimuli and new distractors".
        reason: why there is no mean, or None.
        n: number of pairs with a value.
        n_undefined: number of pairs without.
        stand_in: True if the numbers are based on a placeholder model and mean nothing.
        details: for each pair the matched, missed and invented details: ``{level: {"matched": [entry, ...], "missed":
            [...], "invented": [...]}}``, entries with ``reference``, ``reconstruction``, ``how``, ``similarity``,
            ``threshold``, ``reference_dimension`` and ``reconstruction_dimension`` as far as they apply; empty for a
            pair without details. None for a metric that matches nothing, or a run that did not keep it.
    """

    __slots__ = (
        "_columns",
        "_decimals",
        "_details",
        "_family",
        "_is_of_corpus",
        "_of_stimuli",
        "_summary",
        "chance",
        "conventions",
        "direction",
        "interval",
        "label",
        "level",
        "mean",
        "metric",
        "n",
        "n_undefined",
        "pairs",
        "per_pair",
        "population",
        "range",
        "reason",
        "stand_in",
        "undefined",
    )

    def __init__(
        self,
        metric: str,
        scored: Scored,
        summary: Summary,
        level: float,
        *,
        pairs: Sequence[str] | None = None,
        label: str | None = None,
        chance: float | None = None,
        stand_in: bool = False,
        details: Details | None = None,
        is_of_corpus: bool = False,
        of_stimuli: OfStimuli | None = None,
        population: str | None = None,
        columns: Sequence[npt.NDArray[np.float64]] | None = None,
    ) -> None:
        spec = _neurogauge.metric_spec(metric)
        values, reasons = scored
        values.flags.writeable = False
        self.metric = metric
        self.label: str = label if label is not None else spec["label"]
        self.direction: Literal["higher", "lower"] = spec["direction"]
        self.range: tuple[float, float] = spec["range"]
        self.chance: float | None = chance if chance is not None else spec["chance"]
        self.conventions: tuple[str, ...] = tuple(spec["conventions"])
        self.pairs: tuple[str, ...] = tuple(pairs if pairs is not None else map(str, range(len(values))))
        self.per_pair: npt.NDArray[np.float64] = values
        self.undefined: dict[int, str] = dict(reasons)
        mean, self.reason, self.interval, self.n, self.n_undefined = summary
        self.mean: float = math.nan if mean is None else mean
        self.level = level
        self.population: str = population or spec["population"]
        self.stand_in = stand_in
        self._details = details
        self._is_of_corpus = is_of_corpus
        # The columns whose means average to the metric's mean.
        self._columns = [values] if columns is None else list(columns)
        # For identification: the values from which its interval and its differences from other systems are computed.
        self._of_stimuli = of_stimuli
        self._family: str | None = spec["details"]
        self._summary = summary
        self._decimals: int = spec["decimals"]

    @property
    def details(self) -> list[dict[str, Any]] | None:
        """For each pair the matched, missed and invented details."""
        if self._details is None or self._family is None:
            return None
        found = self._details.of_pairs()
        known = any(self._family in metrics for metrics in found)
        return [metrics.get(self._family, {}) for metrics in found] if known else None

    @property
    def _is_of_places(self) -> bool:
        """Are its pairs named by their positions, because no names were given?"""
        return self.pairs == tuple(map(str, range(len(self))))

    def _of_pairs(self, pairs: tuple[str, ...], whose: str = "the run") -> Result:
        """The same result of pairs that are called so, in their order; ``whose`` they are, for messages.

        Raises:
            DataError: where these are other pairs.
        """
        if len(pairs) != len(self) or (not self._is_of_places and set(self.pairs) != set(pairs)):
            own, theirs = f"{len(self)} pairs ({some(self.pairs)})", f"{len(pairs)} ({some(pairs)})"
            raise DataError(f"{self.metric} is of {own}, {whose} of {theirs}")
        is_reordered = self.pairs != pairs and set(self.pairs) == set(pairs)
        order = [self.pairs.index(pair) for pair in pairs] if is_reordered else list(range(len(self)))
        copy = object.__new__(type(self))
        for slot in (slot for kind in type(self).__mro__ for slot in getattr(kind, "__slots__", ())):
            setattr(copy, slot, getattr(self, slot))
        copy.pairs = pairs
        copy.per_pair = self.per_pair[order]
        copy.per_pair.flags.writeable = False
        copy._columns = [column[order] for column in self._columns]
        if self._of_stimuli is not None:
            pseudo, stimuli, too_low_by = self._of_stimuli
            copy._of_stimuli = (pseudo[order], [stimuli[own] for own in order], too_low_by)
        copy.undefined = {place: self.undefined[own] for place, own in enumerate(order) if own in self.undefined}
        if self.details is not None:
            found = self.details
            copy._details = Details(json.dumps([{self._family: found[own]} for own in order]))
        return copy

    def details_frame(self) -> pd.DataFrame:
        """The details as a long table: a line for each entry, with its pair, level and kind. Needs pandas."""
        found = self.details or []
        return frame((pair, {self._family or "": levels}) for pair, levels in zip(self.pairs, found, strict=False))

    def __len__(self) -> int:
        return len(self.per_pair)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy:
            return np.array(self.per_pair, dtype=dtype)
        return np.asarray(self.per_pair, dtype=dtype)

    def __float__(self) -> float:
        return self.mean

    def __format__(self, spec: str) -> str:
        """``f"{result:.3f}"`` is its mean, ``f"{result}"`` all of it."""
        return format(self.mean, spec) if spec else str(self)

    def __repr__(self) -> str:
        return f"<{self.heading}: {self._words()}>"

    @property
    def heading(self) -> str:
        """Its name with the arrow of its direction, and the dagger of a placeholder, as tables have it."""
        return _plots.heading(self.label, self.direction, self.stand_in)

    def _words(self) -> str:
        words = f"no mean ({self.reason})"
        if self.reason is None:
            words = with_interval(self.mean, self.interval, self._decimals)
        words += f", {self.n} pairs" if self.n != 1 else ", 1 pair"
        return words + (f", {self.n_undefined} undefined" if self.n_undefined else "")

    def _repr_html_(self) -> str:
        """A table of one line, as notebooks show it."""
        table = results_table([self])
        return table if self.interval is None else f"{table}<p>{100 * self.level:g}% interval for {self.population}</p>"

    def _cells(self, has_level: bool) -> list[str]:
        """Its row in an HTML table, with the level of its interval if wanted."""
        decimals = self._decimals
        mean = html.escape(self.reason) if self.reason is not None else f"{self.mean:.{decimals}f}"
        level = f" ({100 * self.level:g} %)" if has_level and self.interval is not None else ""
        return [
            html.escape(self.heading),
            mean,
            ends(self.interval, decimals) + level,
            f"{self.n}",
            f"{self.n_undefined}",
        ]

    def to_pandas(self) -> pd.DataFrame:
        """One line for each pair: its value, and why it has none. Needs pandas."""
        reasons = [self.undefined.get(place) for place in range(len(self))]
        return data_frame({self.metric: self.per_pair, "undefined": reasons}, (self.pairs, "pair"))

    def to_dict(self) -> dict[str, Any]:
        """Everything except details, in a form that JSON allows: None for missing values, and for an infinite end of
        the range.

        Example:
            >>> import neurogauge as ng
            >>> found = ng.metrics.feature_correlation([[1, 2, 3], [1, 1, 1]], [[1, 3, 2], [1, 2, 4]]).to_dict()
            >>> found["metric"], round(found["mean"], 9), found["n"], found["undefined"]
            ('feature_correlation', 0.5, 1, {'1': 'constant stimulus'})
        """
        return {
            "metric": self.metric,
            "label": self.label,
            "direction": self.direction,
            "range": [end if math.isfinite(end) else None for end in self.range],
            "chance": self.chance,
            "conventions": list(self.conventions),
            "mean": number(self.mean),
            "reason": self.reason,
            "interval": None if self.interval is None else list(self.interval),
            "level": self.level,
            "population": self.population,
            "n": self.n,
            "n_undefined": self.n_undefined,
            "stand_in": self.stand_in,
            "pairs": list(self.pairs),
            "per_pair": [number(value) for value in self.per_pair],
            "undefined": {str(place): reason for place, reason in self.undefined.items()},
        }

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """A line for each pair: its name, its value and why it has none. The text, also written to ``path`` if given.

        Example:
            >>> import neurogauge as ng
            >>> print(ng.metrics.cap_sim([[1.0, 0.0], [0.0, 0.0]], [[3.0, 4.0], [1.0, 0.0]]).to_csv(), end="")
            pair,cap_sim,undefined
            0,0.6,
            1,,empty stimulus
        """
        mark = [self.metric] if self.stand_in else []
        rows = (
            (pair, float(value), self.undefined.get(place), *mark)
            for place, (pair, value) in enumerate(zip(self.pairs, self.per_pair, strict=True))
        )
        return csv_text(["pair", self.metric, "undefined", *(["stand_in"] if mark else [])], rows, path)

    def plot(self, ax: Axes | None = None) -> Axes:
        """The values of all pairs, their mean with its interval, and the chance level. Needs matplotlib.

        Up to 150 values are dots, stacked in 30 bins; more are bars. Pairs without a value are counted in the title.

        Args:
            ax: where to draw; a new figure if not given.

        Returns:
            The axes.

        Example:
            >>> import neurogauge as ng
            >>> found = ng.metrics.feature_correlation([[1, 2, 3], [1, 2, 3]], [[1, 3, 2], [1, 2, 4]])
            >>> found.plot().get_xlabel()
            'Correlation ↑ (−1 to 1)'
        """
        axes = _plots.axes(ax, height=2.8)
        _plots.distribution(axes, self.per_pair, self.mean, self.interval, self.level, self.chance)
        note = f"\n{_plots.DAGGER_NOTE}" if self.stand_in else ""
        axes.set_xlabel(f"{_plots.plain(self.heading)} ({_plots.range_words(self.range)}){note}")
        undefined = f", {self.n_undefined} undefined" if self.n_undefined else ""
        axes.set_title(f"{self.n} pairs{undefined}", loc="right", fontsize="small")
        return axes

    def to_latex(
        self, system: str = "reconstruction", *, style: LatexStyle = "intervals", siunitx: bool = False
    ) -> str:
        """The table that the command line prints with ``--format latex`` (it needs the package booktabs).

        Args:
            system: its name in the table.
            style: printed beside estimates: intervals, ± the distance to their ends, or nothing.
            siunitx: align numbers at the decimal point, which needs the package siunitx.
        """
        return self._table(system, latex_form(style, siunitx))

    def to_markdown(self, system: str = "reconstruction") -> str:
        """The table that the command line prints with ``--format markdown``."""
        return self._table(system, "markdown")

    def _table(self, system: str, form: str) -> str:
        title = f"{system}: {len(self)} pairs"
        column = (self.metric, self.chance, self.stand_in)
        return _neurogauge.render_table(title, [column], [(system, [self._summary])], self.level, form)


def check_alike(results: Sequence[Result], therefore: str) -> None:
    """Checks that results are of one metric with one chance level and one kind of interval, and that their means are
    those of their pairs.

    Args:
        results: at least one.
        therefore: what follows where a mean is none of pairs, for messages.

    Raises:
        UsageError: for other results.
    """
    first = results[0]
    for result in results:
        if (result.metric, result.chance, result.population) != (first.metric, first.chance, first.population):
            kinds = [f"{one.metric} (chance {one.chance}, intervals for {one.population})" for one in (first, result)]
            raise UsageError(
                f"results of {kinds[0]} and of {kinds[1]}; expected one metric with one chance level and one kind of interval"
            )
        if result.metric == "profile_correlation":
            raise UsageError(
                f"the values of profile_correlation are of features, and its interval is over stimuli, {therefore}"
            )
        own = result.per_pair[np.isfinite(result.per_pair)]
        is_mean = not len(own) or abs(own.mean() - result.mean) <= 1e-9 * max(1.0, abs(result.mean))
        if result._is_of_corpus or not is_mean:
            raise UsageError(f"the mean of this {result.metric} is no mean over its pairs, {therefore}")


def names_of(column: Any) -> list[str] | None:
    """The items of a column: the pairs of a result, the index of a Series; None where they are only places in order."""
    index = getattr(column, "index", None)
    found = column.pairs if isinstance(column, Result) else index if hasattr(index, "to_numpy") else None
    names = [] if found is None else [str(one) for one in found]
    return names if names != [str(place) for place in range(len(names))] else None


def some(pairs: Sequence[str]) -> str:
    """The first names, for messages."""
    return ", ".join(pairs[:3]) + (", ..." if len(pairs) > 3 else "")


def results_table(results: Sequence[Result]) -> str:
    """A line for each result; the level of intervals is in the header, or in each line where they have several."""
    levels = {result.level for result in results}
    has_levels = len(levels) > 1
    interval = "interval" if has_levels else f"{100 * max(levels, default=LEVEL):g} % interval"
    return html_table(["", "mean", interval, "pairs", "undefined"], (result._cells(has_levels) for result in results))


def bootstrap(options: IntervalOptions) -> Bootstrap:
    """The options of intervals, checked as far as types go; the extension module checks their ranges.

    Raises:
        TypeError: for an option that does not exist.
        UsageError: for anything that is no number, or negative.
    """
    check_names(options, INTERVALS)
    given: dict[str, Any] = {**INTERVALS, **options}
    resamples, level, seed, interval = (given[name] for name in INTERVALS)
    for name, value in (("resamples", resamples), ("seed", seed)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value < 2**64:
            raise UsageError(f"{name} is {value!r}; expected a whole number, 0 or more")
    if isinstance(level, bool) or not isinstance(level, (int, float, np.floating)):
        raise UsageError(f"level is {level!r}; expected a number between 0 and 1")
    if not isinstance(interval, str):
        raise UsageError(f"interval is {interval!r}; expected 'studentized', 'bca' or 'percentile'")
    return int(resamples), float(level), int(seed), interval


def summed_up(
    metric: str,
    scored: Scored,
    options: Bootstrap,
    columns: Sequence[npt.NDArray[np.float64]] | None = None,
    *,
    chance: float | None = None,
    stand_in: bool = False,
    details: str | None = None,
    pairs: Sequence[str] | None = None,
    of_stimuli: OfStimuli | None = None,
    population: str | None = None,
    blank: Sequence[tuple[bool, bool]] = (),
    stacklevel: int = 3,
) -> Result:
    """A result with its mean and interval, over the metric's own column or over those of its parts; a warning as of
    :func:`warn_of_nothing_seen`, for the caller ``stacklevel`` frames up."""
    warn_of_nothing_seen(metric, scored, details, blank, stacklevel + 1)
    over = [scored[0]] if columns is None else list(columns)
    summary = _neurogauge.estimate_columns(over, options, metric, of_stimuli)
    behind = None if details is None else Details(details)
    return Result(
        metric,
        scored,
        summary,
        options[1],
        pairs=pairs,
        chance=chance,
        stand_in=stand_in,
        details=behind,
        of_stimuli=of_stimuli,
        population=population,
        columns=over,
    )


def warn_of_nothing_seen(
    metric: str,
    scored: Scored,
    details: str | None = None,
    blank: Sequence[tuple[bool, bool]] = (),
    stacklevel: int = 2,
) -> None:
    """Warns if the metric gives pairs with nothing on a side a value, as their details say or ``blank`` does for each
    pair."""
    found = _neurogauge.nothing_seen(metric, scored[0], details or "[]", blank)
    if found is not None:
        warnings.warn(found, NeurogaugeWarning, stacklevel=stacklevel)
