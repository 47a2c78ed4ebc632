"""Golden target references from repeated trials."""

import numpy as np

from . import inputs, profile, study
from . import target_reference as reference
from .golden_layout import SEED, projector, selection_of, smallest_gap, symmetric
from .golden_recipes import repeated, z_trials


def reference_cases():
    two = [8, 8]
    cases = {
        "ragged": repeated("ragged", 40, 10, [8, 8, 4], 4, [2, 3, 4], 2),
        "few_voxels": repeated("few_voxels", 30, 4, two, 2, [3], 1),
        "many_voxels": repeated("many_voxels", 45, 24, [8, 8, 8, 4, 4], 4, [3], 3),
        "broken_voxels": repeated("broken", 30, 8, two, 2, [3], 2, constant=[[1, 2.5]], nan=[[7, 3], [8, 3]]),
        "one_dimension": repeated("one", 30, 12, [16], 2, [2], 1),
        "noise_free": repeated("noise_free", 30, 8, [4, 4, 2], 0, [2, 3], 1),
        "noise": repeated("noise", 30, 10, [0], 1, [3], 1),
        "dead": repeated("dead", 20, 3, [8], 1, [2], 1, constant=[[c, 1.5] for c in range(3)]),
    }
    found = {}
    for name, recipe in cases.items():
        trials, stimuli = z_trials(recipe)
        labels = inputs.split_labels("labels/" + name, SEED, recipe["stimuli"], 4)
        pool = np.arange(recipe["n_stimuli"])
        inner = inputs.chunks(inputs.permutation("inner", SEED, len(pool)), 5)
        one = reference.target_reference(trials, stimuli, np.array(labels), pool, inner)
        half, cut = one.of_first(2), reference.consensus_gap(one)
        found[name] = {
            "trials_recipe": recipe,
            "labels": labels,
            "pool": pool,
            "inner_folds": inner,
            "first_selection": selection_of(one.selections[0], tables=True),
            "selections": [[s.k, s.alpha, f.rank] for s, f in zip(one.selections, one.fits)],
            "margin": min(s.margin for s in one.selections),
            "matrix": symmetric(one.matrix),
            "weights": one.weights,
            "smallest_gap": smallest_gap(one.weights),
            "consensus": projector(one.consensus_basis) if cut > 1e-10 else None,
            "effective_rank": one.effective_rank,
            "convergence": [reference.convergence(one, m) for m in range(1, 5)],
            "half_similarity": reference.reference_similarity(half, one),
            "axes": axes(one),
        }
    return found


def axes(one):
    """Coverage of one reference by the first two voxel axes, as far as they are determined."""
    found = study.coverage(np.eye(len(one.matrix))[:, :2], one)
    if not (smallest_gap(one.weights) or 0) > 1e-10:
        return {"full_ref_cov": found.full}
    return {
        "dir_cov": found.dir_cov[: profile.n_positive(one.weights)],
        "top_k_cov": found.curve,
        "profile_means": [profile.profile_mean(found.curve, K) for K in profile.SUMMARIES],
        "full_ref_cov": found.full,
    }
