"""Reference values for studentised intervals of meta-evaluation.

Everything is written out, item by item and pair by pair, with NumPy and SciPy 1.17.1: statistics of pairs are
linearised by numerical derivatives and jackknifed by leaving out each item, residuals of pairs come from a
least-squares fit with one effect for each item, and correlations are computed again without each item.

Needs numpy and scipy. Inputs come from synthetic.py, so that the Rust tests can make them too.
"""

import json
from pathlib import Path

import numpy as np
import scipy.stats as st
from scipy.optimize import brentq

from synthetic import uniform

LEVEL = 0.95
PAIR_STATISTICS = ["accuracy", "kendall_tau_b", "accuracy_over_untied", "kendall_tau_c", "tau_23"]
CORRELATIONS = ["pearson", "spearman"]


def survey(seed, n, raters, metric_levels):
    """Mean ratings in whole points, and two metrics that follow the quality more and less closely."""
    quality = uniform("quality", seed, (n,)).astype(np.float64)
    noise = uniform("rating", seed, (n, raters)).astype(np.float64)
    ratings = np.floor(1 + 4 * quality[:, None] + 1.5 * (noise - 0.5) + 0.5)
    metrics = []
    for m, share in enumerate([0.7, 0.4]):
        own = uniform("metric", 10 * seed + m, (n,)).astype(np.float64)
        scores = share * quality + (1 - share) * own
        metrics.append(np.floor(scores * metric_levels) if metric_levels and m else scores)
    return ratings, metrics


def relations(x, y):
    """Five columns for each pair: concordant, discordant, tied in x, tied in y, tied in both."""
    dx, dy = np.sign(x[:, None] - x), np.sign(y[:, None] - y)
    tied_x, tied_y = dx == 0, dy == 0
    return np.stack(
        [(dx * dy > 0), (dx * dy < 0), tied_x & ~tied_y, ~tied_x & tied_y, tied_x & tied_y], axis=-1
    ).astype(np.float64)


def of_shares(name, shares, n, n_classes):
    c, d, tx, ty, tb = shares
    return {
        "accuracy": c + tb,
        "kendall_tau_b": (c - d) / np.sqrt((c + d + ty) * (c + d + tx)),
        "accuracy_over_untied": c / (c + d + tx),
        "kendall_tau_c": (c - d) * (n - 1) / n * n_classes / (n_classes - 1),
        "tau_23": c + tb - d - tx - ty,
    }[name]


def kernel(name, x, y):
    """Each pair's contribution to the linearised statistic."""
    n = len(x)
    of_pairs = relations(x, y)
    upper = np.triu_indices(n, 1)
    shares = of_pairs[upper].mean(axis=0)
    n_classes = min(len(np.unique(x)), len(np.unique(y)))
    step = 1e-6
    slopes = []
    for relation in range(5):
        more, less = shares.copy(), shares.copy()
        more[relation] += step
        less[relation] -= step
        slopes.append((of_shares(name, more, n, n_classes) - of_shares(name, less, n, n_classes)) / (2 * step))
    return of_pairs @ np.array(slopes)


def jackknife_variance(values):
    """The jackknife variance of a mean over pairs, leaving out each item in turn."""
    n = len(values)
    means = []
    for item in range(n):
        kept = np.delete(np.delete(values, item, 0), item, 1)
        means.append(kept[np.triu_indices(n - 1, 1)].mean())
    means = np.array(means)
    return (n - 1) / n * ((means - means.mean()) ** 2).sum()


def pair_variance(values):
    """The variance of pairs' residuals, after the mean and an effect for each of the two items."""
    n = len(values)
    first, second = np.triu_indices(n, 1)
    design = np.zeros((len(first), n))
    design[np.arange(len(first)), first] = 1
    design[np.arange(len(first)), second] = 1
    target = values[first, second]
    fitted = design @ np.linalg.lstsq(design, target, rcond=None)[0]
    return ((target - fitted) ** 2).sum() / (n * (n - 3) / 2)


def of_pairs(metrics, human):
    n = len(human)
    quantile = st.t.ppf((1 + LEVEL) / 2, n - 1)
    found = {}
    for name in PAIR_STATISTICS:
        kernels = [kernel(name, scores, human) for scores in metrics]
        reach = [quantile * np.sqrt(jackknife_variance(values)) for values in kernels]
        difference = kernels[0] - kernels[1]
        jackknife = jackknife_variance(difference)
        surplus = pair_variance(difference) * (4 / (n * (n - 2)) - 2 / (n * (n - 1)))
        error = np.sqrt(max(jackknife - surplus, jackknife / 2))
        df = (n - 1) / 2
        found[name] = {
            "reach": reach,
            "difference_reach": st.t.ppf((1 + LEVEL) / 2, df) * error,
            "difference_error": error,
            "difference_df": df,
        }
    return found


def of_correlations(metrics, human):
    n = len(human)
    quantile = st.t.ppf((1 + LEVEL) / 2, n - 1)
    found = {}
    for name, function in zip(CORRELATIONS, [st.pearsonr, st.spearmanr]):
        z, pseudo_values, intervals = [], [], []
        for scores in metrics:
            whole = np.arctanh(function(scores, human).statistic)
            without = [
                np.arctanh(function(np.delete(scores, item), np.delete(human, item)).statistic) for item in range(n)
            ]
            own = n * whole - (n - 1) * np.array(without)
            error = own.std(ddof=1) / np.sqrt(n)
            z.append(whole)
            pseudo_values.append(own)
            intervals.append([np.tanh(own.mean() + sign * quantile * error) for sign in (-1, 1)])
        errors = [own.std(ddof=1) / np.sqrt(n) for own in pseudo_values]
        between = np.corrcoef(pseudo_values)[0, 1]

        def ends(factor):
            r = np.tanh(z)
            low = [np.tanh(a - factor * e) for a, e in zip(z, errors)]
            high = [np.tanh(a + factor * e) for a, e in zip(z, errors)]

            def reach(a, b):
                return np.sqrt(a * a + b * b - 2 * between * a * b)

            return [
                r[0] - r[1] - reach(r[0] - low[0], high[1] - r[1]),
                r[0] - r[1] + reach(high[0] - r[0], r[1] - low[1]),
            ]

        found[name] = {"intervals": intervals, "difference": ends(quantile)}
        # The p value comes from the level at which the interval ends at zero.
        side = 0 if np.tanh(z[0]) > np.tanh(z[1]) else 1
        factor = brentq(lambda factor: ends(factor)[side], 1e-9, 50)
        found[name]["difference_p"] = 2 * st.t.sf(factor, n - 1)
    return found


def main():
    cases = []
    for seed, n, raters, metric_levels in [(1, 12, 5, 0), (2, 30, 3, 6), (3, 60, 1, 0), (4, 25, 20, 4)]:
        ratings, metrics = survey(seed, n, raters, metric_levels)
        human = ratings.mean(axis=1)
        cases.append(
            {
                "seed": seed,
                "n": n,
                "raters": raters,
                "metric_levels": metric_levels,
                "pairs": of_pairs(metrics, human),
                "correlations": of_correlations(metrics, human),
            }
        )
    plain = lambda value: value.tolist() if hasattr(value, "tolist") else value
    text = json.dumps({"level": LEVEL, "cases": cases}, default=plain, indent=1)
    Path("golden/meta_intervals.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
