"""Inputs that both languages can make: linear mixtures of synthetic arrays, exact in f64 in any order.

u(name, shape) is `synthetic.uniform(name, seed, shape) - 0.5`, row-major. A recipe describes a matrix:

    latent = u("latent", (n_stimuli, n_latents))       n_latents = len(gains); shared under a seed
    mixing = u("mixing/" + name, (n_latents, n_columns))
    noise  = u("noise/" + name, (n_rows, n_columns))
    value[i, j] = (sum_l gains[l] latent[stimulus[i], l] mixing[l, j] + noise_gain noise[i, j])
                  * (1 + session[i]) + session[i]

A matrix of features has one row per stimulus, in order, and session 0 in all rows. Then columns in `constant` [[column,
value], ...] are overwritten, and finally cells in `nan` [[row, column], ...] become NaN. Gains are powers of two or 0,
so that every value is exact.
"""

import numpy as np

from synthetic import bits, uniform


def centred(name, seed, shape):
    return uniform(name, seed, shape).astype(np.float64) - 0.5


def matrix(recipe):
    """The matrix of a recipe, or the values that it lists."""
    if "values" in recipe:
        return np.array(recipe["values"], dtype=np.float64)
    name, seed, gains = recipe["name"], recipe["seed"], np.array(recipe["gains"], dtype=np.float64)
    n_stimuli, n_columns = recipe["n_stimuli"], recipe["n_columns"]
    stimulus = np.array(recipe.get("stimuli", range(n_stimuli)))
    session = np.array(recipe.get("sessions", [0] * len(stimulus)), dtype=np.float64)[:, None]
    latent = centred("latent", seed, (n_stimuli, len(gains)))
    mixing = centred("mixing/" + name, seed, (len(gains), n_columns))
    noise = centred("noise/" + name, seed, (len(stimulus), n_columns))
    values = (latent[stimulus] * gains) @ mixing + recipe["noise_gain"] * noise
    values = values * (1 + session) + session
    for column, value in recipe.get("constant", []):
        values[:, column] = value
    for row, column in recipe.get("nan", []):
        values[row, column] = np.nan
    return values


def permutation(name, seed, n):
    """Positions 0..n, ordered by their random bits."""
    return np.argsort(bits(name, seed, n), kind="stable").tolist()


def chunks(order, n):
    """`order` cut into n runs of nearly equal length, each sorted."""
    return [sorted(int(i) for i in part) for part in np.array_split(np.array(order), n)]


def ragged_repeats(name, seed, n_stimuli, choices):
    """The stimulus of each trial, in shuffled order; repeats cycle through `choices`."""
    trials = [i for i in range(n_stimuli) for _ in range(choices[i % len(choices)])]
    return [trials[i] for i in permutation(name, seed, len(trials))]


def balanced_sessions(stimuli, n_sessions):
    """Trials assigned to sessions in consecutive blocks."""
    return [i * n_sessions // len(stimuli) for i in range(len(stimuli))]


def split_labels(name, seed, stimuli, n_splits):
    """0/1 for each split and trial: half of a stimulus's trials each, and the seed decides about an odd one."""
    labels = np.zeros((n_splits, len(stimuli)), dtype=int)
    for split in range(n_splits):
        for stimulus in sorted(set(stimuli)):
            trials = [t for t, s in enumerate(stimuli) if s == stimulus]
            key = f"{name}/{split}/{stimulus}"
            order = permutation(key, seed, len(trials))
            half = (len(trials) + int(bits(key + "/coin", seed, 1)[0] >> np.uint64(63))) // 2
            for position in order[:half]:
                labels[split, trials[position]] = 1
    return labels.tolist()
