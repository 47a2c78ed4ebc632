"""Reference values for the statistics of meta-evaluation.

- tau-b, tau-c, Spearman, ranks, F tails, BCa: SciPy 1.17.1
- ICC, Holm: pingouin 0.7.0 (irr 0.84.1's variants: its formulas on SciPy's F distribution)
- alpha: krippendorff 0.9.0
- pair counts, pairwise accuracy and its calibration: the definitions of Deutsch et al. (2023),
  computed over all pairs, one after the other if the published search is defined that way
- means over groups: like mt-metrics-eval's averages by item and by system, which leave out groups without a value

Needs numpy, scipy, pandas, pingouin and krippendorff. Inputs come from synthetic.py, so that the Rust tests can make
them too. The figures for the TIFA160 survey are written only if the shared data (human-ratings/tifa160_likert.csv) are
present.
"""

import json
from pathlib import Path

import krippendorff
import numpy as np
import pandas as pd
import pingouin
import scipy.stats as st

from places import shared_data
from synthetic import uniform

GOLDEN = Path("golden")


def levels(values, n):
    """Values rounded down to a grid of n steps; unchanged for n = 0."""
    return values if n == 0 else np.floor(values * n) / n


def scores(seed, n, x_levels, y_levels, share=0.5):
    """A metric, and human scores that partly consist of it."""
    a = uniform("quality", seed, (n,)).astype(np.float64)
    b = uniform("noise", seed, (n,)).astype(np.float64)
    return levels(a, x_levels), levels(share * a + (1 - share) * b, y_levels)


def counts(x, y, epsilon):
    i, j = np.triu_indices(len(x), 1)
    dx, dy = x[i] - x[j], y[i] - y[j]
    tied_x, tied_y = np.abs(dx) <= epsilon, dy == 0
    untied = ~tied_x & ~tied_y
    same = np.sign(dx) == np.sign(dy)
    return {
        "concordant": int((untied & same).sum()),
        "discordant": int((untied & ~same).sum()),
        "ties_x": int((tied_x & ~tied_y).sum()),
        "ties_y": int((~tied_x & tied_y).sum()),
        "ties_both": int((tied_x & tied_y).sum()),
    }


def calibrate(metric, human):
    """The smallest of the best thresholds for rows of scores, found by the published incremental search."""
    pairs, right, total = [], [], []
    for row, (m, h) in enumerate(zip(metric, human)):
        i, j = np.triu_indices(len(m), 1)
        now = np.sign(m[i] - m[j]) == np.sign(h[i] - h[j])
        tied = h[i] == h[j]
        pairs += zip(np.abs(m[i] - m[j]).tolist(), [row] * len(i), now.tolist(), tied.tolist())
        right.append(int(now.sum()))
        total.append(len(i))
    running = 0.0
    for r, t in zip(right, total):
        running += r / t
    thresholds, accuracies = [0.0], [running / len(right)]
    for difference, row, now, tied in sorted(pairs, key=lambda pair: pair[0]):
        running -= right[row] / total[row]
        right[row] += int(tied) - int(now)
        running += right[row] / total[row]
        if thresholds[-1] != difference:
            thresholds.append(difference)
            accuracies.append(None)
        accuracies[-1] = running / len(right)
    best = int(np.argmax(accuracies))
    return {"accuracy": accuracies[best], "epsilon": thresholds[best]}


def order_case(seed, n, x_levels, y_levels, share, epsilon):
    x, y = scores(seed, n, x_levels, y_levels, share)
    c, at = counts(x, y, 0.0), counts(x, y, epsilon)
    pairs = sum(c.values())
    return {
        "seed": seed,
        "n": n,
        "x_levels": x_levels,
        "y_levels": y_levels,
        "share": share,
        "epsilon": epsilon,
        "counts": c,
        "counts_at_epsilon": at,
        "tau_b": st.kendalltau(x, y).statistic,
        "tau_c": st.kendalltau(x, y, variant="c").statistic,
        "tau_23": (c["concordant"] + c["ties_both"]) / pairs * 2 - 1,
        "spearman": st.spearmanr(x, y).statistic,
        "rank_checksum": float((st.rankdata(x) * np.arange(1, n + 1)).sum()),
        "accuracy": (c["concordant"] + c["ties_both"]) / pairs,
        "accuracy_over_untied": c["concordant"] / (c["concordant"] + c["discordant"] + c["ties_x"]),
        "accuracy_over_untied_as_published": c["concordant"] / (pairs - c["ties_y"]),
        "calibrated": calibrate([x], [y]),
    }


def mean_over_groups(metric, human):
    """Means over the groups in which a statistic has a value, like mt-metrics-eval's averages by item or by system, and
    how many groups have none. Pairwise accuracy and tau-23 have a value for every group of at least two items."""
    found = {}
    for m, h in zip(metric, human):
        if len(m) < 2:
            values = dict.fromkeys(found or NAMES, np.nan)
        else:
            c = counts(m, h, 0.0)
            pairs, untied = sum(c.values()), c["concordant"] + c["discordant"] + c["ties_x"]
            constant = np.ptp(m) == 0 or np.ptp(h) == 0
            values = {
                "accuracy": (c["concordant"] + c["ties_both"]) / pairs,
                "kendall_tau_b": st.kendalltau(m, h).statistic,
                "pearson": np.nan if constant else st.pearsonr(m, h).statistic,
                "spearman": np.nan if constant else st.spearmanr(m, h).statistic,
                "accuracy_over_untied": np.nan if constant else c["concordant"] / untied,
                "kendall_tau_c": st.kendalltau(m, h, variant="c").statistic,
                "tau_23": (c["concordant"] + c["ties_both"]) / pairs * 2 - 1,
            }
        for name, value in values.items():
            found.setdefault(name, []).append(value)
    return {
        name: {"mean": np.nanmean(values), "n_left_out": int(np.isnan(values).sum())} for name, values in found.items()
    }


NAMES = ["accuracy", "kendall_tau_b", "pearson", "spearman", "accuracy_over_untied", "kendall_tau_c", "tau_23"]


def grouped_case(seed, n_groups, smallest, largest, x_levels, y_levels):
    """Groups with smallest, smallest + 1, ..., largest, smallest, ... items."""
    sizes = [smallest + g % (largest - smallest + 1) for g in range(n_groups)]
    x, y = scores(seed, sum(sizes), x_levels, y_levels)
    ends = np.cumsum(sizes)[:-1]
    groups = np.split(x, ends), np.split(y, ends)
    large = [(m, h) for m, h in zip(*groups) if len(m) > 1]
    return {
        "seed": seed,
        "sizes": sizes,
        "x_levels": x_levels,
        "y_levels": y_levels,
        "calibrated": calibrate(*zip(*large)),
        "means": mean_over_groups(*groups),
    }


def survey(seed, n_items, n_raters, missing):
    """Likert ratings of 1 to 5, of which a share is missing (NaN), by raters with different levels."""
    quality = uniform("item", seed, (n_items, 1)).astype(np.float64)
    noise = uniform("rating", seed, (n_items, n_raters)).astype(np.float64)
    level = uniform("rater", seed, (1, n_raters)).astype(np.float64)
    ratings = np.floor((0.5 * quality + 0.375 * noise + 0.125 * level) * 5) + 1
    ratings[uniform("missing", seed, (n_items, n_raters)) < missing] = np.nan
    return ratings


def irr(ratings):
    """Test and interval of the agreement forms as the R package irr 0.84.1 computes them."""
    n, k = ratings.shape
    grand = ratings.mean()
    msr = k * ((ratings.mean(1) - grand) ** 2).sum() / (n - 1)
    msc = n * ((ratings.mean(0) - grand) ** 2).sum() / (k - 1)
    total = ((ratings - grand) ** 2).sum()
    mse = (total - msr * (n - 1) - msc * (k - 1)) / ((n - 1) * (k - 1))
    out = {}
    for label, c in {
        "ICC(2,1)": (msr - mse) / (msr + (k - 1) * mse + k / n * (msc - mse)),
        "ICC(2,k)": (msr - mse) / (msr + (msc - mse) / n),
    }.items():
        a, b = k * c / (n * (1 - c)), 1 + k * c * (n - 1) / (n * (1 - c))
        v = (a * msc + b * mse) ** 2 / ((a * msc) ** 2 / (k - 1) + (b * mse) ** 2 / ((n - 1) * (k - 1)))
        low, high = st.f.ppf(0.975, n - 1, v), st.f.ppf(0.975, v, n - 1)
        if label == "ICC(2,1)":
            rest = k * msc + (k * n - k - n) * mse
        else:
            rest = msc - mse
        out[label] = {
            "df2": v,
            "p": st.f.sf(msr / mse, n - 1, v),
            "low": n * (msr - low * mse) / (low * rest + n * msr),
            "high": n * (high * msr - mse) / (rest + n * high * msr),
        }
    return out


def agreement(ratings):
    """ICC over complete items, alpha over all."""
    complete = ratings[~np.isnan(ratings).any(axis=1)]
    rows = [{"item": i, "rater": r, "value": v} for i, row in enumerate(complete) for r, v in enumerate(row)]
    pingouin.options["round.column.CI95"] = None
    table = pingouin.intraclass_corr(pd.DataFrame(rows), targets="item", raters="rater", ratings="value")
    names = ["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]
    icc = {
        name: {
            "value": row.ICC,
            "f": row.F,
            "df1": float(row.df1),
            "df2": float(row.df2),
            "p": row.pval,
            "low": row.CI95[0],
            "high": row.CI95[1],
        }
        for name, row in zip(names, table.itertuples())
    }
    alpha = {
        level: krippendorff.alpha(ratings.T, level_of_measurement=level) for level in ("nominal", "ordinal", "interval")
    }
    return {"n_complete": len(complete), "icc": icc, "irr": irr(complete), "alpha": alpha}


def survey_case(seed, n_items, n_raters, missing):
    shape = {"seed": seed, "n_items": n_items, "n_raters": n_raters, "missing": missing}
    return shape | agreement(survey(seed, n_items, n_raters, missing))


def bca_case(seed, n, statistic, level):
    """Replicates that are means or variances of resamples."""
    data = uniform("skewed", seed, (n,)).astype(np.float64) ** 3
    result = st.bootstrap(
        (data,),
        {"mean": np.mean, "variance": np.var}[statistic],
        n_resamples=400,
        confidence_level=level,
        method="BCa",
        rng=np.random.default_rng(seed),
    )
    return {
        "seed": seed,
        "n": n,
        "statistic": statistic,
        "level": level,
        "replicates": result.bootstrap_distribution.tolist(),
        "interval": list(map(float, result.confidence_interval)),
    }


def williams_case(r1, r2, r12, n):
    determinant = 1 - r1**2 - r2**2 - r12**2 + 2 * r1 * r2 * r12
    spread = 2 * (n - 1) / (n - 3) * determinant + ((r1 + r2) / 2) ** 2 * (1 - r12) ** 3
    t = (r1 - r2) * np.sqrt((n - 1) * (1 + r12)) / np.sqrt(spread)
    return {"r1": r1, "r2": r2, "r12": r12, "n": n, "t": t, "p": 2 * st.t.sf(abs(t), n - 3)}


def correction_case(seed, n):
    p = uniform("p", seed, (n,)).astype(np.float64) ** 4
    p[n // 2] = p[0]
    holm = pingouin.multicomp(p, method="holm")[1]
    return {"seed": seed, "n": n, "holm": holm, "fdr": st.false_discovery_control(p)}


def tifa160(folder):
    """Aggregates only, since the ratings may not be published."""
    survey = pd.read_csv(folder / "tifa160_likert.csv")
    survey["item"] = survey.model_type + "/" + survey.item_id
    table = survey.pivot(index="item", columns="worker_id", values="answer")
    ratings = table.to_numpy(dtype=np.float64)
    complete = ratings[~np.isnan(ratings).any(axis=1)]
    # The first rater against the mean of the others: heavy ties on both sides.
    one, others = complete[:, 0], complete[:, 1:].sum(axis=1) / 4
    names = np.array([item.split("/") for item in table.index[~np.isnan(ratings).any(axis=1)]])

    def grouped(column):
        labels = names[:, column]
        groups = [labels == label for label in dict.fromkeys(labels)]
        metric, human = [others[g] for g in groups], [one[g] for g in groups]
        large = [(m, h) for m, h in zip(metric, human) if len(m) > 1]
        return {"calibrated": calibrate(*zip(*large)), "means": mean_over_groups(metric, human)}

    return {
        "n_items": len(ratings),
        "n_raters": ratings.shape[1],
        "n_missing": int(np.isnan(ratings).sum()),
        **agreement(ratings),
        "one_against_others": {
            "pearson": st.pearsonr(others, one).statistic,
            "spearman": st.spearmanr(others, one).statistic,
            "tau_b": st.kendalltau(others, one).statistic,
            "tau_c": st.kendalltau(others, one, variant="c").statistic,
            "counts": counts(others, one, 0.0),
            "calibrated": calibrate([others], [one]),
            "by_system": grouped(0),
            "by_item": grouped(1),
        },
    }


def plain(value):
    if isinstance(value, dict):
        return {key: plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(entry) for entry in value]
    return value.item() if isinstance(value, np.generic) else value


def write(name, content):
    GOLDEN.mkdir(exist_ok=True)
    (GOLDEN / name).write_text(json.dumps(plain(content), indent=1) + "\n")


def main():
    write(
        "meta_statistics.json",
        {
            "order": [
                order_case(1, 2, 0, 0, 0.5, 0.1),
                order_case(2, 3, 0, 0, 0.5, 0.1),
                order_case(3, 10, 4, 3, 0.5, 0.25),
                order_case(4, 50, 0, 5, 0.5, 0.05),
                order_case(5, 50, 3, 2, 0.25, 0.0),
                order_case(6, 200, 10, 5, 0.25, 0.1),
                order_case(7, 200, 0, 0, 0.5, 0.01),
                order_case(8, 333, 100, 3, 0.125, 0.02),
                order_case(9, 1000, 0, 88, 0.5, 0.013),
                order_case(10, 1000, 0, 5, 0.5, 0.3),
                order_case(11, 1000, 30, 17, 0.5, 0.1),
                order_case(12, 1000, 0, 4, 0.125, 0.1),
                order_case(13, 1000, 100, 3, 0.25, 0.1),
                order_case(14, 700, 5, 3, -1.0, 0.2),
            ],
            "grouped": [
                grouped_case(1, 160, 5, 5, 0, 13),
                grouped_case(2, 160, 5, 5, 10, 4),
                grouped_case(3, 40, 2, 9, 0, 5),
                grouped_case(4, 40, 2, 9, 7, 3),
                grouped_case(5, 3, 60, 80, 0, 5),
                grouped_case(6, 90, 1, 3, 4, 3),
            ],
            "survey": [
                survey_case(1, 6, 4, 0.0),
                survey_case(2, 100, 5, 0.0),
                survey_case(3, 1000, 22, 0.0),
                survey_case(4, 200, 3, 0.1),
                survey_case(5, 60, 10, 0.15),
            ],
            "f": [
                {"f": f, "df1": a, "df2": b, "p": st.f.sf(f, a, b), "q": st.f.isf(0.025, a, b)}
                for a, b in [(1, 1), (7, 24), (49, 441), (799, 2300.5), (999, 20979), (20979, 999)]
                for f in (0.3, 0.97, 1.05, 2.5)
            ],
            "bca": [
                bca_case(1, 22, "mean", 0.95),
                bca_case(2, 50, "variance", 0.95),
                bca_case(3, 50, "variance", 0.8),
            ],
            "williams": [
                williams_case(0.62, 0.56, 0.8, 1000),
                williams_case(0.4, 0.5, 0.1, 103),
                williams_case(-0.3, 0.2, 0.05, 8),
                williams_case(0.95, 0.9, 0.97, 4),
            ],
            "corrections": [correction_case(1, 5), correction_case(2, 45)],
        },
    )
    if folder := shared_data("human-ratings", "meta_statistics_tifa160.json"):
        write("meta_statistics_tifa160.json", tifa160(folder))


if __name__ == "__main__":
    main()
