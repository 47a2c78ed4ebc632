"""Compares the time of target-space recovery with its direct NumPy version (reference/recovery/), and checks that both
give the same results.

    python bench/recovery.py [--binary target/release/examples/time_alignment] [--repeats 5] [--splits 20] [--only
    fit-600 ...]

One target unit of NSD's size, one thread each, the same inputs, in one run: 600 voxels, 309 training and 103 test
images, sources of 600 and 3840 features. A source fit is what one source costs in one outer fold: selection of rank and
alpha, the fit, and the readout with its selection. neurogauge prepares a source once for all targets of a fold, and a
target once for all its sources; the ratio is given without preparation, with the source's, and with both. A reference
is both directions of all splits of the 103 images, a null the fits of 20 permuted orders, with rank and alpha of the
real fit (`null`) or selected in each (`null-select`; the targets of its draws are prepared once for all sources).

Times are processor seconds, since other work on the machine lengthens wall seconds: the median of the repeats of
neurogauge, one round of NumPy (`--rounds` for more). Exits with 1 if selections differ, or if a number differs by more
than 1e-9."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
for variable in THREADS:
    os.environ[variable] = "1"
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "reference"))

import numpy as np  # noqa: E402
from recovery import profile, readout, subspace, target_reference  # noqa: E402
from recovery.null import permuted_fit  # noqa: E402
from synthetic import bits, uniform  # noqa: E402

TASKS = ("fit-600", "fit-3840", "reference", "null", "null-select")
N_STIMULI, N_VOXELS, N_LATENTS, REPEATS, N_DRAWS = 515, 600, 6, 3, 20
TOLERANCE = 1e-9

TEST = np.arange(0, N_STIMULI, 5)
TRAINING = np.array([s for s in range(N_STIMULI) if s % 5 > 1])
STIMULI = np.arange(N_STIMULI * REPEATS) // REPEATS


def noise(name, shape):
    return uniform(name, 0, shape).astype(np.float64) - 0.5


def mixed(name, n_columns, repeats, level):
    latents = np.repeat(noise("latents", (N_STIMULI, N_LATENTS)), repeats, axis=0)
    weights = noise(f"{name} weights", (N_LATENTS, n_columns))
    strengths = 1.0 / (1.0 + np.arange(N_LATENTS))
    return (latents * strengths) @ weights + level * noise(f"{name} noise", (N_STIMULI * repeats, n_columns))


def every_fifth(n):
    return [np.arange(fold, n, 5) for fold in range(5)]


TRIALS = mixed("target", N_VOXELS, REPEATS, 1.0)
MEANS = TRIALS.reshape(N_STIMULI, REPEATS, N_VOXELS).mean(axis=1)


def labels(split):
    lone = bits("lone", split, N_STIMULI) % np.uint64(REPEATS)
    side = (bits("side", split, N_STIMULI) % np.uint64(2)).astype(int)
    repeat = np.arange(N_STIMULI * REPEATS) % REPEATS
    return np.where(lone[STIMULI] == repeat, side[STIMULI], 1 - side[STIMULI])


def fit(n_features):
    features = mixed(f"source {n_features}", n_features, 1, 0.5)
    X, Y, folds = features[TRAINING], MEANS[TRAINING], every_fifth(len(TRAINING))

    def run():
        selection = subspace.select(X, Y, folds)
        fitted = subspace.fit(X, Y, selection.k, selection.alpha)
        Z, Z_test = (z @ fitted.source_basis for z in readout.standardize(X, features[TEST]))
        chosen = readout.select_readout(Z, Y, folds)
        accuracy = readout.accuracy(Z, Y, chosen.alpha, Z_test, MEANS[TEST])
        best = float(selection.mean[selection.k - 1][subspace.SUBSPACE_GRID.index(selection.alpha)])
        exact = {"rank": selection.k, "alpha": selection.alpha, "readout_alpha": chosen.alpha}
        return exact, [best, accuracy, *fitted.strengths]

    def of(found):
        selection = found["selection"]
        exact = {"rank": selection["rank"], "alpha": selection["alpha"], "readout_alpha": found["readout_alpha"]}
        return exact, [selection["score"], found["accuracy"], *found["strengths"]]

    return run, of


def test_reference(n_splits):
    splits = np.array([labels(split) for split in range(n_splits)])
    return target_reference.target_reference(TRIALS, STIMULI, splits, TEST, every_fifth(len(TEST)))


def reference(n_splits):
    def run():
        found = test_reference(n_splits)
        weights = [w for w in found.weights if w > 1e-10 * found.weights[0]]
        exact = {"selections": [[s.k, s.alpha] for s in found.selections]}
        return exact, [target_reference.entropy_rank(found.weights), *weights]

    def of(found):
        return {"selections": found["selections"]}, [found["effective_rank"], *found["weights"]]

    return run, of


def null(n_splits, reselect):
    X, Y = mixed("source 600", 600, 1, 0.5)[TRAINING], MEANS[TRAINING]
    folds = every_fifth(len(TRAINING))
    selection = None if reselect else subspace.select(X, Y, folds)
    found_reference = test_reference(n_splits)
    orders = [np.argsort(bits("order", draw, len(TRAINING)), kind="stable") for draw in range(N_DRAWS)]

    def run():
        fits = [permuted_fit(X, Y, order, folds, selection)[0] for order in orders]
        return {}, [profile.full_coverage(one.target_basis, found_reference) for one in fits]

    return run, lambda found: ({}, found["full"])


def peer(task, n_splits):
    kind, _, size = task.partition("-")
    if kind == "fit":
        return fit(int(size))
    return reference(n_splits) if kind == "reference" else null(n_splits, task == "null-select")


def seconds(run, rounds):
    times = []
    for _ in range(rounds):
        start = time.process_time()
        result = run()
        times.append(time.process_time() - start)
    return result, statistics.median(times)


def differences(ours, theirs):
    (exact, numbers), (exact_peer, numbers_peer) = ours, theirs
    if exact != exact_peer or len(numbers) != len(numbers_peer):
        return f"DIFFERENT: {exact} and {exact_peer}; {len(numbers)} and {len(numbers_peer)} numbers"
    numbers, numbers_peer = np.array(numbers), np.array(numbers_peer)
    largest = float(np.max(np.abs(numbers - numbers_peer) / np.maximum(1.0, np.abs(numbers_peer))))
    return f"{'same' if largest <= TOLERANCE else 'DIFFERENT'}, within {largest:.0e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, default=ROOT / "target/release/examples/time_alignment")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--only", nargs="*", choices=TASKS, default=TASKS)
    options = parser.parse_args()
    if not options.binary.exists():
        sys.exit(
            f"{options.binary} is not there; build it with\n    cargo build --release --example time_alignment "
            "--package neurogauge-alignment"
        )
    print("| task | neurogauge | direct NumPy | ratio | results |\n|---|---|---|---|---|", flush=True)
    failed = False
    for task in options.only:
        command = [options.binary, "--repeats", options.repeats, "--partitions", options.splits, task]
        lines = subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout
        found = json.loads(lines.splitlines()[-1])
        ms = {
            key: value["processor"] for key, value in found.items() if isinstance(value, dict) and "processor" in value
        }
        run, of = peer(task, options.splits)
        result, theirs = seconds(run, options.rounds)
        same = differences(of(found), result)
        failed = failed or same.startswith("DIFFERENT")
        if task.startswith("fit"):
            shared = ms["select"] + ms["fit"] + ms["read_out"]
            with_source = shared + ms["prepare_source"]
            cases = {
                "shared preparation": shared,
                "with its source's": with_source,
                "with source's and target's": with_source + ms["prepare_target"],
            }
        else:
            cases = {"": ms[task]}
        for case, ours in cases.items():
            name = f"{task}, {case}" if case else task
            print(f"| {name} | {ours / 1e3:.4f} s | {theirs:.2f} s | {theirs * 1e3 / ours:.0f} | {same} |", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
