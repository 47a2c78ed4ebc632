"""Times the direct version of target-space recovery (reference/recovery/) on one target unit of NSD's size.

    OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 python bench/recovery.py [--splits 20] [--only fit-600 ...]

A source fit is what one source costs in one outer fold: selection of rank and alpha, the fit, and the selection of the
readout, for 309 training images, 600 voxels and 600 or 3840 features. A reference is both directions of all splits of 103
images. Prints processor seconds beside wall seconds, since other work on the machine lengthens the latter.
"""

import argparse
import os
import sys
import time
from pathlib import Path

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "reference"))

import numpy as np  # noqa: E402
from recovery import readout, subspace  # noqa: E402
from recovery.standardize import standardize  # noqa: E402
from recovery.target_reference import target_reference  # noqa: E402

N_LATENTS, N_VOXELS, N_TRAINING, N_TEST, REPEATS = 8, 600, 309, 103, 3


def mixed(rng, latents, n_columns, noise):
    signal = latents @ rng.standard_normal((latents.shape[1], n_columns))
    return signal + noise * rng.standard_normal(signal.shape)


def source_fit(rng, n_features):
    latents = rng.standard_normal((N_TRAINING, N_LATENTS))
    X, Y = mixed(rng, latents, n_features, 2.0), mixed(rng, latents, N_VOXELS, 3.0)
    folds = np.array_split(rng.permutation(N_TRAINING), 5)

    def run():
        selection = subspace.select(X, Y, folds)
        fitted = subspace.fit(X, Y, selection.k, selection.alpha)
        chosen = readout.select_readout(standardize(X) @ fitted.source_basis, Y, folds)
        return f"rank {fitted.rank}, alpha {selection.alpha:g}, readout {chosen.alpha:g}"

    return run


def reference(rng, n_splits):
    latents = np.repeat(rng.standard_normal((N_TEST, N_LATENTS)), REPEATS, axis=0)
    stimuli = np.repeat(np.arange(N_TEST), REPEATS)
    trials = standardize(mixed(rng, latents, N_VOXELS, 5.0))
    halves = [[0, 0, 1], [0, 1, 1]]
    labels = np.array([
        np.concatenate([rng.permutation(halves[rng.integers(2)]) for _ in range(N_TEST)])
        for _ in range(n_splits)
    ])
    folds = np.array_split(rng.permutation(N_TEST), 5)

    def run():
        found = target_reference(trials, stimuli, labels, np.arange(N_TEST), folds)
        return f"consensus rank {found.consensus_rank}, effective rank {found.effective_rank:.2f}"

    return run


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--only", nargs="*", default=["fit-600", "fit-3840", "reference"])
    options = parser.parse_args()
    print("| task | processor | wall | result |\n|---|---|---|---|")
    for task in options.only:
        rng = np.random.default_rng(7)
        kind, _, size = task.partition("-")
        run = source_fit(rng, int(size)) if kind == "fit" else reference(rng, options.splits)
        wall, processor = time.perf_counter(), time.process_time()
        result = run()
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        label = task if kind == "fit" else f"{task}, {options.splits} splits"
        print(f"| {label} | {processor:.2f} s | {wall:.2f} s | {result} |", flush=True)


if __name__ == "__main__":
    main()
