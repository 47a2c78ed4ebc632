"""LPIPS: distances of images in the layers of a network."""

from __future__ import annotations

import os
from typing import Any, Literal

from .. import _neurogauge
from .._arrays import FloatScale, Layout, one_size, unit_images
from .._options import Unpack, folder
from .._progress import Progress
from .._result import PLACEHOLDER, IntervalOptions, Result, bootstrap, summed_up
from ._pixels import size_options


def lpips(
    reference: Any,
    reconstruction: Any,
    *,
    heads: str | os.PathLike[str],
    pixel_size: int | None = 425,
    first_size: int | None = None,
    proportions: Literal["kept", "squashed"] = "kept",
    filter: Literal["bilinear", "bicubic"] = "bilinear",
    antialias: bool = False,
    arithmetic: Literal["float", "eight_bit"] = "float",
    weights: str | os.PathLike[str] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    weight_precision: Literal["f32", "bf16", "f16"] = "f32",
    device: str = "cpu",
    download: bool = False,
    layout: Layout = "auto",
    values: FloatScale | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """LPIPS: learned perceptual image patch similarity (Zhang et al. 2018, Eq. 1), the distance of two images in the
    layers of AlexNet or VGG-16.

    d = Σ_l mean_hw Σ_c w_lc (x̂_lhwc - ŷ_lhwc)², x̂ and ŷ being the outputs of rectified layer l, divided at every
    place by the norm of the channels there, and w_l the linear heads.

    Shapes: as :func:`pixcorr`; once resized, the images of a pair have one shape, and a shorter side of at least 63 px
        for AlexNet, 32 px for VGG-16. Values are within [0, 1] (or uint8), as everywhere here, not within [-1, 1].

    Range: 0 up, lower is better, 0 for equal images; no chance level.

    Conventions: `image-unit`, `lpips-size`, `antialias`, `lpips-heads`.

    Undefined: an image with NaN or an infinity.

    Args:
        reference: the stimuli.
        reconstruction: the decoded images; image i belongs to stimulus i.
        heads: the linear heads, a file whose shapes show which network it belongs to: ``alex.pth`` or ``vgg.pth``
            of the Python package lpips (``lpips/weights/v0.1/`` in its wheel). "placeholder" uses AlexNet and heads
            with made-up weights, whose numbers mean nothing.
        pixel_size: the shorter side at which images are compared, px; None compares them as they are. The published
            metric defines no size, and the figure depends on it.
        first_size: resize to this shorter side first, px.
        proportions: how resizing treats images that are not square: keep their proportions, or squash them, so that
            images of different proportions can be compared.
        filter: how pixels are interpolated.
        antialias: smooth before shrinking.
        arithmetic: resize in floats, or in 8 bits as Pillow does, which always smooths before shrinking.
        weights: folder of model weights (also: NEUROGAUGE_WEIGHTS).
        checkpoint: a file with weights of the network.
        weight_precision: precision the network's weights are rounded to when they are read.
        device: "cpu", "cpu-f64", "cuda", "cuda:N", "metal" or "metal:N".
        download: download weights that are missing; without it, they are an error that says their size.
        layout: "NHWC" or "NCHW"; "auto" goes by the axis of length 3.
        values: what floats outside 0 to 1 are, as for :func:`pixcorr`.
        progress: show a bar if tqdm is installed.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: as :func:`pixcorr`; for images of a pair that have two shapes once resized.
        ModelError: for heads or weights that are missing, broken or of another network; for images that the network
            cannot take.
        UsageError: for an option out of its range, or a device that is not there.

    Reference: ``lpips.LPIPS`` 0.1.4 (``net="alex"`` and ``"vgg"``, not spatial) to 1e-5 (layers are summed in f32 in
        another order); the bits of ``neurogauge score``.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> black, white = np.zeros((1, 64, 64, 3), np.uint8), np.full((1, 64, 64, 3), 255, np.uint8)
        >>> round(ng.metrics.lpips(black, white, heads="placeholder", pixel_size=None).mean, 4)
        0.5463
    """
    over = bootstrap(intervals)
    file = folder(heads)
    sides = (
        unit_images("reference", reference, layout, values, 3),
        unit_images("reconstruction", reconstruction, layout, values, 3),
    )
    if pixel_size is None:
        one_size(*sides)
    metric, scored = _neurogauge.lpips(
        *sides,
        None if file == PLACEHOLDER else file,
        size_options(pixel_size, first_size, proportions, filter, antialias, arithmetic),
        pixel_size is not None,
        folder(weights),
        folder(checkpoint),
        weight_precision,
        device,
        Progress(progress, download),
    )
    return summed_up(metric, scored, over, stand_in=file == PLACEHOLDER)
