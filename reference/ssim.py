"""SSIM by scikit-image, as in the field's evaluation code: of float32 images, and entirely in float64.

Run from `reference/` with the packages of requirements.txt. Writes golden/ssim.json.
"""

import numpy as np
from skimage.color import rgb2gray
from skimage.metrics import structural_similarity

from image_pairs import write_golden


def ssim(gt: np.ndarray, recon: np.ndarray) -> float:
    return structural_similarity(
        rgb2gray(gt),
        rgb2gray(recon),
        gaussian_weights=True,
        sigma=1.5,
        use_sample_covariance=False,
        data_range=1.0,
    )


def values(case: dict, gt: np.ndarray, recon: np.ndarray) -> dict:
    assert rgb2gray(gt).dtype == np.float32
    return {
        "ssim": float(ssim(gt, recon)),
        "ssim_f64": float(ssim(gt.astype(np.float64), recon.astype(np.float64))),
    }


if __name__ == "__main__":
    write_golden("ssim", values)
