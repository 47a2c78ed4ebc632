"""Do metrics agree with people?"""

from __future__ import annotations

import csv
import html
import io
import json
import os
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _agreement_inputs, _commands, _neurogauge, _plots
from ._errors import NeurogaugeWarning, UsageError
from ._options import Unpack, check_names
from ._options_from_registry import AgreementOptions
from ._run import Path
from ._tables import Tables, data_frame, html_table, with_interval, written

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Line = dict[str, str | float | None]

_STATISTICS = ("calibrated_accuracy", "accuracy", "kendall_tau_b", "pearson", "spearman")
_STATISTIC_WORDS = {
    "calibrated_accuracy": "pairwise accuracy (0 to 1)",
    "accuracy": "pairwise accuracy at ε = 0 (0 to 1)",
    "kendall_tau_b": "Kendall's τ-b (−1 to 1)",
    "pearson": "Pearson's r (−1 to 1)",
    "spearman": "Spearman's ρ (−1 to 1)",
    "accuracy_over_untied": "pairwise accuracy over untied pairs (0 to 1)",
    "kendall_tau_c": "Kendall's τ-c (−1 to 1)",
    "tau_23": "τ-23 (−1 to 1)",
}


def agreement(
    human: Any,
    metrics: Any,
    *,
    items: Sequence[Any] | os.PathLike[str] | None = None,
    composites: Mapping[str, Sequence[str]] | None = None,
    scale: tuple[float, float] | Sequence[str] | None = None,
    missing: Sequence[float | str] | Literal["none"] | None = None,
    **options: Unpack[AgreementOptions],
) -> Agreement:
    """Do metrics agree with people? Agreement with their ratings, intervals, chance levels, differences between metrics.

    It is ``neurogauge meta``, with the same defaults and, for the same ratings and scores, the same numbers.

    Args:
        human: an array (n_items, n_raters), NaN where a rating is missing; a mapping of raters to their ratings; a
            DataFrame (or an object with ``to_pandas``: of xarray, of Hugging Face) with a row for each item and a
            column for each rater, or a row for each rating (item, rater, value); or the path of a file.
        metrics: a mapping of names to scores of the items (arrays, or results of ``ng.metrics``); a DataFrame with a
            row for each item; the path of a file or of a run; or a list of such. In mappings, results and Series are
            joined by the names of their pairs or by their index, arrays by place.
        items: ids of the items where arrays and mappings have none, or a file with one on each line; their places if not
            given. If columns of a DataFrame or of a file of ratings have one title, as those of Google Forms, these are
            their items in order.
        composites: averages to take apart, by name; each is also compared with people as a metric.
        scale: lowest and highest rating, and one outside is an error; or the answers in words, the lowest first.
        missing: codes that stand for a missing rating, such as [99]; "none" takes ratings that look like codes as they
            are.
        options: those of ``neurogauge meta`` (:class:`~neurogauge.AgreementOptions`). The direction of results is known, so
            they need no ``lower_is_better``.

    Raises:
        DataError: ratings or scores that cannot be read, or that share no item.
        UsageError: options out of range, names that no metric has, or ratings that answer several questions
            (:func:`agreement_by_question` evaluates each).

    >>> import numpy as np, neurogauge as ng
    >>> rng = np.random.default_rng(0)
    >>> quality = rng.normal(size=40)
    >>> human = quality[:, None] + 0.5 * rng.normal(size=(40, 6))
    >>> found = ng.agreement(human, {"good": quality, "noise": rng.normal(size=40)}, higher_is_better=["good", "noise"])
    >>> found.statistic("good", "pearson") > 0.9 > found.statistic("noise", "pearson")
    True
    """
    found = _questions(human, metrics, items, composites, scale, missing, options)
    if len(found) > 1:
        raise UsageError(
            f"the ratings answer {len(found)} questions ({', '.join(found)}); ng.agreement_by_question evaluates each"
        )
    return next(iter(found.values()))


def agreement_by_question(
    human: Any,
    metrics: Any,
    *,
    items: Sequence[Any] | os.PathLike[str] | None = None,
    composites: Mapping[str, Sequence[str]] | None = None,
    scale: tuple[float, float] | Sequence[str] | None = None,
    missing: Sequence[float | str] | Literal["none"] | None = None,
    **options: Unpack[AgreementOptions],
) -> dict[str, Agreement]:
    """The same for ratings that answer several questions: the results for each, by its name.

    Questions are patterns of rater columns (``rater_columns=["sem_*", "perc_*"]``), several value columns
    (``value_column="clarity,likeness"``), or the answers of an export of Mechanical Turk.

    Args:
        human, metrics, items, composites, scale, missing, options: as of :func:`agreement`.

    Raises:
        DataError, UsageError: as :func:`agreement`.

    >>> import neurogauge as ng
    >>> human = {"sem_1": [1, 3, 5], "sem_2": [2, 3, 4], "perc_1": [5, 3, 1], "perc_2": [4, 4, 1]}
    >>> found = ng.agreement_by_question(
    ...     human, {"mine": [0.1, 0.5, 0.9]}, rater_columns=["sem_*", "perc_*"], higher_is_better=["mine"]
    ... )
    >>> {name: round(one.statistic("mine", "pearson"), 2) for name, one in found.items()}
    {'sem': 1.0, 'perc': -0.97}
    """
    return _questions(human, metrics, items, composites, scale, missing, options)


def _questions(
    human: Any,
    metrics: Any,
    items: Sequence[Any] | os.PathLike[str] | None,
    composites: Mapping[str, Sequence[str]] | None,
    scale: tuple[float, float] | Sequence[str] | None,
    missing: Sequence[float | str] | Literal["none"] | None,
    options: AgreementOptions,
) -> dict[str, Agreement]:
    """The results for each question in the ratings, by name; a single question has no name."""
    check_names(options, AgreementOptions.__annotations__, "agreement")
    if isinstance(items, (str, os.PathLike)):
        with open(items, encoding="utf-8") as file:
            items = file.read().splitlines()
    human_argument, human_table = _agreement_inputs.human_source(human, items)
    metric_arguments, metric_tables = _agreement_inputs.metric_sources(metrics, items)
    given: dict[str, Any] = dict(options)
    for name in ("lower_is_better", "higher_is_better", "rater_columns", "group_columns"):
        given[name] = [*_agreement_inputs.names(name, given.get(name) or ())]
    known = {*given["lower_is_better"], *given["higher_is_better"]}
    for name, direction in _agreement_inputs.directions_of(metrics).items():
        if name not in known:
            given[f"{direction}_is_better"].append(name)
    given["group_column"] = given.pop("group_columns")
    given["composite"] = [f"{name}={'+'.join(parts)}" for name, parts in (composites or {}).items()]
    ends = (end if isinstance(end, str) else repr(float(end)) for end in scale or ())
    given["scale"] = ",".join(ends) or None
    codes = missing is None or isinstance(missing, str)
    given["missing"] = missing if codes else ",".join(map(str, missing or ())) or "none"
    with tempfile.TemporaryDirectory() as folder:
        if items is not None and _agreement_inputs.are_in_order(human):
            given["items"] = os.path.join(folder, "items.txt")
            with open(given["items"], "w", encoding="utf-8") as file:
                file.writelines(f"{item}\n" for item in items)
        words = _commands.arguments({"human": human_argument, "metrics": metric_arguments, **given})
        found = _neurogauge.evaluate_metrics([*words, "--out=."], human_table, metric_tables)
    for _, question in found:
        for warning in question["warnings"]:
            warnings.warn(warning, NeurogaugeWarning, stacklevel=3)
    return {name or "": Agreement(question) for name, question in found}


class Agreement(Tables):
    """The results of :func:`agreement`.

    Attributes:
        record: everything, as ``meta.json`` keeps it.
        lines: every figure: kind, metric, statistic, value, ends of its interval and so on.
        metrics: names of the metrics.
        n_items, n_raters: of the survey.
    """

    def __init__(self, found: Mapping[str, Any]) -> None:
        self._found = found
        self.record: dict[str, Any] = json.loads(found["record"])
        self.lines: list[Line] = [
            {name: _cell(name, text) for name, text in line.items()}
            for line in csv.DictReader(io.StringIO(found["csv"]))
        ]
        result = self.record["result"]
        self.metrics: list[str] = [metric["name"] for metric in result["metrics"]]
        self.n_items: int = result["n_items"]
        self.n_raters: int = result["n_raters"]

    def __repr__(self) -> str:
        return f"<{len(self.metrics)} metrics held against {self.n_raters} raters of {self.n_items} items>"

    def __str__(self) -> str:
        """The tables, as the command line prints them."""
        text: str = self._found["table"]
        return text

    def statistic(self, metric: str, statistic: str = "calibrated_accuracy") -> float:
        """One figure of one metric; NaN where it has no value.

        Args:
            metric: one of ``metrics``.
            statistic: calibrated_accuracy, accuracy, kendall_tau_b, pearson, spearman, accuracy_over_untied,
                kendall_tau_c or tau_23.

        Raises:
            UsageError: for a metric or statistic that is not here.
        """
        line = self._line(metric, statistic)
        return float("nan") if line["value"] is None else float(line["value"])

    def interval(self, metric: str, statistic: str = "calibrated_accuracy") -> tuple[float, float] | None:
        """The ends of its interval; None where there is none (``lines`` gives the reason as ``interval_note``)."""
        line = self._line(metric, statistic)
        low, high = line["low"], line["high"]
        return None if low is None or high is None else (float(low), float(high))

    @property
    def headline(self) -> str:
        """The result in a sentence, as the command line prints it: which metric agrees best, if a test shows it."""
        return str(self._found["opening"])

    @property
    def _stand_ins(self) -> set[str]:
        """Metrics that rest on a placeholder model."""
        return {one["subject"] for one in self.record["findings"] if one["code"] == "stand_in"}

    def _line(self, metric: str, statistic: str) -> Line:
        own = [line for line in self.lines if line["kind"] == "metric" and not line["within"]]
        for line in own:
            if (line["metric"], line["statistic"]) == (metric, statistic):
                return line
        statistics = list(dict.fromkeys(str(line["statistic"]) for line in own))
        raise UsageError(
            f"no {statistic!r} of {metric!r}; metrics: {', '.join(self.metrics)}; statistics: {', '.join(statistics)}"
        )

    def plot(self, statistic: str = "calibrated_accuracy", ax: Axes | None = None) -> Axes:
        """The agreement of each metric with people and its interval, the best on top, with a mark at chance. Needs
        matplotlib.

        A line shows the ceiling: what a perfect metric would have, since people's mean ratings are noisy themselves.

        Args:
            statistic: as of :meth:`statistic`.
            ax: where to draw; a new figure if not given.

        Returns:
            The axes.

        Raises:
            UsageError: for a statistic that is not here.

        Example:
            >>> import neurogauge as ng
            >>> human = [[1, 2, 1], [2, 2, 3], [4, 4, 3], [5, 4, 5]]
            >>> scores = {"mine": [0.1, 0.3, 0.2, 0.9], "other": [3, 1, 2, 0]}
            >>> found = ng.agreement(human, scores, higher_is_better=["mine", "other"])
            >>> ", ".join(label.get_text() for label in found.plot("pearson").get_yticklabels())
            'mine ↑, other ↑'
        """
        lines = {metric: self._line(metric, statistic) for metric in self.metrics}
        values = {metric: self.statistic(metric, statistic) for metric in lines}
        order = sorted(lines, key=lambda metric: -values[metric] if values[metric] == values[metric] else np.inf)
        directions = {metric["name"]: metric["direction"] for metric in self.record["result"]["metrics"]}
        stand_ins = self._stand_ins
        rows = []
        for metric in order:
            line, chance = lines[metric], lines[metric]["chance_mean"]
            rows.append(
                _plots.Row(
                    _plots.heading(metric, directions[metric], metric in stand_ins),
                    values[metric],
                    self.interval(metric, statistic),
                    None if chance is None else float(chance),
                    "" if line["value"] is not None else str(line["undefined"]),
                )
            )
        axes = _plots.axes(ax, height=1.3 + 0.32 * len(rows))
        level = self.record["result"]["options"]["bootstrap"]["level"]
        words = f"{_STATISTIC_WORDS.get(statistic, statistic)}, {_plots.interval_words(level)}"
        _plots.forest(axes, rows, words, bool(stand_ins & set(order)))
        for line in self.lines:
            is_ceiling = line["kind"] == "ceiling" and not line["within"]
            if is_ceiling and line["statistic"] == statistic and line["value"] is not None:
                axes.axvline(float(line["value"]), color=_plots.COLOURS[2], linestyle="--", label="ceiling", zorder=0)
        _plots.legend_above(axes)
        return axes

    def to_pandas(self) -> pd.DataFrame:
        """Every figure in a separate row, in full precision. Needs pandas."""
        return data_frame(self.lines)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as ``meta.json`` keeps it."""
        copy: dict[str, Any] = json.loads(self._found["record"])
        return copy

    def to_csv(self, path: Path | None = None) -> str:
        """Every figure in a separate line, as in ``meta.csv``. The text, also written to ``path`` if given."""
        return written(self._found["csv"], path)

    def _table(self, form: str) -> str:
        text: str = self._found[form]
        return text

    def _repr_html_(self) -> str:
        """The first sentence and the main statistics of each metric, as notebooks show them; the best by Kendall's τ-b
        first."""

        def cell(metric: str, statistic: str) -> str:
            line = self._line(metric, statistic)
            if line["value"] is None:
                return html.escape(str(line["undefined"]))
            return with_interval(float(line["value"]), self.interval(metric, statistic))

        marks = dict.fromkeys(self._stand_ins, _plots.DAGGER)
        note = f"<p>{_plots.DAGGER_NOTE}</p>" if marks else ""
        order = sorted(self.metrics, key=lambda one: -np.nan_to_num(self.statistic(one, "kendall_tau_b"), nan=-np.inf))
        rows = (
            [html.escape(metric) + marks.get(metric, ""), *(cell(metric, one) for one in _STATISTICS)]
            for metric in order
        )
        return f"<p>{html.escape(self.headline)}</p>{html_table(('', *_STATISTICS), rows, 'th')}{note}"


def _cell(name: str, text: str) -> str | float | None:
    if name in ("kind", "metric", "other", "statistic", "within", "undefined", "interval_note"):
        return text
    if name == "stand_in":
        return text == "true"
    return float(text) if text else None
