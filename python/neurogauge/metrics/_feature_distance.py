"""Correlation distances of feature rows of any model."""

from __future__ import annotations

from typing import Any

from .._options import Unpack
from .._result import IntervalOptions, Result, bootstrap
from ._features import compared_rows


def correlation_distance(
    reference: Any,
    reconstruction: Any,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Correlation distance 1 - r of the features of a pair: with EfficientNet-B1's the field's EffNet, with
    SwAV's its SwAV.

    Shapes: as :func:`two_way_identification`.

    Range: 0 to 2, lower is better; unrelated images have about 1 in theory, and less in practice.

    Conventions: `effnet-direction`, `features-precision`.

    Undefined: a row that is empty, constant or not finite.

    Args:
        reference: features of the stimuli; the others are those of :func:`two_way_identification`.

    Raises:
        DataError: for rows of different lengths, or another number of rows on the two sides.

    Reference: ``scipy.spatial.distance.correlation`` 1.17 in 64 bits, to 1e-12.

    Example:
        >>> import neurogauge as ng
        >>> round(ng.metrics.correlation_distance([[1, 2, 3]], [[1, 3, 2]]).mean, 9)
        0.5
    """
    return compared_rows("correlation_distance", reference, reconstruction, bootstrap(intervals))


def effnet(
    reference: Any,
    reconstruction: Any,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """EffNet: :func:`correlation_distance` of EfficientNet-B1's pooled features, under the field's name.

    Shapes, range, conventions, undefined values, errors and reference are those of :func:`correlation_distance`.

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.effnet([[1, 2, 3]], [[1, 3, 2]])
        <EffNet ↓: 0.500, 1 pair>
    """
    return compared_rows("effnet", reference, reconstruction, bootstrap(intervals))


def swav(
    reference: Any,
    reconstruction: Any,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """SwAV: :func:`correlation_distance` of SwAV ResNet-50's pooled features, under the field's name.

    Shapes, range, conventions, undefined values, errors and reference are those of :func:`correlation_distance`.

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.swav([[1, 2, 3]], [[3, 2, 1]])
        <SwAV ↓: 2.000, 1 pair>
    """
    return compared_rows("swav", reference, reconstruction, bootstrap(intervals))
