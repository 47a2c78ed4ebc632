"""Goldens of LPIPS within a region: AlexNet with a synthetic checkpoint, in NumPy.

Each layer's differences by place are enlarged to the image (bilinear, corners not aligned: torch.nn.Upsample, which
lpips.LPIPS(spatial=True) uses), and averaged over the pixels of a mask. `whole` is the mean without enlarging.

Run from `reference/`; it needs NumPy alone. Writes golden/models/lpips_region.json.
"""

import json
from pathlib import Path

import numpy as np

import synthetic

WIDTH, HEIGHT = 83, 71
# Index, channels in and out, kernel, stride, padding of torchvision's AlexNet; pooling comes before layers 3 and 6.
LAYERS = (
    (0, 3, 64, 11, 4, 2),
    (3, 64, 192, 5, 1, 2),
    (6, 192, 384, 3, 1, 1),
    (8, 384, 256, 3, 1, 1),
    (10, 256, 256, 3, 1, 1),
)
SHIFT, SCALE = np.array([-0.030, -0.088, -0.188]), np.array([0.458, 0.448, 0.450])


def windows(image: np.ndarray, size: int, stride: int) -> np.ndarray:
    found = np.lib.stride_tricks.sliding_window_view(image, (size, size), axis=(1, 2))
    return found[:, ::stride, ::stride]


def outputs(image: np.ndarray) -> list[np.ndarray]:
    """The rectified layers, (channel, row, column)."""
    x = ((2 * image.astype(np.float64) - 1 - SHIFT) / SCALE).transpose(2, 0, 1)
    found = []
    for index, n_in, n_out, size, stride, padding in LAYERS:
        if index in (3, 6):
            x = windows(x, 3, 2).max(axis=(-2, -1))
        weight = synthetic.parameter(f"features.{index}.weight", (n_out, n_in, size, size)).astype(np.float64)
        bias = synthetic.parameter(f"features.{index}.bias", (n_out,)).astype(np.float64)
        padded = np.pad(x, ((0, 0), (padding, padding), (padding, padding)))
        x = np.einsum("ihwab,oiab->ohw", windows(padded, size, stride), weight, optimize=True) + bias[:, None, None]
        x = np.maximum(x, 0)
        found.append(x)
    return found


def enlarged(differences: np.ndarray) -> np.ndarray:
    def along(n: int, n_pixels: int) -> np.ndarray:
        place = np.maximum((np.arange(n_pixels) + 0.5) * n / n_pixels - 0.5, 0)
        low = np.minimum(place.astype(int), n - 1)
        weights = np.zeros((n_pixels, n))
        np.add.at(weights, (np.arange(n_pixels), low), 1 - (place - low))
        np.add.at(weights, (np.arange(n_pixels), np.minimum(low + 1, n - 1)), place - low)
        return weights

    rows, columns = differences.shape
    return along(rows, HEIGHT) @ differences @ along(columns, WIDTH).T


def main() -> None:
    images = [synthetic.uniform(name, 0, (HEIGHT, WIDTH, 3)) for name in ("seen", "made")]
    total, whole = np.zeros((HEIGHT, WIDTH)), 0.0
    for place, (one, other) in enumerate(zip(*(outputs(image) for image in images), strict=True)):
        one, other = (x / (np.sqrt((x**2).sum(axis=0)) + 1e-10) for x in (one, other))
        head = np.abs(synthetic.parameter(f"lin{place}.model.1.weight", (1, len(one), 1, 1))).astype(np.float64).ravel()
        differences = np.einsum("c,chw->hw", head, (one - other) ** 2)
        total += enlarged(differences)
        whole += differences.mean()
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    masks = {
        "all": x >= 0,
        "left": 2 * x < WIDTH,
        "disc": (x - 41) ** 2 + (y - 35) ** 2 <= 20**2,
        "pixel": (x == 5) & (y == 60),
    }
    found = {"whole": whole, **{name: total[mask].mean() for name, mask in masks.items()}}
    path = Path(__file__).parent / "golden" / "models" / "lpips_region.json"
    path.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
