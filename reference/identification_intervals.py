"""Pseudo-values and intervals of identification, without the formulas of our code.

Every stimulus is left out in turn: its row and its column are deleted, and identification is computed again from the
rest (numpy.corrcoef, scipy.stats.hypergeom). For two ways, the pseudo-values must equal those from the structural
components of Sen (1960) and DeLong, DeLong and Clarke-Pearson (1988): row mean plus column mean. Intervals:
scipy.stats.beta.

Run from `reference/` with the packages of requirements.txt. Writes golden/identification_intervals.json.
"""

import json
from pathlib import Path

import numpy as np
from scipy import stats

from identification import N_PAIRS, correlations, features, reconstructions

REPEATED = [pair % 15 if pair < 30 else pair for pair in range(N_PAIRS)]


def success(better: int, tied: int, others: int, n_way: int, top_k: int, ties: str) -> float:
    n_way = min(n_way, others + 1)
    worse_by = {"lose": [tied], "win": [0], "half": range(tied + 1)}[ties]
    return float(np.mean([stats.hypergeom.cdf(top_k - 1, others, better + extra, n_way - 1) for extra in worse_by]))


def identified(r: np.ndarray, stimuli: np.ndarray, n_way: int, top_k: int, ties: str, copies: str) -> np.ndarray:
    """The value of each pair: r[i, j] is the similarity of query i to the candidate of pair j."""
    values = []
    for pair in range(len(r)):
        are_others = stimuli != stimuli[pair] if copies == "leave_out" else np.arange(len(r)) != pair
        others = r[pair, are_others]
        own = r[pair, pair]
        values.append(success(int((others > own).sum()), int((others == own).sum()), len(others), n_way, top_k, ties))
    return np.array(values)


def pseudo_values(r: np.ndarray, stimuli: np.ndarray, **options: object) -> tuple[float, np.ndarray]:
    estimate = identified(r, stimuli, **options).mean()
    names = np.unique(stimuli)
    without = []
    for name in names:
        left = np.flatnonzero(stimuli != name)
        without.append(identified(r[np.ix_(left, left)], stimuli[left], **options).mean())
    without = np.array(without)
    of_stimuli = estimate + (len(names) - 1) * (without.mean() - without)
    return estimate, of_stimuli[np.searchsorted(names, stimuli)]


def components(r: np.ndarray) -> np.ndarray:
    """Sen's and DeLong's components of two-way identification, each pair with its own stimulus."""
    wins = (r < np.diag(r)[:, None]).astype(float)
    np.fill_diagonal(wins, 0)
    n = len(r)
    estimate = wins.sum() / (n * (n - 1))
    rows, columns = wins.sum(1), wins.sum(0)
    return estimate + (rows + columns - 2 * (n - 1) * estimate) / (n - 2)


def interval(mean: float, pseudo: np.ndarray, level: float) -> list[float]:
    """The same as `u_statistic::interval`, with SciPy's distributions."""
    if mean < 0.5:
        return rare(mean, pseudo, level)
    low, high = rare(1 - mean, 1 - pseudo, level)
    return [1 - high, 1 - low]


def rare(mean: float, pseudo: np.ndarray, level: float) -> list[float]:
    n, tail = len(pseudo), (1 - level) / 2
    if mean == 0:
        return [0.0, float(stats.binomtest(0, n).proportion_ci(level, method="exact").high)]
    variance = pseudo.var(ddof=1) / n * (stats.t.ppf(1 - tail, n - 1) / stats.norm.ppf(1 - tail)) ** 2
    further = (1 - 2 * mean) ** 2 * pseudo.max() / n

    def quantile(m: float, u: float, q: float) -> float:
        size = m * (1 - m) / u
        return float(stats.beta.ppf(q, m * size, (1 - m) * size))

    return [quantile(mean, variance, tail), quantile(mean + further, variance + further**2, 1 - tail)]


def main() -> None:
    gt = features("gt", N_PAIRS)
    cases = []
    settings = [
        # weight of the stimulus, direction, ways, k, ties, stimuli, copies
        (0.0625, "reconstruction", 2, 1, "lose", None, "leave_out"),
        (0.0625, "stimulus", 2, 1, "lose", None, "leave_out"),
        (0.25, "reconstruction", 2, 1, "lose", None, "leave_out"),
        (0.125, "reconstruction", 20, 2, "lose", None, "leave_out"),
        (0.125, "reconstruction", 45, 1, "lose", None, "leave_out"),
        (0.0625, "reconstruction", 5, 1, "lose", REPEATED, "leave_out"),
        (0.0625, "reconstruction", 2, 1, "half", REPEATED, "keep"),
        (0.0, "reconstruction", 2, 1, "lose", None, "leave_out"),
        (1.0, "reconstruction", 2, 1, "lose", None, "leave_out"),
    ]
    for weight, direction, n_way, top_k, ties, groups, copies in settings:
        stimuli = np.array(groups if groups else range(N_PAIRS))
        # All pairs of one stimulus have the image of its first pair.
        shown = gt[[list(stimuli).index(stimulus) for stimulus in stimuli]]
        noise = reconstructions(shown, weight)
        r = correlations(shown, noise)
        r = r.T if direction == "reconstruction" else r
        if copies == "keep":
            # Makes equal rows tie exactly, which NumPy's order of sums does not guarantee.
            r = r[:, [list(stimuli).index(stimulus) for stimulus in stimuli]]
        options = {"n_way": n_way, "top_k": top_k, "ties": ties, "copies": copies}
        estimate, pseudo = pseudo_values(r, stimuli, **options)
        if (n_way, groups) == (2, None):
            np.testing.assert_allclose(pseudo, components(r), atol=1e-12)
        first = np.unique(stimuli, return_index=True)[1]
        of_stimuli = pseudo[first] - pseudo[first].mean() + estimate
        cases.append(
            {
                "weight": weight,
                "direction": direction,
                "n_way": n_way,
                "top_k": top_k,
                "ties": ties,
                "stimuli": stimuli.tolist(),
                "copies": copies,
                "mean": float(estimate),
                "pseudo_values": pseudo.tolist(),
                "intervals": {str(level): interval(estimate, of_stimuli, level) for level in (0.95, 0.8)},
            }
        )
    path = Path(__file__).parent / "golden" / "identification_intervals.json"
    path.write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    main()
