"""Finished runs."""

from __future__ import annotations

import copy
import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from . import _neurogauge, _plots
from ._details import Details, frame
from ._errors import UsageError
from ._options import nearest
from ._result import Result, Scored, results_table
from ._tables import Tables, csv_text, data_frame

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


Path = str | os.PathLike[str]


class TemporaryFolder:
    """A folder that is removed with the last object that refers to it."""

    def __init__(self) -> None:
        self.path = FilePath(tempfile.mkdtemp(prefix="neurogauge-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def folder_of(out: Path | None, name: str) -> tuple[FilePath, TemporaryFolder | None]:
    """The folder of a result, and what keeps it where it is a temporary one."""
    if out is not None:
        return FilePath(out), None
    temporary = TemporaryFolder()
    return temporary.path / name, temporary


class MissingMetric(KeyError):
    """A metric that a run does not have. Its text is the plain message, which a KeyError would quote."""

    def __str__(self) -> str:
        return str(self.args[0])


class Run(Mapping[str, Result], Tables):
    """A finished run: a mapping from ids of metrics to their results.

    Attributes:
        path: the run folder, or None for a run that was not kept. Its folder is a temporary one, which lasts as long as
            the run.
        name: its name in tables.
        record: the content of ``run.json``: the request, the inputs, options, models, versions.
        pairs: stems of the pairs.
        warnings: caveats about the numbers, such as inputs on an unusual scale, and images or captions
            that a model failed on.
        details: for each pair the matched, missed and invented details: ``{"stem": stem, metric: {level: {"matched":
        [entry,
            ...], "missed": [...], "invented": [...]}}}``, as ``details.jsonl`` has it; empty for a run without metrics that match
            anything.
        dimensions: BASIC-H by dimension, as ``dimensions.csv`` has it: a dict for each, with ``dimension``,
        ``n_reference``,
            ``n_reconstruction``, ``recall``, ``recall_interval``, ``precision``, ``precision_interval`` and ``f1``,
            None where there is no value. Empty for a run without BASIC-H.
    """

    def __init__(self, entries: Mapping[str, Any], temporary: TemporaryFolder | None = None) -> None:
        self._folder = FilePath(entries["path"])
        self._temporary = temporary
        self.path: FilePath | None = self._folder if temporary is None else None
        self.name: str = entries["name"]
        self.record: dict[str, Any] = json.loads(entries["record"])
        self.pairs: tuple[str, ...] = tuple(entries["pairs"])
        self.warnings: tuple[str, ...] = tuple(entries["warnings"])
        self._tables: dict[str, str] = dict(entries["tables"])
        self._parts: tuple[list[str], list[tuple[str, Scored]]] | None = entries["parts"]
        self._details = Details(entries["details"])
        self.dimensions: list[dict[str, Any]] = json.loads(entries["dimensions"])
        self._results = {
            metric: Result(
                metric,
                scored,
                summary,
                entries["level"],
                pairs=self.pairs,
                label=label,
                stand_in=stand_in,
                chance=chance,
                details=self._details,
            )
            for metric, label, stand_in, scored, summary, chance in entries["columns"]
        }
        self._added: dict[str, Result] = {}

    def __getitem__(self, metric: str) -> Result:
        try:
            return self._results[metric]
        except KeyError:
            raise MissingMetric(
                f"the run has no {metric!r}; it has {', '.join(self)}{nearest(str(metric), self)}"
            ) from None

    def __contains__(self, metric: object) -> bool:
        return metric in self._results

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def _ipython_key_completions_(self) -> list[str]:
        """What IPython and notebooks offer after ``run[``."""
        return list(self)

    def __repr__(self) -> str:
        noun = "pairs" if self._parts is None else "items"
        return f"<run {self.name}: {len(self.pairs)} {noun}, {', '.join(self)}>"

    def __str__(self) -> str:
        return self._table("table")

    def _table(self, form: str) -> str:
        """A table of the run folder, followed by one of the joined results for each level of intervals."""
        if not self._added:
            return self._tables[form]
        tables = [self._tables[form]]
        for level in dict.fromkeys(found.level for found in self._added.values()):
            added = [found for found in self._added.values() if found.level == level]
            columns = [(found.metric, found.chance, found.stand_in) for found in added]
            systems = [(self.name, [found._summary for found in added])]
            tables.append(_neurogauge.render_table(f"{self.name}: joined in Python", columns, systems, level, form))
        return "\n\n".join([*(table.rstrip() for table in tables[:-1]), tables[-1]])

    def with_results(self, *results: Result) -> Run:
        """The run with further metrics, such as those of :func:`neurogauge.register_metric`.

        They join its tables, plots, comparisons and ``ng.agreement``. The run folder stays as it is.

        Args:
            results: of the pairs of this run, in its order or with its names.

        Raises:
            DataError: for results of other pairs.
            UsageError: for a metric that the run has.

        Example:
            >>> import numpy as np, neurogauge as ng
            >>> stimuli = np.random.default_rng(0).integers(0, 256, (4, 16, 16, 3), dtype=np.uint8)
            >>> run = ng.score(stimuli, stimuli[:, ::-1], metrics="pixcorr", set={"pixel_size": 16}, progress=False)
            >>> list(run.with_results(ng.register_metric("rating").of([1, 2, 3, 5])))
            ['pixcorr', 'rating']
        """
        joined = copy.copy(self)
        joined._results, joined._added = dict(self._results), dict(self._added)
        for found in results:
            if found.metric in joined._results:
                raise UsageError(f"the run has {found.metric!r} already")
            own = found._of_pairs(self.pairs)
            joined._results[found.metric] = joined._added[found.metric] = own
        return joined

    def _repr_html_(self) -> str:
        populations = _plots.population_notes(self._tables["table"].splitlines())
        return f"{results_table(list(self._results.values()))}{populations}"

    @property
    def details(self) -> list[dict[str, Any]]:
        """For each pair the matched, missed and invented details."""
        return self._details.of_pairs()

    def details_frame(self) -> pd.DataFrame:
        """The details as a long table, as in ``details.parquet``: a line for each entry, with its pair, metric, level
        and kind. Needs pandas."""
        return frame((found["stem"], found) for found in self.details)

    def dimensions_frame(self) -> pd.DataFrame:
        """BASIC-H by dimension as a table: a line for each dimension. Needs pandas."""
        return data_frame(self.dimensions)

    def to_pandas(self) -> pd.DataFrame:
        """One line for each pair, one column for each metric, NaN where there is no value. Needs pandas."""
        columns = {metric: result.per_pair for metric, result in self._results.items()}
        return data_frame(columns, (self.pairs, "pair"))

    def parts_to_pandas(self) -> pd.DataFrame:
        """The scores of frames, views and samples: one line for each pair of images, under its item and the names of
        its view, sample and frame, one column for each metric. Needs pandas.

        Raises:
            UsageError: for a run whose items have one image each, as without ``parts``.

        Example:
            >>> import numpy as np, neurogauge as ng
            >>> clips = np.random.default_rng(0).integers(0, 256, (3, 2, 16, 16, 3), dtype=np.uint8)
            >>> run = ng.score(clips, clips[:, ::-1], metrics="pixcorr", parts="frame", set={"pixel_size": 16}, progress=False)
            >>> frames = run.parts_to_pandas()
            >>> frames.index.names, len(frames), len(run.to_pandas())
            (FrozenList(['item', 'frame']), 6, 3)
        """
        if self._parts is None:
            raise UsageError(
                "the items of this run have one image each, so their scores are in to_pandas(); parts= says what items are made of"
            )
        pairs, columns = self._parts
        axes = self.record["parts"]["axes"]
        names = [dict(zip(["item", *axes], pair.rsplit("/", len(axes)), strict=True)) for pair in pairs]
        values = {metric: values for metric, (values, _) in columns}
        return data_frame(names).assign(**values).set_index(["item", *axes])

    def to_dict(self) -> dict[str, Any]:
        """Each metric's result by id, as from :meth:`Result.to_dict`."""
        return {metric: result.to_dict() for metric, result in self._results.items()}

    def to_csv(self, path: Path | None = None) -> str:
        """The table of ``scores.csv``: a line for each pair, a column for each metric. If metrics are based on
        placeholder models, the last column ``stand_in`` has their ids. The text, also written to ``path`` if given."""
        columns = [result.per_pair for result in self._results.values()]
        placeholders = " ".join(metric for metric, result in self._results.items() if result.stand_in)
        mark = [placeholders] if placeholders else []
        rows: Iterator[Sequence[str | float]] = (
            [pair, *(float(column[place]) for column in columns), *mark] for place, pair in enumerate(self.pairs)
        )
        return csv_text(["pair", *self, *(["stand_in"] if placeholders else [])], rows, path)

    def plot(self, metrics: str | Sequence[str] | None = None, ax: Axes | None = None) -> Any:
        """The mean of each metric with its interval, and a mark at its chance level. Needs matplotlib.

        The range of each metric's values is on the right; metrics of another scale have their own axes. Each line has
        the level of its interval where there are several.

        Args:
            metrics: which, in this order; all if not given.
            ax: where to draw; a new figure if not given.

        Returns:
            The axes, or an array of them where the metrics have several scales.

        Raises:
            UsageError: for a metric that is not here, or ``ax`` with metrics of several scales.

        Example:
            >>> import numpy as np, neurogauge as ng
            >>> stimuli = np.random.default_rng(0).integers(0, 256, (6, 16, 16, 3), dtype=np.uint8)
            >>> run = ng.score(stimuli, stimuli[:, ::-1], metrics="pixcorr", set={"pixel_size": 16}, progress=False)
            >>> axes = run.plot()
            >>> ", ".join(label.get_text() for label in axes.get_yticklabels())
            'PixCorr ↑'
        """
        results = [self._results[metric] for metric in _plots.chosen(metrics, list(self))]
        is_one_level = len({found.level for found in results}) == 1
        drawn = _plots.by_scale(ax, [(found.metric, found.range, found) for found in results])
        for place, (axes, scale, group) in enumerate(drawn):
            is_last = place == len(drawn) - 1
            rows = [
                _plots.Row(
                    found.heading if is_one_level else f"{found.heading}, {_plots.interval_words(found.level)}",
                    found.mean,
                    found.interval,
                    found.chance,
                    _plots.range_words(found.range),
                )
                for found in group
            ]
            interval = _plots.interval_words(group[0].level) if is_one_level else "interval"
            words = f"mean over pairs, {interval}" if is_last else ""
            _plots.forest(axes, rows, words, is_last and any(found.stand_in for found in results))
            _plots.within(axes, scale, rows)
            if not place:
                axes.set_title("possible values", loc="right", fontsize="small", color=_plots.QUIET)
            _plots.legend_above(axes)
        return _plots.one_or_all([axes for axes, _, _ in drawn])
