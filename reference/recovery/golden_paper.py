"""Random results of a few target units, and the paper's statistics of them (recovery/paper.py)."""

import numpy as np

from . import paper

MODELS = {
    "a": ("a", True, None),
    "a-42": ("a", False, 42),
    "a-0": ("a", False, 0),
    "a-1": ("a", False, 1),
    "b": ("b", True, None),
    "b-0": ("b", False, 0),
    "b-1": ("b", False, 1),
    "b-42": ("b", False, 42),
}
N_FOLDS = 2
N_DIRECTIONS = 12


def rounded(values, digits=4):
    return np.round(values, digits).tolist()


def recorded(value):
    return {"value": value, "undefined": None}


def fit(random, height):
    directional = np.clip(height - 0.06 * np.arange(N_DIRECTIONS) + 0.05 * random.normal(size=N_DIRECTIONS), 0, 1)
    top_k = np.cumsum(directional) / np.arange(1, N_DIRECTIONS + 1)
    following = np.clip(top_k * (1 + 0.02 * random.normal()), 0, 1)
    profile = {"directional": rounded(directional), "top_k": rounded(top_k), "full": round(top_k[-1], 4)}
    alpha = 10.0 ** random.integers(1, 7)
    selection = {"rank": 3, "alpha": alpha, "score": 0.4, "best_score": 0.4, "standard_error": 0.01}
    return {
        "selection": selection,
        "rank": 3,
        "effective_rank": 2.0,
        "block_use": None,
        "readout_alpha": float(random.choice([1e-6, 1e-3, 1.0, alpha])),
        "accuracy": round(0.3 + 0.01 * random.normal(), 4),
        "profile": recorded(profile),
        "next_fold": recorded(rounded(following)),
        "null": [],
        "prediction": None,
        "auxiliary": None,
    }


def unit(random, subject, roi, subjects):
    references = []
    for _ in range(N_FOLDS):
        weights = np.sort(random.random(random.integers(6, N_DIRECTIONS + 1)))[::-1] ** 2 + 0.001
        references.append(
            {
                "weights": rounded(weights),
                "effective_rank": round(3 + random.random(), 4),
                "consensus_rank": int(random.integers(2, 6)),
                "convergence": [],
                "balanced": None,
            }
        )
    heights = {name: 0.9 for name in subjects if name != subject}
    heights |= {name: 0.85 if trained else 0.7 for name, (_, trained, _) in MODELS.items()}
    sources = [
        {
            "source": name,
            "donor": name in subjects,
            "fits": [fit(random, h) for _ in range(N_FOLDS)],
            "stability": [0.5],
        }
        for name, h in heights.items()
    ]
    name = {"subject": subject, "hemisphere": "lh", "roi": roi}
    return {"unit": name, "n_voxels": N_DIRECTIONS, "references": references, "sources": sources, "controls": []}


def paper_case():
    random = np.random.default_rng(22)
    subjects = ["s1", "s2", "s3", "s4"]
    units = [unit(random, subject, roi, subjects) for roi in ["V1", "V2"] for subject in subjects]
    found = paper.entries(units, MODELS)
    threshold, categories = paper.categories(found)
    high, quartiles = paper.high_accuracy(found)
    cumulative, medians = paper.weights(units)
    return {
        "models": MODELS,
        "units": units,
        "seeds": paper.seeds(found),
        "human_threshold": threshold,
        "categories": categories,
        "matched_case": paper.matched_case(found),
        "high_accuracy": [high, quartiles],
        "next_fold": paper.next_fold(found),
        "cumulative": cumulative,
        "cumulative_by_region": paper.weights_by_region(units),
        "shape_distances": paper.shape_distances(found),
        "median_ranks": medians,
        "penalties": paper.penalties(units),
    }
