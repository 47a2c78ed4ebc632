"""Common code of all metrics of pixels: images in, the registry's metric of each pair out."""

from __future__ import annotations

from typing import Any

from .. import _neurogauge
from .._arrays import FloatScale, Layout, one_size, unit_images
from .._errors import UsageError
from .._options import as_json, whole
from .._progress import Progress
from .._result import IntervalOptions, Result, bootstrap, summed_up

MAX_PX = 10_000


def of_pixels(
    metric: str,
    reference: Any,
    reconstruction: Any,
    pixel_size: int | None,
    first_size: int | None,
    proportions: str,
    filter: str,
    antialias: bool,
    arithmetic: str,
    layout: Layout,
    values: FloatScale | None,
    progress: bool,
    flavour: str = "grey",
    *,
    intervals: IntervalOptions,
) -> Result:
    """The metric of pixels with this id, for each pair.

    Raises:
        DataError: for arrays that are no images, or do not fit together.
        UsageError: for an option out of its range.
    """
    over = bootstrap(intervals)
    sides = (
        unit_images("reference", reference, layout, values),
        unit_images("reconstruction", reconstruction, layout, values),
    )
    if pixel_size is None:
        one_size(*sides)
    scored = _neurogauge.pixels(
        metric,
        *sides,
        size_options(pixel_size, first_size, proportions, filter, antialias, arithmetic, flavour),
        pixel_size is not None,
        Progress(progress),
    )
    return summed_up(metric, scored, over)


def size_options(
    pixel_size: int | None,
    first_size: int | None,
    proportions: str,
    filter: str,
    antialias: bool,
    arithmetic: str,
    flavour: str = "grey",
) -> str:
    """How images are brought to the size at which they are compared, and which SSIM is meant, in the extension module's
    form.

    Raises:
        UsageError: for sizes that are none, or a first one without another.
    """
    if pixel_size is None and first_size is not None:
        raise UsageError(f"first_size is {first_size!r} and pixel_size None, which resizes nothing; give both")
    if pixel_size is None and proportions != "kept":
        raise UsageError(f"proportions is {proportions!r} and pixel_size None, which resizes nothing; give both")
    options = {
        "size_px": None if pixel_size is None else whole("pixel_size", pixel_size, 1, MAX_PX),
        "first_size_px": None if first_size is None else whole("first_size", first_size, 1, MAX_PX),
        "proportions": proportions,
        "filter": filter,
        "antialias": bool(antialias),
        "arithmetic": arithmetic.replace("_", "-"),
        "ssim": flavour,
    }
    return as_json(options)
