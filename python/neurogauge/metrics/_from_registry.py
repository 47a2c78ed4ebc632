"""Metrics of two images, written from the registry by ``make written``; not to be edited."""

from __future__ import annotations

from typing import Any, Literal

from .._arrays import FloatScale, Layout
from .._options import Unpack
from .._result import IntervalOptions, Result
from ._pixels import of_pixels

__all__ = ["hue_pcc", "ms_ssim", "pixcorr", "psnr", "ssim"]


def hue_pcc(
    reference: Any,
    reconstruction: Any,
    *,
    pixel_size: int | None = 425,
    first_size: int | None = None,
    proportions: Literal["kept", "squashed"] = "kept",
    filter: Literal["bilinear", "bicubic"] = "bilinear",
    antialias: bool = False,
    arithmetic: Literal["float", "eight_bit"] = "float",
    layout: Layout = "auto",
    values: FloatScale | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Cosine of the hues, as Mind-Animator's code computes it (hue-pcc).

    "hue-pcc" of Mind-Animator's released evaluation: the cosine Σ h g / (√(Σ h²) √(Σ g²)) of the hues h of the
    stimulus and g of the reconstruction, pixel by pixel. It is not a correlation, and hue, which is an angle,
    counts as a number from 0 to 179. Hue is that of the HSV colours of pixels of 8 bits, in steps of 2 degrees and
    with the rounding of OpenCV. The released code reads RGB as BGR, so red and blue are swapped: blue has hue 0,
    green 60, red 120.

    Shapes: (n_images, height, width, 3) or (n_images, 3, height, width) on both sides, uint8 or floats nominally
        within [0, 1]; NumPy arrays, torch tensors (bfloat16, too), anything with DLPack or ``__array__``; one image
        without the first axis; an image of Pillow's, the path of an image file, or a list of either. Of arrays, nothing
        is copied but one image at a time. When they are compared: two images of the same size, values within [0, 1],
        which are rounded to 8 bits. The released code compares frames of their own size (`--set pixel_size=own`).

    Range: 0 to 1, higher is better. There is no chance level; unrelated images of many hues reach 0.5 and more, since
        no hue is negative.

    Conventions: `image-unit`, `pixel-size`, `antialias`, `hue-pcc`.

    Undefined: an image whose hues are all 0, so all grey or blue; a non-finite value; an image without pixels;
        :attr:`Result.undefined` has the reason for each pair.

    Args:
        reference: the stimuli.
        reconstruction: what was decoded; image i belongs to stimulus i.
        pixel_size: the shorter side at which images are compared, px; None compares them as they are.
        first_size: resize to this shorter side first, px.
        proportions: what resizing does to images that are not square: keep their proportions, or squash them, so that
            images of different proportions can be compared.
        filter: how pixels are interpolated.
        antialias: smooth before shrinking.
        arithmetic: resize in floats, or in 8 bits as Pillow does, which always smooths before shrinking.
        layout: "NHWC" or "NCHW"; "auto" goes by the axis of length 3.
        values: what floats outside 0 to 1 are: "0..255", "-1..1", "clip" or "as-they-are"; without it, values far outside
            are an error.
        progress: show a bar if tqdm is installed.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for arrays of another shape or type, another number of images on the two sides, images of a pair that
            have two shapes once resized, or images that the metric cannot take.
        UsageError: for an option out of its range.

    Reference: the released function with OpenCV 5.0.0 (`reference/hue_pcc.py`), to 1e-12. The bits are those of
        ``neurogauge score --metrics hue_pcc``.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimulus = np.linspace(0, 1, 3 * 192 * 192, dtype=np.float32).reshape(1, 192, 192, 3)
        >>> round(ng.metrics.hue_pcc(stimulus, stimulus**2, pixel_size=None).mean, 4)
        0.0
    """
    return of_pixels("hue_pcc", **locals())


def ms_ssim(
    reference: Any,
    reconstruction: Any,
    *,
    pixel_size: int | None = 425,
    first_size: int | None = None,
    proportions: Literal["kept", "squashed"] = "kept",
    filter: Literal["bilinear", "bicubic"] = "bilinear",
    antialias: bool = False,
    arithmetic: Literal["float", "eight_bit"] = "float",
    layout: Layout = "auto",
    values: FloatScale | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Structural similarity of the grey images at five scales (MS-SSIM).

    MS-SSIM of the grey versions of a stimulus and its reconstruction: cs₁^w₁ · cs₂^w₂ · cs₃^w₃ · cs₄^w₄ · ssim₅^w₅,
    Wang, Simoncelli & Bovik 2003, equation 7. Scale j + 1 is scale j averaged over blocks of 2 x 2 px; csⱼ is the
    mean over windows of (2·σxy + C2) / (σx² + σy² + C2), and ssim₅ that of SSIM as a whole.

    Shapes: (n_images, height, width, 3) or (n_images, 3, height, width) on both sides, uint8 or floats nominally
        within [0, 1]; NumPy arrays, torch tensors (bfloat16, too), anything with DLPack or ``__array__``; one image
        without the first axis; an image of Pillow's, the path of an image file, or a list of either. Of arrays, nothing
        is copied but one image at a time. When they are compared: two images of the same size, the shorter side at
        least 176 px, values within [0, 1]; the field resizes both to 425 x 425 px before.

    Range: 0 to 1, higher is better; 1 for identical images, flat ones included.

    Conventions: `image-unit`, `pixel-size`, `antialias`, `ssim-flavour` (grey, window and constants), `ms-ssim-scales`
        (weights, blocks, odd edges are mirrored, and a mean below 0 counts as 0).

    Undefined: images too small for five scales; an image with a non-finite value; :attr:`Result.undefined` has the
        reason for each pair.

    Args:
        reference: the stimuli.
        reconstruction: what was decoded; image i belongs to stimulus i.
        pixel_size: the shorter side at which images are compared, px; None compares them as they are.
        first_size: resize to this shorter side first, px.
        proportions: what resizing does to images that are not square: keep their proportions, or squash them, so that
            images of different proportions can be compared.
        filter: how pixels are interpolated.
        antialias: smooth before shrinking.
        arithmetic: resize in floats, or in 8 bits as Pillow does, which always smooths before shrinking.
        layout: "NHWC" or "NCHW"; "auto" goes by the axis of length 3.
        values: what floats outside 0 to 1 are: "0..255", "-1..1", "clip" or "as-they-are"; without it, values far outside
            are an error.
        progress: show a bar if tqdm is installed.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for arrays of another shape or type, another number of images on the two sides, images of a pair that
            have two shapes once resized, or images that the metric cannot take.
        UsageError: for an option out of its range.

    Reference: pytorch-msssim 1.0.0 in `f64` on the grey images, its window in `f64` and odd edges mirrored before each
        halving (`reference/ms_ssim.py`), to 1e-6: grey is rounded to `f32` here. The bits are those of ``neurogauge
        score --metrics ms_ssim``.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimulus = np.linspace(0, 1, 3 * 192 * 192, dtype=np.float32).reshape(1, 192, 192, 3)
        >>> round(ng.metrics.ms_ssim(stimulus, stimulus**2, pixel_size=None).mean, 4)
        0.9244
    """
    return of_pixels("ms_ssim", **locals())


def pixcorr(
    reference: Any,
    reconstruction: Any,
    *,
    pixel_size: int | None = 425,
    first_size: int | None = None,
    proportions: Literal["kept", "squashed"] = "kept",
    filter: Literal["bilinear", "bicubic"] = "bilinear",
    antialias: bool = False,
    arithmetic: Literal["float", "eight_bit"] = "float",
    layout: Layout = "auto",
    values: FloatScale | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Pearson correlation of the pixel values (PixCorr).

    PixCorr: Pearson's correlation of all RGB values of a stimulus with those of its reconstruction.

    Shapes: (n_images, height, width, 3) or (n_images, 3, height, width) on both sides, uint8 or floats nominally
        within [0, 1]; NumPy arrays, torch tensors (bfloat16, too), anything with DLPack or ``__array__``; one image
        without the first axis; an image of Pillow's, the path of an image file, or a list of either. Of arrays, nothing
        is copied but one image at a time. When they are compared: two images of the same size; the field resizes both
        to 425 x 425 px before.

    Range: -1 to 1, higher is better; 0 for unrelated images.

    Conventions: `image-unit`, `pixel-size`, `antialias`, `foreground`, `pixcorr-rgb` (the three channels are
        correlated as one vector, in `f64`).

    Undefined: an image without pixels, with a non-finite value, or with a single value in all three channels. NumPy
        gives NaN there, which later comparisons count as a failure; :attr:`Result.undefined` has the reason for each
        pair.

    Args:
        reference: the stimuli.
        reconstruction: what was decoded; image i belongs to stimulus i.
        pixel_size: the shorter side at which images are compared, px; None compares them as they are.
        first_size: resize to this shorter side first, px.
        proportions: what resizing does to images that are not square: keep their proportions, or squash them, so that
            images of different proportions can be compared.
        filter: how pixels are interpolated.
        antialias: smooth before shrinking.
        arithmetic: resize in floats, or in 8 bits as Pillow does, which always smooths before shrinking.
        layout: "NHWC" or "NCHW"; "auto" goes by the axis of length 3.
        values: what floats outside 0 to 1 are: "0..255", "-1..1", "clip" or "as-they-are"; without it, values far outside
            are an error.
        progress: show a bar if tqdm is installed.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for arrays of another shape or type, another number of images on the two sides, images of a pair that
            have two shapes once resized, or images that the metric cannot take.
        UsageError: for an option out of its range.

    Reference: `numpy.corrcoef` 2.4.6 on the flattened `f32` images, to 1e-12; it computes in `f64` too, but adds in a
        different order. The bits are those of ``neurogauge score --metrics pixcorr``.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimulus = np.linspace(0, 1, 3 * 192 * 192, dtype=np.float32).reshape(1, 192, 192, 3)
        >>> round(ng.metrics.pixcorr(stimulus, stimulus**2, pixel_size=None).mean, 4)
        0.9682
    """
    return of_pixels("pixcorr", **locals())


def psnr(
    reference: Any,
    reconstruction: Any,
    *,
    pixel_size: int | None = 425,
    first_size: int | None = None,
    proportions: Literal["kept", "squashed"] = "kept",
    filter: Literal["bilinear", "bicubic"] = "bilinear",
    antialias: bool = False,
    arithmetic: Literal["float", "eight_bit"] = "float",
    layout: Layout = "auto",
    values: FloatScale | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Peak signal-to-noise ratio in dB, data range 1 (PSNR).

    Peak signal-to-noise ratio in decibels, 10·log10(1 / MSE), MSE being the mean squared difference over all RGB
    values.

    Shapes: (n_images, height, width, 3) or (n_images, 3, height, width) on both sides, uint8 or floats nominally
        within [0, 1]; NumPy arrays, torch tensors (bfloat16, too), anything with DLPack or ``__array__``; one image
        without the first axis; an image of Pillow's, the path of an image file, or a list of either. Of arrays, nothing
        is copied but one image at a time. When they are compared: two images of the same size, values within [0, 1]
        (the peak is 1).

    Range: unbounded, 0 or more within [0, 1]; higher is better. Chance: 7.8 for independent uniform noise.

    Conventions: `image-unit`, `pixel-size`, `antialias`, `foreground`, `psnr-identical` (one MSE over the three
        channels, data range 1).

    Undefined: `Identical` if MSE is 0, so that the ratio is infinite; an image without pixels or with a non-finite
        value; :attr:`Result.undefined` has the reason for each pair.

    Args:
        reference: the stimuli.
        reconstruction: what was decoded; image i belongs to stimulus i.
        pixel_size: the shorter side at which images are compared, px; None compares them as they are.
        first_size: resize to this shorter side first, px.
        proportions: what resizing does to images that are not square: keep their proportions, or squash them, so that
            images of different proportions can be compared.
        filter: how pixels are interpolated.
        antialias: smooth before shrinking.
        arithmetic: resize in floats, or in 8 bits as Pillow does, which always smooths before shrinking.
        layout: "NHWC" or "NCHW"; "auto" goes by the axis of length 3.
        values: what floats outside 0 to 1 are: "0..255", "-1..1", "clip" or "as-they-are"; without it, values far outside
            are an error.
        progress: show a bar if tqdm is installed.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for arrays of another shape or type, another number of images on the two sides, images of a pair that
            have two shapes once resized, or images that the metric cannot take.
        UsageError: for an option out of its range.

    Reference: `skimage.metrics.peak_signal_noise_ratio` 0.26 (`data_range=1`) to 1e-6 dB on `f32` images, whose
        differences it squares in `f32`. The bits are those of ``neurogauge score --metrics psnr``.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimulus = np.linspace(0, 1, 3 * 192 * 192, dtype=np.float32).reshape(1, 192, 192, 3)
        >>> round(ng.metrics.psnr(stimulus, stimulus**2, pixel_size=None).mean, 4)
        14.7713
    """
    return of_pixels("psnr", **locals())


def ssim(
    reference: Any,
    reconstruction: Any,
    *,
    pixel_size: int | None = 425,
    first_size: int | None = None,
    proportions: Literal["kept", "squashed"] = "kept",
    filter: Literal["bilinear", "bicubic"] = "bilinear",
    antialias: bool = False,
    arithmetic: Literal["float", "eight_bit"] = "float",
    flavour: Literal["grey", "columns", "colour"] = "grey",
    layout: Layout = "auto",
    values: FloatScale | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Structural similarity of the grey images (SSIM).

    SSIM of the grey versions of a stimulus and its reconstruction: the mean over windows of (2·μx·μy + C1)(2·σxy + C2)
    / ((μx² + μy² + C1)(σx² + σy² + C2)), Wang et al. 2004, equation 13.

    Shapes: (n_images, height, width, 3) or (n_images, 3, height, width) on both sides, uint8 or floats nominally
        within [0, 1]; NumPy arrays, torch tensors (bfloat16, too), anything with DLPack or ``__array__``; one image
        without the first axis; an image of Pillow's, the path of an image file, or a list of either. Of arrays, nothing
        is copied but one image at a time. When they are compared: two images of the same size, at least 11 x 11 px,
        values within [0, 1]; the field resizes both to 425 x 425 px before.

    Range: -1 to 1, higher is better; 1 for identical images, flat ones included.

    Conventions: `image-unit`, `pixel-size`, `antialias`, `foreground`, `ssim-flavour` (grey = 0.2125 R + 0.7154 G +
        0.0721 B in `f32`; Gaussian, σ 1.5 px, 11 x 11 px; population covariance; data range 1; K1 0.01, K2 0.03; mean
        of the map without its outer 5 px). The crop is as wide as the window's radius, so no window that counts reaches
        over the border, and how borders are padded does not matter.

    Undefined: an image with a non-finite value; :attr:`Result.undefined` has the reason for each pair.

    Args:
        reference: the stimuli.
        reconstruction: what was decoded; image i belongs to stimulus i.
        pixel_size: the shorter side at which images are compared, px; None compares them as they are.
        first_size: resize to this shorter side first, px.
        proportions: what resizing does to images that are not square: keep their proportions, or squash them, so that
            images of different proportions can be compared.
        filter: how pixels are interpolated.
        antialias: smooth before shrinking.
        arithmetic: resize in floats, or in 8 bits as Pillow does, which always smooths before shrinking.
        flavour: of the grey images; with their columns taken as channels; or the mean over three colours under a uniform
            window (convention `ssim-flavour`).
        layout: "NHWC" or "NCHW"; "auto" goes by the axis of length 3.
        values: what floats outside 0 to 1 are: "0..255", "-1..1", "clip" or "as-they-are"; without it, values far outside
            are an error.
        progress: show a bar if tqdm is installed.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for arrays of another shape or type, another number of images on the two sides, images of a pair that
            have two shapes once resized, or images that the metric cannot take.
        UsageError: for an option out of its range.

    Reference: `skimage.metrics.structural_similarity` 0.26 (`gaussian_weights=True, sigma=1.5,
        use_sample_covariance=False, data_range=1.0`) on the grey images: to 1e-10 in `f64`; to 1e-5 in `f32`, where it
        rounds its filtered images to `f32` and this function does not. The bits are those of ``neurogauge score
        --metrics ssim``.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimulus = np.linspace(0, 1, 3 * 192 * 192, dtype=np.float32).reshape(1, 192, 192, 3)
        >>> round(ng.metrics.ssim(stimulus, stimulus**2, pixel_size=None).mean, 4)
        0.6959
    """
    return of_pixels("ssim", **locals())
