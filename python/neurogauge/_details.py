"""The details behind the outcomes of pairs: matched, missed and invented ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ._tables import data_frame

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "stem",
    "metric",
    "level",
    "kind",
    "reference",
    "reconstruction",
    "how",
    "similarity",
    "threshold",
    "reference_dimension",
    "reconstruction_dimension",
)


class Details:
    """Details as JSON, read when they are asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pairs: list[dict[str, Any]] | None = None

    def of_pairs(self) -> list[dict[str, Any]]:
        if self._pairs is None:
            self._pairs = json.loads(self._text)
        return self._pairs


def frame(pairs: Iterable[tuple[str, Mapping[str, Any]]]) -> pd.DataFrame:
    """A line for each entry of pairs, each with its stem and its metrics."""
    rows = [
        (stem, metric, level, kind, *(entry.get(name) for name in COLUMNS[4:]))
        for stem, metrics in pairs
        for metric, levels in metrics.items()
        if metric != "stem"
        for level, kinds in levels.items()
        for kind, entries in kinds.items()
        for entry in entries
    ]
    return data_frame(rows, columns=list(COLUMNS))
