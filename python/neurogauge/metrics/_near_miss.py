"""Semantic near-miss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from .._options import Unpack
from .._result import IntervalOptions, Result
from ._detections import Detections, compared


def snm(
    reference: Detections,
    reconstruction: Detections,
    *,
    threshold: float = 0.3,
    categories: Literal["salient", "all"] = "salient",
    recon_categories: Literal["same", "all"] = "same",
    labels: str | Sequence[str] | None = None,
    supercategories: Mapping[str, Sequence[str]] | None = None,
    salient: Sequence[str] | None = None,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """SNM: semantic near-miss, the right kind of thing but not the thing (SEED, section 5.4).

    Share of the stimulus's categories whose supercategory the reconstruction has, minus the share that it has
    itself, at one threshold.

    Shapes: as :func:`object_f1`.

    Range: 0 to 1, lower is better.

    Conventions: `snm-categories`, `labels`.

    Undefined: a stimulus without any of the categories asked for; a score or box that is not finite.

    Args:
        reference: detections in the stimuli.
        reconstruction: detections in the reconstructions.
        threshold: score from which a category is there.
        categories: categories of the stimulus that are asked for.
        recon_categories: categories of the reconstruction that may answer.
        labels: as in :func:`object_f1`, as are the others. None: SEED's 82 names; labels that are indices are refused,
            since what they are called decides this metric.
        supercategories: the labels in each supercategory; a label in none is a separate supercategory. None: COCO's.
        salient: the labels that ``categories="salient"`` asks for. None: the 30 of COCO that SEED names.

    Raises:
        DataError: as :func:`object_f1`.
        UsageError: for a threshold that is not within 0 to 1; for indices without ``labels``; for names that the list
            of labels lacks, or that are in two supercategories.

    Reference: sets of names in Python; equal except for the rounding of one subtraction.

    Example:
        >>> import neurogauge as ng
        >>> found = lambda *names: [{"labels": names, "scores": [0.5] * len(names), "boxes": [[0, 0, 20, 20]] * len(names)}]
        >>> ng.metrics.snm(found("dog", "person"), found("cat", "person")).mean
        0.5
        >>> fruit = {"fruit": ["apple", "pear"]}
        >>> ng.metrics.snm(found("apple", "bowl"), found("pear", "bowl"), labels=["apple", "pear", "bowl"],
        ...                supercategories=fruit, categories="all").mean
        0.5
    """
    near_miss = {"threshold": threshold, "categories": categories, "recon_categories": recon_categories}
    options = {"near_miss": near_miss}
    groups = supercategories, salient
    return compared("snm", reference, reconstruction, options, labels, None, progress, intervals, groups)
