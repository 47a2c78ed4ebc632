"""Reference values for combinations of metrics.

- averages (as sums): numpy; z-scores with ddof=0, ranks by scipy.stats.rankdata
- tau-b, Pearson, Spearman: SciPy 1.17.1; calibrated pairwise accuracy: the definition of Deutsch et
  al. (2023), over all pairs
- best subsets: itertools.combinations over metrics in the order of their names, of equally good ones the first;
  cross-validation does the same on the training items of each fold
- weights: scipy.optimize.nnls on centred columns, divided by their sum

If the best tie threshold depends on differences that are equal except for rounding (z-scores of metrics on a grid),
"rounding" replaces the calibrated accuracy.

Inputs come from synthetic.py, so that the Rust tests can make them too.
"""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import scipy.stats as st
from scipy.optimize import nnls

from synthetic import uniform

GOLDEN = Path("golden")
SCALINGS = ("raw", "zscore", "rank")
STATISTICS = ("calibrated_accuracy", "kendall_tau_b", "pearson", "spearman")


def levels(values, n):
    """Values rounded down to a grid of n steps; unchanged for n = 0."""
    return values if n == 0 else np.floor(values * n) / n


def inputs(case):
    """Scores (n by m, NaN where missing, higher is better) and human scores."""
    n, seed = case["n"], case["seed"]
    quality = uniform("quality", seed, (n,)).astype(np.float64)
    columns = []
    for j, (share, grid) in enumerate(zip(case["shares"], case["levels"])):
        noise = uniform(f"metric{j}", seed, (n,)).astype(np.float64)
        column = levels(share * quality + (1 - share) * noise, grid) * case["units"][j]
        column[uniform(f"missing{j}", seed, (n,)) < case["missing"]] = np.nan
        columns.append(column)
    people = uniform("people", seed, (n,)).astype(np.float64)
    return np.stack(columns, 1), levels(0.5 * quality + 0.5 * people, case["human_levels"])


def scale(reference, values, scaling):
    """Values on the scale of reference items."""
    if scaling == "raw":
        return values
    if scaling == "zscore":
        if reference.max() == reference.min():
            return None
        return (values - reference.mean()) / reference.std()
    if values is reference:
        return st.rankdata(values) - 0.5
    below = (reference[None, :] < values[:, None]).sum(1)
    return below + (reference[None, :] == values[:, None]).sum(1) / 2


def total(columns):
    """The sum, whose order and relative distances equal those of the average; exact for ranks."""
    added = columns[0]
    for column in columns[1:]:
        added = added + column
    return added


def calibrated(metric, human, tolerance):
    """Accuracy at the best threshold; differences within the tolerance are equal."""
    i, j = np.triu_indices(len(metric), 1)
    difference = np.abs(metric[i] - metric[j])
    right = np.sign(metric[i] - metric[j]) == np.sign(human[i] - human[j])
    step = (human[i] == human[j]).astype(int) - right
    order = np.argsort(difference, kind="stable")
    difference, running = difference[order], np.cumsum(step[order])
    last = np.append(np.diff(difference) > tolerance, True) & (difference > 0)
    gains = running[last] - step[order][difference == 0].sum()
    return float(right.sum() + max(0, gains.max(initial=0))) / len(i)


def agreement(statistic, metric, human):
    if metric is None or len(metric) < 2 or np.ptp(metric) == 0 or np.ptp(human) == 0:
        return None
    if statistic == "calibrated_accuracy":
        found = calibrated(metric, human, 0.0)
        return found if found == calibrated(metric, human, 1e-12) else "rounding"
    if statistic == "kendall_tau_b":
        return float(st.kendalltau(metric, human).statistic)
    if statistic == "pearson":
        return float(st.pearsonr(metric, human).statistic)
    return float(st.spearmanr(metric, human).statistic)


def agreements(metric, human):
    return [agreement(s, metric, human) for s in STATISTICS]


def combined(parts, training, columns, scaling):
    scaled = []
    for p in parts:
        values = training[:, p]
        scaled.append(scale(values, values if columns is training else columns[:, p], scaling))
        if scaled[-1] is None:
            return None
    return total(scaled)


def in_sample(parts, scores, scaling):
    return combined(parts, scores, scores, scaling)


def heatmap(scores, human, scaling):
    cells = []
    for a in range(scores.shape[1]):
        for b in range(a, scores.shape[1]):
            parts = [a] if a == b else [a, b]
            kept = ~np.isnan(scores[:, parts]).any(1)
            found = in_sample(parts, scores[kept], scaling)
            cells.append({"n": int(kept.sum()), "values": agreements(found, human[kept])})
    return cells


def search(scores, human, scaling, by):
    """The best subset of each size, and the best of all."""
    best = []
    for size in range(1, scores.shape[1] + 1):
        chosen, highest = None, -np.inf
        for parts in combinations(range(scores.shape[1]), size):
            value = agreement(by, in_sample(parts, scores, scaling), human)
            if value is not None and value > highest:
                chosen, highest = parts, value
        best.append((chosen, highest))
    overall = max(best, key=lambda found: found[1])
    return [parts for parts, _ in best] + [overall[0]]


def mean_over_folds(readings):
    means = []
    for column in zip(*readings):
        values = [value for value in column if value is not None]
        if "rounding" in values:
            means.append("rounding")
        else:
            means.append(float(np.mean(values)) if values else None)
    return means


def subsets(scores, human, fold, scaling, by):
    chosen = search(scores, human, scaling, by)
    held_out = [[] for _ in chosen]
    in_folds = [[] for _ in chosen]
    for f in range(fold.max() + 1):
        train, test = fold != f, fold == f
        for place, parts in enumerate(search(scores[train], human[train], scaling, by)):
            found = combined(parts, scores[train], scores[test], scaling)
            held_out[place].append(agreements(found, human[test]))
            in_folds[place].append(list(parts))
    return [
        {
            "parts": list(parts),
            "in_sample": agreements(in_sample(parts, scores, scaling), human),
            "cross_validated": mean_over_folds(held),
            "in_folds": folds,
        }
        for parts, held, folds in zip(chosen, held_out, in_folds)
    ]


def fit(training, human, scaling):
    n, m = training.shape
    columns = []
    for p in range(m):
        column = training[:, p]
        scaled = scale(column, column, scaling)
        columns.append(np.zeros(n) if scaled is None else scaled)
    columns = np.stack(columns, 1)
    found, _ = nnls(columns - columns.mean(0), human - human.mean())
    return found / found.sum()


def weighted(found, training, columns, scaling):
    added = 0
    for p, w in enumerate(found):
        if w > 0:
            added = added + w * scale(training[:, p], columns[:, p], scaling)
    return added


def weights(scores, human, fold, scaling):
    found = fit(scores, human, scaling)
    every = range(scores.shape[1])
    held_out, equal, in_folds = [], [], []
    for f in range(fold.max() + 1):
        train, test = fold != f, fold == f
        of_fold = fit(scores[train], human[train], scaling)
        in_folds.append(of_fold.tolist())
        held_out.append(agreements(weighted(of_fold, scores[train], scores[test], scaling), human[test]))
        equal.append(agreements(combined(every, scores[train], scores[test], scaling), human[test]))
    return {
        "weights": found.tolist(),
        "in_folds": in_folds,
        "in_sample": agreements(weighted(found, scores, scores, scaling), human),
        "cross_validated": mean_over_folds(held_out),
        "equal": agreements(in_sample(every, scores, scaling), human),
        "equal_cross_validated": mean_over_folds(equal),
    }


def contributions(scores, human, scaling):
    """The combination of all parts, and without each part."""
    every = range(scores.shape[1])
    return {
        "all": agreements(in_sample(every, scores, scaling), human),
        "without": [agreements(in_sample([p for p in every if p != part], scores, scaling), human) for part in every],
    }


def run(case):
    scores, human = inputs(case)
    kept = ~np.isnan(scores).any(1)
    complete, complete_human = scores[kept], human[kept]
    fold = np.arange(kept.sum()) % case["folds"]
    found = {}
    for scaling in SCALINGS:
        found[scaling] = {
            "heatmap": heatmap(scores, human, scaling),
            "subsets": {by: subsets(complete, complete_human, fold, scaling, by) for by in case["select_by"]},
            "weights": weights(complete, complete_human, fold, scaling),
            "contributions": contributions(complete, complete_human, scaling),
        }
    return case | {"n_complete": int(kept.sum()), "found": found}


CASES = [
    {
        "seed": 1,
        "n": 60,
        "folds": 5,
        "human_levels": 9,
        "missing": 0.05,
        "shares": [0.2, 0.6, 0.4, 0.5, 0.3],
        "levels": [0, 0, 0, 0, 0],
        "units": [1.0, 1.0, 1.0, 100.0, 1.0],
        "select_by": ["kendall_tau_b", "pearson", "spearman", "calibrated_accuracy"],
    },
    {
        "seed": 2,
        "n": 200,
        "folds": 4,
        "human_levels": 22,
        "missing": 0.0,
        "shares": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.35],
        "levels": [0, 3, 0, 10, 0, 4, 0],
        "units": [1.0, 1.0, -1.0, 0.01, 10.0, 1.0, 1.0],
        "select_by": ["kendall_tau_b", "pearson", "spearman"],
    },
    {
        "seed": 3,
        "n": 30,
        "folds": 3,
        "human_levels": 3,
        "missing": 0.1,
        "shares": [0.7, 0.7, 0.7],
        "levels": [4, 4, 0],
        "units": [1.0, 1.0, 1.0],
        "select_by": ["kendall_tau_b", "spearman"],
    },
]


def main():
    GOLDEN.mkdir(exist_ok=True)
    text = json.dumps([run(case) for case in CASES], separators=(",", ":"))
    (GOLDEN / "combinations.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
