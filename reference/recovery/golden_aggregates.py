"""Golden aggregates over target units with given scores."""

import numpy as np

from . import controls, inputs, intervals, null
from .golden_layout import SEED


def aggregates():
    """Units of four donors and three pretrained-random pairs, uniform numbers throughout."""
    n_units = 8
    donors = inputs.centred("donors", SEED, (n_units, 4, 2)) * [0.0625, 0.125] + [0.3, 0.8]
    pretrained = inputs.centred("pretrained", SEED, (n_units, 3, 2)) * [0.0625, 0.25] + [0.3, 0.75]
    random = inputs.centred("random", SEED, (n_units, 3, 2)) * [0.0625, 0.25] + [0.3, 0.625]
    units = [[tuple(pair) for pair in unit] for unit in donors]
    pairs = [(u, pretrained[u, i], random[u, i]) for u in range(n_units) for i in range(3)]
    indices = [[int(b % np.uint64(n_units)) for b in inputs.bits(f"resample/{r}", SEED, n_units)] for r in range(40)]
    matched = {}
    for limit in controls.THRESHOLDS:
        threshold, n_donor_pairs = controls.human_threshold(units, limit)
        differences = controls.matched_pairs(pairs, limit)
        blocks = [[d for unit, d in differences if unit == u] for u in range(n_units)]
        matched[limit] = {
            "n_donor_pairs": n_donor_pairs,
            "human_threshold": threshold,
            **controls.matched_summary(differences, threshold),
            "interval": intervals.block_bootstrap(blocks, indices),
        }
    both = np.concatenate([pretrained.reshape(-1, 2), random.reshape(-1, 2)])
    blocks = [(pretrained[u, :, 1] - random[u, :, 1]).tolist() for u in range(n_units)]
    return {
        "inputs": {
            "donors": donors,
            "pretrained": pretrained,
            "random": random,
            "indices": indices,
        },
        "matched": matched,
        "paired_difference": intervals.block_bootstrap(blocks, indices),
        "correlations": intervals.accuracy_profile_correlation(both[:, 0], both[:, 1]),
        "null": {
            "above": null.summarize(0.7, [0.25, 0.5, 0.75, 0.5]),
            "tied": null.summarize(0.5, [0.25, 0.5, 0.75, 0.5]),
            "saturated": null.summarize(1.0, [1.0, 1.0, 1.0]),
        },
    }
