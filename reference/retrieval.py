"""Retrieval as the field's evaluation notebooks compute it.

Cosine similarities and their order among all items by NumPy; the expectation among fewer candidates by
scipy.stats.hypergeom. Interval of repeats: scipy.stats.norm. Inputs are those of identification.py.

Run from `reference/` with the packages of requirements.txt. Writes golden/retrieval.json.
"""

import json
from pathlib import Path

import numpy as np
from scipy.stats import hypergeom, norm

from identification import N_PAIRS, features, reconstructions


def retrieval(brain: np.ndarray, image: np.ndarray) -> dict:
    def unit(x: np.ndarray) -> np.ndarray:
        x = x.astype(np.float64)
        return x / np.linalg.norm(x, axis=1, keepdims=True)

    similarity = unit(brain) @ unit(image).T
    labels = np.arange(len(brain))
    found = {}
    for name, sim in [("forward", similarity), ("backward", similarity.T)]:
        order = np.argsort(sim, axis=1)[:, ::-1]
        rank = (order == labels[:, None]).argmax(1)
        found[name] = {
            "top_1": float((rank < 1).mean()),
            "top_5": float((rank < 5).mean()),
            "expected_20": hypergeom.cdf(0, len(brain) - 1, rank, 19).tolist(),
        }
    return found


def main() -> None:
    gt = features("gt", N_PAIRS)
    shares = np.array([0.5, 0.75, 0.25, 0.5, 1.0])
    low, high = norm.interval(0.9, loc=shares.mean(), scale=shares.std() / np.sqrt(len(shares)))
    golden = {
        **retrieval(reconstructions(gt, 0.25), gt),
        "repeats": {"sd": float(shares.std()), "low": float(low), "high": float(high)},
    }
    path = Path(__file__).parent / "golden" / "retrieval.json"
    path.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
