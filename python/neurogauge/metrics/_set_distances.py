"""Distances between the set of all stimuli and the set of all reconstructions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _neurogauge
from .._arrays import rows_of_pairs
from .._options import Unpack
from .._result import IntervalOptions, bootstrap


@dataclass(frozen=True, eq=False)
class KernelDistance:
    """A squared maximum mean discrepancy (MMD²): as others publish it, unbiased for pairs, and p of a test that both
    images of a pair come from one distribution. ``interval`` is of the unbiased one, whose jackknife's
    ``pseudo_values``, (n_pairs,), give the difference of two systems. NaN, and a ``reason``, where it is undefined."""

    reason: str | None
    published: float = math.nan
    unbiased: float = math.nan
    interval: tuple[float, float] | None = None
    p_value: float = math.nan
    pseudo_values: npt.NDArray[np.float64] = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True)
class FrechetDistance:
    """A Fréchet distance: of all pairs, extrapolated to infinitely many by a line over 1 / n, and what equal
    distributions of this spread give with as many pairs. NaN, and a ``reason``, where it is undefined."""

    reason: str | None
    of_all: float = math.nan
    extrapolated: float = math.nan
    if_alike: float = math.nan


@dataclass(frozen=True)
class SetDistances:
    """Distances of the set of stimuli and the set of reconstructions: KID and FID of Inception's features, CMMD of
    CLIP's embeddings, the shares of reconstructions near a stimulus and of stimuli near a reconstruction."""

    kid: KernelDistance
    cmmd: KernelDistance
    fid: FrechetDistance
    precision: float
    recall: float


def set_distances(reference: Any, reconstruction: Any, **intervals: Unpack[IntervalOptions]) -> SetDistances:
    """KID, CMMD, FID, precision and recall of the features of all stimuli and of all reconstructions.

    KID is MMD² with the kernel (x·y / n_features + 1)³, CMMD 1000 MMD² with exp(-|x - y|² / 200) of rows of length 1,
    FID |m - m'|² + Tr(C + C' - 2 (C C')^½) with means m and covariances C. Precision is the share of reconstructions
    within the distance of the third nearest neighbour of any stimulus, recall the reverse.

    Shapes: (n_pairs, n_features) on both sides, row i of both being pair i; 4 to 4096 pairs.

    Range: 0 and above, lower is better (unbiased estimates may be below 0); precision and recall 0 to 1, higher is
        better.

    Conventions: `set-distances`.

    Undefined: a value that is not finite; for CMMD also a row of zeros.

    Args:
        reference: features of the stimuli.
        reconstruction: those of the reconstructions, of the same layer.
        intervals: how intervals are made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for another number of rows or features on the two sides, too few or too many pairs.

    Reference: torch-fidelity 0.4.0 and clean-fid 0.1.35, to 1e-7; the bits of ``neurogauge score sets``.

    Example:
        >>> import neurogauge as ng
        >>> found = ng.metrics.set_distances([[0.0], [2.0], [0.0], [2.0]], [[1.0], [5.0], [1.0], [5.0]])
        >>> round(found.fid.of_all, 6)  # means 1 and 3, standard deviations 2/√3 and 4/√3: 4 + 4/3
        5.333333
    """
    rows = rows_of_pairs(reference, reconstruction)
    kernels, (fid, why), shares = _neurogauge.set_distances(*rows, bootstrap(intervals))
    kid, cmmd = (KernelDistance(reason, *(found or ())) for found, reason in kernels)
    precision, recall = (math.nan if share is None else share for share, _ in shares)
    return SetDistances(kid, cmmd, FrechetDistance(why, *(fid or ())), precision, recall)
