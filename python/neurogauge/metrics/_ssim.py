"""SSIM."""

from __future__ import annotations

from typing import Any, Literal

from .._arrays import Layout
from .._result import INTERVAL, LEVEL, RESAMPLES, SEED, Interval, Result
from ._pixels import of_pixels


def ssim(
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
    """SSIM: structural similarity of the grey images (Wang et al. 2004), in the flavour of the field's notebooks.

    The mean over the image of (2 μx μy + C1)(2 σxy + C2) / ((μx² + μy² + C1)(σx² + σy² + C2)), moments under a
    Gaussian window of 11 x 11 px with σ = 1.5.

    Shapes: as :func:`pixcorr`; images of at least 11 x 11 px.

    Range: -1 to 1, higher is better; no chance level is known.

    Conventions: `image-unit`, `pixel-size`, `antialias`, `ssim-flavour`.

    Undefined: an image with NaN or an infinity.

    Args:
        reference: the stimuli; the other arguments are those of :func:`pixcorr`.

    Raises:
        DataError: as :func:`pixcorr`; for images smaller than the window.
        UsageError: for an option out of its range.

    Reference: ``skimage.metrics.structural_similarity`` 0.26 with ``gaussian_weights=True, sigma=1.5,
        use_sample_covariance=False, data_range=1.0`` on ``rgb2gray``, to 1e-6 (grey is made in f32 here).

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> black, white = np.zeros((1, 16, 16, 3), np.uint8), np.full((1, 16, 16, 3), 255, np.uint8)
        >>> round(ng.metrics.ssim(black, white, pixel_size=None).mean, 8)  # C1 / (1 + C1), C1 = 1e-4
        9.999e-05
    """
    return of_pixels("ssim", **locals())
