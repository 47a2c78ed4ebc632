"""How much of a target reference a source's subspace recovers."""

import numpy as np

from .readout import predict
from .standardize import correlations, standardize

SUMMARIES = (5, 10, 20)
SMALLEST_WEIGHT = 1e-10
N_STABLE = 20


def direction_coverage(Q, U):
    """DirCov_j = |Q' u_j|^2 for each column u_j (Section 2.3)."""
    return ((Q.T @ U) ** 2).sum(axis=0)


def top_k_coverage(Q, U, weights):
    """TopKCov_k = sum_{j<=k} w_j DirCov_j / sum_{j<=k} w_j for k = 1..q; None for an empty reference."""
    if weights[0] <= SMALLEST_WEIGHT:
        return None
    return np.cumsum(weights * direction_coverage(Q, U)) / np.cumsum(weights)


def full_coverage(Q, reference):
    """tr(P TargetRef) / tr(TargetRef) of one fold (Appendix B)."""
    total = np.trace(reference.matrix)
    return float(np.trace(Q @ Q.T @ reference.matrix) / total) if total > SMALLEST_WEIGHT else None


def profile_mean(curve, K):
    """Mean of TopKCov_1..K (Section 2.3); of all q if there are fewer than K voxels."""
    return float(curve[:K].mean())


def shape_distance(curve, human, K):
    """Root mean square difference of the curves, each divided by its own mean (Appendix B).

    None if a mean is 0. `human` is the donors' median curve.
    """
    a, b = curve[:K], human[:K]
    if a.mean() == 0 or b.mean() == 0:
        return None
    return float(np.sqrt(((a / a.mean() - b / b.mean()) ** 2).mean()))


def human_reference(curves):
    """H_k = median over donors; mean of the two middle values for an even number."""
    return np.median(curves, axis=0)


def human_band(curves):
    """Spread over donors at each k: quartiles (linear interpolation), range, SEM (ddof 1)."""
    curves = np.asarray(curves)
    return {
        "median": human_reference(curves),
        "quartiles": np.quantile(curves, [0.25, 0.75], axis=0),
        "range": [curves.min(axis=0), curves.max(axis=0)],
        "mean": curves.mean(axis=0),
        "sem": curves.std(axis=0, ddof=1) / np.sqrt(len(curves)),
    }


def brain_reference_score(profile, donors):
    """ProfileMean over the donors' median ProfileMean (Appendix B); None if that is 0."""
    typical = float(np.median(donors))
    return profile / typical if typical != 0 else None


def n_positive(weights):
    """Number of directions with a weight above 1e-10; the others are not determined."""
    return int((weights > SMALLEST_WEIGHT).sum())


def directional_prediction(Z, Y, alpha, Z_test, Y_test, U, weights):
    """corr(Yhat u_j, Y u_j) on the test chunk for the first 20 determined directions (Appendix E)."""
    stable = U[:, : min(N_STABLE, n_positive(weights))]
    (predicted,) = predict(Z, Y, alpha, Z_test)
    observed = standardize(Y, Y_test)[1]
    return correlations(observed @ stable, predicted @ stable)


def quartile_contrast(coverage, prediction):
    """r of DirCov with direction-wise r; mean of the latter in the top minus that in the bottom quarter."""
    low, high = np.quantile(coverage, [0.25, 0.75])
    difference = prediction[coverage >= high].mean() - prediction[coverage <= low].mean()
    return {"r": float(np.corrcoef(coverage, prediction)[0, 1]), "high_low": float(difference)}
