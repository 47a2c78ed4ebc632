"""Goldens for metrics of pixels within a region: NumPy and scikit-image on the pixels of a disc.

SSIM is the mean of scikit-image's map over the disc, without the outer 5 px, of images that are white around it.

Run from `reference/` with the packages of requirements.txt. Writes golden/foreground.json.
"""

import numpy as np
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

from image_pairs import write_golden

GREY = np.array([0.2125, 0.7154, 0.0721])


def disc(width: int, height: int) -> np.ndarray:
    y, x = np.mgrid[0:height, 0:width]
    return (2 * x - width) ** 2 + (2 * y - height) ** 2 <= (2 * min(width, height) / 3) ** 2


def foreground(case: dict, gt: np.ndarray, recon: np.ndarray) -> dict:
    inside = disc(case["width_px"], case["height_px"])
    one, other = gt[inside].astype(np.float64), recon[inside].astype(np.float64)
    grey = [np.where(inside[..., None], image, 1).astype(np.float64) @ GREY for image in (gt, recon)]
    _, similarity = structural_similarity(
        *grey, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=1.0, full=True
    )
    counted = inside[5:-5, 5:-5]
    is_flat = case["kind"] == "flat"
    return {
        "pixcorr": None if is_flat else float(np.corrcoef(one.ravel(), other.ravel())[0, 1]),
        "psnr": float(peak_signal_noise_ratio(one, other, data_range=1)),
        "ssim": float(similarity[5:-5, 5:-5][counted].mean()),
    }


if __name__ == "__main__":
    write_golden("foreground", foreground)
