"""PixCorr."""

from __future__ import annotations

from typing import Any, Literal

from .._arrays import Layout
from .._result import INTERVAL, LEVEL, RESAMPLES, SEED, Interval, Result
from ._pixels import of_pixels


def pixcorr(
    reference: Any,
    reconstruction: Any,
    *,
    pixel_size: int | None = 425,
    first_size: int | None = None,
    proportions: Literal["kept", "squashed"] = "kept",
    filter: Literal["bilinear", "bicubic"] = "bilinear",
    antialias: bool = False,
    layout: Layout = "auto",
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
    interval: Interval = INTERVAL,
    progress: bool = True,
) -> Result:
    """PixCorr: Pearson's correlation of the pixel values of stimulus and reconstruction.

    The three channels of an image are one vector x, so r = Σ (x - x̄)(y - ȳ) / √(Σ (x - x̄)² Σ (y - ȳ)²).

    Shapes: (n_images, height, width, 3) or (n_images, 3, height, width) on both sides, uint8 or floats nominally
        within [0, 1]; NumPy arrays, torch tensors (bfloat16, too), anything with DLPack or ``__array__``; one image without
        the first axis; an image of Pillow's, the path of an image file, or a list of either. Of arrays, nothing is copied
        but one image at a time.

    Range: -1 to 1, higher is better; unrelated images have 0.

    Conventions: `image-unit`, `pixel-size`, `antialias`, `pixcorr-rgb`.

    Undefined: an image whose values are all equal, or one with NaN or an infinity.

    Args:
        reference: the stimuli.
        reconstruction: the decoded images; image i belongs to stimulus i.
        pixel_size: the shorter side at which images are compared, px; None compares them as they are.
        first_size: resize to this shorter side first, px.
        proportions: how resizing treats images that are not square: keep their proportions, or squash them, so that
            images of different proportions can be compared.
        filter: how pixels are interpolated.
        antialias: smooth before shrinking.
        layout: "NHWC" or "NCHW"; "auto" goes by the axis of length 3.
        resamples: bootstrap resamples of the interval.
        level: share of them that the interval holds.
        seed: seed of the resamples.
        interval: how the interval of the mean is made (convention `interval`).
        progress: show a bar if tqdm is installed.

    Raises:
        DataError: for arrays of another shape or type, another number of images on the two sides, or images of a
            pair that have two shapes once resized.
        UsageError: for an option out of its range.

    Reference: ``numpy.corrcoef`` 2.4 to 1e-12 (it sums in another order); the bits of ``neurogauge score``.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> falling = np.linspace(1, 0, 12, dtype=np.float32).reshape(1, 2, 2, 3)
        >>> ng.metrics.pixcorr(falling, 1 - falling, pixel_size=None).per_pair.round(6).tolist()
        [-1.0]
    """
    return of_pixels("pixcorr", **locals())
