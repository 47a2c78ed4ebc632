"""Metrics of pixels, written from the registry by ``make written``; not to be edited."""

from __future__ import annotations

from typing import Any, Literal

from .._arrays import Layout
from .._result import INTERVAL, LEVEL, RESAMPLES, SEED, Interval, Result
from ._pixels import of_pixels

__all__ = ["ms_ssim"]


def ms_ssim(
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
    """MS-SSIM: structural similarity of the grey images at five scales.

    Shapes: as :func:`pixcorr`.

    Range: 0 to 1, higher is better; no chance level is known.

    Conventions: `image-unit`, `pixel-size`, `antialias`, `ssim-flavour`, `ms-ssim-scales` (the documentation's Conventions).

    Undefined: an image with NaN or an infinity, and where the conventions say so; :attr:`Result.undefined` has the reason for
        each pair.

    Args:
        reference: the stimuli; the other arguments are those of :func:`pixcorr`.

    Raises:
        DataError: as :func:`pixcorr`.
        UsageError: for an option out of its range.

    Reference: that of the command's documentation; the bits of ``neurogauge score --metrics ms_ssim``.
    """
    return of_pixels("ms_ssim", **locals())
