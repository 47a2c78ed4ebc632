"""One target unit from trials to recovery profiles: all outer folds, sources, nulls and controls."""

from dataclasses import dataclass

import numpy as np

from . import controls, null, profile, source_subspace
from .readout import accuracy, auxiliary_comparison, select_readout
from .standardize import standardize
from .subspace import at_fixed_rank, fit, one_standard_error, score_candidates, select
from .target_reference import convergence, target_reference


@dataclass
class OuterFold:
    """Sorted image indices (Appendix B): chunk f is the test, chunk f + 1 is reserved, the rest is for training."""

    training: np.ndarray
    reserved: np.ndarray
    test: np.ndarray


def outer_folds(chunks):
    n = len(chunks)
    return [
        OuterFold(
            np.sort(np.concatenate([chunks[g] for g in range(n) if g not in (f, (f + 1) % n)])),
            np.sort(chunks[(f + 1) % n]),
            np.sort(chunks[f]),
        )
        for f in range(n)
    ]


@dataclass
class Coverage:
    """The comparison of a basis with the reference of one fold."""

    dir_cov: np.ndarray
    curve: np.ndarray
    full: float


def coverage(Q, reference):
    return Coverage(
        profile.direction_coverage(Q, reference.directions),
        profile.top_k_coverage(Q, reference.directions, reference.weights),
        profile.full_coverage(Q, reference),
    )


def average(found):
    """Fold-averaged curve and its summaries: ProfileMean for each K, FullRefCov."""
    curve = np.mean([one.curve for one in found], axis=0)
    return {
        "curve": curve,
        "profile_means": [profile.profile_mean(curve, K) for K in profile.SUMMARIES],
        "full": float(np.mean([one.full for one in found])),
    }


def references(trials, stimuli, labels, folds, inner):
    """TargetRef of each outer fold's test chunk."""
    return [
        target_reference(trials, stimuli, labels, fold.test, inner_folds) for fold, inner_folds in zip(folds, inner)
    ]


def source_fold(X, Y, fold, inner, reference, blocks):
    """One source, one outer fold: selection, subspace, accuracy, coverage, source side."""
    Xt, Yt = X[fold.training], Y[fold.training]
    scores = score_candidates(Xt, Yt, inner)
    selection = one_standard_error(scores)
    fitted = fit(Xt, Yt, selection.k, selection.alpha)
    Xz, Xe = standardize(Xt, X[fold.test])
    Z, Z_test = Xz @ fitted.source_basis, Xe @ fitted.source_basis
    readout = select_readout(Z, Yt, inner)
    original = source_subspace.original_basis(Xt, fitted.source_basis)
    return {
        "selection": selection,
        "fit": fitted,
        "readout": readout,
        "accuracy": accuracy(Z, Yt, readout.alpha, Z_test, Y[fold.test]),
        "coverage": coverage(fitted.target_basis, reference),
        "directional": profile.directional_prediction(
            Z, Yt, readout.alpha, Z_test, Y[fold.test], reference.directions, reference.weights
        ),
        "original_basis": original,
        "effective_rank": source_subspace.effective_rank(fitted.strengths),
        "block_use": source_subspace.block_use(original, blocks),
        "fixed_rank": {
            rank: coverage(fit(Xt, Yt, *at_fixed_rank(scores, rank)).target_basis, reference) for rank in (2, 3)
        },
        "auxiliary": auxiliary_comparison(X, Y, fold.training, fold.reserved, fold.test, inner),
    }


def source_study(X, Y, folds, inner, refs, blocks):
    """All folds of a source, their averages, next-fold reference and stability between folds."""
    per_fold = [source_fold(X, Y, fold, inner[f], refs[f], blocks) for f, fold in enumerate(folds)]
    following = [coverage(one["fit"].target_basis, refs[(f + 1) % len(folds)]) for f, one in enumerate(per_fold)]
    bases = [one["original_basis"] for one in per_fold]
    pairs = [(f, g) for f in range(len(folds)) for g in range(f + 1, len(folds))]
    stabilities = [source_subspace.stability(bases[f], bases[g]) for f, g in pairs]
    defined = [value for value in stabilities if value is not None]
    return {
        "folds": per_fold,
        "accuracy": float(np.mean([one["accuracy"] for one in per_fold])),
        "same_fold": average([one["coverage"] for one in per_fold]),
        "next_fold": average(following),
        "fixed_rank": {rank: average([one["fixed_rank"][rank] for one in per_fold]) for rank in (2, 3)},
        "stability": stabilities,
        "median_stability": float(np.median(defined)) if defined else None,
    }


def source_null(X, Y, folds, inner, refs, study, permutations, reselect):
    """The null of the fold-averaged profile; permutations (n_draws, n_folds, n_training positions)."""
    draws, chosen = [], []
    for draw in permutations:
        found = []
        for f, fold in enumerate(folds):
            kept = None if reselect else study["folds"][f]["selection"]
            fitted, selection = null.permuted_fit(X[fold.training], Y[fold.training], draw[f], inner[f], kept)
            found.append(coverage(fitted.target_basis, refs[f]))
            chosen.append([selection.k, selection.alpha])
        draws.append(average(found))
    observed = study["same_fold"]
    return {
        "chosen": chosen,
        "draws": [[*one["profile_means"], one["full"]] for one in draws],
        "curve": [
            null.summarize(observed["curve"][k], [one["curve"][k] for one in draws])
            for k in range(len(observed["curve"]))
        ],
        "profile_means": [
            null.summarize(observed["profile_means"][i], [one["profile_means"][i] for one in draws])
            for i in range(len(profile.SUMMARIES))
        ],
        "full": null.summarize(observed["full"], [one["full"] for one in draws]),
    }


def response_permutation(X, Y, folds, inner, refs, permutations):
    """Control: training row i of X with training row permutation[i] of Y; selection is repeated."""
    found = []
    for f, fold in enumerate(folds):
        Xt, Yt = X[fold.training], Y[fold.training][permutations[f]]
        selection = select(Xt, Yt, inner[f])
        found.append(coverage(fit(Xt, Yt, selection.k, selection.alpha).target_basis, refs[f]))
    return average(found)


def target_controls(Y, folds, refs, random_draws):
    """Target PCA with 1, 2 and consensus-rank components, and random directions of consensus rank."""
    found = {"pca_1": [], "pca_2": [], "pca_matched": [], "random": []}
    for f, fold in enumerate(folds):
        rank = refs[f].consensus_rank
        for name, components in (("pca_1", 1), ("pca_2", 2), ("pca_matched", rank)):
            basis = controls.target_pca(Y[fold.training], components)
            found[name].append(coverage(basis, refs[f]))
        basis = controls.random_basis(random_draws[f][:, :rank])
        found["random"].append(coverage(basis, refs[f]))
    return {name: average(one) for name, one in found.items()}


def reference_summary(reference):
    """Spectrum and convergence of one fold's reference."""
    total = reference.weights.sum()
    return {
        "weights": reference.weights,
        "normalized": reference.weights / total if total > 0 else None,
        "effective_rank": reference.effective_rank,
        "consensus_rank": reference.consensus_rank,
        "convergence": [convergence(reference, m) for m in range(1, len(reference.fits) // 2 + 1)],
    }
