"""The part of a source that supports the recovery (Appendices B and L)."""

import numpy as np

from .standardize import statistics
from .subspace import orthonormal
from .target_reference import entropy_rank


def original_basis(X, source_basis):
    """Q^X = orth(D_X^-1 Q^{X,z}), D_X the training rows' sd."""
    return orthonormal(source_basis / statistics(X)[1][:, None])


def effective_rank(strengths):
    """Entropy effective rank of the leading eigenvalues of C'W; None without any."""
    return entropy_rank(strengths)


def block_use(basis, blocks):
    """|Q^X[block]|^2 / |Q^X|^2 for each (first, end) range of feature columns; None if empty."""
    total = (basis**2).sum()
    return [float((basis[a:b] ** 2).sum() / total) for a, b in blocks] if total > 0 else None


def stability(one, other):
    """tr(P P') / sqrt(tr P tr P') between the original-coordinate bases of two folds; None if empty."""
    if one.shape[1] == 0 or other.shape[1] == 0:
        return None
    return float(((one.T @ other) ** 2).sum() / np.sqrt(one.shape[1] * other.shape[1]))
