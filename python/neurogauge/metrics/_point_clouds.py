"""Distances between point clouds: shapes decoded from brains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .. import _neurogauge
from .._arrays import array
from .._errors import DataError
from .._options import Unpack, as_json
from .._result import Bootstrap, IntervalOptions, Result, bootstrap, summed_up

Scale = Literal["as_is", "unit_sphere"]


def chamfer_distance(
    reference: Sequence[Any],
    reconstruction: Sequence[Any],
    *,
    form: Literal["squared", "euclidean"] = "squared",
    scale: Scale = "as_is",
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Chamfer distance of two point clouds P and Q: (1/|P|) sum_p min_q |p - q|^2 + (1/|Q|) sum_q min_p |p - q|^2.

    Shapes: a cloud (n_points, 3) for each pair; the numbers of points may differ.

    Range: 0 to infinity, in squared units of the coordinates; lower is better.

    Conventions: `chamfer-form`, `point-cloud-scale`.

    Undefined: a cloud without points, a coordinate that is no finite number; with "unit_sphere" a cloud in one place.

    Args:
        reference: the stimuli's clouds.
        reconstruction: those that were decoded.
        form: "squared", as above, or "euclidean", the mean of both directions' mean distances.
        scale: "as_is", or "unit_sphere": each cloud's mean is moved to the origin and its farthest point to distance 1.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for clouds of another shape, or another number of them on the two sides.
        UsageError: for an unknown form or scale.

    Reference: ``scipy.spatial.KDTree`` 1.17, to 1e-12.

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.chamfer_distance([[[0, 0, 0], [2, 0, 0]]], [[[0, 1, 0]]]).mean
        4.0
    """
    over = bootstrap(intervals)
    return _of_clouds("chamfer_distance", reference, reconstruction, form, scale, over)


def earth_movers_distance(
    reference: Sequence[Any],
    reconstruction: Sequence[Any],
    *,
    scale: Scale = "as_is",
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Earth mover's distance of two clouds of equally many points: the least mean distance over which the points of one
    can be moved to those of the other, one to one.

    Shapes: two clouds (n_points, 3) for each pair, of the same number of points, at most 4096.

    Range: 0 to infinity, in units of the coordinates; lower is better.

    Conventions: `point-cloud-scale`.

    Undefined: as :func:`chamfer_distance`, and clouds of unequally many points, or too many.

    Args:
        reference: the stimuli's clouds; the others are those of :func:`chamfer_distance`.

    Raises:
        DataError: for clouds of another shape, or another number of them on the two sides.
        UsageError: for an unknown scale.

    Reference: POT 0.9.7 ``ot.emd2``, to 1e-9.

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.earth_movers_distance([[[0, 0, 0], [1, 0, 0]]], [[[1, 0, 0], [3, 0, 0]]]).mean
        1.5
    """
    over = bootstrap(intervals)
    return _of_clouds("earth_movers_distance", reference, reconstruction, None, scale, over)


def _of_clouds(
    metric: str, reference: Sequence[Any], reconstruction: Sequence[Any], form: str | None, scale: str, over: Bootstrap
) -> Result:
    first, second = _clouds("reference", reference), _clouds("reconstruction", reconstruction)
    scored = _neurogauge.point_clouds(first, second, as_json({"chamfer": form, "scale": scale}))
    return summed_up(metric, scored, over)


def _clouds(name: str, value: Sequence[Any]) -> list[npt.NDArray[np.float64]]:
    clouds = [array(f"{name}[{index}]", cloud) for index, cloud in enumerate(value)]
    for index, cloud in enumerate(clouds):
        if cloud.ndim != 2 or cloud.shape[1] != 3:
            raise DataError(f"{name}[{index}]: shape {cloud.shape}; expected (n_points, 3)")
    return [np.ascontiguousarray(cloud, dtype=np.float64) for cloud in clouds]
