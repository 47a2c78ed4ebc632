"""Reference values for studentised intervals of meta-evaluation when several items show one stimulus.

Everything is written out with NumPy and SciPy 1.17.1: a statistic of pairs of items becomes one of pairs of stimuli,
whose table is computed stimulus by stimulus and jackknifed by leaving out each stimulus; correlations are computed
again without each stimulus. If all stimuli have equally many items, the first is checked against leaving the stimulus's
items out of the pairs of items.

Needs numpy and scipy. Inputs come from synthetic.py and are stored with the results.
"""

import json
from pathlib import Path

import numpy as np
import scipy.stats as st
from scipy.optimize import brentq

from meta_intervals import CORRELATIONS, LEVEL, PAIR_STATISTICS, jackknife_variance, kernel, pair_variance
from synthetic import uniform


def survey(seed, sizes):
    """Whole ratings by three people, two metrics, and the stimulus of each item; half of each value comes from the
    stimulus."""
    stimulus = np.repeat(np.arange(len(sizes)), sizes)
    n = len(stimulus)

    def field(name, number):
        shared = uniform(f"{name} of stimuli", number, (len(sizes),)).astype(np.float64)
        own = uniform(name, number, (n,)).astype(np.float64)
        return (shared[stimulus] + own) / 2

    quality = field("quality", seed)
    noise = uniform("rating", seed, (n, 3)).astype(np.float64)
    ratings = np.floor(1 + 4 * quality[:, None] + 1.5 * (noise - 0.5) + 0.5)
    metrics = [share * quality + (1 - share) * field("metric", 10 * seed + m) for m, share in enumerate([0.7, 0.4])]
    metrics[1] = np.floor(20 * metrics[1])
    return ratings, metrics, stimulus


def of_stimuli(values, stimulus):
    """The table of contributions of pairs of stimuli, computed from that of pairs of items."""
    upper = np.triu_indices(len(stimulus), 1)
    values = values - values[upper].mean()
    n_stimuli = stimulus.max() + 1
    within = np.zeros(n_stimuli)
    for g in range(n_stimuli):
        own = np.flatnonzero(stimulus == g)
        within[g] = sum(values[i, j] for place, i in enumerate(own) for j in own[place + 1 :])
    table = np.zeros((n_stimuli, n_stimuli))
    for g in range(n_stimuli):
        for h in range(n_stimuli):
            if g != h:
                between = values[np.ix_(stimulus == g, stimulus == h)].sum()
                table[g, h] = between + (within[g] + within[h]) / (n_stimuli - 1)
    return table * (n_stimuli * (n_stimuli - 1) / 2) / len(upper[0])


def check(values, stimulus, table):
    """Checks against leaving out the items of each stimulus, if all have equally many."""
    n_stimuli = stimulus.max() + 1
    means = []
    for g in range(n_stimuli):
        kept = values[np.ix_(stimulus != g, stimulus != g)]
        means.append(kept[np.triu_indices(len(kept), 1)].mean())
    means = np.array(means)
    error = np.sqrt((n_stimuli - 1) / n_stimuli * ((means - means.mean()) ** 2).sum())
    found = np.sqrt(jackknife_variance(table))
    assert abs(found / error - 1) < 0.02, (found, error)


def of_pairs(metrics, human, stimulus, is_even):
    n = stimulus.max() + 1
    quantile = st.t.ppf((1 + LEVEL) / 2, n - 1)
    found = {}
    for name in PAIR_STATISTICS:
        kernels = [kernel(name, scores, human) for scores in metrics]
        tables = [of_stimuli(values, stimulus) for values in kernels]
        if is_even:
            for values, table in zip(kernels, tables):
                check(values, stimulus, table)
        difference = tables[0] - tables[1]
        jackknife = jackknife_variance(difference)
        surplus = pair_variance(difference) * (4 / (n * (n - 2)) - 2 / (n * (n - 1)))
        error = np.sqrt(max(jackknife - surplus, jackknife / 2))
        found[name] = {
            "reach": [quantile * np.sqrt(jackknife_variance(table)) for table in tables],
            "difference_reach": st.t.ppf((1 + LEVEL) / 2, (n - 1) / 2) * error,
        }
    return found


def of_correlations(metrics, human, stimulus):
    n = stimulus.max() + 1
    quantile = st.t.ppf((1 + LEVEL) / 2, n - 1)
    found = {}
    for name, function in zip(CORRELATIONS, [st.pearsonr, st.spearmanr]):
        z = [np.arctanh(function(scores, human).statistic) for scores in metrics]
        without = [
            [np.arctanh(function(scores[stimulus != g], human[stimulus != g]).statistic) for g in range(n)]
            for scores in metrics
        ]
        own = n * np.array(z)[:, None] - (n - 1) * np.array(without)
        errors = own.std(axis=1, ddof=1) / np.sqrt(n)
        between = np.corrcoef(own)[0, 1]

        def ends(factor):
            r, low, high = np.tanh(z), np.tanh(z - factor * errors), np.tanh(z + factor * errors)

            def reach(a, b):
                return np.sqrt(a * a + b * b - 2 * between * a * b)

            difference = r[0] - r[1]
            return [
                difference - reach(r[0] - low[0], high[1] - r[1]),
                difference + reach(high[0] - r[0], r[1] - low[1]),
            ]

        side = 0 if z[0] > z[1] else 1
        factor = brentq(lambda factor: ends(factor)[side], 1e-9, 50)
        found[name] = {
            "intervals": [
                [np.tanh(values.mean() + sign * quantile * error) for sign in (-1, 1)]
                for values, error in zip(own, errors)
            ],
            "difference": ends(quantile),
            "difference_p": 2 * st.t.sf(factor, n - 1),
        }
    return found


def main():
    cases = []
    for seed, sizes in [(1, [3] * 12), (2, [1, 4, 2, 3, 1, 2, 5, 1, 3, 2])]:
        ratings, metrics, stimulus = survey(seed, sizes)
        human = ratings.mean(axis=1)
        cases.append(
            {
                "ratings": ratings,
                "metrics": metrics,
                "stimulus": stimulus,
                "pairs": of_pairs(metrics, human, stimulus, len(set(sizes)) == 1),
                "correlations": of_correlations(metrics, human, stimulus),
            }
        )
    plain = lambda value: value.tolist() if hasattr(value, "tolist") else value
    text = json.dumps({"level": LEVEL, "cases": cases}, default=plain)
    Path("golden/meta_stimuli.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
