"""Golden fits of one source to one target."""

import numpy as np
import scipy.linalg

from . import inputs, readout, source_subspace, study, subspace
from .golden_layout import SEED, auxiliary_of, projector, selection_of
from .golden_recipes import features
from .standardize import standardize


def hadamard_case():
    """X of four orthogonal +-1 columns and Y whose z-scores load on them with orthogonal, equal rows.

    All four eigenvalues of C'W are equal on all 32 images (and k = 4 is chosen), but not in inner folds.
    """
    H = scipy.linalg.hadamard(32).astype(float)
    X = H[:, [1, 2, 4, 8]]
    loadings = scipy.linalg.hadamard(8)[[1, 2, 4, 7]].astype(float)
    return X, X @ loadings + 2 * H[:, 16:24]


def fit_cases():
    n = 50
    chunks = inputs.chunks(inputs.permutation("order", SEED, n), 5)
    folds = {n: study.outer_folds([np.array(chunk) for chunk in chunks])[0]}
    chunks = inputs.chunks(inputs.permutation("order", SEED, 47), 5)
    folds[47] = study.outer_folds([np.array(chunk) for chunk in chunks])[2]
    seen, unseen = int(folds[n].training[3]), int(folds[n].test[2])
    four = [8, 8, 8, 4]
    target = features("target", n, 10, four, 2)
    cases = {
        "plain": (features("source", n, 12, four, 1), target),
        "wide": (features("source", 47, 60, four, 2), features("target", 47, 12, four, 2)),
        "few_features": (features("source", n, 4, four, 0.5), target),
        "few_voxels": (features("source", n, 20, four, 1), features("target", n, 3, four, 1)),
        "one_feature": (features("source", n, 1, four, 0.5), target),
        "one_dimension": (features("source", n, 12, [16], 1), features("target", n, 10, [8], 1)),
        "broken_voxels": (
            features("source", n, 12, four, 1),
            features("target", n, 10, four, 2, constant=[[2, 1.5]], nan=[[seen, 5], [unseen, 7]]),
        ),
        "dead_columns": (
            features("source", n, 12, four, 2, constant=[[0, 0.0], [7, -2.5]], nan=[[seen, 3], [unseen, 4]]),
            target,
        ),
        "dead_source": (
            features("source", n, 6, four, 2, constant=[[c, 1.5] for c in range(6)]),
            target,
        ),
        "noise": (features("source", n, 12, [0, 0, 0, 0], 1), target),
        "many_voxels": (features("source", n, 24, four, 2), features("target", n, 40, four, 4)),
        "tied": tuple({"values": values} for values in hadamard_case()),
    }
    found = {}
    for name, (source, target) in cases.items():
        X, Y = inputs.matrix(source), inputs.matrix(target)
        if name == "tied":
            everything = np.arange(32)
            fold = study.OuterFold(everything, np.arange(8), np.arange(8, 32))
        else:
            fold = folds[len(X)]
        order = inputs.permutation("inner", SEED, len(fold.training))
        found[name] = fit_case(source, target, X, Y, fold, inputs.chunks(order, 5), name != "tied")
    return found


def fit_case(source, target, X, Y, fold, inner, determined):
    """The directions inside the subspace are not determined, so what depends on them is left out."""
    Xt, Yt = X[fold.training], Y[fold.training]
    scores = subspace.score_candidates(Xt, Yt, inner)
    selection = subspace.one_standard_error(scores)
    fit = subspace.fit(Xt, Yt, selection.k, selection.alpha)
    Xz, Xe = standardize(Xt, X[fold.test])
    Z, Z_test = Xz @ fit.source_basis, Xe @ fit.source_basis
    chosen = readout.select_readout(Z, Yt, inner)
    original = source_subspace.original_basis(Xt, fit.source_basis)
    half = X.shape[1] // 2
    fixed = {}
    for rank in (2, 3):
        k, alpha = subspace.at_fixed_rank(scores, rank)
        fixed[rank] = {"k": k, "alpha": alpha}
        fixed[rank]["target"] = projector(subspace.fit(Xt, Yt, k, alpha).target_basis)
    blocks = [[0, half], [half, X.shape[1]]]
    auxiliary = readout.auxiliary_comparison(X, Y, fold.training, fold.reserved, fold.test, inner)
    scored = {
        "readout": {"alpha": chosen.alpha, "scores": chosen.scores, "margin": chosen.margin},
        "accuracy": readout.accuracy(Z, Yt, chosen.alpha, Z_test, Y[fold.test]),
        "auxiliary": auxiliary_of(auxiliary),
    }
    return {
        "source_recipe": source,
        "target_recipe": target,
        "training": fold.training,
        "reserved": fold.reserved,
        "test": fold.test,
        "inner_folds": inner,
        "selection": selection_of(selection, tables=True),
        "strengths": fit.strengths,
        "target": projector(fit.target_basis),
        "source": projector(fit.source_basis),
        "original": projector(original),
        "blocks": blocks,
        "block_use": source_subspace.block_use(original, blocks),
        "effective_rank": source_subspace.effective_rank(fit.strengths),
        "fixed_rank": fixed if determined else None,
        **(scored if determined else {}),
    }
