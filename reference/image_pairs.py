"""Pairs of images for the goldens of metrics of pixels; this script writes no golden itself.

Noise, ramps, ramps under noise, and flat images, made here and, equally, in
crates/metrics/tests/decoding/image_pairs.rs. Both languages round this arithmetic equally.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import synthetic

SIZES = [(11, 11), (12, 37), (37, 12), (64, 48), (425, 425)]


def noise(name: str, width: int, height: int) -> np.ndarray:
    return synthetic.uniform(name, 0, (height, width, 3))


def ramps(step_x: int, step_y: int, width: int, height: int) -> np.ndarray:
    """Triangle waves of period 512 in whole steps, over 255: smooth and without rounding."""
    y, x, channel = np.mgrid[0:height, 0:width, 0:3]
    phase = (x * step_x * (channel + 1) + y * step_y + 40 * channel) % 512
    return np.minimum(phase, 511 - phase).astype(np.float32) / np.float32(255)


def image_pairs(width: int, height: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    gt = ramps(2, 1, width, height)
    veil = noise("veil", width, height)
    return {
        "noise": (noise("gt", width, height), noise("recon", width, height)),
        "ramps": (gt, ramps(1, 3, width, height)),
        "veiled": (gt, np.float32(0.75) * gt + np.float32(0.25) * veil),
        "flat": (np.full_like(gt, 0.75), np.full_like(gt, 0.6875)),
    }


def cases(sizes: list[tuple[int, int]] = SIZES) -> Iterator[tuple[dict, np.ndarray, np.ndarray]]:
    """The name of each pair in a golden, and its two images (float32)."""
    for width, height in sizes:
        for kind, (gt, recon) in image_pairs(width, height).items():
            assert gt.dtype == recon.dtype == np.float32
            yield {"kind": kind, "width_px": width, "height_px": height}, gt, recon


def write_golden(
    metric: str,
    values: Callable[[dict, np.ndarray, np.ndarray], dict],
    sizes: list[tuple[int, int]] = SIZES,
) -> None:
    """Writes golden/<metric>.json: each pair's name and values."""
    golden = [{**case, **values(case, gt, recon)} for case, gt, recon in cases(sizes)]
    path = Path(__file__).parent / "golden" / f"{metric}.json"
    path.write_text(json.dumps(golden, indent=1) + "\n")
