"""Profiles of a source whose stimuli are permuted."""

import numpy as np

from .subspace import TIE, fit, select


def permuted_fit(X, Y, permutation, folds, selection=None):
    """Fits training row i of Y from training row permutation[i] of X.

    With `selection`, its rank and alpha are kept; otherwise they are selected again on the same pairs of rows. Each
    pair is in the inner fold of its row of X, so the responses change folds.
    """
    if selection is None:
        Y = Y[np.argsort(permutation)]
        selection = select(X, Y, folds)
    else:
        X = X[permutation]
    return fit(X, Y, selection.k, selection.alpha), selection


def summarize(observed, draws):
    """Mean, sd (ddof 1), p = (1 + #{draw >= observed}) / (1 + N) and (observed - mean) / (1 - mean).

    A draw within 1e-12 of the observed value counts; corrected is None if the mean is 1.
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
