"""The correlation distance of feature vectors by scipy.spatial.distance.correlation.

Run from `reference/` with the packages of requirements.txt. Writes golden/feature_distance.json.
"""

import json
from pathlib import Path

import numpy as np
from scipy.spatial.distance import correlation

import synthetic

N_FEATURES = [3, 384, 2048, 5000]


def cases() -> list[dict]:
    cases = []
    for n in N_FEATURES:
        gt = synthetic.uniform("features.gt", 0, (n,))
        for weight in [0.0, 0.5, 0.9375]:
            other = synthetic.uniform("features.recon", 0, (n,))
            recon = np.float32(weight) * gt + np.float32(1 - weight) * other
            distance = float(correlation(gt, recon))
            cases.append({"n_features": n, "weight": weight, "distance": distance})
    return cases


if __name__ == "__main__":
    path = Path(__file__).parent / "golden" / "feature_distance.json"
    path.write_text(json.dumps(cases(), indent=1) + "\n")
