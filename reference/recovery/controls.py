"""Bases and pairs with which a profile is compared (Appendices D and E)."""

import itertools

import numpy as np

from .standardize import standardize
from .subspace import orthonormal

THRESHOLDS = (0.005, 0.01, 0.02, 0.03)


def target_pca(Y, rank):
    """The leading principal directions of the z-scored image-level training responses."""
    return np.linalg.svd(standardize(Y), full_matrices=False)[2][:rank].T


def random_basis(draws):
    """Span of the given random columns (n_voxels, rank)."""
    return orthonormal(draws)


def human_threshold(units, limit):
    """90th percentile (linear) of |difference of ProfileMean| between donors of nearly equal accuracy.

    units: for each target unit a list of (accuracy, profile mean) of its donors; pairs of donors are from the same unit
    and pooled over units. None without any pair.
    """
    gaps = [
        abs(a[1] - b[1]) for donors in units for a, b in itertools.combinations(donors, 2) if abs(a[0] - b[0]) <= limit
    ]
    return (float(np.quantile(gaps, 0.9)) if gaps else None), len(gaps)


def matched_pairs(pairs, limit):
    """Signed pretrained-minus-random ProfileMean of pairs whose accuracies differ by at most the limit.

    pairs: (unit, (accuracy, profile) pretrained, (accuracy, profile) random). Returns (unit, difference).
    """
    return [(u, a[1] - b[1]) for u, a, b in pairs if abs(a[0] - b[0]) <= limit]


def matched_summary(differences, threshold):
    """Count, mean, share positive, shares beyond the human threshold and in favour of pretrained."""
    d = np.array([difference for _, difference in differences])
    if len(d) == 0:
        return {"n": 0}
    summary = {"n": len(d), "mean": float(d.mean()), "positive": float((d > 0).mean())}
    if threshold is not None:
        summary["beyond"] = float((np.abs(d) > threshold).mean())
        summary["beyond_in_favour"] = float((d > threshold).mean())
    return summary
