"""Object recall, precision and F1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .._errors import UsageError
from .._options import Unpack
from .._result import IntervalOptions, Result
from ._detections import Detections, compared

Preset = Literal["official", "paper", "exact"]
Variant = Literal["existence", "size", "location", "number"]


def object_f1(
    reference: Detections,
    reconstruction: Detections,
    *,
    preset: Preset = "official",
    variant: Variant = "existence",
    labels: str | Sequence[str] = "coco_gender",
    image_size: tuple[float, float] | None = None,
    min_box_area: float | None = None,
    score_order: Literal["as-listed", "any"] | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Object F1: are the same kinds of things in both images (SEED, Eq. 1 to 4)?

    Recall_t is the share of the stimulus's categories with a box that scores at least t which the reconstruction
    has too, Precision_t the other way round; each is averaged over thresholds t, and F1 = 2 / (1/Recall +
    1/Precision), 0 where either is 0.

    Shapes: a list with a mapping for each image: ``labels`` (n,) as indices into the list of labels or as names,
        ``scores`` (n,), ``boxes`` (n, 4) as left, top, right, bottom in px. That is the form of torchmetrics'
        detection metrics and torchvision's detectors.

    Range: 0 to 1, higher is better; chance depends on the images.

    Conventions: `object-presets`, `object-score-order`, `object-variants`, `labels`.

    Undefined: "paper" and "exact": a side without a category; "official": never, such a side scores 1. A score or
        box that is not finite.

    Args:
        reference: detections in the stimuli.
        reconstruction: detections in the reconstructions.
        preset: as SEED's released code, as its text, or the text's integral in closed form.
        variant: the weight of a category besides its presence (Table 4 of the SEED paper).
        labels: "coco_gender" (SEED's 82), "coco" (80), "god" (51), or names of your own.
        image_size: width and height of the images, px, for the size and location variants.
        min_box_area: smallest box that counts, px²; the preset's own if not given.
        score_order: stop at the first box below the threshold as SEED's code does, or read all.
        progress: show a bar if tqdm is installed.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for a label that the list lacks, a score outside 0 to 1, another number of labels than boxes.
        UsageError: for an unknown preset or variant, or a variant that needs the size of the images.

    Reference: a plain restatement of the authors' code (equal bits) and of the paper (1e-12).

    Example:
        >>> import neurogauge as ng
        >>> box = [0, 0, 20, 20]
        >>> seen = [{"labels": ["dog"], "scores": [0.75], "boxes": [box]}]
        >>> decoded = [{"labels": ["dog", "cat"], "scores": [0.375, 0.1875], "boxes": [box, box]}]
        >>> ng.object_f1(seen, decoded, preset="exact").mean
        0.6
    """
    return _objects("object_f1", **locals())


def object_recall(
    reference: Detections,
    reconstruction: Detections,
    *,
    preset: Preset = "official",
    variant: Variant = "existence",
    labels: str | Sequence[str] = "coco_gender",
    image_size: tuple[float, float] | None = None,
    min_box_area: float | None = None,
    score_order: Literal["as-listed", "any"] | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Object Recall (SEED, Eq. 1 and 3): share of the stimulus's categories that the reconstruction has.

    Shapes, range, conventions, undefined values, arguments, errors and reference are those of :func:`object_f1`.

    Example:
        >>> import neurogauge as ng
        >>> box = [0, 0, 20, 20]
        >>> seen = [{"labels": ["dog"], "scores": [0.75], "boxes": [box]}]
        >>> decoded = [{"labels": ["dog", "cat"], "scores": [0.375, 0.1875], "boxes": [box, box]}]
        >>> ng.metrics.object_recall(seen, decoded, preset="exact").mean
        0.5
    """
    return _objects("object_recall", **locals())


def object_precision(
    reference: Detections,
    reconstruction: Detections,
    *,
    preset: Preset = "official",
    variant: Variant = "existence",
    labels: str | Sequence[str] = "coco_gender",
    image_size: tuple[float, float] | None = None,
    min_box_area: float | None = None,
    score_order: Literal["as-listed", "any"] | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Object Precision (SEED, Eq. 2 and 3): share of the reconstruction's categories that the stimulus has.

    Shapes, range, conventions, undefined values, arguments, errors and reference are those of :func:`object_f1`.

    Example:
        >>> import neurogauge as ng
        >>> box = [0, 0, 20, 20]
        >>> seen = [{"labels": ["dog"], "scores": [0.75], "boxes": [box]}]
        >>> decoded = [{"labels": ["dog", "cat"], "scores": [0.375, 0.1875], "boxes": [box, box]}]
        >>> ng.metrics.object_precision(seen, decoded, preset="exact").mean
        0.75
    """
    return _objects("object_precision", **locals())


def _objects(
    metric: str,
    reference: Detections,
    reconstruction: Detections,
    preset: str,
    variant: str,
    labels: str | Sequence[str],
    image_size: tuple[float, float] | None,
    min_box_area: float | None,
    score_order: str | None,
    progress: bool,
    intervals: IntervalOptions,
) -> Result:
    if score_order not in (None, "as-listed", "any"):
        raise UsageError(f"score_order is {score_order!r}; expected 'as-listed' or 'any'")
    objects: dict[str, object] = {"preset": preset, "variant": variant}
    if min_box_area is not None:
        objects["min_area_px2"] = float(min_box_area)
    if score_order is not None:
        objects["stop_at_first_below"] = score_order == "as-listed"
    options = {"objects": objects}
    return compared(metric, reference, reconstruction, options, labels, image_size, progress, intervals)
