"""Goldens for distances between point clouds: SciPy's KD-tree and POT's exact transport.

Run from `reference/` with the packages of requirements.txt. Writes golden/point_clouds.json.
"""

import json
from pathlib import Path

import numpy as np
import ot
import scipy
from scipy.spatial import KDTree

import synthetic


def cloud(name: str, n: int, squeeze: float) -> np.ndarray:
    return (synthetic.uniform(name, 0, (n, 3)).astype(np.float64) - 0.5) * [1.0, squeeze, 2.0]


def case(n: int, m: int) -> dict:
    gt, recon = cloud(f"gt {n}", n, 1.0), cloud(f"recon {m}", m, 0.5)
    there, back = KDTree(recon).query(gt)[0], KDTree(gt).query(recon)[0]
    found = {
        "n": n,
        "m": m,
        "squared": (there**2).mean() + (back**2).mean(),
        "euclidean": (there.mean() + back.mean()) / 2,
    }
    if n == m:
        costs = ot.dist(gt, recon, metric="euclidean")
        found["emd"] = float(ot.emd2([], [], costs))
    return found


def main() -> None:
    cases = [case(n, m) for n, m in ((1, 1), (2, 5), (40, 40), (300, 200), (256, 256))]
    golden = {"scipy": scipy.__version__, "pot": ot.__version__, "cases": cases}
    Path("golden/point_clouds.json").write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
