"""Metrics of categories that somebody names, without a fixed vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from .. import _neurogauge
from .._errors import DataError
from .._options import Unpack, as_json
from .._result import IntervalOptions, Result, bootstrap, summed_up
from ._cap_sim import lists_of_texts

Names = Sequence[str] | Sequence[Sequence[str]]


def object_f1_vlm(
    reference: Names,
    reconstruction: Names,
    *,
    preset: Literal["official", "paper", "exact"] = "official",
    vlm_names: Literal["normalised", "as-written"] = "normalised",
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Object F1 of the categories that a vision-language model names in both images (SEED, B.2 and Table 3).

    Recall = categories in both / categories in the stimulus, precision = categories in both / categories in the
    reconstruction, F1 = 2 / (1/Recall + 1/Precision), 0 where either is 0. Without scores there is no threshold.

    Shapes: for each image a text with commas between the names, or a list of names. Empty names do not count, equal
    ones
        count once.

    Range: 0 to 1, higher is better; chance depends on the images.

    Conventions: `vlm-categories`, `object-presets`.

    Undefined: "paper" and "exact": a side without a category; "official": never, such a side has a share of 1.

    Args:
        reference: names of the objects in the stimuli.
        reconstruction: names of the objects in the reconstructions.
        preset: the meaning of a side without a category.
        vlm_names: which names are the same: those that differ in case, spaces, underscores or a full stop at the end,
            or only equal ones.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for something that is no text or list of texts, or another number of images on the two sides.
        UsageError: for an unknown preset or way to compare names.

    Reference: sets of names in Python, to 1e-15; the bits of ``neurogauge score``.

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.object_f1_vlm(["Dog, frisbee, grass."], [["grass", "dog"]]).mean  # recall 2/3, precision 1
        0.8
    """
    over = bootstrap(intervals)
    options = {"objects": {"preset": preset}, "vlm_names": str(vlm_names).replace("-", "_")}
    names = partial(lists_of_words, "names", lambda text: text.split(","))
    sides = names("reference", reference), names("reconstruction", reconstruction)
    scored, details = _neurogauge.category_names("object_f1_vlm", *sides, as_json(options))
    return summed_up("object_f1_vlm", scored, over, details=details)


def lists_of_words(
    noun: str, parted: Callable[[str], list[str]], side: str, value: Sequence[str | Sequence[str]]
) -> list[list[str]]:
    """Names or texts of each image; ``parted`` splits a single text into them."""
    expected = f"expected a list with a text or a list of {noun} for each image"
    if isinstance(value, str):
        raise DataError(f"{side}: one text; {expected}")
    try:
        listed = [parted(entry) if isinstance(entry, str) else entry for entry in value]
    except TypeError as error:
        raise DataError(f"{side}: {type(value).__name__}; {expected}") from error
    return lists_of_texts(side, listed)
