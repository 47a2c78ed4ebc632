"""Golden references of targets without noise, attributions and contributions of blocks."""

import numpy as np

from synthetic import bits

from . import inputs, source_parts, study
from . import target_reference as reference
from .golden_layout import SEED, projector, smallest_gap, symmetric
from .golden_recipes import features, repeated, z_trials
from .subspace import select


def halves_labels(name, stimuli, folds, n_splits):
    """0/1 for each split and stimulus: half of each fold's stimuli get 1, and the seed decides about an odd one."""
    labels = np.zeros((n_splits, stimuli), dtype=int)
    for split in range(n_splits):
        for place, fold in enumerate(folds):
            key = f"{name}/{split}/{place}"
            order = inputs.permutation(key, SEED, len(fold))
            half = (len(fold) + int(bits(key + "/coin", SEED, 1)[0] >> np.uint64(63))) // 2
            for position in order[:half]:
                labels[split, fold[position]] = 1
    return labels.tolist()


def noiseless_cases():
    cases = {
        "plain": features("model", 60, 10, [8, 8, 4], 1),
        "wide": features("model", 60, 30, [8, 8, 8, 4], 2),
        "constant": features("model", 60, 8, [8, 4], 1, constant=[[2, 1.5]]),
        "dead": features("model", 40, 3, [8], 1, constant=[[c, 1.5] for c in range(3)]),
    }
    found = {}
    for name, recipe in cases.items():
        n = recipe["n_stimuli"]
        inner = inputs.chunks(inputs.permutation("inner", SEED, n), 4)
        labels = halves_labels("halves/" + name, n, inner, 4)
        one = reference.noiseless_reference(inputs.matrix(recipe), np.array(labels), np.arange(n), inner)
        found[name] = {
            "features_recipe": recipe,
            "labels": labels,
            "pool": np.arange(n),
            "inner_folds": inner,
            "selections": [[s.k, s.alpha, f.rank] for s, f in zip(one.selections, one.fits)],
            "margin": min(s.margin for s in one.selections),
            "matrix": symmetric(one.matrix),
            "weights": one.weights,
            "smallest_gap": smallest_gap(one.weights),
            "consensus": projector(one.consensus_basis) if reference.consensus_gap(one) > 1e-10 else None,
            "effective_rank": one.effective_rank,
            "convergence": [],
        }
    return found


def source_parts_case():
    n, four = 50, [8, 8, 8, 4]
    chunks = inputs.chunks(inputs.permutation("order", SEED, n), 5)
    fold = study.outer_folds([np.array(chunk) for chunk in chunks])[0]
    inner = inputs.chunks(inputs.permutation("inner", SEED, len(fold.training)), 5)
    test_inner = inputs.chunks(inputs.permutation("test", SEED, len(fold.test)), 2)
    source = features("source", n, 14, four, 1, constant=[[3, 2.0]])
    target = repeated("parts", n, 10, four, 3, [3], 1)
    trials, stimuli = z_trials(target)
    X, Y = inputs.matrix(source), reference.image_means(trials, stimuli, np.arange(n))
    labels = inputs.split_labels("labels/parts", SEED, target["stimuli"], 3)
    one = reference.target_reference(trials, stimuli, np.array(labels), fold.test, test_inner)
    selection = select(X[fold.training], Y[fold.training], inner)
    directions = [np.eye(10)[0], -np.arange(1, 11) / np.linalg.norm(np.arange(1, 11))]
    blocks = [[0, 3], [3, 8], [8, 14]]
    sets = source_parts.all_sets(len(blocks))
    fits = {
        tuple(chosen): source_parts.recovered(source_parts.of_blocks(X, blocks, chosen), Y, fold, inner, one)
        for chosen in sets
    }
    order = inputs.permutation("null", SEED, len(fold.training))
    everything = list(range(len(blocks)))
    permuted = [
        source_parts.recovered(
            source_parts.of_blocks(X, blocks, everything, block, np.array(order), fold.training),
            Y,
            fold,
            inner,
            one,
        )
        for block in everything
    ]
    return {
        "source_recipe": source,
        "trials_recipe": target,
        "labels": labels,
        "training": fold.training,
        "reserved": fold.reserved,
        "test": fold.test,
        "inner_folds": inner,
        "test_inner_folds": test_inner,
        "smallest_gap": smallest_gap(one.weights),
        "directions": directions,
        "attribution": [
            source_parts.attribution(X[fold.training], Y[fold.training], selection.k, selection.alpha, u)
            for u in directions
        ],
        "blocks": blocks,
        "sets": sets,
        "fits": [fits[tuple(chosen)] for chosen in sets],
        "order": order,
        "permuted": permuted,
        "shapley": source_parts.shapley(len(blocks), {chosen: found["variance"] for chosen, found in fits.items()}),
    }
