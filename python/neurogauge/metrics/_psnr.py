"""PSNR."""

from __future__ import annotations

from typing import Any, Literal

from .._arrays import Layout
from .._result import INTERVAL, LEVEL, RESAMPLES, SEED, Interval, Result
from ._pixels import of_pixels


def psnr(
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
    """PSNR: peak signal-to-noise ratio in dB, 10 log10(1 / MSE) over the RGB values.

    Shapes: as :func:`pixcorr`.

    Range: 0 up, higher is better.

    Conventions: `image-unit`, `pixel-size`, `antialias`, `psnr-identical`.

    Undefined: identical images (it diverges there); an image with NaN or an infinity.

    Args:
        reference: the stimuli; the other arguments are those of :func:`pixcorr`.

    Raises:
        DataError: as :func:`pixcorr`.
        UsageError: for an option out of its range.

    Reference: ``skimage.metrics.peak_signal_noise_ratio`` 0.26 with ``data_range=1`` to 1e-10.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> black, grey = np.zeros((1, 2, 2, 3)), np.full((1, 2, 2, 3), 0.5)
        >>> round(ng.metrics.psnr(black, grey, pixel_size=None).mean, 6)  # 10 log10(4)
        6.0206
    """
    return of_pixels("psnr", **locals())
