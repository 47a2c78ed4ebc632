"""The list of metrics."""

from __future__ import annotations

import builtins
import html
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from .. import _neurogauge
from .._own_metrics import registered
from .._tables import data_frame, html_table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class MetricInfo:
    """The registry's entry of a metric.

    Attributes:
        id: its name everywhere: on the command line, in tables' files and of its function here, if it has a separate
            one.
        label: its name in tables.
        about: the measured quantity, in a sentence.
        group: its group in tables.
        direction: "higher" or "lower", whichever is better.
        range: smallest and largest possible value.
        chance: expected value for unrelated images, or None where it is not known.
        conventions: ids of the conventions (the documentation's Conventions) that decide its value.
    """

    id: str
    label: str
    about: str
    group: str
    direction: Literal["higher", "lower"]
    range: tuple[float, float]
    chance: float | None
    conventions: tuple[str, ...]


class MetricList(tuple[MetricInfo, ...]):
    """Metrics in the order of the field's tables; prints as a table."""

    __slots__ = ()

    def __repr__(self) -> str:
        width = max((len(metric.id) for metric in self), default=0)
        return "\n".join(f"{metric.id:{width}}  {metric.direction:6}  {metric.about}" for metric in self)

    def _repr_html_(self) -> str:
        words = ((metric.id, metric.label, metric.direction, metric.about) for metric in self)
        return html_table(("id", "label", "better", "about"), ([html.escape(one) for one in row] for row in words))

    def to_pandas(self) -> pd.DataFrame:
        """A line for each metric. Needs pandas."""
        names = [field.name for field in fields(MetricInfo)]
        rows = [[getattr(metric, name) for name in names] for metric in self]
        return data_frame(rows, columns=names).set_index("id")


def list(contains: str = "") -> MetricList:
    """The metrics of the registry, those that ``neurogauge list metrics`` lists, and then those of
    :func:`neurogauge.register_metric`.

    Args:
        contains: only those whose id, label, group or description contains it, in capitals or not.

    Example:
        >>> import neurogauge as ng
        >>> ", ".join(metric.id for metric in ng.metrics.list("structural similarity"))
        'ssim, ms_ssim'
    """
    wanted = contains.casefold()
    return MetricList(metric for metric in _all() if any(wanted in word.casefold() for word in _words(metric)))


def _words(metric: MetricInfo) -> builtins.list[str]:
    return [metric.id, metric.label, metric.group, metric.about]


def _all() -> Iterable[MetricInfo]:
    for id in [*_neurogauge.metric_ids(), *registered()]:
        spec: dict[str, Any] = {**_neurogauge.metric_spec(id)}
        spec["conventions"] = tuple(spec["conventions"])
        yield MetricInfo(**{field.name: spec[field.name] for field in fields(MetricInfo)})
