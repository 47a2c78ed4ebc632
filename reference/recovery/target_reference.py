"""The reproducible target reference: the average projector over split halves of repeated trials."""

from dataclasses import dataclass

import numpy as np

from .standardize import standardize
from .subspace import SubspaceFit, directions, fit, select


def image_means(trials, stimuli, chosen):
    """Mean over all repeats of each chosen stimulus, in their order."""
    return np.array([trials[stimuli == stimulus].mean(axis=0) for stimulus in chosen])


def two_views(trials, stimuli, labels, chosen):
    """Means over the trials labelled 0 and over those labelled 1, per stimulus (Section 2.2)."""
    return [image_means(trials[labels == view], stimuli[labels == view], chosen) for view in (0, 1)]


@dataclass
class TargetReference:
    """TargetRef = U diag(weights) U'. `fits` has those of 1->2 and 2->1 for each split."""

    matrix: np.ndarray
    directions: np.ndarray
    weights: np.ndarray
    fits: list
    selections: list

    @property
    def consensus_rank(self):
        """round(mean rank over splits and directions), half to even, and at least 1 (Appendix B)."""
        return max(1, int(np.round(np.mean([one.rank for one in self.fits]))))

    @property
    def consensus_basis(self):
        """The first consensus_rank columns of U."""
        return self.directions[:, : self.consensus_rank]

    @property
    def effective_rank(self):
        return entropy_rank(self.weights)

    def of_first(self, n_splits):
        """The estimate from the first n splits alone."""
        return from_fits(self.fits[: 2 * n_splits], self.selections[: 2 * n_splits])


def entropy_rank(values):
    """exp(-sum p log p), p = values / sum (Appendix B, effective rank); None if all are 0."""
    total = values.sum()
    if total == 0:
        return None
    p = values[values > 0] / total
    return float(np.exp(-(p * np.log(p)).sum()))


def from_projectors(projectors):
    """TargetRef = mean of the projectors; returns (matrix, U, omega), with descending omega whose negatives are set to
    0."""
    matrix = np.mean(projectors, axis=0)
    weights, U = np.linalg.eigh((matrix + matrix.T) / 2)
    return matrix, U[:, ::-1], np.maximum(weights[::-1], 0.0)


def from_fits(fits: list[SubspaceFit], selections):
    matrix, U, weights = from_projectors([one.target_basis @ one.target_basis.T for one in fits])
    return TargetReference(matrix, U, weights, fits, selections)


def target_reference(trials, stimuli, labels, chosen, folds):
    """Both directions of prediction between the two views of every split (Section 2.2, Appendix B).

    trials (n_trials, n_voxels) are session z-scores; labels (n_splits, n_trials) are 0 or 1; the pool of the inner
    folds is `chosen`: the images of the outer fold's test chunk.
    """
    fits, selections = [], []
    for split in labels:
        first, second = two_views(trials, stimuli, split, chosen)
        for X, Y in ((first, second), (second, first)):
            selection = select(X, Y, folds)
            selections.append(selection)
            fits.append(fit(X, Y, selection.k, selection.alpha))
    return from_fits(fits, selections)


def noiseless_reference(features, labels, chosen, folds):
    """The reference of a target without noise: each half of the stimuli predicts itself.

    labels (n_splits, n_stimuli) are 0 or 1; TargetRef = mean over splits and halves of Q diag(s / sum s) Q', with the
    eigenvalues s of C'W: dimensions by their share of the variance. This is our definition; the paper has no such
    targets."""
    fits, selections, soft = [], [], []
    for split in labels:
        for half in (0, 1):
            places = np.flatnonzero(split[chosen] == half)
            inner = [np.flatnonzero(np.isin(places, fold)) for fold in folds]
            X = features[chosen[places]]
            selection = select(X, X, inner)
            selections.append(selection)
            fits.append(fit(X, X, selection.k, selection.alpha))
            # B' of the readout has the target-side directions, ordered by strength.
            Q, s = directions(standardize(X), standardize(X), selection.alpha), fits[-1].strengths
            V = Q.V[:, : len(s)]
            soft.append((V * s) @ V.T / s.sum() if len(s) else np.zeros((X.shape[1],) * 2))
    matrix, U, weights = from_projectors(soft)
    return TargetReference(matrix, U, weights, fits, selections)


def consensus_gap(reference):
    """Weight of the last direction inside the consensus minus that of the first outside it.

    At 0 the consensus is not determined. With one split, ranks that differ by two or more always cause a tie at 1/2
    there.
    """
    weights, k = reference.weights, reference.consensus_rank
    return float(weights[k - 1] - (weights[k] if k < len(weights) else 0.0))


def convergence(reference, n_splits):
    """Coverage, purity and rank ratio of the first m splits' consensus (Figure 2A, Appendix B).

    Coverage and purity are None if a tie is cut.
    """
    partial = reference.of_first(n_splits)
    k, k_all = partial.consensus_rank, reference.consensus_rank
    determined = min(consensus_gap(partial), consensus_gap(reference)) > 1e-10
    overlap = float(np.sum((partial.consensus_basis.T @ reference.consensus_basis) ** 2))
    return {
        "consensus_rank": k,
        "gap": consensus_gap(partial),
        "coverage": overlap / k_all if determined else None,
        "purity": overlap / k if determined else None,
        "rank_ratio": k / k_all,
    }


def reference_similarity(one, other):
    """Soft tr(R R') / (|R| |R'|) and hard tr(P P') / tr(P): agreement of two references (Appendix D).

    None if one of the references is empty.
    """
    norms = np.linalg.norm(one.matrix) * np.linalg.norm(other.matrix)
    if norms == 0:
        return None
    overlap = np.sum((one.consensus_basis.T @ other.consensus_basis) ** 2)
    soft = float(np.sum(one.matrix * other.matrix) / norms)
    return {"soft": soft, "hard": float(overlap / one.consensus_rank)}
