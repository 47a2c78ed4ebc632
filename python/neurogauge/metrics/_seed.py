"""Metrics that combine the results of other metrics."""

from __future__ import annotations

from typing import Any

from .. import _neurogauge
from .._arrays import vector
from .._options import Unpack, as_json
from .._result import Bootstrap, IntervalOptions, Result, bootstrap, summed_up


def seed(
    object_f1: Any,
    cap_sim: Any,
    effnet: Any,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """SEED: the mean of Object F1, Cap-Sim and 1 - EffNet (SEED, Eq. 7).

    Shapes: the results of the three metrics, or (n_pairs,) values of each, NaN where there is none.

    Range: -1 to 1, higher is better.

    Conventions: `seed-mean`, `effnet-direction`.

    Undefined: a pair for which a part is; ``mean`` is the mean of the means of the parts, as a system's SEED is.

    Args:
        object_f1: Object F1 of each pair.
        cap_sim: Cap-Sim of each pair.
        effnet: EffNet of each pair, a distance.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for parts of different lengths, or of pairs with other names.

    Reference: the weighted mean of the SEED paper, exact.

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.seed([0.5], [0.75], [0.25]).per_pair.round(6).tolist()
        [0.666667]
    """
    over = bootstrap(intervals)
    return combined("seed", {"object_f1": object_f1, "cap_sim": cap_sim, "effnet": effnet}, {}, over)


def seed_vlm(
    object_f1_vlm: Any,
    cap_sim: Any,
    effnet: Any,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """SEED (VLM): the mean of Object F1 (VLM), Cap-Sim and 1 - EffNet (SEED, Eq. 7 with Appendix B.2).

    Shapes: the results of the three metrics, or (n_pairs,) values of each, NaN where there is none.

    Range: -1 to 1, higher is better.

    Conventions: `seed-mean`, `effnet-direction`, `vlm-categories`.

    Undefined: a pair for which a part is; ``mean`` is the mean of the means of the parts, as a system's SEED is.

    Args:
        object_f1_vlm: Object F1 of the categories that a vision-language model names, of each pair.
        cap_sim: Cap-Sim of each pair.
        effnet: EffNet of each pair, a distance.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for parts of different lengths, or of pairs with other names.

    Reference: arithmetic by hand, exact.

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.seed_vlm([0.5], [0.75], [0.25]).per_pair.round(6).tolist()
        [0.666667]
    """
    over = bootstrap(intervals)
    parts = {"object_f1_vlm": object_f1_vlm, "cap_sim": cap_sim, "effnet": effnet}
    return combined("seed_vlm", parts, {}, over)


def sdm(
    object_f1: Any,
    seed_score: Any,
    *,
    f1_above: float = 0.7,
    gap_above: float = 0.2,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """SDM: semantic detail miss, the right objects and yet a low SEED (SEED, section 5.4): 1 where Object F1 is
    above ``f1_above`` and above SEED by more than ``gap_above``, else 0.

    Shapes: the results of the two metrics, or (n_pairs,) values of each.

    Range: 0 or 1 for a pair, a rate over pairs; lower is better.

    Conventions: `sdm-thresholds`.

    Undefined: a pair for which a part is.

    Args:
        object_f1: Object F1 of each pair.
        seed_score: SEED of each pair.
        f1_above: see above.
        gap_above: see above.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for parts of different lengths, or of pairs with other names.

    Reference: the inequality in Python, exact.

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.sdm([0.9, 0.9, 0.5], [0.5, 0.8, 0.1]).per_pair.tolist()
        [1.0, 0.0, 0.0]
    """
    over = bootstrap(intervals)
    options = {"detail_miss": {"f1_above": float(f1_above), "gap_above": float(gap_above)}}
    return combined("sdm", {"object_f1": object_f1, "seed_score": seed_score}, options, over)


def combined(metric: str, parts: dict[str, Any], options: dict[str, Any], over: Bootstrap) -> Result:
    """A metric made of others on the same pairs: results are joined by the names of their pairs, other values by place.

    Raises:
        DataError: for results of other pairs, or parts of different lengths.
    """
    results = {name: part for name, part in parts.items() if isinstance(part, Result)}
    named = [(name, part.pairs) for name, part in results.items() if not part._is_of_places]
    if named:
        first, pairs = named[0]
        parts = {**parts, **{name: part._of_pairs(pairs, first) for name, part in results.items()}}
    columns = [
        [vector(name, part), *(part._columns if isinstance(part, Result) else ())] for name, part in parts.items()
    ]
    scored, over_columns = _neurogauge.combine(metric, columns, as_json(options))
    stand_in = any(part.stand_in for part in results.values())
    return summed_up(metric, scored, over, over_columns, stand_in=stand_in, pairs=named[0][1] if named else None)
