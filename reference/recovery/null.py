"""Profiles of a source whose stimulus order means nothing."""

import numpy as np

from .subspace import TIE, fit, select


def permuted_fit(X, Y, permutation, folds, selection=None):
    """The fit of training row i of Y from training row permutation[i] of X.

    With `selection`, its rank and alpha are kept; without, they are selected again on the permuted
    rows with the same inner folds.
    """
    X = X[permutation]
    chosen = selection or select(X, Y, folds)
    return fit(X, Y, chosen.k, chosen.alpha), chosen


def summarize(observed, draws):
    """Mean, sd (ddof 1), p = (1 + #{draw >= observed}) / (1 + N) and (observed - mean) / (1 - mean).

    A draw within 1e-12 of the observed value counts; corrected is None where the mean is 1.
    """
    draws = np.asarray(draws)
    mean = float(draws.mean())
    return {
        "observed": float(observed),
        "mean": mean,
        "sd": float(draws.std(ddof=1)),
        "p": float((1 + (draws >= observed - TIE).sum()) / (1 + len(draws))),
        "corrected": float((observed - mean) / (1 - mean)) if 1 - mean > TIE else None,
    }
