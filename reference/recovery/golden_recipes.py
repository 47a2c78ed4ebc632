"""Recipes of inputs (inputs.py) for golden cases, all with one seed."""

import numpy as np

from . import inputs
from .golden_layout import SEED
from .standardize import standardize_sessions


def features(name, n_stimuli, n_columns, gains, noise_gain, **broken):
    return {
        "name": name,
        "seed": SEED,
        "n_stimuli": n_stimuli,
        "n_columns": n_columns,
        "gains": gains,
        "noise_gain": noise_gain,
        **broken,
    }


def repeated(name, n_stimuli, n_columns, gains, noise_gain, repeats, n_sessions, **broken):
    stimuli = inputs.ragged_repeats("trials/" + name, SEED, n_stimuli, repeats)
    recipe = features(name, n_stimuli, n_columns, gains, noise_gain, **broken)
    recipe["stimuli"] = stimuli
    recipe["sessions"] = inputs.balanced_sessions(stimuli, n_sessions)
    return recipe


def z_trials(recipe):
    sessions = np.array(recipe["sessions"])
    return standardize_sessions(inputs.matrix(recipe), sessions), np.array(recipe["stimuli"])
