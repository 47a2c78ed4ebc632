"""N-way classification accuracy of the classes that a classifier sees."""

from __future__ import annotations

from typing import Any, Literal

from .. import _neurogauge
from .._arrays import rows_of_pairs
from .._options import Unpack, as_json, whole
from .._result import IntervalOptions, Result, bootstrap, summed_up
from ._identification import MAX_CANDIDATES


def n_way_accuracy(
    reference: Any,
    reconstruction: Any,
    *,
    n_way: int = 50,
    top_k: int = 1,
    right_classes: int = 3,
    ties: Literal["lose", "half", "win"] = "lose",
    draws: int | None = None,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """N-way top-k classification accuracy, the field's "50-way top-1": does a classifier see in the reconstruction what
    it sees in the stimulus?

    The ``right_classes`` most probable classes of the stimulus are right. With p the reconstruction's probabilities,
    p* the largest of a right class, M wrong classes and r of them with p_j ≥ p*, a pair has the probability that fewer
    than ``top_k`` of ``n_way`` - 1 wrong classes, drawn without replacement, are among the r; for top_k = 1 that is
    C(M - r, n_way - 1) / C(M, n_way - 1).

    Shapes: (n_images, n_classes) on both sides: probabilities or logits; only their order counts.

    Range: 0 to 1, higher is better. Chance is 1 - Π_{i < k} (n - 1 - i) / (n - 1 + c - i) for c right classes: with
    three,
        3 / (n_way + 2), so 0.75 for two ways and 0.058 for fifty.

    Conventions: `n-way-classes`, `n-way-draws`, `identification-ties`.

    Undefined: a row that is empty, constant or not finite; fewer wrong classes than are to be drawn.

    Args:
        reference: probabilities of the classes in the stimuli.
        reconstruction: probabilities of the classes in the reconstructions, row i of both being pair i.
        n_way: classes to choose from: a right one and n_way - 1 wrong ones.
        top_k: a right class must be among so many of the most probable.
        right_classes: how many of the stimulus's most probable classes count as right; the field uses 3, some use 1.
        ties: the credit if a wrong class has exactly the same probability.
        draws: draw classes so many times for each pair instead of the exact expectation.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for rows of different lengths, or another number of rows on the two sides.
        UsageError: for a top_k that all ways reach.

    Reference: ``scipy.stats.hypergeom`` 1.17 to 1e-12; a sampler in NumPy within its standard error.

    Example:
        >>> import neurogauge as ng
        >>> stimulus = [[0.5, 0.2, 0.2, 0.1, 0.0, 0.0]]
        >>> reconstruction = [[0.1, 0.25, 0.05, 0.4, 0.15, 0.05]]
        >>> round(ng.metrics.n_way_accuracy(stimulus, reconstruction, n_way=2).mean, 6)
        0.666667
    """
    over = bootstrap(intervals)
    ways = whole("n_way", n_way, 2, MAX_CANDIDATES)
    options: dict[str, object] = {
        "top_k": whole("top_k", top_k, 1, MAX_CANDIDATES),
        "right_classes": whole("right_classes", right_classes, 1, MAX_CANDIDATES),
        "ties": ties,
    }
    if draws is not None:
        trials = whole("draws", draws, 1, MAX_CANDIDATES)
        options["draws"] = {"seeded": {"trials": trials, "seed": over[2]}}
    rows = rows_of_pairs(reference, reconstruction)
    scored, details, chance = _neurogauge.n_way_accuracies(*rows, ways, as_json(options))
    return summed_up("n_way_accuracy", scored, over, chance=chance, details=details)
