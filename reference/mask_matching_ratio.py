"""The mask matching ratio by SciPy: 1 less the Hamming distance of the foregrounds of two images.

The scenes and their foregrounds are those of basic_l.py, whose golden has their masks. `restated` counts the pixels
that are foreground, or background, on both sides; the two results must agree to 1e-12.

Run from `reference/` with the packages of requirements.txt. Writes golden/mask_matching_ratio.json.
"""

import json
from pathlib import Path

import numpy as np
from scipy.spatial.distance import hamming

from basic_l import DEFAULT, level_masks, roles, scene

VARIANTS = [{}, {"categories": "reference"}, {"min_score": 0.6}]


def restated(gt: np.ndarray, recon: np.ndarray) -> float:
    foreground = np.count_nonzero(gt & recon)
    background = np.count_nonzero(~(gt | recon))
    return (foreground + background) / gt.size


def ratio(gt: tuple, recon: tuple, options: dict) -> float | None:
    role = roles(gt[1], recon[1], options["categories"])
    sides = [level_masks(masks, role, "salient", options) for masks, _ in (gt, recon)]
    if not all(sides):
        return None
    first, second = (masks[0][1].astype(bool) for masks in sides)
    value = 1 - hamming(first.ravel(), second.ravel())
    assert abs(value - restated(first, second)) < 1e-12
    return float(value)


def main() -> None:
    cases = []
    for seed in range(16):
        random = np.random.default_rng(seed)
        gt = scene(random, None)
        recon = scene(random, gt[0])
        cases.append([ratio(gt, recon, {**DEFAULT, **variant}) for variant in VARIANTS])
    golden = {"variants": VARIANTS, "cases": cases}
    Path("golden/mask_matching_ratio.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
