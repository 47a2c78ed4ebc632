"""Goldens for encoding models: ridge regression on all features, and noise ceilings.

The reference of the regression is himalaya (Ridge with a regularisation for each target, r2_score, correlation_score). The
ceilings are written here from the papers: NSD's ncsnr (Allen et al., 2022, data manual), the normalised correlation
of Schoppe et al. (2016), which is that of Hsu et al. (2004), and the split half with Spearman and Brown's formula.

Run from `reference/` with the packages of requirements.txt. Writes golden/encoding.json. Inputs are arrays of
synthetic.py, with their twins in crates/alignment/tests/alignment/encoding.rs.
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
from himalaya.ridge import Ridge
from himalaya.scoring import r2_score

import synthetic

N_STIMULI, N_VOXELS, N_REPEATS, N_FOLDS = 40, 6, 3, 4
ALPHAS = np.array([1e-3, 1e-1, 1.0, 1e1, 1e2, 1e4])


def noise(name: str, *shape: int) -> np.ndarray:
    return synthetic.uniform(name, 0, shape).astype(np.float64) - 0.5


def features(n: int) -> np.ndarray:
    return noise(f"features {n}", N_STIMULI, n)


def trials() -> np.ndarray:
    """(n_repeats, n_stimuli, n_voxels); the last voxel has no signal."""
    signal = features(12) @ noise("weights", 12, N_VOXELS) * np.linspace(2, 0, N_VOXELS)
    return signal[None] + noise("trials", N_REPEATS * N_STIMULI, N_VOXELS).reshape(N_REPEATS, N_STIMULI, N_VOXELS)


def z(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return (values - values[rows].mean(axis=0)) / values[rows].std(axis=0)


def fold(n_features: int, which: int) -> dict:
    """Fold f tests on the stimuli i with i % 4 = f; inner folds are the training positions modulo 3."""
    x, y = features(n_features), trials().mean(axis=0)
    test = np.arange(which, N_STIMULI, N_FOLDS)
    reserved = np.arange((which + 1) % N_FOLDS, N_STIMULI, N_FOLDS)
    pool = np.setdiff1d(np.arange(N_STIMULI), np.concatenate([test, reserved]))
    scores = np.zeros((len(ALPHAS), N_VOXELS))
    for inner in range(3):
        held_out = pool[inner::3]
        rows = np.setdiff1d(pool, held_out)
        zx, zy = z(x, rows), z(y, rows)
        for place, alpha in enumerate(ALPHAS):
            model = Ridge(alpha=alpha, fit_intercept=False, solver_params={"warn": False}).fit(zx[rows], zy[rows])
            scores[place] += r2_score(zy[held_out], model.predict(zx[held_out])) / 3
    alphas = ALPHAS[scores.argmax(axis=0)]
    zx, zy = z(x, pool), z(y, pool)
    model = Ridge(alpha=alphas, fit_intercept=False, solver_params={"warn": False}).fit(zx[pool], zy[pool])
    predicted = model.predict(zx[test])
    return {"alphas": alphas.tolist(), "predicted": predicted.tolist(), "measured": zy[test].tolist()}


def ceilings() -> dict:
    measured = trials()
    noise_variance = measured.var(axis=0, ddof=1).mean(axis=0)
    total = measured.reshape(-1, N_VOXELS).var(axis=0, ddof=1)
    ncsnr = np.sqrt(np.maximum(total - noise_variance, 0) / noise_variance)
    # The signal power, and the power of the mean response, of Schoppe et al.
    power = N_REPEATS**2 * measured.mean(axis=0).var(axis=0, ddof=1) - measured.var(axis=1, ddof=1).sum(axis=0)
    signal = power / (N_REPEATS * (N_REPEATS - 1))
    one, other = measured[0], measured[1:].mean(axis=0)
    r = np.array([np.corrcoef(one[:, v], other[:, v])[0, 1] for v in range(N_VOXELS)])
    return {
        "ncsnr": ncsnr.tolist(),
        "ceiling": (ncsnr**2 / (ncsnr**2 + 1 / N_REPEATS)).tolist(),
        "schoppe": (signal / measured.mean(axis=0).var(axis=0, ddof=1)).tolist(),
        "split-half": (2 * r / (1 + r)).tolist(),
    }


def main() -> None:
    golden = {
        "himalaya": version("himalaya"),
        "alphas": ALPHAS.tolist(),
        # Fewer and more features than training stimuli.
        "folds": {str(n): [fold(n, which) for which in range(N_FOLDS)] for n in (12, 60)},
        "ceilings": ceilings(),
    }
    Path("golden/encoding.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
