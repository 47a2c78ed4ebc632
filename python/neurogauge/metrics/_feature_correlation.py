"""The correlation of feature rows of any model."""

from __future__ import annotations

from typing import Any

from .._options import Unpack
from .._result import IntervalOptions, Result, bootstrap
from ._features import compared_rows


def feature_correlation(
    reference: Any,
    reconstruction: Any,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Pearson's correlation r of the features of a pair, which depends on no other pair.

    Shapes: as :func:`two_way_identification`.

    Range: -1 to 1, higher is better.

    Conventions: `pool-free-correlation`, `features-precision`.

    Undefined: a row that is empty, constant or not finite.

    Args:
        reference: features of the stimuli; the others are those of :func:`two_way_identification`.

    Raises:
        DataError: for rows of different lengths, or another number of rows on the two sides.

    Reference: ``scipy.stats.pearsonr`` 1.17 in 64 bits, to 1e-12.

    Example:
        >>> import neurogauge as ng
        >>> round(ng.metrics.feature_correlation([[1, 2, 3]], [[1, 3, 2]]).mean, 9)
        0.5
    """
    return compared_rows("feature_correlation", reference, reconstruction, bootstrap(intervals))
