"""Profile and pattern correlation of decoded features."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _neurogauge
from .._arrays import rows_of_pairs
from .._errors import UsageError
from .._options import Unpack
from .._result import IntervalOptions, Result, bootstrap, summed_up


def profile_correlation(
    reference: Any,
    reconstruction: Any,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Profile correlation: how well the values of a feature follow the stimuli, (1/d) Σ_u r(x̂_u, x_u), where x_u has
    the values of feature u over all stimuli.

    Shapes: (n_stimuli, n_features) on both sides; further axes are flattened. ``per_pair`` has one value for each
    feature.

    Range: -1 to 1, higher is better; chance is 0.

    Conventions: `feature-accuracy`.

    Undefined: a feature that is constant on one side. It is left out of the mean.

    Args:
        reference: true features of the stimuli.
        reconstruction: features decoded from the brain, or of reconstructions.
        intervals: of the interval for new stimuli, by the jackknife over stimuli.

    Raises:
        DataError: for rows of different lengths, or another number of rows on the two sides.

    Reference: ``profile_correlation`` of bdpy 0.26, to 1e-12.

    Example:
        >>> import neurogauge as ng
        >>> true, decoded = [[1, 1], [2, 2], [3, 3]], [[1, 5], [2, 4], [3, 3.5]]
        >>> ng.metrics.profile_correlation(true, decoded).per_pair.round(3).tolist()
        [1.0, -0.982]
    """
    over = bootstrap(intervals)
    scored, summary = _neurogauge.profile_correlation(*rows_of_pairs(reference, reconstruction), over)
    return Result("profile_correlation", scored, summary, over[1], chance=0.0)


def pattern_correlation(
    reference: Any,
    reconstruction: Any,
    *,
    mean: Any = None,
    sd: Any = None,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Pattern correlation: for each stimulus i, Pearson's correlation over features u of (x̂_iu - mean_u) / sd_u and
    (x_iu - mean_u) / sd_u.

    With the mean and the standard deviation of the training stimuli the correlation is of what distinguishes the
    stimulus from the average one. Without them features are compared as they are, and a decoder that always says the
    average can be near 1.

    Shapes: (n_stimuli, n_features) on both sides; further axes are flattened. `mean` and `sd` (n_features,).

    Range: -1 to 1, higher is better; chance is 0.

    Conventions: `feature-accuracy`.

    Undefined: a stimulus whose row is constant on one side. Features with an sd of 0 are left out.

    Args:
        reference: true features of the stimuli.
        reconstruction: features decoded from the brain, or of reconstructions.
        mean, sd: of each feature over training stimuli, such as ``train.mean(0)`` and ``train.std(0, ddof=1)``; both or
            neither.
        intervals: of the interval for new stimuli.

    Raises:
        DataError: for rows of different lengths, or another number of rows on the two sides.
        UsageError: for one of `mean` and `sd`, or another number of them than of features.

    Reference: ``pattern_correlation`` of bdpy 0.26, to 1e-12.

    Example:
        >>> import neurogauge as ng
        >>> round(ng.metrics.pattern_correlation([[1, 3, 5]], [[1, 2, 4]], mean=[0, 0, 0], sd=[1, 1, 2]).mean, 5)
        0.97073
    """
    over = bootstrap(intervals)
    rows = rows_of_pairs(reference, reconstruction)
    if (mean is None) != (sd is None):
        raise UsageError(
            f"{'sd' if mean is None else 'mean'} was given alone; expected mean and sd of the training stimuli, or neither"
        )
    n_features = rows[0].shape[1]
    centre = np.zeros(n_features) if mean is None else np.asarray(mean, dtype=np.float64).ravel()
    scale = np.ones(n_features) if sd is None else np.asarray(sd, dtype=np.float64).ravel()
    scored = _neurogauge.pattern_correlation(*rows, centre.tolist(), scale.tolist())
    return summed_up("pattern_correlation", scored, over, chance=0.0)
