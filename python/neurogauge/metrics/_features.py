"""Common code of metrics of a pair's own feature rows."""

from __future__ import annotations

from typing import Any

from .. import _neurogauge
from .._arrays import rows_of_pairs
from .._result import Bootstrap, Result, summed_up


def compared_rows(metric: str, reference: Any, reconstruction: Any, over: Bootstrap) -> Result:
    """The metric of feature rows with this id, for each pair.

    Raises:
        DataError: for rows that do not fit together.
    """
    as_distance = metric != "feature_correlation"
    rows = rows_of_pairs(reference, reconstruction)
    return summed_up(metric, _neurogauge.feature_rows(as_distance, *rows), over)
