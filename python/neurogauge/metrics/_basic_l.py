"""BASIC-L: masks at five granularities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .. import _neurogauge
from .._arrays import array, texts, vector
from .._errors import DataError, UsageError
from .._options import Unpack, as_json
from .._progress import Progress
from .._result import IntervalOptions, Result, bootstrap, summed_up

Masks = Sequence[Mapping[str, Any]]
Level = Literal["salient", "binary", "semantic", "instance", "part"]
Categories = tuple[list[tuple[str, list[str]]], list[str]]
Segmented = tuple[list[str], list[float], npt.NDArray[np.bool_], Categories | None]
IOU = ("salient_iou", "semantic_iou", "instance_iou", "part_iou")


def basic_l(
    reference: Masks,
    reconstruction: Masks,
    *,
    options: Mapping[str, Any] | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """BASIC-L: 0.3 salient + 0.25 semantic + 0.25 instance + 0.2 part IoU (BASIC, section 3.3).

    Shapes: a list with a mapping for each image: ``masks`` (n, height, width), ``labels`` (n,) names, ``scores``
        (n,) from 0 to 1 (1 if absent), and ``categories``, which lists which names are objects, their parts, and
        background: ``{"foreground_objects": [{"object": "dog", "parts": ["head"]}], "background_elements":
        [{"element": "sky"}]}``. Without categories every name is a foreground object, and there are no parts.

    Range: 0 to 1, higher is better.

    Conventions: `basic-l-weights` and those of :func:`mask_iou`.

    Undefined: a pair for which one of the four is; the mean is over the means of the four all the same.

    Args:
        reference: masks of the stimuli.
        reconstruction: masks of the reconstructions.
        options: as in ``run.json``: ``categories``, ``matching``, ``instances``, ``background``, ``empty``,
            ``resize``, ``min_score``.
        progress: show a bar if tqdm is installed.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for masks of two sizes in a pair, a score outside 0 to 1, another number of labels than masks.
        UsageError: for an unknown option.

    Reference: pycocotools 2.0.11 for overlaps, SciPy 1.17 for the assignment, to 1e-12.

    Example:
        >>> import neurogauge as ng
        >>> names = {"foreground_objects": [{"object": "dog", "parts": ["head"]}], "background_elements": []}
        >>> image = {"masks": [[[1, 1, 0]], [[1, 0, 0]]], "labels": ["dog", "head"], "categories": names}
        >>> ng.metrics.basic_l([image], [image]).per_pair.tolist()
        [1.0]
    """
    over = bootstrap(intervals)
    columns, details = _columns(list(IOU), reference, reconstruction, options, progress)
    scored, over_columns = _neurogauge.combine("basic_l", [[values] for values, _ in columns], "{}")
    return summed_up("basic_l", scored, over, over_columns, details=details)


def mask_iou(
    reference: Masks,
    reconstruction: Masks,
    granularity: Level,
    *,
    options: Mapping[str, Any] | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """How well the masks of a reconstruction cover the stimulus's at one granularity: IoU = |g ∩ r| / |g ∪ r|,
    averaged over names, or at the instance level over objects that are paired one to one.

    Shapes: as :func:`basic_l`.

    Range: 0 to 1, higher is better.

    Conventions: `basic-l-levels`, `basic-l-categories`, `basic-l-matching`, `basic-l-empty`, `mask-score`,
        `mask-size`.

    Undefined: a side without a mask of the granularity.

    Args:
        reference: masks of the stimuli.
        reconstruction: masks of the reconstructions.
        granularity: "salient", "binary", "semantic", "instance" or "part"; the others are those of :func:`basic_l`.

    Raises:
        DataError: as :func:`basic_l`.
        UsageError: for an unknown granularity or option.

    Reference: pycocotools 2.0.11, to 1e-12.

    Example:
        >>> import neurogauge as ng
        >>> seen, decoded = {"masks": [[[1, 1, 0]]], "labels": ["dog"]}, {"masks": [[[0, 1, 1]]], "labels": ["dog"]}
        >>> round(ng.metrics.mask_iou([seen], [decoded], "salient").mean, 6)
        0.333333
    """
    metric = _of_granularity(granularity, "iou")
    over = bootstrap(intervals)
    columns, details = _columns([metric], reference, reconstruction, options, progress)
    return summed_up(metric, columns[0], over, details=details)


def mask_ap(
    reference: Masks,
    reconstruction: Masks,
    granularity: Level,
    *,
    options: Mapping[str, Any] | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """COCO's average precision of the masks of a reconstruction at one granularity, the stimulus's being the truth.

    Shapes, undefined values, arguments and errors are those of :func:`mask_iou`; conventions also
    `basic-l-average-precision`. Range: 0 to 1, higher is better.

    Reference: ``COCOeval`` of pycocotools 2.0.11, the same bits.

    Example:
        >>> import neurogauge as ng
        >>> image = {"masks": [[[1, 1, 0]]], "labels": ["dog"]}
        >>> round(ng.metrics.mask_ap([image], [image], "semantic").mean, 9)
        1.0
    """
    metric = _of_granularity(granularity, "ap")
    over = bootstrap(intervals)
    columns, details = _columns([metric], reference, reconstruction, options, progress)
    return summed_up(metric, columns[0], over, details=details)


def _of_granularity(granularity: str, kind: str) -> str:
    known = ("salient", "binary", "semantic", "instance", "part")
    if granularity not in known:
        raise UsageError(f"granularity is {granularity!r}; expected one of {', '.join(known)}")
    return f"{granularity}_{kind}"


def _columns(
    metrics: list[str], reference: Masks, reconstruction: Masks, options: Mapping[str, Any] | None, progress: bool
) -> tuple[list[tuple[npt.NDArray[np.float64], list[tuple[int, str]]]], str]:
    return _neurogauge.masks(
        metrics,
        _segmented("reference", reference),
        _segmented("reconstruction", reconstruction),
        as_json({"basic_l": dict(options or {})}),
        Progress(progress),
    )


def _segmented(side: str, masks: Masks) -> list[Segmented]:
    if isinstance(masks, Mapping):
        raise DataError(f"{side}: one mapping; expected a list with a mapping for each image")
    return [_of_image(f"{side}[{index}]", entry) for index, entry in enumerate(masks)]


def _of_image(name: str, entry: Mapping[str, Any]) -> Segmented:
    if not isinstance(entry, Mapping) or not {"masks", "labels"} <= set(entry):
        raise DataError(f"{name}: expected a mapping with masks and labels")
    pixels = array(f"{name}['masks']", entry["masks"])
    if pixels.ndim != 3:
        raise DataError(f"{name}['masks']: shape {pixels.shape}; expected (n, height, width)")
    labels = texts(f"{name}['labels']", entry["labels"])
    scores = vector(f"{name}['scores']", entry["scores"]).tolist() if "scores" in entry else [1.0] * len(labels)
    inside = pixels if pixels.dtype == np.bool_ else pixels != 0
    return labels, scores, inside, _categories(name, entry.get("categories"))


def _categories(name: str, categories: Any) -> Categories | None:
    if categories is None:
        return None
    try:
        foreground = [
            (str(e["object"]), [str(p) for p in e.get("parts", [])]) for e in categories["foreground_objects"]
        ]
        background = [str(entry["element"]) for entry in categories["background_elements"]]
    except (KeyError, TypeError, AttributeError) as error:
        raise DataError(
            f"{name}['categories']: expected {{'foreground_objects': [{{'object': name, 'parts': [names]}}], "
            f"'background_elements': [{{'element': name}}]}} ({type(error).__name__}: {error})"
        ) from error
    return foreground, background
