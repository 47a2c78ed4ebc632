"""Identification as the field's evaluation notebooks compute it.

Two-way identification: numpy.corrcoef of all stimuli and reconstructions stacked, then a strict comparison of each
column with its diagonal entry (MindEye2's direction) or of each row (the SEED paper's text). n ways:
scipy.stats.hypergeom on those counts. Inputs are made here and, equally, in
crates/metrics/tests/decoding/identification/rows.rs.

Run from `reference/` with the packages of requirements.txt. Writes golden/identification.json.
"""

import json
from pathlib import Path

import numpy as np
from scipy.stats import hypergeom

import synthetic

N_PAIRS, N_POOL, N_FEATURES = 45, 70, 300


def features(name: str, n_rows: int) -> np.ndarray:
    """Rows with a common part, like features of rectified layers."""
    common = synthetic.uniform("common", 0, (N_FEATURES,))
    own = synthetic.uniform(name, 0, (n_rows, N_FEATURES))
    return np.float32(0.5) * common + np.float32(0.5) * own


def reconstructions(gt: np.ndarray, weight: float) -> np.ndarray:
    noise = synthetic.uniform("noise", 0, gt.shape)
    return np.float32(weight) * gt + np.float32(1 - weight) * noise


def correlations(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.corrcoef(x, y)[: len(x), len(x) :]


def less_similar(gt: np.ndarray, recon: np.ndarray, pool: np.ndarray, pool_recon: np.ndarray) -> dict[str, list[int]]:
    """How many other items are less similar than the pair's own, for each pair."""
    r = correlations(gt, recon)
    own = np.diag(r)
    # Every difference is so large that the order of a sum cannot decide it.
    gaps = np.abs(r - own)[~np.eye(len(r), dtype=bool)]
    assert gaps.min() > 1e-9
    return {
        "reconstruction": (r < own).sum(0).tolist(),
        "stimulus": (r < own[:, None]).sum(1).tolist(),
        "pool_reconstruction": (correlations(pool, recon) < own).sum(0).tolist(),
        "pool_stimulus": (correlations(gt, pool_recon) < own[:, None]).sum(1).tolist(),
    }


def way_cases() -> list[dict]:
    cases = []
    sizes = [(981, 2, 1), (981, 50, 1), (981, 50, 5), (9999, 1000, 20), (44, 45, 3)]
    for n_others, n_way, top_k in sizes:
        for better in [0, 1, 3, n_others // 50, n_others // 3, n_others - 1, n_others]:
            p = hypergeom.cdf(top_k - 1, n_others, better, n_way - 1)
            cases.append(
                {
                    "n_others": n_others,
                    "n_better": better,
                    "n_way": n_way,
                    "top_k": top_k,
                    "success": float(p),
                }
            )
    return cases


def main() -> None:
    gt = features("gt", N_PAIRS)
    recon = reconstructions(gt, 0.0625)
    pool = features("pool", N_POOL)
    pool_recon = reconstructions(pool, 0.0625)
    golden = {
        "correlations_with_the_first": correlations(gt, recon)[:, 0].tolist(),
        "less_similar": less_similar(gt, recon, pool, pool_recon),
        "ways": way_cases(),
    }
    path = Path(__file__).parent / "golden" / "identification.json"
    path.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
