"""The ridge-regularised reduced-rank fit, its bases, and the choice of its rank and alpha."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from .standardize import mean_correlation, standardize

SUBSPACE_GRID = [1e1, 1e2, 1e3, 1e4, 1e5, 1e6]
LARGEST_RANK = 20
TIE = 1e-12


def ridge(X, Y, alpha):
    """argmin_B |Y - X B|^2 + alpha |B|^2, no intercept: (X'X + alpha I)^-1 X'Y.

    Below alpha = 1, the same minimum is found as a least-squares problem on [X; sqrt(alpha) I], because the normal
    equations would lose half of the digits.
    """
    p = X.shape[1]
    if p == 0:
        return np.zeros((0, Y.shape[1]))
    if alpha >= 1.0:
        return scipy.linalg.solve(X.T @ X + alpha * np.eye(p), X.T @ Y, assume_a="pos")
    rows = np.vstack([X, np.sqrt(alpha) * np.eye(p)])
    return scipy.linalg.lstsq(rows, np.vstack([Y, np.zeros((p, Y.shape[1]))]))[0]


def orthonormal(A):
    """Orthonormal basis of the columns of A, which must be independent."""
    return np.linalg.qr(A)[0]


@dataclass
class Directions:
    """C'W = V diag(strengths) V' in descending order, without strengths that count as 0."""

    W: np.ndarray
    V: np.ndarray
    strengths: np.ndarray


def coefficients(Xz, Yz, alpha):
    """W = (X'X + alpha I)^-1 X'Y; for more features than rows its dual X' (XX' + alpha I)^-1 Y.

    The paper uses the dual there too; the two are equal.
    """
    n, p = Xz.shape
    if p <= n:
        return scipy.linalg.solve(Xz.T @ Xz + alpha * np.eye(p), Xz.T @ Yz, assume_a="pos")
    return Xz.T @ scipy.linalg.solve(Xz @ Xz.T + alpha * np.eye(n), Yz, assume_a="pos")


def directions(Xz, Yz, alpha):
    """C = X'Y, W = R^-1 C with R = X'X + alpha I, and the eigendirections of C'W (Appendix B).

    An eigenvalue of at most 1e-10 of the first, or of at most 1e-20, is dropped.
    """
    C = Xz.T @ Yz
    W = coefficients(Xz, Yz, alpha)
    M = C.T @ W
    values, vectors = np.linalg.eigh((M + M.T) / 2)
    values, vectors = values[::-1], vectors[:, ::-1]
    kept = int(((values > 1e-10 * values[0]) & (values > 1e-20)).sum())
    return Directions(W, vectors[:, :kept], values[:kept])


@dataclass
class SubspaceFit:
    """One fit at a rank and alpha. `rank` is the number of columns kept, at most the requested one."""

    alpha: float
    strengths: np.ndarray
    source_basis: np.ndarray
    target_basis: np.ndarray
    readout: np.ndarray

    @property
    def rank(self):
        return self.target_basis.shape[1]


def reduce(found, Xz, Yz, k, alpha):
    """A_sub = W V_{1:k}, Q^{X,z} = orth(A_sub), Z = X Q^{X,z}, B = ridge(Z, Y, alpha), Q = orth(B')."""
    source_basis = orthonormal(found.W @ found.V[:, :k])
    B = ridge(Xz @ source_basis, Yz, alpha)
    return SubspaceFit(alpha, found.strengths[:k], source_basis, orthonormal(B.T), B)


def fit(X, Y, k, alpha):
    """The fit on all rows of X and Y, z-scored by these rows."""
    Xz, Yz = standardize(X), standardize(Y)
    return reduce(directions(Xz, Yz, alpha), Xz, Yz, k, alpha)


def largest_rank(X, Y, cap=LARGEST_RANK):
    """min(cap, p, q, floor(n / 2)); n is the size of the pool (Appendix B)."""
    return min(cap, X.shape[1], Y.shape[1], len(X) // 2)


def inner_splits(n, folds):
    """(training, validation) positions for each given fold; training is in ascending order."""
    return [(np.setdiff1d(np.arange(n), fold), np.asarray(fold)) for fold in folds]


def score_candidates(X, Y, folds, cap=LARGEST_RANK, grid=SUBSPACE_GRID):
    """Validation score of each (k, alpha, fold), by a temporary ridge readout of the k coordinates.

    The readout uses the same alpha, unscaled coordinates and no intercept (Appendix B).
    """
    n_ranks = largest_rank(X, Y, cap)
    scores = np.zeros((n_ranks, len(grid), len(folds)))
    for f, (training, validation) in enumerate(inner_splits(len(X), folds)):
        Xt, Xv = standardize(X[training], X[validation])
        Yt, Yv = standardize(Y[training], Y[validation])
        for a, alpha in enumerate(grid):
            found = directions(Xt, Yt, alpha)
            for k in range(1, n_ranks + 1):
                candidate = reduce(found, Xt, Yt, k, alpha)
                predicted = Xv @ candidate.source_basis @ candidate.readout
                scores[k - 1, a, f] = mean_correlation(Yv, predicted)
    return scores


@dataclass
class Selection:
    """The chosen pair and the scores behind the choice. `margin` is the distance to another choice."""

    k: int
    alpha: float
    mean: np.ndarray
    se: np.ndarray
    threshold: float
    margin: float


def one_standard_error(scores, grid=SUBSPACE_GRID):
    """Of all pairs within one SE of the best mean: smallest k, then highest mean, then smallest alpha.

    SE = sd over folds (ddof 1) / sqrt(n_folds) of the best pair. Among equal means the best is that of the smallest k,
    then alpha. Means within 1e-12 are equal throughout.
    """
    mean = scores.mean(axis=2)
    se = scores.std(axis=2, ddof=1) / np.sqrt(scores.shape[2])
    best = np.argwhere(mean >= mean.max() - TIE)[0]
    threshold = mean[tuple(best)] - se[tuple(best)]
    kept = mean >= threshold - TIE
    k = int(np.flatnonzero(kept.any(axis=1))[0])
    highest = mean[k][kept[k]].max()
    tied = kept[k] & (mean[k] >= highest - TIE)
    a = int(np.flatnonzero(tied)[0])
    others = mean[k][kept[k] & ~tied]
    gaps = [np.abs(mean[: k + 1] - threshold).min(), *(highest - others)]
    return Selection(k + 1, grid[a], mean, se, float(threshold), float(min(gaps)))


def at_fixed_rank(scores, k, grid=SUBSPACE_GRID):
    """The alpha with the highest mean at rank k (at most the largest rank); of equal means the smaller alpha."""
    k = min(k, len(scores))
    mean = scores.mean(axis=2)[k - 1]
    return k, grid[int(np.flatnonzero(mean >= mean.max() - TIE)[0])]


def select(X, Y, folds, cap=LARGEST_RANK):
    """(k, alpha) by inner cross-validation and the one-standard-error rule."""
    return one_standard_error(score_candidates(X, Y, folds, cap))
