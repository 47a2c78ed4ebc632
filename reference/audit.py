"""What `neurogauge audit` computes, by other packages.

k-means from given centres and silhouette: scikit-learn. Accuracy by cluster alone: scipy.stats.hypergeom. Profile and
pattern correlation, pairwise identification: bdpy. Spans: NumPy's SVD and least squares. Slope: scipy.stats.linregress.
Nearest training stimuli: NumPy, all against all.

Run from `reference/` with the packages of requirements.txt. Writes golden/audit.json.
"""

import json
from pathlib import Path

import numpy as np
from bdpy.evals.metrics import pairwise_identification, pattern_correlation, profile_correlation
from scipy.stats import hypergeom, linregress
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

from synthetic import uniform

N_TRAIN, N_TEST, N_FEATURES = 60, 25, 30
SIZES = [[5, 3, 2], [80] * 12, [1, 1, 30], [400, 200, 100, 50, 25]]


def noise(name: str, *shape: int) -> np.ndarray:
    return uniform(name, 11, shape).astype(np.float64) - 0.5


def clusters() -> dict:
    points = noise("points", 120, 6)
    points[:, 0] += 0.6 * (np.arange(120) % 4)
    found = KMeans(4, init=points[:4], n_init=1, algorithm="lloyd", tol=0, max_iter=300).fit(points)
    return {
        "labels": found.labels_.tolist(),
        "inertia": float(found.inertia_),
        "silhouette": float(silhouette_score(points, found.labels_)),
    }


def by_cluster_alone() -> list[dict]:
    cases = []
    for sizes in SIZES:
        total = sum(sizes)
        for n, k in [(2, 1), (10, 1), (10, 5)]:
            value = 0.0
            for size in sizes:
                met = np.arange(n)
                share = np.minimum(1.0, k / (met + 1.0))
                value += size / total * (hypergeom(total - 1, size - 1, n - 1).pmf(met) * share).sum()
            cases.append({"sizes": sizes, "n": n, "k": k, "value": float(value)})
    return cases


def spans(train: np.ndarray, test: np.ndarray) -> list[dict]:
    found = []
    for n_rows in [12, N_TRAIN]:
        rows = train[:n_rows]
        centred = rows - rows.mean(0)
        values = np.linalg.svd(centred, compute_uv=False)[: min(n_rows - 1, N_FEATURES)]
        shares = values**2 / (values**2).sum()
        deviations = test - test.mean(0)
        solved = np.linalg.lstsq(centred.T, deviations.T, rcond=None)[0]
        nearest = np.linalg.lstsq(centred.T, (test - rows.mean(0)).T, rcond=None)[0]
        nearest = (centred.T @ nearest).T + rows.mean(0)
        found.append(
            {
                "n_rows": n_rows,
                "effective_rank": float(np.exp(-(shares * np.log(shares)).sum())),
                "share": float(((centred.T @ solved) ** 2).sum() / (deviations**2).sum()),
                "correlations": [float(np.corrcoef(x, y)[0, 1]) for x, y in zip(test, nearest)],
            }
        )
    return found


def main() -> None:
    train, test = noise("train", N_TRAIN, N_FEATURES), noise("test", N_TEST, N_FEATURES)
    decoded = 0.4 * test + 0.3 * train[:N_TEST] + 0.3 * noise("decoded", N_TEST, N_FEATURES)
    # Rounded to single precision, as the files store them.
    train, test, decoded = (x.astype(np.float32).astype(np.float64) for x in (train, test, decoded))

    def correlations(rows: np.ndarray) -> np.ndarray:
        return np.corrcoef(rows, train)[: len(rows), len(rows) :]

    of_test, of_decoded = correlations(test), correlations(decoded)
    own = np.array([np.corrcoef(x, y)[0, 1] for x, y in zip(decoded, test)])
    two_way = pairwise_identification(decoded, test)
    slope = linregress(of_test.max(1), two_way)
    golden = {
        "clusters": clusters(),
        "by_cluster_alone": by_cluster_alone(),
        "spans": spans(train, test),
        "nearest_of_test": {"row": of_test.argmax(1).tolist(), "similarity": of_test.max(1).tolist()},
        "nearest_of_decoded": {"row": of_decoded.argmax(1).tolist(), "similarity": of_decoded.max(1).tolist()},
        "own": own.tolist(),
        "rank": [int((row > value).sum()) + 1 for row, value in zip(of_decoded, own)],
        "two_way": float(two_way.mean()),
        "slope": float(slope.slope),
        "profile": float(profile_correlation(decoded, test).mean()),
        "pattern": pattern_correlation(decoded, test, train.mean(0), train.std(0, ddof=1)).tolist(),
    }
    path = Path(__file__).parent / "golden" / "audit.json"
    path.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
