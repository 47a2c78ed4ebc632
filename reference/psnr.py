"""PSNR by scikit-image, data range 1.

Run from `reference/` with the packages of requirements.txt. Writes golden/psnr.json.
"""

import numpy as np
from skimage.metrics import peak_signal_noise_ratio

from image_pairs import write_golden


def psnr(case: dict, gt: np.ndarray, recon: np.ndarray) -> dict:
    return {"psnr": float(peak_signal_noise_ratio(gt, recon, data_range=1))}


if __name__ == "__main__":
    write_golden("psnr", psnr)
