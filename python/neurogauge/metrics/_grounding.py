"""Boxes decoded from brains against the boxes of the stimulus's categories."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _neurogauge
from .._result import LEVEL, Result
from ._detections import Detections, found_boxes


def grounding_iou(
    reference: Detections,
    reconstruction: Detections,
    *,
    labels: str | Sequence[str] = "coco",
    level: float = LEVEL,
) -> Result:
    """Overlap of decoded boxes with those of the stimulus's categories (BrainHub).

    Intersection over union of the first box of each category of the stimulus with the first decoded box of that
    category, 0 where there is none. ``mean`` is that over the boxes of all images, ``per_pair`` that over the boxes of
    each image.

    Shapes: as :func:`object_f1`.

    Range: 0 to 1, higher is better.

    Conventions: `grounding-first-box`, `grounding-missing`, `grounding-interval`.

    Undefined: an image without a box in the stimulus.

    Args:
        reference: boxes in the stimuli.
        reconstruction: decoded boxes.
        labels: as in :func:`object_f1`.
        level: share of the intervals that hold the true value.

    Raises:
        DataError: as :func:`object_f1`.

    Reference: hand-made cases, and BrainHub's published figures.

    Example:
        >>> import neurogauge as ng
        >>> seen = [{"labels": ["dog"], "scores": [1.0], "boxes": [[0, 0, 2, 2]]}]
        >>> decoded = [{"labels": ["dog"], "scores": [1.0], "boxes": [[1, 0, 3, 2]]}]
        >>> round(ng.metrics.grounding_iou(seen, decoded).mean, 6)
        0.333333
    """
    return _grounded("grounding_iou", reference, reconstruction, labels, level)


def grounding_accuracy(
    reference: Detections,
    reconstruction: Detections,
    *,
    labels: str | Sequence[str] = "coco",
    level: float = LEVEL,
) -> Result:
    """Acc@0.5: the share of boxes that a decoded box overlaps by more than a half (BrainHub).

    Of the boxes whose overlap :func:`grounding_iou` gives. ``mean`` is the share over the boxes of all images,
    ``per_pair`` that over the boxes of each image.

    Shapes: as :func:`object_f1`.

    Range: 0 to 1, higher is better.

    Conventions: `grounding-first-box`, `grounding-missing`, `grounding-threshold`, `grounding-interval`.

    Undefined: an image without a box in the stimulus.

    Args:
        reference: boxes in the stimuli.
        reconstruction: decoded boxes.
        labels: as in :func:`object_f1`.
        level: share of the intervals that hold the true value.

    Raises:
        DataError: as :func:`object_f1`.

    Reference: hand-made cases, and BrainHub's published figures.

    Example:
        >>> import neurogauge as ng
        >>> seen = [{"labels": ["dog", "cat"], "scores": [1.0, 1.0], "boxes": [[0, 0, 2, 2], [4, 4, 6, 6]]}]
        >>> decoded = [{"labels": ["dog"], "scores": [1.0], "boxes": [[0, 0, 2, 3]]}]
        >>> ng.metrics.grounding_accuracy(seen, decoded).mean
        0.5
    """
    return _grounded("grounding_accuracy", reference, reconstruction, labels, level)


def _grounded(
    metric: str, reference: Detections, reconstruction: Detections, labels: str | Sequence[str], level: float
) -> Result:
    found = found_boxes("reference", reference, labels), found_boxes("reconstruction", reconstruction, labels)
    scored, summary = _neurogauge.grounded_boxes(metric, *found, level)
    return Result(metric, scored, summary, level, is_of_corpus=True)
