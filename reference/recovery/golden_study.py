"""One golden target unit with all its folds, sources, nulls and controls."""

import numpy as np

from . import inputs, intervals, profile, study
from . import target_reference as reference
from .golden_layout import SEED, auxiliary_of, projector, selection_of, smallest_gap, symmetric
from .golden_recipes import features, repeated, z_trials


def study_case():
    n, q = 75, 24
    chunks = inputs.chunks(inputs.permutation("order", SEED, n), 5)
    folds = study.outer_folds([np.array(chunk) for chunk in chunks])
    seeds = range(5)
    inner = [inputs.chunks(inputs.permutation(f"inner/{f}", SEED, 45), 5) for f in seeds]
    reference_inner = [inputs.chunks(inputs.permutation(f"reference/{f}", SEED, 15), 5) for f in seeds]
    target = repeated("target", n, q, [8, 8, 8, 8, 4, 2], 4, [2, 3, 4], 2, constant=[[4, 0.5]])
    labels = inputs.split_labels("labels", SEED, target["stimuli"], 3)
    recipes = {
        "donor_1": repeated("donor_1", n, 9, [8, 8, 8, 8, 4, 2], 2, [3], 2),
        "donor_2": repeated("donor_2", n, 26, [8, 8, 8, 0, 4, 2], 4, [2, 3], 2),
        "donor_3": repeated("donor_3", n, 7, [8, 2, 8, 4, 0, 0], 2, [3], 1),
        "donor_4": repeated("donor_4", n, 30, [4, 8, 8, 8, 4, 4], 4, [3], 1),
        "model": features("model", n, 60, [8, 8, 0, 0, 4, 0], 2),
        "noise": features("noise", n, 16, [0, 0, 0, 0, 0, 0], 1),
    }
    blocks = {"model": [[0, 20], [20, 60]], "noise": [[0, 16]]}
    permutations = [[inputs.permutation(f"null/{draw}/{f}", SEED, 45) for f in seeds] for draw in range(5)]
    response_permutations = [inputs.permutation(f"response/{f}", SEED, 45) for f in seeds]

    trials, stimuli = z_trials(target)
    Y = reference.image_means(trials, stimuli, range(n))
    refs = study.references(trials, stimuli, np.array(labels), folds, reference_inner)
    X = {}
    for name, recipe in recipes.items():
        if "stimuli" in recipe:
            X[name] = reference.image_means(*z_trials(recipe), range(n))
        else:
            X[name] = inputs.matrix(recipe)
    found = {
        name: study.source_study(X[name], Y, folds, inner, refs, blocks.get(name, [[0, X[name].shape[1]]]))
        for name in recipes
    }
    donors = [one for name, one in found.items() if name.startswith("donor")]
    human = profile.human_reference([one["same_fold"]["curve"] for one in donors])
    typical = [[one["same_fold"]["profile_means"][i] for one in donors] for i in range(3)]
    draws = [inputs.centred(f"random/{f}", SEED, (q, q)) for f in seeds]
    result = {
        "inputs": {
            "target": target,
            "sources": recipes,
            "blocks": blocks,
            "chunks": chunks,
            "inner_folds": inner,
            "reference_inner_folds": reference_inner,
            "labels": labels,
            "null_permutations": permutations,
            "response_permutations": response_permutations,
        },
        "image_means": {
            "target": Y.sum(axis=1),
            **{name: x.sum(axis=1) for name, x in X.items() if name.startswith("donor")},
        },
        "references": {
            f: {
                "selections": [[s.k, s.alpha, t.rank] for s, t in zip(one.selections, one.fits)],
                "margin": min(s.margin for s in one.selections),
                "matrix": symmetric(one.matrix),
                "smallest_gap": smallest_gap(one.weights),
                "consensus": projector(one.consensus_basis),
                **study.reference_summary(one),
            }
            for f, one in enumerate(refs)
        },
    }
    for name, one in found.items():
        result["source_" + name] = source_of(one, refs, human, typical)
    for name in ("donor_3", "model", "noise"):
        for reselect in (False, True):
            key = "null_select_" if reselect else "null_"
            result[key + name] = study.source_null(X[name], Y, folds, inner, refs, found[name], permutations, reselect)
    for key, one in study.target_controls(Y, folds, refs, draws).items():
        result["control_" + key] = one
    for name in ("donor_3", "model"):
        result["control_response_permutation_" + name] = study.response_permutation(
            X[name], Y, folds, inner, refs, response_permutations
        )
    curves = [one["same_fold"]["curve"] for one in donors]
    result["human_band"] = profile.human_band(curves)
    coverages = np.concatenate(
        [one["coverage"].dir_cov[: len(one["directional"])] for d in donors for one in d["folds"]]
    )
    directional = np.concatenate([one["directional"] for d in donors for one in d["folds"]])
    result["directional_donors"] = profile.quartile_contrast(coverages, directional)
    names = list(found)
    result["accuracy_and_profile"] = intervals.accuracy_profile_correlation(
        [found[name]["accuracy"] for name in names],
        [found[name]["same_fold"]["profile_means"][1] for name in names],
    )
    return result


def source_of(one, refs, human, typical):
    """What is stored of one source: each fold, then the averages."""
    per_fold = []
    for fold, ref in zip(one["folds"], refs):
        positive = profile.n_positive(ref.weights)
        per_fold.append(
            {
                "selection": selection_of(fold["selection"]),
                "rank": fold["fit"].rank,
                "target": projector(fold["fit"].target_basis),
                "strengths": fold["fit"].strengths,
                "readout_alpha": fold["readout"].alpha,
                "readout_margin": fold["readout"].margin,
                "accuracy": fold["accuracy"],
                "dir_cov": fold["coverage"].dir_cov[:positive],
                "top_k_cov": fold["coverage"].curve,
                "full_ref_cov": fold["coverage"].full,
                "directional_prediction": fold["directional"],
                "effective_rank": fold["effective_rank"],
                "block_use": fold["block_use"],
                "auxiliary": auxiliary_of(fold["auxiliary"]),
            }
        )
    same = one["same_fold"]
    scores = {
        "brain_ref_score": [
            profile.brain_reference_score(mean, typical[i]) for i, mean in enumerate(same["profile_means"])
        ],
        "shape_dist": [profile.shape_distance(same["curve"], human, K) for K in profile.SUMMARIES],
    }
    rest = ("accuracy", "same_fold", "next_fold", "fixed_rank", "stability", "median_stability")
    return {"folds": per_fold, **{key: one[key] for key in rest}, **scores}
