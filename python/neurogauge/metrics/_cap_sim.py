"""Metrics of captions, by their embeddings."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Set
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .. import _neurogauge
from .._arrays import Floats, array, matrix, texts
from .._errors import DataError
from .._options import Unpack, folder
from .._progress import Progress
from .._result import PLACEHOLDER, IntervalOptions, Result, bootstrap, summed_up


def cap_sim(
    reference: Any,
    reconstruction: Any,
    *,
    references: Literal["mean", "max", "first"] = "mean",
    encoder: str = _neurogauge.DEFAULT_TEXT_ENCODER,
    weights: str | os.PathLike[str] | None = None,
    download: bool = False,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Cap-Sim: cosine similarity a·b / (‖a‖‖b‖) of the sentence embeddings of the captions (SEED, section 4.2).

    Shapes: captions, or embeddings that you have.
        Captions: a text for each reconstruction; for each stimulus a text or a list of texts.
        Embeddings: (n_images, n_features) for the reconstructions; for the stimuli the same, or
        (n_images, n_captions, n_features), or a list of (n_captions, n_features).

    Range: -1 to 1, higher is better; unrelated captions are slightly above 0.

    Conventions: `cap-sim-encoder`, `cap-sim-references`.

    Undefined: a stimulus without a caption; an embedding that is empty, all zeros or not finite.

    Args:
        reference: captions or embeddings of the stimuli.
        reconstruction: captions or embeddings of the reconstructions.
        references: how the similarities with several captions of a stimulus become one.
        encoder: the model that embeds captions: "all-MiniLM-L6-v2" (SEED's), "all-mpnet-base-v2", or "placeholder",
            whose numbers mean nothing.
        weights: folder of model weights (also: NEUROGAUGE_WEIGHTS).
        download: download weights that are missing; without it, they are an error that says their size.
        progress: show a bar if tqdm is installed.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for another number of captions on the two sides, or embeddings of different lengths.
        ModelError: for weights that are missing or broken.
        UsageError: for an unknown encoder or way to combine references.

    Reference: ``sentence_transformers.util.cos_sim`` to 1e-6 (it computes in f32, this in f64).

    Example:
        >>> import neurogauge as ng
        >>> ng.cap_sim([[[1.0, 0.0], [0.0, 2.0]]], [[0.6, 0.8]], references="max").per_pair.round(6).tolist()
        [0.8]
    """
    over = bootstrap(intervals)
    embeds = _is_text(reconstruction)
    blank = []
    if embeds:
        of_images, captions = lists_of_texts("reference", reference), texts("reconstruction", reconstruction)
        # What is wrong is said before weights are fetched.
        blanks = [np.zeros((len(of_image), 1)) for of_image in of_images]
        _neurogauge.cap_sim(blanks, np.zeros((len(captions), 1)), references)
        scored = _neurogauge.cap_sim(*_of_texts(of_images, captions, encoder, weights, download, progress), references)
        blank = blank_sides(of_images, captions)
    else:
        rows = matrix("reconstruction", reconstruction)
        scored = _neurogauge.cap_sim(rows_of_references("reference", reference), rows, references)
    return summed_up("cap_sim", scored, over, stand_in=embeds and encoder == PLACEHOLDER, blank=blank)


def blank_sides(references: Sequence[Sequence[str]], captions: Sequence[str]) -> list[tuple[bool, bool]]:
    """For each image, whether its references and its caption are blank."""
    pairs = zip(references, captions, strict=False)
    return [(not any(text.strip() for text in of_image), not caption.strip()) for of_image, caption in pairs]


def embed(
    captions: Sequence[str],
    *,
    encoder: str = _neurogauge.DEFAULT_TEXT_ENCODER,
    weights: str | os.PathLike[str] | None = None,
    download: bool = False,
    progress: bool = True,
) -> npt.NDArray[np.float32]:
    """Sentence embeddings of captions, (n_captions, n_features), of unit length.

    Args:
        captions: the texts.
        encoder: as in :func:`cap_sim`, as are the others.

    Raises:
        ModelError: for weights that are missing or broken.
        UsageError: for an unknown encoder.

    Reference: sentence-transformers 5 to 1e-5.

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.embed(["a dog on a mat", "a cat"], encoder="placeholder").shape
        (2, 256)
    """
    return _neurogauge.embed(texts("captions", captions), encoder, folder(weights), Progress(progress, download))


def rows_of_references(name: str, value: Any) -> list[Floats]:
    """Embeddings of each image's reference captions, from any accepted form."""
    if isinstance(value, (list, tuple)) and len({np.shape(rows) for rows in value}) > 1:
        return [matrix(f"{name}[{index}]", rows) for index, rows in enumerate(value)]
    found = array(name, value)
    if found.ndim == 2:
        found = found[:, None, :]
    if found.ndim != 3:
        raise DataError(
            f"{name}: shape {found.shape}; expected (n_images, n_features), (n_images, n_captions, n_features), or a "
            "list of (n_captions, n_features)"
        )
    return [matrix(name, rows) for rows in found]


def lists_of_texts(name: str, value: Any) -> list[list[str]]:
    """Each image's reference captions; a single text becomes a list."""
    if isinstance(value, str):
        raise DataError(f"{name}: one text; expected a list with a text or a list of texts for each pair")
    try:
        value = list(value)
    except TypeError as error:
        raise DataError(f"{name}: {type(value).__name__}; expected a list of texts or of lists of texts") from error
    return [
        [entry] if isinstance(entry, str) else texts(f"{name}[{index}]", entry) for index, entry in enumerate(value)
    ]


def _is_text(value: Any) -> bool:
    """Are these captions, in any ordered column, rather than embeddings?"""
    if isinstance(value, str):
        return True
    kind = getattr(getattr(value, "dtype", None), "kind", "O")
    if kind == "U":
        return True
    # Numbers, tensors, tables, and anything without an order.
    if (
        kind not in "OT"
        or hasattr(value, "detach")
        or getattr(value, "ndim", 1) != 1
        or isinstance(value, (Mapping, Set))
    ):
        return False
    is_sequence = hasattr(value, "__len__") and hasattr(value, "__getitem__")
    return is_sequence and (not len(value) or any(isinstance(entry, str) for entry in value))


def _of_texts(
    references: list[list[str]],
    captions: list[str],
    encoder: str,
    weights: str | os.PathLike[str] | None,
    download: bool,
    progress: bool,
) -> tuple[list[npt.NDArray[np.float32]], npt.NDArray[np.float32]]:
    every = [text for of_image in references for text in of_image] + captions
    rows = embed(every, encoder=encoder, weights=weights, download=download, progress=progress)
    of_references = []
    start = 0
    for of_image in references:
        of_references.append(rows[start : start + len(of_image)])
        start += len(of_image)
    return of_references, rows[start:]
