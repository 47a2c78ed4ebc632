"""BASIC: masks and captions combined in one number."""

from __future__ import annotations

from typing import Any

from .._options import Unpack
from .._result import IntervalOptions, Result, bootstrap
from ._seed import combined


def basic(
    basic_l: Any,
    basic_h: Any,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """BASIC: the mean of BASIC-L and BASIC-H, by which the BASIC paper ranks systems.

    Shapes: the results of the two metrics, or (n_pairs,) values of each, NaN where there is none.

    Range: 0 to 1, higher is better.

    Conventions: `basic-mean`.

    Undefined: a pair for which a part is; ``mean`` is the mean of the means of the parts.

    Args:
        basic_l: BASIC-L of each pair.
        basic_h: BASIC-H of each pair.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for parts of different lengths, or of pairs with other names.

    Reference: by hand, exact.

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.basic([0.25], [0.5]).per_pair.tolist()
        [0.375]
    """
    over = bootstrap(intervals)
    return combined("basic", {"basic_l": basic_l, "basic_h": basic_h}, {}, over)
