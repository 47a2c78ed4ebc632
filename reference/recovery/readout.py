"""Prediction accuracy: ridge readouts of given coordinates, with their own grid."""

from dataclasses import dataclass

import numpy as np

from .standardize import mean_correlation, standardize
from .subspace import TIE, fit, inner_splits, ridge, select

READOUT_GRID = [1e-6, 1e-3, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6]


def predict(Z, Y, alpha, *others):
    """Predictions, in units of the z-scored Y, for each further Z; Z and Y are z-scored by their own rows."""
    scaled = standardize(Z, *others)
    B = ridge(scaled[0], standardize(Y), alpha)
    return [z @ B for z in scaled[1:]]


def accuracy(Z, Y, alpha, Z_new, Y_new):
    """Mean Pearson r over voxels between z-scored responses and predictions (Appendix B)."""
    (predicted,) = predict(Z, Y, alpha, Z_new)
    return mean_correlation(standardize(Y, Y_new)[1], predicted)


def highest(scores):
    """Position of the highest score; of scores within 1e-12 the first one, which has the smaller alpha."""
    return int(np.flatnonzero(scores >= scores.max() - TIE)[0])


@dataclass
class Readout:
    """The chosen alpha and each alpha's score; margin: the best score minus the next lower one."""

    alpha: float
    scores: np.ndarray
    margin: float


def select_readout(Z, Y, folds):
    """The alpha with the highest mean validation r; Z are coordinates in the outer fit's basis.

    Since coordinates are z-scored, this depends on the orientation of the basis and not only on its span: it is that of
    the QR decomposition of A_sub, with columns in descending order of strength.
    """
    splits = inner_splits(len(Z), folds)
    scores = np.array([np.mean([accuracy(Z[t], Y[t], alpha, Z[v], Y[v]) for t, v in splits]) for alpha in READOUT_GRID])
    best = highest(scores)
    lower = scores[scores < scores[best] - TIE]
    margin = float(scores[best] - lower.max()) if len(lower) else 0.0
    return Readout(READOUT_GRID[best], scores, margin)


def reserved_readout(Z, Y, Z_reserved, Y_reserved, Z_test, Y_test):
    """Alpha by the score on the reserved chunk, then the accuracy on the test chunk (Figure 2D)."""
    scores = np.array([accuracy(Z, Y, alpha, Z_reserved, Y_reserved) for alpha in READOUT_GRID])
    alpha = READOUT_GRID[highest(scores)]
    return {"alpha": alpha, "reserved": scores, "test": accuracy(Z, Y, alpha, Z_test, Y_test)}


def auxiliary_comparison(X, Y, training, reserved, test, folds, cap=32):
    """Readouts of all features, of the predictive subspace (ranks up to 32) and of source PCA (Figure 2D).

    Each is a ridge readout of z-scored coordinates, trained on the outer-training images. The PCA is that of the
    z-scored source, with the rank of the subspace.
    """
    Xt, Xr, Xe = standardize(X[training], X[reserved], X[test])
    selection = select(X[training], Y[training], folds, cap)
    subspace = fit(X[training], Y[training], selection.k, selection.alpha).source_basis
    pca = np.linalg.svd(Xt, full_matrices=False)[2][: subspace.shape[1]].T
    bases = {"full": np.eye(X.shape[1]), "subspace": subspace, "source_pca": pca}
    responses = (Y[training], Y[reserved], Y[test])
    compared = {
        name: reserved_readout(Xt @ Q, responses[0], Xr @ Q, responses[1], Xe @ Q, responses[2])
        for name, Q in bases.items()
    }
    full = compared["full"]["test"]
    retained = compared["subspace"]["test"] / full if full != 0 else None
    return {"selection": selection, "retained": retained, **compared}
