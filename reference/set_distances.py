"""Goldens for distances of sets: clean-fid and torch-fidelity on the same features, and CMMD's equations in NumPy.

clean-fid's FID needs covariances of full rank, so that it is given where there are more rows than features.

Run from `reference/` with the packages of requirements.txt. Writes golden/set_distances.json.
"""

import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import torch
from cleanfid.fid import frechet_distance, kernel_distance
from torch_fidelity.metric_fid import fid_features_to_statistics, fid_statistics_to_metric
from torch_fidelity.metric_kid import kernel_poly, mmd2
from torch_fidelity.metric_prc import prc_features_to_metric

import synthetic

SHARES = (0.5, 0.625, 0.75, 0.875)
DRAWS = 8
BLOCKS = 50


def features(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    gt, noise = (synthetic.uniform(f"{side} {n}", 0, (n, d)).astype(np.float64) for side in ("gt", "noise"))
    return gt, 0.6 * gt + 0.5 * noise + 0.1


def fid(gt: np.ndarray, recon: np.ndarray) -> float:
    statistics = [fid_features_to_statistics(torch.from_numpy(rows)) for rows in (gt, recon)]
    return fid_statistics_to_metric(*statistics, verbose=False)["frechet_inception_distance"]


def cmmd(gt: np.ndarray, recon: np.ndarray) -> float:
    """Jayasumana et al. 2024, equation 4, with sigma 10 and their scale of 1000."""
    x, y = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (gt, recon))
    kernel = lambda a, b: np.exp(-((a[:, None] - b[None]) ** 2).sum(axis=2) / (2 * 10.0**2)).mean()
    return 1000 * (kernel(x, x) + kernel(y, y) - 2 * kernel(x, y))


def extrapolated(gt: np.ndarray, recon: np.ndarray, random: np.random.Generator) -> float:
    """Chong and Forsyth 2020: the intercept of a line through FID over 1 / n."""
    n = len(gt)
    sizes = [int(np.floor(share * n + 0.5)) for share in SHARES]
    of = lambda size: (lambda rows: fid(gt[rows], recon[rows]))(random.permutation(n)[:size])
    values = [np.mean([of(size) for _ in range(DRAWS)]) for size in sizes] + [fid(gt, recon)]
    return np.polyfit(1 / np.array([*sizes, n]), values, 1)[1]


def if_alike(gt: np.ndarray, recon: np.ndarray, random: np.random.Generator) -> float:
    def exchanged() -> float:
        turned = random.integers(0, 2, (len(gt), 1)).astype(bool)
        return fid(np.where(turned, recon, gt), np.where(turned, gt, recon))

    return np.mean([exchanged() for _ in range(DRAWS)])


def case(n: int, d: int) -> dict:
    gt, recon = features(n, d)
    kernels = [kernel_poly(*rows, kid_kernel_poly_degree=3, kid_kernel_poly_gamma=None, kid_kernel_poly_coef0=1)
               for rows in ((gt, gt), (gt, recon), (recon, recon))]  # fmt: skip
    precision_recall = prc_features_to_metric(torch.from_numpy(recon), torch.from_numpy(gt), prc_neighborhood=3)
    statistics = [(rows.mean(axis=0), np.cov(rows, rowvar=False)) for rows in (gt, recon)]
    random = np.random.default_rng(n)
    blocks = [[of(gt, recon, random) for _ in range(BLOCKS)] for of in (extrapolated, if_alike)]
    return {
        "n": n,
        "d": d,
        "kid": mmd2(*kernels),
        "kid_clean": kernel_distance(gt, recon, num_subsets=1),
        "kid_unbiased": mmd2(*kernels, mmd_est="u-statistic"),
        "cmmd": cmmd(gt, recon),
        "fid": fid(gt, recon),
        "fid_clean": float(frechet_distance(*statistics[0], *statistics[1])) if n > d else None,
        "precision": precision_recall["precision"],
        "recall": precision_recall["recall"],
        "extrapolated": {"mean": np.mean(blocks[0]), "sd": np.std(blocks[0], ddof=1)},
        "if_alike": {"mean": np.mean(blocks[1]), "sd": np.std(blocks[1], ddof=1)},
    }


def main() -> None:
    golden = {name: version(name) for name in ("torch-fidelity", "clean-fid")}
    golden["cases"] = [case(n, d) for n, d in ((30, 5), (80, 16), (40, 64))]
    Path("golden/set_distances.json").write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
