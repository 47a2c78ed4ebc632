"""Two-way and n-way identification of feature rows of any model."""

from __future__ import annotations

import json
import warnings
from collections.abc import Hashable, Sequence
from typing import Any, Literal

from .. import _neurogauge
from .._arrays import matrix
from .._errors import NeurogaugeWarning, UsageError
from .._options import Unpack, as_json, whole
from .._result import IntervalOptions, Result, bootstrap, summed_up
from ._trials import Trials, rows_of_trials

MAX_CANDIDATES = 10_000_000


def two_way_identification(
    reference: Any,
    reconstruction: Any,
    *,
    pool: Any = None,
    direction: Literal["reconstruction", "stimulus"] = "reconstruction",
    ties: Literal["lose", "half", "win"] = "lose",
    n_way: int = 2,
    top_k: int = 1,
    draws: int | None = None,
    copies: Literal["leave_out", "keep"] = "leave_out",
    subtract_own: bool = False,
    stimuli: Sequence[Hashable] | None = None,
    trials: Trials = None,
    averaged: int | None = None,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Two-way identification: how often a reconstruction is more like its own stimulus than like another.

    With r_ij Pearson's correlation of the features of stimulus i and reconstruction j, reconstruction j has
    s_j = #{i ≠ j : r_ij < r_jj} / (n - 1). With more ways, n_way - 1 others are drawn, and s_j is the probability
    that fewer than top_k of them are more similar: over all draws, or over seeded ones.

    Shapes: (n_images, n_features) on both sides and in the pool; further axes are flattened. Floats of 32 and
        of 64 bits keep their precision, as features in files do.

    Range: 0 to 1, higher is better; chance is top_k / n_way, 0.5 for two ways.

    Conventions: `identification-direction`, `identification-ties`, `identification-pool`, `identification-copies`,
        `identification-ways`, `identification-intervals`, `trials`.

    Undefined: a row that is empty, constant or not finite; all of them where there is no other to tell from. Rows
        of the others that are constant or not finite are left out, with a warning.

    Args:
        reference: features of the stimuli.
        reconstruction: features of the reconstructions, row i of both being pair i.
        pool: features of the distractor images; by default those of the other pairs.
        direction: tell each reconstruction from other stimuli, or each stimulus from other reconstructions.
        ties: the credit for an exact tie.
        n_way: images to choose from, the own one included.
        top_k: the own one must be among so many of the most similar.
        draws: draw distractors so many times for each pair instead of the exact expectation.
        copies: are pairs of the same stimulus left out of each other's distractors, or kept, so that they tie?
        subtract_own: count one success too few, as MIRAGE's released code does (two ways only; convention
            `identification-own`): values and chance are lower by 1 / (n - 1).
        stimuli: a name of the stimulus of each pair; by default pairs with equal rows of `reference` show the same one.
        trials: the row of `reference` that each row of `reconstruction` is a trial of, or "repeats" for a
            `reconstruction` of (n_images, n_repeats, n_features). Trials of an image are no distractors of each other,
            and the interval takes them as one.
        averaged: identify the mean features of so many trials of each image instead: over random subsets of the trials
            of each image that has as many (convention `trials`). There is then a value for each image.
        intervals: how the interval is made of the jackknife over stimuli (:class:`~neurogauge.IntervalOptions`,
            convention `identification-intervals`); resamples are drawn where ``interval`` is not the default.
            ``level``: how often it is to hold the true value for new stimuli and new distractors (new stimuli and
            this pool, if there is one).

    Raises:
        DataError: for rows of different lengths, or another number of rows on the two sides.
        UsageError: for more ways than there are others, or a top_k that all of them reach; another number of `stimuli`
            than pairs.

    Reference: ``numpy.corrcoef`` 2.4 and comparison of its columns with its diagonal: equal counts. By default it is
        ``pairwise_identification`` of bdpy 0.26.

    Example:
        >>> import neurogauge as ng
        >>> stimuli = [[1, 2, 3], [3, 2, 1], [1, 3, 2]]
        >>> reconstructions = [[1, 2, 4], [1, 2, 2.5], [0, 1, 0.9]]
        >>> ng.metrics.two_way_identification(stimuli, reconstructions).per_pair.tolist()
        [1.0, 0.0, 1.0]
    """
    over = bootstrap(intervals)
    options: dict[str, object] = {
        "direction": direction,
        "ties": ties,
        "n_way": whole("n_way", n_way, 2, MAX_CANDIDATES),
        "top_k": whole("top_k", top_k, 1, MAX_CANDIDATES),
        "subtract_own": bool(subtract_own),
    }
    if draws is not None:
        n_draws = whole("draws", draws, 1, MAX_CANDIDATES)
        options["draws"] = {"seeded": {"trials": n_draws, "seed": over[2]}}
    places: dict[Hashable, int] = {}
    numbers = None if stimuli is None else [places.setdefault(stimulus, len(places)) for stimulus in stimuli]
    rows, of_means = rows_of_trials(reference, reconstruction, trials, averaged, over[2])
    if numbers is not None and len(numbers) != len(rows[0]):
        raise UsageError(f"stimuli has {len(numbers)} names; expected one for each of {len(rows[0])} pairs")
    scored, n_others, left_out, pseudo, shown = _neurogauge.identification(
        *rows,
        None if pool is None else matrix("pool", pool),
        as_json(options),
        json.dumps(copies),
        (numbers, of_means),
    )
    if left_out:
        warnings.warn(
            f"{len(left_out)} of the rows that supply distractors are all equal or not finite and were left out, "
            f"which leaves {n_others}: {', '.join(map(str, left_out[:10]))}",
            NeurogaugeWarning,
            stacklevel=2,
        )
    n_stimuli = len(set(shown))
    if n_stimuli < len(shown) and trials is None:
        treated = "identification tells none from a copy of its own" if copies == "leave_out" else "copies tie"
        warnings.warn(
            f"{len(shown)} pairs show {n_stimuli} different stimuli: {treated}; the interval takes a stimulus and its "
            "copies as one",
            NeurogaugeWarning,
            stacklevel=2,
        )
    too_low_by = 1 / n_others if subtract_own and n_others else 0.0
    chance = top_k / n_way - too_low_by
    population = "new stimuli, this pool" if pool is not None else "new stimuli and new distractors"
    of_stimuli = (pseudo, shown, too_low_by)
    return summed_up(
        "two_way_identification", scored, over, chance=chance, of_stimuli=of_stimuli, population=population
    )
