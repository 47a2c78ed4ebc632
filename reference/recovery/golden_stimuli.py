"""A target unit with few stimuli, and what its responses show about them (recovery/stimuli.py)."""

import numpy as np

from . import stimuli
from .study import outer_folds

N_STIMULI, N_REPEATS, N_VOXELS, N_FOLDS = 40, 4, 6, 5
N_INNER = 3
N_PARTITIONS = 3
N_DIRECTIONS = 2
LENGTH = 10


def inner_of(random, n, n_folds):
    """Positions of each inner fold."""
    order = random.permutation(n)
    return [np.sort(order[place::n_folds]) for place in range(n_folds)]


def stimuli_case():
    random = np.random.default_rng(23)
    latents, loadings = random.normal(size=(N_STIMULI, 3)), random.normal(size=(3, N_VOXELS)) * [[1.0], [0.7], [0.4]]
    shown = np.concatenate([random.permutation(N_STIMULI) for _ in range(N_REPEATS)])
    trials = np.round(latents[shown] @ loadings + random.normal(size=(len(shown), N_VOXELS)), 4)
    labels = np.zeros((N_PARTITIONS, len(shown)), dtype=int)
    for split in labels:
        for stimulus in range(N_STIMULI):
            split[random.permutation(np.flatnonzero(shown == stimulus))[: N_REPEATS // 2]] = 1
    chunks = inner_of(random, N_STIMULI, N_FOLDS)
    folds = outer_folds(chunks)
    inner = [inner_of(random, len(fold.training), N_INNER) for fold in folds]
    reference_inner = [inner_of(random, len(fold.test), N_INNER) for fold in folds]
    everyone = np.arange(N_STIMULI)
    return {
        "trials": trials,
        "stimuli": shown,
        "labels": ["".join(map(str, split)) for split in labels],
        "chunks": chunks,
        "inner_folds": inner,
        "reference_inner_folds": reference_inner,
        "noise_ceiling": stimuli.noise_ceiling(trials, shown, labels, everyone),
        "directions": stimuli.directions(trials, shown, labels, everyone, chunks, N_DIRECTIONS),
        "itself": stimuli.itself(trials, shown, labels, everyone, folds, inner, reference_inner, LENGTH),
    }
