"""Goldens for the statistics: correlation, quantiles, bootstrap estimates, comparison of systems.

The references are scipy (pearsonr, distance.correlation, permutation_test, bootstrap by BCa, binomtest, t, skew) and
numpy (quantile). Intervals of differences are found by bisection for the p value of a test. The bootstrap is
implemented from its definition, including random draws: ChaCha with 8 rounds (Bernstein 2008; 64-bit counter, 64-bit
stream number), its key from a 64-bit seed through PCG-XSH-RR 64/32 (O'Neill 2014), and Lemire's unbiased bounded
numbers (2019). So the goldens show a change in any of them, here or in a library.

Run from `reference/` with the packages of requirements.txt. Writes golden/stats.json.
"""

import itertools
import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pingouin
from scipy.spatial.distance import correlation
from scipy.optimize import brentq
from scipy.stats import binomtest, bootstrap, pearsonr, permutation_test, rankdata, skew, t

import synthetic

RESAMPLES, LEVEL, SEED = 200, 0.9, 7
N_PAIRS = 40
U32, U64 = 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF


def chacha8_key(seed: int) -> list[int]:
    state, key = seed, []
    for _ in range(8):
        state = (state * 6364136223846793005 + 11634580027462260723) & U64
        word = (((state >> 18) ^ state) >> 27) & U32
        turn = state >> 59
        key.append(((word >> turn) | (word << (-turn % 32))) & U32)
    return key


def chacha8_words(seed: int, stream: int):
    """The endless 32-bit words of one stream."""
    constants = [int.from_bytes(b"expand 32-byte k"[i : i + 4], "little") for i in range(0, 16, 4)]
    key = chacha8_key(seed)
    columns = [(0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)]
    diagonals = [(0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)]
    for block in itertools.count():
        start = constants + key + [block & U32, block >> 32, stream & U32, stream >> 32]
        s = list(start)
        for a, b, c, d in 4 * (columns + diagonals):
            for x, y, z, turn in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)]:
                s[x] = (s[x] + s[y]) & U32
                s[z] ^= s[x]
                s[z] = ((s[z] << turn) | (s[z] >> (32 - turn))) & U32
        yield from ((x + y) & U32 for x, y in zip(s, start))


def draws(n_pairs: int) -> list[np.ndarray]:
    """The positions drawn in each resample."""
    surplus = 2**32 % n_pairs
    resamples = []
    for stream in range(RESAMPLES):
        products = (word * n_pairs for word in chacha8_words(SEED, stream))
        kept = (product >> 32 for product in products if product & U32 >= surplus)
        resamples.append(np.array(list(itertools.islice(kept, n_pairs))))
    return resamples


def scores(name: str, defined: float = 1.0) -> np.ndarray:
    """Outcomes in [0, 1); NaN stands for a pair without a value."""
    values = synthetic.uniform(name, 0, (N_PAIRS,)).astype(np.float64)
    values[synthetic.uniform(name + ".defined", 0, (N_PAIRS,)) >= defined] = np.nan
    return values


def interval(replicates: list[float]) -> list[float]:
    return [float(q) for q in np.quantile(replicates, [(1 - LEVEL) / 2, 1 - (1 - LEVEL) / 2])]


def studentized(columns: list[np.ndarray]) -> list[float]:
    """Mean plus and minus q standard errors, with q at least Student's; standard errors by the delta method (ratios of
    sums)."""

    def studied(rows: np.ndarray) -> tuple[float, float]:
        n, means = rows.shape[1], np.nanmean(rows, axis=1)
        parts = [np.where(np.isnan(r), 0, r - m) * n / (~np.isnan(r)).sum() for r, m in zip(rows, means)]
        contribution = np.mean(parts, axis=0)
        k = (~np.isnan(rows)).sum(axis=1).min()
        if k < 2:
            return float(means.mean()), 0.0
        return float(means.mean()), float(np.sqrt((contribution**2).sum() * k / (n * n * (k - 1))))

    rows = np.array(columns)
    mean, error = studied(rows)
    complete = int((~np.isnan(rows)).all(axis=0).sum())
    student = float(t.ppf((1 + LEVEL) / 2, complete - 1))
    if complete < 6:
        return [mean - student * error, mean + student * error]
    distances = []
    for drawn in draws(rows.shape[1]):
        resample = rows[:, drawn]
        if np.isnan(resample).all(axis=1).any():
            continue
        m, e = studied(resample)
        if e > 1e-12:
            distances.append(abs(m - mean) / e)
    reach = max(float(np.quantile(distances, LEVEL)), student) * error
    return [mean - reach, mean + reach]


def bca(values: np.ndarray) -> list[float]:
    """scipy's BCa interval of the mean, with our draws instead of its own."""
    distribution = np.array([values[drawn].mean() for drawn in draws(len(values))])
    ours = SimpleNamespace(bootstrap_distribution=distribution)
    found = bootstrap((values,), np.mean, n_resamples=0, confidence_level=LEVEL, method="BCa", bootstrap_result=ours)
    return [float(found.confidence_interval.low), float(found.confidence_interval.high)]


def share_cases() -> list[dict]:
    cases = []
    for ones, n, level in [(0, 10, 0.95), (9, 10, 0.95), (3, 6, 0.9), (30, 30, 0.99), (457, 1000, 0.95)]:
        ends = binomtest(ones, n).proportion_ci(level, method="wilson")
        cases.append({"ones": ones, "n": n, "level": level, "interval": [float(ends.low), float(ends.high)]})
    return cases


def reach_cases() -> list[dict]:
    cases = [(2, 0.95), (6, 0.95), (10, 0.9), (1000, 0.99)]
    return [{"n": n, "level": level, "reach": float(t.ppf((1 + level) / 2, n - 1))} for n, level in cases]


def flips(n: int) -> np.ndarray:
    """The signs of each random flip: one bit for each difference, from the lowest bit of each word upwards."""
    signs = np.empty((9_999, n))
    for stream in range(len(signs)):
        words = list(itertools.islice(chacha8_words(SEED, stream), -(-n // 32)))
        signs[stream] = [-1 if words[i // 32] >> i % 32 & 1 else 1 for i in range(n)]
    return signs


def sign_flip_p(d: np.ndarray, signs: np.ndarray) -> float:
    far = np.abs(signs @ d) >= abs(d.sum()) - 1e-12 * np.abs(d).sum()
    return (1 + int(far.sum())) / (1 + len(far))


def not_rejected(d: np.ndarray, p_value, alpha: float) -> list[float] | None:
    """The points at which the p value of d - delta, which is 1 at the mean and falls on both sides, reaches alpha."""
    mean, ends = d.mean(), []
    for side in (-1, 1):
        inner, outer = mean, mean + side * (10 * np.abs(d - mean).max() + 1)
        if p_value(d - outer) <= alpha:
            while abs(outer - inner) > 1e-12:
                middle = (inner + outer) / 2
                inner, outer = (inner, middle) if p_value(d - middle) <= alpha else (middle, outer)
            ends.append(float(inner))
    return ends if len(ends) == 2 else None


def exact_p(d: np.ndarray) -> float:
    found = permutation_test(
        (d,), np.sum, permutation_type="samples", n_resamples=np.inf, alternative="two-sided", vectorized=True
    )
    return float(found.pvalue)


def exact_sign_flip_cases() -> list[dict]:
    cases = []
    for n in [2, 3, 6, 10, 15]:
        for shift in [0.0, 0.2, 0.6]:
            d = synthetic.uniform(f"difference{n}", 0, (n,)).astype(np.float64) - 0.5 + shift
            d = np.round(d, 1) if n == 10 else d  # with ties
            intervals = {str(level): not_rejected(d, exact_p, 1 - level) for level in [0.9, 0.95]}
            cases.append({"differences": d.tolist(), "p_value": exact_p(d), "intervals": intervals})
    return cases


def studentized_test(d: np.ndarray) -> dict:
    """p of the bootstrap-t test, at least that of Student's; and the interval at whose ends it crosses the level."""
    n = len(d)
    t_of = lambda x, mean: (x.mean() - mean) / (x.std(ddof=1) / np.sqrt(n))
    of_resamples = np.array([t_of(d[drawn], d.mean()) for drawn in draws(n)])

    def p_value(d: np.ndarray) -> float:
        own = t_of(d, 0.0)
        beyond = min((of_resamples >= own).sum(), (of_resamples <= own).sum())
        return max(min(1.0, 2 * (1 + beyond) / (1 + RESAMPLES)), 2 * t.sf(abs(own), n - 1))

    return {"p_value": float(p_value(d)), "interval": not_rejected(d, p_value, 1 - LEVEL)}


def ratio_cases() -> list[dict]:
    """Shares of boxes: the jackknife, and the points at which a score test with its error reaches Student's
    quantile."""
    cases = []
    for n, most, level in [(4, 3, 0.95), (10, 4, 0.95), (10, 4, 0.9), (30, 2, 0.95), (200, 9, 0.95)]:
        x = np.floor(synthetic.uniform(f"boxes{n}", 0, (n,)).astype(np.float64) * (most + 1))
        x[0] = most
        y = x * np.round(synthetic.uniform(f"hits{n}", 0, (n,)).astype(np.float64), 2)
        ratio, k = y.sum() / x.sum(), int((x > 0).sum())
        without = [np.delete(y, i).sum() / np.delete(x, i).sum() for i in range(n) if x[i] > 0]
        error = np.sqrt((k - 1) ** 2 / k * np.var(without, ddof=1))
        trials = ratio * (1 - ratio) / error**2
        q = t.ppf((1 + level) / 2, max(x.sum() ** 2 / (x**2).sum() - 1, 1))
        distance = lambda p: (ratio - p) ** 2 - q**2 * p * (1 - p) / trials
        ends = [brentq(distance, 0, ratio, xtol=1e-15), brentq(distance, ratio, 1, xtol=1e-15)]
        cases.append({"items": np.stack([y, x], 1).tolist(), "level": level, "value": float(ratio), "interval": ends})
    return cases


def skewness_cases() -> list[dict]:
    samples = [synthetic.uniform(f"skewed{n}", 0, (n,)).astype(np.float64) ** 4 for n in [3, 10, 100]]
    return [{"values": values.tolist(), "skewness": float(skew(values))} for values in samples]


def mean_of_means(columns: list[np.ndarray]) -> float:
    if any(np.isnan(column).all() for column in columns):
        return float("nan")
    return float(np.mean([np.nanmean(column) for column in columns]))


def estimate_case(names: dict[str, float]) -> dict:
    columns = [scores(name, defined) for name, defined in names.items()]
    replicates = [mean_of_means([c[drawn] for c in columns]) for drawn in draws(N_PAIRS)]
    kept = [r for r in replicates if not np.isnan(r)]
    complete = int((~np.isnan(columns)).all(axis=0).sum())
    return {
        "columns": names,
        "value": mean_of_means(columns),
        "interval": interval(kept),
        "studentized": studentized(columns),
        # scipy cannot compute a mean over columns with gaps in different positions.
        "bca": bca(columns[0]) if complete == N_PAIRS else None,
        "n": complete,
        "resamples_left_out": RESAMPLES - len(kept),
    }


def rank_intervals(n_systems: int, differences: list[dict]) -> list[list[float]]:
    """Possible ranks, if every significantly better system is before and every significantly worse one after."""
    significant, _ = pingouin.multicomp([found["p_value"] for found in differences], alpha=1 - LEVEL, method="holm")
    better = np.zeros((n_systems, n_systems), dtype=bool)
    for (a, b), found, is_significant in zip(
        itertools.combinations(range(n_systems), 2), differences, significant, strict=True
    ):
        better[a, b] = is_significant and found["value"] > 0
        better[b, a] = is_significant and found["value"] < 0
    return [[1.0 + better[:, s].sum(), float(n_systems - better[s].sum())] for s in range(n_systems)]


def comparison_case(systems: dict[str, float]) -> dict:
    values = np.array([scores(name, defined) for name, defined in systems.items()])
    shared = values[:, ~np.isnan(values).any(axis=0)]
    n_shared = shared.shape[1]
    replicates = np.array([shared[:, drawn].mean(axis=1) for drawn in draws(n_shared)])
    differences, signs = [], flips(n_shared)
    for a, b in itertools.combinations(range(len(values)), 2):
        value = float(shared[a].mean() - shared[b].mean())
        of_pairs = shared[a] - shared[b]
        differences.append(
            {
                "value": value,
                "p_value": sign_flip_p(of_pairs, signs),
                "interval": not_rejected(of_pairs, lambda d: sign_flip_p(d, signs), 1 - LEVEL),
                "studentized": studentized_test(of_pairs),
            }
        )
    return {
        "systems": systems,
        "n_shared": n_shared,
        "values": shared.mean(axis=1).tolist(),
        "intervals": [interval(r) for r in replicates.T],
        "studentized": [studentized([values]) for values in shared],
        "bca": [bca(values) for values in shared],
        "ranks": rankdata(-shared.mean(axis=1)).tolist(),
        "rank_intervals": rank_intervals(len(values), differences),
        "differences": differences,
    }


def correlation_cases() -> list[dict]:
    cases = []
    for n in [2, 3, 7, 8, 9, 1000, 4096, 4097, 20000]:
        for offset in [0.0, 1000.0]:
            x = synthetic.uniform("x", 0, (n,)) + np.float32(offset)
            y = np.float32(0.25) * x + synthetic.uniform("y", 0, (n,))
            wide = x.astype(np.float64), y.astype(np.float64)
            r, d = float(pearsonr(*wide)[0]), float(correlation(*wide))
            cases.append({"n": n, "offset": offset, "pearson": r, "distance": d})
    return cases


def quantile_cases() -> list[dict]:
    qs = [0.0, 0.025, 0.1, 1 / 3, 0.5, 0.77, 0.975, 1.0]
    cases = []
    for n in [1, 2, 3, 10, 101]:
        sample = synthetic.uniform("quantile", 0, (n,)).astype(np.float64)
        cases.append({"n": n, "q": qs, "quantile": np.quantile(sample, qs).tolist()})
    return cases


def main() -> None:
    golden = {
        "correlations": correlation_cases(),
        "quantiles": quantile_cases(),
        "options": {"resamples": RESAMPLES, "level": LEVEL, "seed": SEED},
        "n_pairs": N_PAIRS,
        "estimates": [
            estimate_case({"plain": 1.0}),
            estimate_case({"gaps": 0.7}),
            estimate_case({"sparse": 0.04}),
            estimate_case({"part.a": 0.9, "part.b": 1.0, "part.c": 0.5}),
        ],
        "shares": share_cases(),
        "reaches": reach_cases(),
        "exact_sign_flips": exact_sign_flip_cases(),
        "ratios": ratio_cases(),
        "skewness": skewness_cases(),
        "comparison": comparison_case({"plain": 1.0, "gaps": 0.7, "part.b": 1.0}),
    }
    path = Path(__file__).parent / "golden" / "stats.json"
    path.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
