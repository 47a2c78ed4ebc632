"""Dissimilarities of all pairs of stimuli, of brains and of sources."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .. import _estimator, _neurogauge
from .._errors import DataError
from .curves import undefined
from .folds import stimulus_positions

__all__ = ["compare_dissimilarities", "dissimilarities"]

Square = npt.NDArray[np.float64]
Kind = Literal["correlation", "cosine", "squared-euclidean", "crossnobis"]
Comparison = Literal["spearman", "kendall-tau-a", "kendall-tau-b", "pearson", "cosine", "whitened-cosine"]


def dissimilarities(patterns: Any, kind: Kind = "correlation", stimulus_ids: Any = None) -> Square:
    """How dissimilar the patterns of every two stimuli are: (n_stimuli, n_stimuli), 0 on the diagonal.

    With x and y over n channels (voxels or features): ``correlation`` is 1 - r, ``cosine`` 1 - x.y / (|x| |y|),
    ``squared-euclidean`` |x - y|^2 / n (rsatoolbox's ``euclidean``), and ``crossnobis`` the squared Mahalanobis distance
    between different repeats over n, whose noise covariance is shrunk as in rsatoolbox. It is 0 on average for equal
    patterns, so it can be negative.

    Args:
        patterns: (n_stimuli, n_channels), or with ``stimulus_ids`` (n_trials, n_channels), of which means are taken. A
            row of NaN is a missing stimulus, and so is a pattern without dissimilarity: a constant one for
            correlations, zeros for cosines.
        kind: which dissimilarity.
        stimulus_ids: (n_trials,), the stimulus of each trial; stimuli are sorted.

    Raises:
        DataError: for other values that are not finite, and for crossnobis where a stimulus has one trial.
        UsageError: for crossnobis without ``stimulus_ids``, and for an unknown kind.

    >>> dissimilarities([[0.0, 1.0], [2.0, 1.0], [0.0, 3.0]], "squared-euclidean")[0]
    array([0., 2., 2.])
    """
    rows = _matrix("patterns", patterns)
    if stimulus_ids is None:
        return _neurogauge.dissimilarities(rows, kind, None)
    stimuli = stimulus_positions(stimulus_ids)
    return _neurogauge.dissimilarities(_estimator.finite("patterns", rows), kind, stimuli)


def compare_dissimilarities(one: Any, other: Any, comparison: Comparison = "spearman") -> float:
    """How similar two square matrices of dissimilarities are, over the pairs of stimuli that both have.

    Range: -1 to 1. Chance is 0, but not of cosines. ``whitened-cosine`` of squared Euclidean distances is the linear
    centred kernel alignment.

    Undefined (NaN, with a warning): fewer than two pairs, or dissimilarities that are all equal.

    Raises:
        DataError: for matrices that are not square, or of different size.
        UsageError: for an unknown comparison.

    >>> a = [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    >>> round(compare_dissimilarities(a, [[0, 1, 3], [1, 0, 2], [3, 2, 0]]), 6)
    0.5
    """
    value, reason = _neurogauge.dissimilarities_compared(_matrix("one", one), _matrix("other", other), comparison)
    return undefined("compare_dissimilarities", reason, stacklevel=3) if value is None else value


def _matrix(name: str, value: Any) -> Square:
    found = _estimator.numbers(name, value)
    if found.ndim != 2:
        raise DataError(f"{name}: shape {found.shape}; expected two axes")
    return found
