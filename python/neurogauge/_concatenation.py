"""Results of several sets of pairs as one."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Sequence

import numpy as np

from . import _neurogauge
from ._details import Details
from ._errors import NeurogaugeWarning, UsageError
from ._options import Unpack
from ._result import IntervalOptions, Result, bootstrap, check_alike, some


def concat(
    results: Sequence[Result],
    *,
    keys: Sequence[str] | None = None,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """Results of one metric on several sets of pairs, such as the parts of a test set, as one result on all of them.

    Values are kept as computed: if a metric identifies each image among the others of its set, that set stays the same.
    Mean and interval are computed again over all pairs, and each pair is drawn independently. Subjects who saw the same
    stimuli are not independent: :func:`neurogauge.compare` has the mean over ``subjects``, with its interval
    (convention `subjects`).

    Args:
        results: of the same metric.
        keys: a name for each result, which is set before the names of its pairs: "session1/12". Needed where names
            repeat, unless they are only the places of the pairs.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Warns:
        NeurogaugeWarning: for a name that pairs of several results have, which may show the same stimulus.

    Raises:
        UsageError: for no result, another metric, chance level or kind of interval among them, one whose mean is no
        mean over its
            pairs (BLEU of a corpus, SEED with undefined pairs, draws of retrieval), one whose values are of features
            (the profile correlation), or names of pairs that repeat.

    Example:
        >>> import neurogauge as ng
        >>> first_half = ng.metrics.cap_sim([[1.0, 0.0]], [[3.0, 4.0]])
        >>> second_half = ng.metrics.cap_sim([[1.0, 0.0]], [[4.0, 3.0]])
        >>> whole = ng.concat([first_half, second_half])
        >>> whole.pairs, whole.per_pair.round(6).tolist(), round(whole.mean, 6)
        (('0', '1'), [0.6, 0.8], 0.7)
    """
    over = bootstrap(intervals)
    if not results:
        raise UsageError("no result to concatenate")
    first = results[0]
    check_alike(results, "so it cannot be made of parts; compute it of the whole")
    if any(type(result) is not Result for result in results):
        raise UsageError(f"the draws of {first.metric} are no mean over its pairs, so they cannot be made of parts")
    names = _names(results, keys)
    repeated = [name for name, n in Counter(pair for result in results for pair in result.pairs).items() if n > 1]
    if keys is not None and repeated:
        warnings.warn(
            f"pairs of several results have the same name ({some(repeated)}); if they show the same stimulus, as with several "
            "subjects, they are not independent and the interval is too narrow: ng.compare(runs, subjects=...) has the mean over "
            "subjects",
            NeurogaugeWarning,
            stacklevel=2,
        )
    values = np.concatenate([result.per_pair for result in results])
    starts = np.cumsum([0, *(len(result) for result in results)])
    reasons = [
        (int(start) + place, reason)
        for start, result in zip(starts, results, strict=False)
        for place, reason in result.undefined.items()
    ]
    details = [result.details for result in results]
    known = all(found is not None for found in details) and first._family is not None
    behind = [{first._family: levels} for found in details if found is not None for levels in found] if known else None
    summary = _neurogauge.estimate_columns([values], over, first.metric)
    return Result(
        first.metric,
        (values, reasons),
        summary,
        over[1],
        pairs=names,
        label=first.label,
        chance=first.chance,
        stand_in=any(result.stand_in for result in results),
        details=None if behind is None else Details(json.dumps(behind)),
    )


def _names(results: Sequence[Result], keys: Sequence[str] | None) -> list[str]:
    if keys is not None:
        if isinstance(keys, str) or len(keys) != len(results) or len(set(keys)) != len(keys):
            raise UsageError(f"keys is {keys!r}; expected {len(results)} different names, one for each result")
        return [f"{key}/{pair}" for key, result in zip(keys, results, strict=True) for pair in result.pairs]
    names = [pair for result in results for pair in result.pairs]
    if all(result._is_of_places for result in results):
        return [str(place) for place in range(len(names))]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"pair {twice!r} is in several results; give keys=, a name for each result")
    return names
