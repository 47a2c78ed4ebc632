"""Metrics of detected objects."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .. import _neurogauge
from .._arrays import array, vector
from .._errors import DataError, NeurogaugeWarning, UsageError
from .._options import as_json
from .._progress import Progress
from .._result import LEVEL, RESAMPLES, SEED, Result, bootstrap, summed_up

Detections = Sequence[Mapping[str, Any]]
Preset = Literal["official", "paper", "exact"]
Variant = Literal["existence", "size", "location", "number"]
Found = tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.float64]]


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
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
    progress: bool = True,
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
        variant: what a category contributes besides being there (Table 4 of the SEED paper).
        labels: "coco_gender" (SEED's 82), "coco" (80), or names of your own.
        image_size: width and height of the images, px, for the size and location variants.
        min_box_area: smallest box that counts, px²; the preset's own if not given.
        score_order: stop at the first box below the threshold as SEED's code does, or read all.
        resamples: bootstrap resamples of the interval.
        level: share of them that the interval holds.
        seed: seed of the resamples.
        progress: show a bar if tqdm is installed.

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
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
    progress: bool = True,
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
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
    progress: bool = True,
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


def snm(
    reference: Detections,
    reconstruction: Detections,
    *,
    threshold: float = 0.3,
    categories: Literal["salient", "all"] = "salient",
    recon_categories: Literal["same", "all"] = "same",
    labels: str | Sequence[str] = "coco_gender",
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
    progress: bool = True,
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
        labels: as in :func:`object_f1`, as are the others.

    Raises:
        DataError: as :func:`object_f1`.
        UsageError: for a threshold that is not within 0 to 1.

    Reference: sets of names in Python; equal but for the rounding of one subtraction.

    Example:
        >>> import neurogauge as ng
        >>> found = lambda *names: [{"labels": names, "scores": [0.5] * len(names), "boxes": [[0, 0, 20, 20]] * len(names)}]
        >>> ng.metrics.snm(found("dog", "person"), found("cat", "person")).mean
        0.5
    """
    near_miss = {"threshold": threshold, "categories": categories, "recon_categories": recon_categories}
    return _compared(
        "snm", reference, reconstruction, {"near_miss": near_miss}, labels, None, resamples, level, seed, progress
    )


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
    resamples: int,
    level: float,
    seed: int,
    progress: bool,
) -> Result:
    if score_order not in (None, "as-listed", "any"):
        raise UsageError(f"score_order is {score_order!r}; expected 'as-listed' or 'any'")
    objects: dict[str, object] = {"preset": preset, "variant": variant}
    if min_box_area is not None:
        objects["min_area_px2"] = float(min_box_area)
    if score_order is not None:
        objects["stop_at_first_below"] = score_order == "as-listed"
    options = {"objects": objects}
    return _compared(metric, reference, reconstruction, options, labels, image_size, resamples, level, seed, progress)


def _compared(
    metric: str,
    reference: Detections,
    reconstruction: Detections,
    options: dict[str, Any],
    labels: str | Sequence[str],
    image_size: tuple[float, float] | None,
    resamples: int,
    level: float,
    seed: int,
    progress: bool,
) -> Result:
    over = bootstrap(resamples, level, seed)
    names = _label_names(labels)
    place = {name.strip().replace("_", " "): index for index, name in reversed(list(enumerate(names)))}
    scored, n_unordered = _neurogauge.detections(
        metric,
        _found("reference", reference, place),
        _found("reconstruction", reconstruction, place),
        names,
        None if image_size is None else (float(image_size[0]), float(image_size[1])),
        as_json(options),
        Progress(progress),
    )
    if n_unordered and metric != "snm":
        warnings.warn(
            f"{n_unordered} pairs have detections whose scores are not in descending order; SEED's code stops "
            "reading at the first score below the threshold, and so does this preset (score_order='any' reads all)",
            NeurogaugeWarning,
            stacklevel=4,
        )
    return summed_up(metric, scored, over)


def _label_names(labels: str | Sequence[str]) -> list[str]:
    if not isinstance(labels, str):
        return [str(name) for name in labels]
    names = _neurogauge.builtin_labels(labels)
    if names is None:
        raise UsageError(f"labels is {labels!r}; expected 'coco_gender', 'coco' or a list of names")
    return names


def _found(side: str, detections: Detections, place: Mapping[str, int]) -> list[Found]:
    if isinstance(detections, Mapping):
        raise DataError(f"{side}: one mapping; expected a list with a mapping for each image")
    return [_of_image(f"{side}[{index}]", entry, place) for index, entry in enumerate(detections)]


def _of_image(name: str, entry: Mapping[str, Any], place: Mapping[str, int]) -> Found:
    if not isinstance(entry, Mapping):
        raise DataError(f"{name}: {type(entry).__name__}; expected a mapping of labels, scores and boxes")
    for key in ("labels", "scores", "boxes"):
        if key not in entry:
            raise DataError(f"{name}: no {key!r}; expected labels, scores and boxes, found {', '.join(map(str, entry))}")
    labels = entry["labels"]
    if len(labels) and isinstance(labels[0], str):
        unknown = [label for label in labels if label.strip().replace("_", " ") not in place]
        if unknown:
            raise DataError(f"{name}: label {unknown[0]!r} is not in the list of labels; give the list as labels=[...]")
        indices = np.asarray([place[label.strip().replace("_", " ")] for label in labels], dtype=np.int64)
    else:
        given = array(f"{name}['labels']", labels)
        if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
            raise DataError(f"{name}['labels']: {given.dtype} of shape {given.shape}; expected indices or names")
        indices = given.astype(np.int64)
    boxes = array(f"{name}['boxes']", entry["boxes"]).astype(np.float64, copy=False)
    if boxes.size == 0:
        boxes = boxes.reshape(0, 4)
    if boxes.ndim != 2:
        raise DataError(f"{name}['boxes']: shape {boxes.shape}; expected (n, 4)")
    return indices, vector(f"{name}['scores']", entry["scores"]), boxes
