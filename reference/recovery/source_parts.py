"""Which features, and which blocks of them, support the recovery of directions."""

from itertools import combinations, permutations

import numpy as np

from . import profile, readout
from .standardize import correlations, standardize
from .subspace import fit, one_standard_error, score_candidates

LONGEST = 10


def attribution(X, Y, k, alpha, u):
    """b = B u of the fit's coefficients B in z-scored features, the share of each in the variance of Z b, and its
    correlation.

    The sign of u makes its largest component positive; None if nothing is predicted along it.
    """
    u = u * np.sign(u[np.argmax(np.abs(u))])
    Z, one = standardize(X), fit(X, Y, k, alpha)
    b = one.source_basis @ one.readout @ u
    y = Z @ b
    if not np.any(b):
        return None
    return {
        "weights": b / np.linalg.norm(b),
        "shares": b * (Z.T @ y) / (y @ y),
        "correlations": correlations(Z, np.repeat(y[:, None], Z.shape[1], axis=1)),
    }


def recovered(X, Y, fold, inner, reference):
    """What the whole procedure recovers of a fold's reference from these feature columns."""
    Xt, Yt = X[fold.training], Y[fold.training]
    selection = one_standard_error(score_candidates(Xt, Yt, inner))
    fitted = fit(Xt, Yt, selection.k, selection.alpha)
    Xz, Xe = standardize(Xt, X[fold.test])
    Z, Z_test = Xz @ fitted.source_basis, Xe @ fitted.source_basis
    alpha = readout.select_readout(Z, Yt, inner).alpha
    n = min(LONGEST, profile.n_positive(reference.weights))
    U, weights = reference.directions, reference.weights
    prediction = profile.directional_prediction(Z, Yt, alpha, Z_test, Y[fold.test], U, weights)[:n]
    return {
        "k": selection.k,
        "alpha": selection.alpha,
        "accuracy": readout.accuracy(Z, Yt, alpha, Z_test, Y[fold.test]),
        "dir_cov": profile.direction_coverage(fitted.target_basis, U)[:n],
        "prediction": prediction,
        "variance": float((weights[:n] * prediction * np.abs(prediction)).sum() / weights[:n].sum()),
        "profile_mean": profile.profile_mean(profile.top_k_coverage(fitted.target_basis, U, weights), LONGEST),
    }


def of_blocks(X, blocks, chosen, permuted=None, order=None, training=None):
    """The columns of the chosen blocks; in the permuted block, training row i becomes row order[i]."""
    parts = []
    for block in chosen:
        first, end = blocks[block]
        part = X[:, first:end].copy()
        if block == permuted:
            part[training] = part[training[order]]
        parts.append(part)
    return np.hstack(parts)


def all_sets(n):
    return [list(chosen) for size in range(1, n + 1) for chosen in combinations(range(n), size)]


def shapley(n, value):
    """Each block's gain, averaged over all orders in which blocks can be added; value maps tuples to numbers."""
    gains = np.zeros(n)
    orders = list(permutations(range(n)))
    for order in orders:
        before = 0.0
        for place, block in enumerate(order):
            after = value[tuple(sorted(order[: place + 1]))]
            gains[block] += (after - before) / len(orders)
            before = after
    return gains
