"""Does the direct version find the simulated truth? Run from reference/: python -m recovery.checks

Simulations with known truth, and how much goldens change when the last digits of their inputs change.
"""

import json

import numpy as np

from . import inputs, null, profile, study
from .golden_fits import fit_cases
from .golden_layout import GOLDEN, plain
from .golden_references import reference_cases
from .golden_study import study_case
from .standardize import standardize_sessions, statistics
from .target_reference import image_means, target_reference


def simulate(rng, n_stimuli=515, n_voxels=60, n_latents=6, noise=1.5, repeats=3):
    """Trials of orthonormal latent directions with decreasing strength in white trial noise."""
    latents = rng.standard_normal((n_stimuli, n_latents))
    planted = np.linalg.qr(rng.standard_normal((n_voxels, n_latents)))[0]
    strengths = np.linspace(8, 5, n_latents)
    stimuli = np.repeat(np.arange(n_stimuli), repeats)
    signal = (latents * strengths) @ planted.T
    trials = signal[stimuli] + noise * rng.standard_normal((len(stimuli), n_voxels))
    return latents, planted, trials, stimuli


def degrees(A, B):
    """Largest principal angle between two subspaces of one dimension."""
    A, B = np.linalg.qr(A)[0], np.linalg.qr(B)[0]
    return float(np.degrees(np.arccos(min(1.0, np.linalg.svd(A.T @ B)[1].min()))))


def planted_dimensions(n_splits=4):
    rng = np.random.default_rng(1)
    latents, planted, raw, stimuli = simulate(rng)
    trials = standardize_sessions(raw, np.zeros(len(raw)))
    Y = image_means(trials, stimuli, range(515))
    order = rng.permutation(515)
    fold = study.outer_folds(np.array_split(order, 5))[0]
    pool = np.sort(fold.test)
    halves = [[0, 0, 1], [0, 1, 1]]
    labels = np.array(
        [np.concatenate([rng.permutation(halves[rng.integers(2)]) for _ in range(515)]) for _ in range(n_splits)]
    )
    inner = np.array_split(rng.permutation(309), 5)
    reference_inner = np.array_split(rng.permutation(103), 5)
    reference = target_reference(trials, stimuli, labels, pool, reference_inner)
    scaled = planted / statistics(raw)[1][:, None]
    report = {
        "ranks": [one.rank for one in reference.fits],
        "weights": reference.weights[:8].round(3).tolist(),
        "reference_degrees": degrees(reference.consensus_basis, scaled),
        "chance_per_rank": 1 / 60,
    }

    def grain(p):
        return rng.standard_normal((515, p))

    def spanning(k):
        return latents[:, :k] @ rng.standard_normal((k, 100)) + 0.5 * grain(100)

    sources = {
        "all latents": spanning(6),
        "latents 1-3": spanning(3),
        "noise, p = 20": grain(20),
        "noise, p = 100": grain(100),
        "noise, p = 400": grain(400),
    }
    for name, X in sources.items():
        one = study.source_fold(X, Y, fold, inner, reference, [[0, X.shape[1]]])
        curve = one["coverage"].curve
        basis = one["fit"].target_basis
        along = np.linalg.norm(basis.T @ (scaled / np.linalg.norm(scaled, axis=0)), axis=0) ** 2
        Xt, Yt = X[fold.training], Y[fold.training]
        kept = []
        for _ in range(3):
            fitted, _ = null.permuted_fit(Xt, Yt, rng.permutation(309), inner, one["selection"])
            found = study.coverage(fitted.target_basis, reference)
            kept.append(profile.profile_mean(found.curve, 10))
        report[name] = {
            "k": one["selection"].k,
            "alpha": one["selection"].alpha,
            "accuracy": round(one["accuracy"], 3),
            "profile_mean_10": round(profile.profile_mean(curve, 10), 3),
            "along_planted": along.round(3).tolist(),
            "null_kept": np.round(kept, 3).tolist(),
        }
    return report


def leaves(value, path=""):
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, f"{path}/{key}")
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from leaves(one, f"{path}/{i}")
    else:
        yield path, value


def sensitivity(scale=1e-14):
    """Largest change of any stored number under a relative change of all inputs, per golden case.

    The directions of tied weights are not stored, so every number should change little more than the inputs; another
    selection would appear as a large change.
    """
    exact = inputs.matrix
    rng = np.random.default_rng(2)
    worst = {}
    inputs.matrix = lambda recipe: (m := exact(recipe)) * (1 + scale * rng.standard_normal(m.shape))
    try:
        for name, make in (
            ("fits", fit_cases),
            ("references", reference_cases),
            ("study", study_case),
        ):
            stored = json.loads((GOLDEN / f"{name}.json").read_text())
            moved = json.loads(json.dumps(plain(make())))
            for (path, a), (_, b) in zip(leaves(stored), leaves(moved), strict=True):
                if isinstance(a, (int, float)) and "margin" not in path:
                    key = f"{name}/{path.split('/')[1]}"
                    change = abs(a - b) / max(1.0, abs(a))
                    if change >= worst.get(key, (0, ""))[0]:
                        worst[key] = (change, path)
                elif a != b and not isinstance(a, (int, float)):
                    worst[f"{name}{path}"] = (a, b)
    finally:
        inputs.matrix = exact
    return worst


if __name__ == "__main__":
    for key, value in sensitivity().items():
        print(key, value)
    for key, value in planted_dimensions().items():
        print(key, value)
