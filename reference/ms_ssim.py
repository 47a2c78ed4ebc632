"""MS-SSIM of grey images by pytorch-msssim, in float64.

The package's window is rounded to float32, and it averages an odd last row or column with zeros, while the authors'
code mirrors it; so it gets the window in float64, and the scales one by one, halved here. If no scale has an odd side,
its own result is equal. `restated` implements Wang, Simoncelli & Bovik 2003, equation 7, in NumPy and SciPy. The three
must agree to 1e-12.

Run from `reference/` with the packages of requirements.txt. Writes golden/ms_ssim.json.
"""

import numpy as np
import torch
from pytorch_msssim import ms_ssim as package
from pytorch_msssim.ssim import _ssim as package_at_one_scale
from scipy.ndimage import correlate1d
from skimage.color import rgb2gray

from image_pairs import write_golden

SIZES = [(176, 176), (177, 190), (191, 176), (256, 208), (425, 425)]
WEIGHTS = [0.0448, 0.2856, 0.3001, 0.2363, 0.1333]
TAPS = np.exp(-0.5 * (np.arange(-5, 6) / 1.5) ** 2)
TAPS /= TAPS.sum()
WINDOW = torch.from_numpy(TAPS)[None, None, None]


def halved(image: np.ndarray) -> np.ndarray:
    rows, columns = image.shape
    image = np.pad(image, [(0, rows % 2), (0, columns % 2)], mode="symmetric")
    return (image[::2, ::2] + image[::2, 1::2] + image[1::2, ::2] + image[1::2, 1::2]) / 4


def scales(image: np.ndarray) -> list[np.ndarray]:
    images = [image]
    while len(images) < len(WEIGHTS):
        images.append(halved(images[-1]))
    return images


def tensor(image: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(image)[None, None]


def by_package(gt: np.ndarray, recon: np.ndarray) -> float:
    factors = []
    for x, y in zip(scales(gt), scales(recon), strict=True):
        similarity, contrast_structure = package_at_one_scale(tensor(x), tensor(y), data_range=1.0, win=WINDOW)
        factors.append(contrast_structure)
    factors[-1] = similarity
    powers = [torch.relu(factor).item() ** weight for factor, weight in zip(factors, WEIGHTS, strict=True)]
    found = float(np.prod(powers))
    if all(side % 16 == 0 for side in gt.shape):
        whole = package(tensor(gt), tensor(recon), data_range=1.0, win=WINDOW).item()
        assert abs(whole - found) < 1e-12, (whole, found)
    return found


def windows(image: np.ndarray) -> np.ndarray:
    """Averages with the Gaussian window, at all positions within the image."""
    for axis in (0, 1):
        image = correlate1d(image, TAPS, axis=axis)
    return image[5:-5, 5:-5]


def restated(gt: np.ndarray, recon: np.ndarray) -> float:
    product, c1, c2 = 1.0, 0.01**2, 0.03**2
    for scale, (x, y) in enumerate(zip(scales(gt), scales(recon), strict=True)):
        mx, my = windows(x), windows(y)
        variances = windows(x * x) - mx**2 + windows(y * y) - my**2
        similarity = (2 * (windows(x * y) - mx * my) + c2) / (variances + c2)
        if scale == len(WEIGHTS) - 1:
            similarity = similarity * (2 * mx * my + c1) / (mx**2 + my**2 + c1)
        product *= max(similarity.mean(), 0.0) ** WEIGHTS[scale]
    return float(product)


def values(case: dict, gt: np.ndarray, recon: np.ndarray) -> dict:
    grey = [rgb2gray(image.astype(np.float64)) for image in (gt, recon)]
    found = by_package(*grey)
    assert abs(found - restated(*grey)) < 1e-12, (case, found, restated(*grey))
    return {"ms_ssim": found}


if __name__ == "__main__":
    write_golden("ms_ssim", values, SIZES)
