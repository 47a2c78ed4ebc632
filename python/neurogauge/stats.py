"""Correlations, agreement between raters, and the bootstrap, as the rest of Neurogauge computes them."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _neurogauge
from ._arrays import array, vector
from ._errors import DataError, UndefinedWarning
from ._options import Unpack
from ._result import LEVEL, IntervalOptions
from ._result import bootstrap as _bootstrap_options

__all__ = [
    "Estimate",
    "Icc",
    "bootstrap",
    "icc",
    "kendall_tau_b",
    "kendall_tau_c",
    "krippendorff_alpha",
    "pairwise_accuracy",
    "pearson",
    "spearman",
]


class Estimate(NamedTuple):
    """A statistic with its interval.

    Attributes:
        value: the statistic, NaN where there is none.
        interval: ends of the interval, or None where there is none.
        n: number of items that have a value.
        n_undefined: number of items that have none.
    """

    value: float
    interval: tuple[float, float] | None
    n: int
    n_undefined: int


class Icc(NamedTuple):
    """An intraclass correlation.

    Attributes:
        form: "ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)" or "ICC(3,k)".
        value: the correlation.
        f: F statistic of the test that it is 0.
        df1: degrees of freedom of the numerator.
        df2: degrees of freedom of the denominator.
        p_value: of that test.
        interval: ends of the interval.
    """

    form: str
    value: float
    f: float
    df1: float
    df2: float
    p_value: float
    interval: tuple[float, float] | None


def kendall_tau_b(x: Any, y: Any) -> float:
    """Kendall's τ-b: (C - D) / √((C + D + T_x)(C + D + T_y)), with C concordant and D discordant pairs of items, T_x
    and T_y those tied in one sample alone; in O(n log n).

    Shapes: (n,) and (n,).

    Range: -1 to 1; 0 for unrelated samples.

    Undefined: fewer than two items, a constant sample, NaN or an infinity: NaN, with an
        :class:`~neurogauge.UndefinedWarning` that names the case.

    Raises:
        DataError: for samples of different lengths.

    Reference: ``scipy.stats.kendalltau`` 1.17, to 1e-14.

    Example:
        >>> import neurogauge as ng
        >>> round(ng.stats.kendall_tau_b([1, 2, 3, 3], [1, 3, 2, 4]), 6)
        0.547723
    """
    return _correlation("kendall_tau_b", x, y)


def kendall_tau_c(x: Any, y: Any) -> float:
    """Stuart's τ-c: 2 (C - D) / (n² (m - 1) / m), m being the smaller number of distinct values.

    Shapes, undefined values and errors are those of :func:`kendall_tau_b`. Range: -1 to 1.

    Reference: ``scipy.stats.kendalltau(variant="c")`` 1.17, to 1e-14.

    Example:
        >>> import neurogauge as ng
        >>> ng.stats.kendall_tau_c([1, 2, 3, 4], [1, 1, 2, 2])
        1.0
    """
    return _correlation("kendall_tau_c", x, y)


def spearman(x: Any, y: Any) -> float:
    """Spearman's ρ: Pearson's correlation of the average ranks.

    Shapes, undefined values and errors are those of :func:`kendall_tau_b`. Range: -1 to 1.

    Reference: ``scipy.stats.spearmanr`` 1.17, to 1e-14.

    Example:
        >>> import neurogauge as ng
        >>> round(ng.stats.spearman([1, 2, 3], [1, 4, 9]), 9)
        1.0
    """
    return _correlation("spearman", x, y)


def pearson(x: Any, y: Any) -> float:
    """Pearson's correlation r.

    Shapes, undefined values and errors are those of :func:`kendall_tau_b`. Range: -1 to 1.

    Reference: ``scipy.stats.pearsonr`` 1.17, to 1e-13.

    Example:
        >>> import neurogauge as ng
        >>> round(ng.stats.pearson([1, 2, 3], [1, 3, 2]), 9)
        0.5
    """
    return _correlation("pearson", x, y)


def pairwise_accuracy(metric: Any, human: Any, *, epsilon: float = 0.0) -> float:
    """Share of all pairs of items that a metric and people order alike or both tie; the metric ties a pair if its two
    scores differ by at most ``epsilon`` (Deutsch et al. 2023).

    Shapes: (n,) and (n,), higher is better in both (negate a metric where lower is better).

    Range: 0 to 1, higher is better.

    Undefined: fewer than two items, all scores equal, NaN or an infinity: NaN with an
        :class:`~neurogauge.UndefinedWarning`.

    Raises:
        DataError: for samples of different lengths.
        UsageError: for a negative epsilon.

    Reference: ``KendallVariants`` of mt-metrics-eval with ``variant="acc23"``, exact.

    Example:
        >>> import neurogauge as ng
        >>> ng.stats.pairwise_accuracy([0.1, 0.5, 0.6], [1, 4, 4], epsilon=0.2)
        1.0
    """
    value, reason = _neurogauge.pairwise_accuracy(vector("metric", metric), vector("human", human), float(epsilon))
    return _value("pairwise accuracy", value, reason, "metric", "human", stacklevel=3)


def icc(ratings: Any, *, level: float = LEVEL, convention: Literal["pingouin", "irr"] = "pingouin") -> dict[str, Icc]:
    """The six intraclass correlations (Shrout and Fleiss 1979; McGraw and Wong 1996), by form.

    Shapes: (n_items, n_raters), NaN where a rating is missing; such items are left out, with a warning.

    Range: at most 1; higher is more agreement.

    Undefined: fewer than two complete items, or all items with one mean: an empty mapping, with an
        :class:`~neurogauge.UndefinedWarning`.

    Args:
        ratings: the table.
        level: share that the intervals hold.
        convention: whose intervals of ICC(2,1) and ICC(2,k), the Python package pingouin's or the R package irr's.

    Raises:
        DataError: for any other shape.
        UsageError: for a level outside 0 to 1.

    Reference: ``pingouin.intraclass_corr`` 0.7 to 1e-12.

    Example:
        >>> import neurogauge as ng
        >>> judges = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
        >>> round(ng.stats.icc(judges)["ICC(2,1)"].value, 2)
        0.29
    """
    forms, reason, _, n_incomplete = _neurogauge.icc(_table(ratings), float(level), convention)
    if reason is not None:
        warnings.warn(f"intraclass correlations: {reason}", UndefinedWarning, stacklevel=2)
    elif n_incomplete:
        message = f"{n_incomplete} items with a missing rating were left out"
        warnings.warn(message, UndefinedWarning, stacklevel=2)
    return {form[0]: Icc(*form) for form in forms}


def krippendorff_alpha(ratings: Any, *, measurement: Literal["nominal", "ordinal", "interval"] = "interval") -> float:
    """Krippendorff's α = 1 - D_o / D_e: disagreement within items relative to that between any two ratings.

    Shapes: (n_items, n_raters), NaN where a rating is missing.

    Range: at most 1; 0 for agreement by chance.

    Undefined: no item with two ratings, or all ratings equal: NaN, with an :class:`~neurogauge.UndefinedWarning`.

    Raises:
        DataError: for any other shape.
        UsageError: for another measurement.

    Reference: the Python package krippendorff 0.8, to 1e-12.

    Example:
        >>> import neurogauge as ng
        >>> ng.stats.krippendorff_alpha([[1, 1], [2, 2], [3, 3]])
        1.0
    """
    value, reason = _neurogauge.krippendorff(_table(ratings), measurement)
    return _value("Krippendorff's alpha", value, reason, "stimulus", "reconstruction", stacklevel=3)


def bootstrap(
    values: Any,
    *,
    statistic: Callable[[npt.NDArray[Any]], float] | None = None,
    **intervals: Unpack[IntervalOptions],
) -> Estimate:
    """A statistic of items with its bootstrap interval.

    Items are drawn with replacement, as many as there are; resample r draws from stream r of the seed, so two samples
    of one size see the same draws, and the number of threads does not matter.

    Shapes: (n_items,), or (n_items, ...) with a statistic of your own.

    Undefined: no item has a value: NaN, with an :class:`~neurogauge.UndefinedWarning`. Without a statistic, NaN
        among the values is a pair without one and stays among the drawn pairs; the interval is None for fewer than
        two values, or equal ones.

    Args:
        values: one entry for each item.
        statistic: computed from the drawn entries; their mean if not given.
        intervals: how the interval of a mean is made (:class:`~neurogauge.IntervalOptions`); that of another statistic
            is between two percentiles.

    Raises:
        DataError: for values that are no numbers.
        UsageError: for an option out of its range.
        Exception: any exception that ``statistic`` raises.

    Reference: NumPy on the same draws, to 1e-12.

    Example:
        >>> import neurogauge as ng
        >>> estimate = ng.stats.bootstrap([0.2, 0.4, 0.9])
        >>> round(estimate.value, 6), estimate.interval[0] < 0.2, estimate.interval[1] > 0.9
        (0.5, True, True)
    """
    options = _bootstrap_options(intervals)
    if statistic is None:
        summary = _neurogauge.estimate_columns([vector("values", values)], options, None)
    else:
        items = array("values", values)
        if items.ndim == 0:
            raise DataError("values: a single number; expected one entry for each item")
        of_items = statistic
        summary = _neurogauge.bootstrap_statistic(len(items), lambda drawn: float(of_items(items[drawn])), options)
    value, reason, ends, n, n_undefined = summary
    if reason is not None:
        warnings.warn(f"bootstrap: {reason}", UndefinedWarning, stacklevel=2)
    return Estimate(math.nan if value is None else value, ends, n, n_undefined)


def _correlation(name: str, x: Any, y: Any) -> float:
    value, reason = _neurogauge.correlation(name, vector("x", x), vector("y", y))
    return _value(name, value, reason, "x", "y", stacklevel=4)


def _value(name: str, value: float | None, reason: str | None, first: str, second: str, stacklevel: int) -> float:
    """The value, or NaN with a warning that gives the reason; the caller is ``stacklevel`` frames up."""
    if value is not None:
        return value
    words = (reason or "").replace("stimulus", first).replace("reconstruction", second)
    warnings.warn(f"{name}: {words}", UndefinedWarning, stacklevel=stacklevel)
    return math.nan


def _table(ratings: Any) -> npt.NDArray[np.float64]:
    found = array("ratings", ratings)
    if found.ndim != 2:
        raise DataError(f"ratings: shape {found.shape}; expected (n_items, n_raters)")
    return np.ascontiguousarray(found, dtype=np.float64)
