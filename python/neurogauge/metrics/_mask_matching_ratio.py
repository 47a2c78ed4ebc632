"""The mask matching ratio: pixels that are foreground, or background, in both images."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._options import Unpack
from .._result import IntervalOptions, Result, bootstrap, summed_up
from ._basic_l import Masks, _columns


def mask_matching_ratio(
    reference: Masks,
    reconstruction: Masks,
    *,
    options: Mapping[str, Any] | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """The share of pixels that are foreground in both images, or background in both: with g and r the pixels of all
    foreground objects and N those of the image, (|g ∩ r| + N - |g ∪ r|) / N (BASIC, appendix B, in words).

    Shapes: as :func:`basic_l`.

    Range: 0 to 1, higher is better.

    Conventions: `mask-matching-ratio`, `basic-l-categories`, `mask-score`, `mask-size`.

    Undefined: a side without a mask of a foreground object.

    Args:
        reference: masks of the stimuli.
        reconstruction: masks of the reconstructions.
        options: as in ``run.json``: ``categories``, ``resize``, ``min_score``.
        progress: show a bar if tqdm is installed.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: as :func:`basic_l`.
        UsageError: for an unknown option.

    Reference: ``scipy.spatial.distance.hamming`` 1.17.1, to 1e-12.

    Example:
        >>> import neurogauge as ng
        >>> seen, decoded = {"masks": [[[1, 1, 0, 0]]], "labels": ["dog"]}, {"masks": [[[0, 1, 1, 0]]], "labels": ["dog"]}
        >>> ng.metrics.mask_matching_ratio([seen], [decoded]).mean
        0.5
    """
    over = bootstrap(intervals)
    columns, details = _columns(["mask_matching_ratio"], reference, reconstruction, options, progress)
    return summed_up("mask_matching_ratio", columns[0], over, details=details)
