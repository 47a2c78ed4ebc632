"""Metrics of pixels."""

from __future__ import annotations

from typing import Any, Literal

from .. import _neurogauge
from .._arrays import Layout, unit_images
from .._errors import UsageError
from .._options import as_json, whole
from .._progress import Progress
from .._result import LEVEL, RESAMPLES, SEED, Result, bootstrap, summed_up

MAX_PX = 10_000


def pixcorr(
    reference: Any,
    reconstruction: Any,
    *,
    pixel_size: int | None = 425,
    first_size: int | None = None,
    filter: Literal["bilinear", "bicubic"] = "bilinear",
    antialias: bool = False,
    layout: Layout = "auto",
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
    progress: bool = True,
) -> Result:
    """PixCorr: Pearson's correlation of the pixel values of stimulus and reconstruction.

    The three channels of an image are one vector x, so r = Σ (x - x̄)(y - ȳ) / √(Σ (x - x̄)² Σ (y - ȳ)²).

    Shapes: (n_images, height, width, 3) or (n_images, 3, height, width) on both sides, uint8 or floats nominally
        within [0, 1]; NumPy arrays, torch tensors, anything with DLPack or ``__array__``. Nothing is copied but
        one image at a time.

    Range: -1 to 1, higher is better; unrelated images have 0.

    Conventions: `image-unit`, `pixel-size`, `antialias`, `pixcorr-rgb`.

    Undefined: an image whose values are all equal, or one with NaN or an infinity.

    Args:
        reference: the stimuli.
        reconstruction: what was decoded; image i belongs to stimulus i.
        pixel_size: the shorter side at which images are compared, px; None compares them as they are.
        first_size: resize to this shorter side first, px.
        filter: how pixels are interpolated.
        antialias: smooth before shrinking.
        layout: "NHWC" or "NCHW"; "auto" goes by the axis of length 3.
        resamples: bootstrap resamples of the interval.
        level: share of them that the interval holds.
        seed: seed of the resamples.
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
    return _pixels("pixcorr", **locals())


def ssim(
    reference: Any,
    reconstruction: Any,
    *,
    pixel_size: int | None = 425,
    first_size: int | None = None,
    filter: Literal["bilinear", "bicubic"] = "bilinear",
    antialias: bool = False,
    layout: Layout = "auto",
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
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
    return _pixels("ssim", **locals())


def psnr(
    reference: Any,
    reconstruction: Any,
    *,
    pixel_size: int | None = 425,
    first_size: int | None = None,
    filter: Literal["bilinear", "bicubic"] = "bilinear",
    antialias: bool = False,
    layout: Layout = "auto",
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
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
    return _pixels("psnr", **locals())


def _pixels(
    metric: str,
    reference: Any,
    reconstruction: Any,
    pixel_size: int | None,
    first_size: int | None,
    filter: str,
    antialias: bool,
    layout: Layout,
    resamples: int,
    level: float,
    seed: int,
    progress: bool,
) -> Result:
    over = bootstrap(resamples, level, seed)
    scored = _neurogauge.pixels(
        metric,
        unit_images("reference", reference, layout),
        unit_images("reconstruction", reconstruction, layout),
        size_options(pixel_size, first_size, filter, antialias),
        pixel_size is not None,
        Progress(progress),
    )
    return summed_up(metric, scored, over)


def size_options(pixel_size: int | None, first_size: int | None, filter: str, antialias: bool) -> str:
    """How images are brought to the size at which they are compared, as the extension module takes it.

    Raises:
        UsageError: for sizes that are none, or a first one without another.
    """
    if pixel_size is None and first_size is not None:
        raise UsageError(f"first_size is {first_size!r} and pixel_size None, which resizes nothing; give both")
    options = {
        "size_px": None if pixel_size is None else whole("pixel_size", pixel_size, 1, MAX_PX),
        "first_size_px": None if first_size is None else whole("first_size", first_size, 1, MAX_PX),
        "filter": filter,
        "antialias": bool(antialias),
    }
    return as_json(options)
