"""Scores of recovery curves, alone and compared with other curves."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

from .. import _arrays, _neurogauge
from .._errors import UndefinedWarning

__all__ = ["brain_reference_score", "profile_mean", "shape_distance"]


def profile_mean(curve: Any, k: int = 10) -> float:
    """ProfileMean(K): the mean of TopKCov over k = 1..K (Section 2.3), or over all k of a shorter curve.

    Args:
        curve: TopKCov, ``RecoveryProfile.profile_`` or its mean over folds.
        k: up to which k.

    Range: 0 to 1, higher means more recovered. There is no zero floor: compare with sources that know nothing.

    Raises:
        UsageError: for k below 1.
        DataError: for an empty curve.

    >>> profile_mean([0.5, 0.25])
    0.375
    """
    return _neurogauge.curve_mean(_arrays.vector("curve", curve), k)


def brain_reference_score(curve: Any, donors: Sequence[Any], k: int = 10) -> float:
    """BrainRefScore(K): ProfileMean of a source over the median ProfileMean of other brains of the same target.

    Args:
        curve: TopKCov of the source, averaged over folds.
        donors: those of the other brains; a donor's own score has it among them.
        k: up to which k.

    Range: from 0; 1 means as much as the typical donor, whose responses have noise: the same curve has a higher score
    among noisier subjects, so scores are not comparable between regions or subjects. Undefined (NaN, with a warning)
    where the donors' median is 0.

    Raises:
        DataError: without a donor.
        UsageError: for k below 1.

    >>> brain_reference_score([0.35, 0.35], [[0.9, 0.5], [0.7, 0.7]], k=2)
    0.5
    """
    return _among("brain_reference_score", curve, donors, k)


def shape_distance(curve: Any, donors: Sequence[Any], k: int = 10) -> float:
    """ShapeDist(K): how far a curve's shape is from the shape of the donors' median curve, regardless of their heights.

    The root mean square difference of the two, each divided by its own mean over k = 1..K.

    Range: from 0, the same shape. Undefined (NaN, with a warning) where one of these means is 0.

    Raises:
        DataError: without a donor, or for curves of different length.
        UsageError: for k below 1.

    >>> shape_distance([0.25, 0.125], [[0.5, 0.25]], k=2)
    0.0
    """
    return _among("shape_distance", curve, donors, k)


def _among(figure: str, curve: Any, donors: Sequence[Any], k: int) -> float:
    curves = [_arrays.vector(f"donors[{place}]", donor) for place, donor in enumerate(donors)]
    value, reason = _neurogauge.curve_among_donors(figure, _arrays.vector("curve", curve), curves, k)
    return undefined(figure, reason, stacklevel=4) if value is None else value


def undefined(figure: str, reason: str | None, stacklevel: int) -> float:
    """NaN, with a warning that gives the reason; the caller is ``stacklevel`` frames up."""
    warnings.warn(f"{figure} is undefined: {reason}", UndefinedWarning, stacklevel=stacklevel)
    return math.nan
