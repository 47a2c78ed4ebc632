"""Retrieval: can an image be found from its brain embedding, and vice versa?"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .. import _neurogauge
from .._errors import NeurogaugeWarning
from .._options import Unpack, as_json, whole
from .._result import IntervalOptions, Result, Scored, Summary, bootstrap
from ._trials import Trials, rows_of_trials

MAX_CANDIDATES = 10_000_000


@dataclass(frozen=True, eq=False)
class Draws:
    """Results of repeated draws of candidates.

    Attributes:
        shares: for each draw the share of the drawn items that found their own, (n_repeats,).
        mean: their mean, the figure that papers print.
        sd: their standard deviation (division by their number).
        interval: of the mean of very many draws, or None for a single one. It covers the variation between draws, not
            between items.
    """

    shares: npt.NDArray[np.float64]
    mean: float
    sd: float
    interval: tuple[float, float] | None


class RetrievalResult(Result):
    """A :class:`~neurogauge.Result` of each item's expectation over all draws, and the results of single draws.

    Attributes:
        draws: the shares found in the draws, and their mean.
    """

    __slots__ = ("draws",)

    def __init__(
        self, metric: str, scored: Scored, summary: Summary, level: float, chance: float, draws: Draws
    ) -> None:
        super().__init__(metric, scored, summary, level, chance=chance, population="new stimuli and new distractors")
        self.draws = draws


def retrieval(
    reference: Any,
    reconstruction: Any,
    *,
    direction: Literal["forward", "backward"] = "forward",
    candidates: int = 300,
    top_k: int = 1,
    repeats: int = 30,
    similarity: Literal["cosine", "correlation", "euclidean"] = "cosine",
    ties: Literal["lose", "half", "win"] = "lose",
    copies: Literal["leave-out", "keep"] = "leave-out",
    trials: Trials = None,
    averaged: int | None = None,
    **intervals: Unpack[IntervalOptions],
) -> RetrievalResult:
    """Retrieval, as MindEye reports it: ``candidates`` items are drawn, and each brain embedding among them looks for
    its own image embedding among those drawn (forward), or each image embedding for its own brain embedding (backward).

    ``per_pair`` is, for each item, the probability over all draws that its own is among the ``top_k`` most similar of
    the candidates: with w of the n - 1 others more similar, P(H < top_k) for H hypergeometric (candidates - 1 of n - 1,
    w of them more similar). ``mean`` is its mean, with a bootstrap interval over items, and the limit of
    ``draws.mean``, the share found in ``repeats`` draws.

    Shapes: (n_items, n_features) on both sides; further axes are flattened. Floats of 32 and of 64 bits
        keep their precision, as embeddings in files do.

    Range: 0 to 1, higher is better; chance is top_k / candidates.

    Conventions: `retrieval-draws`, `identification-ties`, `identification-copies`, `trials`.

    Undefined: an item with an embedding that is not finite, all zeros or (by correlation) constant. It takes no
        part, as own one or as candidate, with a warning.

    Args:
        reference: embeddings of the images.
        reconstruction: embeddings decoded from the brain; row i of both is item i.
        direction: "forward", brain to image, or "backward", image to brain.
        candidates: items of a draw, the own one included.
        top_k: the own one must be among so many of the most similar.
        repeats: how often candidates are drawn.
        similarity: how embeddings are compared.
        ties: what an exact tie counts for.
        copies: whether items of the same image, whose embeddings are equal, are distractors of each other ("keep") or
            not.
        trials: the row of `reference` that each row of `reconstruction` is a trial of, or "repeats" for a
            `reconstruction` of (n_images, n_repeats, n_features). Trials of an image are no distractors of each other,
            and the interval takes them as one.
        averaged: retrieve by the mean embeddings of so many trials of each image instead: over random subsets of the
            trials of each image that has as many (convention `trials`). There is then a value for each image.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for embeddings of different lengths, or another number of them on the two sides.
        UsageError: for more candidates than items, a top_k that all of them reach, or another option out of its range.

    Reference: similarities and their order in NumPy 2.4, hypergeometric probabilities of SciPy 1.17 to 1e-12; the bits
        of ``neurogauge score embeddings``.

    Example:
        >>> import neurogauge as ng
        >>> images, brain = [[0.9, 0.1], [0.0, 1.0]], [[1.0, 0.0], [0.8, 0.6]]
        >>> ng.metrics.retrieval(images, brain, candidates=2).per_pair.tolist()  # brain 1 is nearer to image 0
        [1.0, 0.0]
        >>> ng.metrics.retrieval(images, brain, candidates=2, direction="backward").draws.mean
        1.0
    """
    over = bootstrap(intervals)
    options = {
        "candidates": whole("candidates", candidates, 2, MAX_CANDIDATES),
        "top_k": whole("top_k", top_k, 1, MAX_CANDIDATES),
        "repeats": whole("repeats", repeats, 1, MAX_CANDIDATES),
        "seed": over[2],
        "similarity": similarity,
        "ties": ties,
        "copies": {"leave-out": "leave_out"}.get(copies, copies),
    }
    rows, of_means = rows_of_trials(reference, reconstruction, trials, averaged, over[2])
    scored, summary, draws = _neurogauge.retrieval(direction, *rows, as_json(options), over, of_means)
    if scored[1] and of_means is None:
        places = [place for place, _ in scored[1]]
        warnings.warn(
            f"{len(places)} items have an embedding that is similar to none and take no part, which leaves "
            f"{len(scored[0]) - len(places)}: {', '.join(map(str, places[:10]))}",
            NeurogaugeWarning,
            stacklevel=2,
        )
    return RetrievalResult(f"{direction}_retrieval", scored, summary, over[1], top_k / candidates, Draws(*draws))
