"""Common code of metrics of detections: how they are read, and the warning of their order."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _neurogauge
from .._arrays import array, vector
from .._errors import DataError, NeurogaugeWarning, UsageError
from .._options import as_json
from .._progress import Progress
from .._result import IntervalOptions, Result, bootstrap, summed_up

Detections = Sequence[Mapping[str, Any]]
Found = tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], npt.NDArray[np.float64]]


def compared(
    metric: str,
    reference: Detections,
    reconstruction: Detections,
    options: dict[str, Any],
    labels: str | Sequence[str] | None,
    image_size: tuple[float, float] | None,
    progress: bool,
    intervals: IntervalOptions,
    groups: tuple[Mapping[str, Sequence[str]] | None, Sequence[str] | None] = (None, None),
) -> Result:
    """The metric of detections with this id, for each pair.

    Raises:
        DataError: for detections that are none, or labels that the list lacks.
        UsageError: for an option out of its range.
    """
    over = bootstrap(intervals)
    names = _label_names("coco_gender" if labels is None else labels)
    place = {_normalised(name): index for index, name in reversed(list(enumerate(names)))}
    found = (
        _found("reference", reference, place, len(names)),
        _found("reconstruction", reconstruction, place, len(names)),
    )
    if labels is None:
        _refuse_indices(reference, reconstruction)
    (scored, details), n_unordered = _neurogauge.detections(
        metric,
        *found,
        names,
        _groups(place, *groups),
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
    return summed_up(metric, scored, over, details=details, stacklevel=5)


def found_boxes(side: str, detections: Detections, labels: str | Sequence[str]) -> list[Found]:
    """Labels as places in the list, scores and boxes of each image.

    Raises:
        DataError: for detections that are none, or labels that the list lacks.
    """
    names = _label_names(labels)
    place = {_normalised(name): index for index, name in reversed(list(enumerate(names)))}
    return _found(side, detections, place, len(names))


def _refuse_indices(*sides: Detections) -> None:
    """Refuses labels that are numbers: a list decides what they mean.

    Raises:
        UsageError: with what the first such number means in each built-in list.
    """
    every = (label for side in sides for image in side for label in image["labels"])
    for number in (label for label in every if not isinstance(label, str) and int(label) >= 0):
        lists = {list_: _neurogauge.builtin_labels(list_) or [] for list_ in ("coco_gender", "coco", "god")}
        meanings = (
            f"{known[int(number)]!r} in {list_!r}" for list_, known in lists.items() if 0 <= int(number) < len(known)
        )
        raise UsageError(
            f"labels are numbers without names, such as {int(number)}; give the list of their names as labels=, where that number is "
            f"{', '.join(meanings) or 'in no built-in list'}"
        )


def _label_names(labels: str | Sequence[str]) -> list[str]:
    if not isinstance(labels, str):
        return [str(name) for name in labels]
    names = _neurogauge.builtin_labels(labels)
    if names is None:
        raise UsageError(f"labels is {labels!r}; expected 'coco_gender', 'coco', 'god' or a list of names")
    return names


def _groups(
    place: Mapping[str, int], supercategories: Mapping[str, Sequence[str]] | None, salient: Sequence[str] | None
) -> str:
    """The options about labels, in the extension module's form.

    Raises:
        UsageError: for names that the list of labels lacks, and a name in two supercategories.
    """
    group_of: dict[str, str] = {}
    for group, members in (supercategories or {}).items():
        for name in members:
            _known(f"supercategories[{group!r}]", name, place)
            first = group_of.setdefault(_normalised(name), group)
            if first != group:
                raise UsageError(f"supercategories[{group!r}]: {name!r} is in {first!r} already; a category has one")
    for name in salient or ():
        _known("salient", name, place)
    groups: dict[str, Any] = {}
    if supercategories is not None:
        groups["supercategories"] = {group: list(members) for group, members in supercategories.items()}
    if salient is not None:
        groups["salient"] = list(salient)
    return as_json(groups)


def _known(where: str, name: str, place: Mapping[str, int]) -> None:
    if _normalised(name) not in place:
        raise UsageError(
            f"{where}: {name!r} is not in the list of labels; correct it, or give the list as labels=[...]"
        )


def _normalised(name: str) -> str:
    return name.strip().replace("_", " ")


def _found(side: str, detections: Detections, place: Mapping[str, int], n_names: int) -> list[Found]:
    if isinstance(detections, Mapping):
        raise DataError(f"{side}: one mapping; expected a list with a mapping for each image")
    return [_of_image(f"{side}[{index}]", entry, place, n_names) for index, entry in enumerate(detections)]


def _of_image(name: str, entry: Mapping[str, Any], place: Mapping[str, int], n_names: int) -> Found:
    if not isinstance(entry, Mapping):
        raise DataError(f"{name}: {type(entry).__name__}; expected a mapping of labels, scores and boxes")
    for key in ("labels", "scores", "boxes"):
        if key not in entry:
            raise DataError(
                f"{name}: no {key!r}; expected labels, scores and boxes, found {', '.join(map(str, entry))}"
            )
    labels = entry["labels"]
    if len(labels) and isinstance(labels[0], str):
        unknown = [label for label in labels if _normalised(label) not in place]
        if unknown:
            raise DataError(f"{name}: label {unknown[0]!r} is not in the list of labels; give the list as labels=[...]")
        indices = np.asarray([place[_normalised(label)] for label in labels], dtype=np.int64)
    else:
        given = array(f"{name}['labels']", labels)
        if given.ndim != 1 or (given.size and given.dtype.kind not in "iu"):
            raise DataError(f"{name}['labels']: {given.dtype} of shape {given.shape}; expected indices or names")
        for box in np.flatnonzero(given >= n_names)[:1]:
            raise DataError(
                f"{name}['labels']: label {box} is {given[box]}, but the list of labels has {n_names} names (0 to {n_names - 1}); give the "
                "list that the detector was run with as labels=[...]"
            )
        indices = given.astype(np.int64)
    boxes = array(f"{name}['boxes']", entry["boxes"]).astype(np.float64, copy=False)
    if boxes.size == 0:
        boxes = boxes.reshape(0, 4)
    if boxes.ndim != 2:
        raise DataError(f"{name}['boxes']: shape {boxes.shape}; expected (n, 4)")
    return indices, vector(f"{name}['scores']", entry["scores"]), boxes
