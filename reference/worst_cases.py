"""Goldens for worst cases and for pairs of the same and different class (SEED, Sec. 5.3).

Ranks are scipy's (rankdata, method "average"), z-scores scipy's (zscore, divided by n); intervals are numpy quantiles
over the draws that stats.py restates. The inputs are a survey of whole ratings with many ties and some missing, four
metrics of either direction, one with missing scores, and class labels.

Run from `reference/` with the packages of requirements.txt. Writes golden/worst_cases.json.
"""

import json
from pathlib import Path

import numpy as np
from scipy.stats import rankdata, zscore

import stats
import synthetic

N_ITEMS, N_RATERS = 40, 5
N_WORST, TOLERANCE = 4, 0.3
LOWER_IS_BETTER = {"distance"}


def survey() -> np.ndarray:
    """Ratings (items, raters), 1 to 5, NaN if missing."""
    ratings = 1 + np.floor(5 * synthetic.uniform("worst.ratings", 0, (N_ITEMS, N_RATERS)).astype(float))
    ratings[synthetic.uniform("worst.missing", 0, (N_ITEMS, N_RATERS)) < 0.1] = np.nan
    return ratings


def metrics() -> dict[str, np.ndarray]:
    def noise(name):
        return synthetic.uniform(f"worst.{name}", 0, (N_ITEMS,)).astype(float)

    truth = np.nanmean(survey(), axis=1) / 5
    found = {
        "close": 0.8 * truth + 0.2 * noise("close"),
        "coarse": np.floor(6 * (0.7 * truth + 0.3 * noise("coarse"))),
        "distance": 1 - 0.6 * truth - 0.4 * noise("distance"),
        "partial": 0.75 * truth + 0.25 * noise("partial"),
    }
    found["partial"][noise("left_out") < 0.15] = np.nan
    return found


def human_scores(zscored: bool) -> np.ndarray:
    ratings = zscore(survey(), axis=0, nan_policy="omit") if zscored else survey()
    return np.nanmean(ratings, axis=1)


def differences(metric: str, human: np.ndarray) -> dict[int, tuple[float, float, float]]:
    """Rank by the metric, rank by people, and their difference, for each item with both scores."""
    scores = metrics()[metric] * (1 if metric in LOWER_IS_BETTER else -1)
    items = np.flatnonzero(~np.isnan(scores) & ~np.isnan(human))
    own, people = rankdata(scores[items]), rankdata(-human[items])
    return {int(i): (m, h, (h - m) / (len(items) - 1)) for i, m, h in zip(items, own.tolist(), people.tolist())}


def worst(zscored: bool, tolerance: float | None) -> dict:
    human = human_scores(zscored)
    all_of = {name: differences(name, human) for name in metrics()}
    found = {}
    for name, own in all_of.items():
        others = [of for other, of in all_of.items() if other != name]
        eligible = [
            item
            for item in own
            if tolerance is None or all(item in of and abs(of[item][2]) <= tolerance for of in others)
        ]
        eligible.sort(key=lambda item: (-abs(own[item][2]), item))
        found[name] = {
            "n_items": len(own),
            "n_eligible": len(eligible),
            "cases": [{"item": item, "ranks": list(own[item])} for item in eligible[:N_WORST]],
        }
    return found


def labels() -> tuple[list[int], list[int]]:
    gt = np.floor(3 * synthetic.uniform("worst.gt", 0, (N_ITEMS,))).astype(int)
    same = synthetic.uniform("worst.same", 0, (N_ITEMS,)) < 0.4
    recon = np.where(same, gt, (gt + 1) % 3)
    return gt.tolist(), recon.tolist()


def classes() -> dict:
    gt, recon = labels()
    human = human_scores(False)
    found = {}
    for name, scores in metrics().items():
        scores = scores * (-1 if name in LOWER_IS_BETTER else 1)
        items = np.flatnonzero(~np.isnan(scores) & ~np.isnan(human))
        same = np.equal(gt, recon)[items]
        metric, people = zscore(scores[items]), zscore(human[items])
        resamples = stats.draws(len(items))
        found[name] = {"n_same": int(same.sum()), "n_different": int((~same).sum())}
        for quantity, values in [("metric", metric), ("human", people), ("overestimate", metric - people)]:
            pairs = [(values[d][same[d]].mean(), values[d][~same[d]].mean()) for d in resamples]
            means = {
                "same": (values[same].mean(), [a for a, _ in pairs]),
                "different": (values[~same].mean(), [b for _, b in pairs]),
                "difference": (values[same].mean() - values[~same].mean(), [a - b for a, b in pairs]),
            }
            found[name][quantity] = {
                key: {"value": float(value), "interval": stats.interval(replicates)}
                for key, (value, replicates) in means.items()
            }
    return found


def main() -> None:
    def plain(values: np.ndarray) -> list:
        return [None if np.isnan(v) else float(v) for v in values]

    gt, recon = labels()
    golden = {
        "n_raters": N_RATERS,
        "ratings": plain(survey().ravel()),
        "metrics": {name: plain(scores) for name, scores in metrics().items()},
        "lower_is_better": sorted(LOWER_IS_BETTER),
        "n_worst": N_WORST,
        "tolerance": TOLERANCE,
        "bootstrap": {"resamples": stats.RESAMPLES, "level": stats.LEVEL, "seed": stats.SEED},
        "gt": gt,
        "recon": recon,
        "worst": worst(False, None),
        "worst_zscore": worst(True, None),
        "worst_others_agree": worst(False, TOLERANCE),
        "classes": classes(),
    }
    path = Path(__file__).parent / "golden" / "worst_cases.json"
    path.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
