"""Runs: what the command line scores, from Python."""

from __future__ import annotations

import json
import math
import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _neurogauge
from ._arrays import Layout, images
from ._errors import NeurogaugeWarning, UsageError
from ._progress import Progress
from ._result import LEVEL, RESAMPLES, SEED, Result, bootstrap
from ._tables import pandas

if TYPE_CHECKING:
    import pandas as pd


class Run(Mapping[str, Result]):
    """A finished run: a mapping from ids of metrics to their results.

    Attributes:
        path: the run folder, or None for a run of arrays that was not kept.
        name: its name in tables.
        record: the content of ``run.json``: what was asked for, what was read, options, models, versions.
        pairs: stems of the pairs.
        warnings: what should be known about the numbers, such as inputs on an unusual scale.
    """

    def __init__(self, entries: Mapping[str, Any], kept: bool = True) -> None:
        self.path: Path | None = Path(entries["path"]) if kept else None
        self.name: str = entries["name"]
        self.record: dict[str, Any] = json.loads(entries["record"])
        self.pairs: tuple[str, ...] = tuple(entries["pairs"])
        self.warnings = tuple(f"{one['subject']}: {one['message']}" for one in self.record["warnings"])
        self._tables: dict[str, str] = dict(entries["tables"])
        self._results = {
            metric: Result(
                metric, scored, summary, entries["level"], pairs=self.pairs, label=label, stand_in=stand_in
            )
            for metric, label, stand_in, scored, summary in entries["columns"]
        }

    def __getitem__(self, metric: str) -> Result:
        return self._results[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __repr__(self) -> str:
        return f"<run {self.name}: {len(self.pairs)} pairs, {', '.join(self)}>"

    def __str__(self) -> str:
        return self._tables["table"]

    def _repr_html_(self) -> str:
        rows = [result._repr_html_() for result in self._results.values()]
        bodies = "".join(row.split("<tbody>")[1].split("</tbody>")[0] for row in rows)
        head = rows[0].split("<tbody>")[0] if rows else "<table>"
        return f"{head}<tbody>{bodies}</tbody></table>"

    def to_pandas(self) -> pd.DataFrame:
        """One line for each pair, one column for each metric, NaN where there is no value. Needs pandas."""
        tables = pandas()
        columns = {metric: result.per_pair for metric, result in self._results.items()}
        table: pd.DataFrame = tables.DataFrame(columns, index=tables.Index(self.pairs, name="pair"))
        return table

    def to_latex(self) -> str:
        """The table of ``summary.tex`` (it needs the package booktabs)."""
        return self._tables["latex"]

    def to_markdown(self) -> str:
        """The table of ``summary.md``."""
        return self._tables["markdown"]


class Comparison:
    """Systems side by side on the pairs that they share.

    Attributes:
        systems: names of the systems, in the order given.
        means: for each metric the mean of each system, NaN where there is none.
        intervals: for each metric the interval of each system's mean, or None.
        ranks: for each metric the rank of each system, 1 being best, or None.
        differences: for each metric and pair of systems a mapping with ``metric``, ``minuend``, ``subtrahend``,
            ``difference``, ``interval`` and ``p_value`` (two-sided, paired bootstrap, not corrected).
        notes: what should be known about the comparison.
        level: level of all intervals.
    """

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self.systems: tuple[str, ...] = tuple(entries["systems"])
        self.means: dict[str, tuple[float, ...]] = {}
        self.intervals: dict[str, tuple[tuple[float, float] | None, ...]] = {}
        self.ranks: dict[str, tuple[float | None, ...]] = {}
        for metric, summaries, ranks in entries["metrics"]:
            self.means[metric] = tuple(math.nan if s[0] is None else s[0] for s in summaries)
            self.intervals[metric] = tuple(s[2] for s in summaries)
            self.ranks[metric] = tuple(ranks)
        self.differences: list[dict[str, Any]] = json.loads(entries["differences"])
        self.notes: tuple[str, ...] = tuple(entries["notes"])
        self.level: float = entries["level"]
        self._tables: dict[str, str] = dict(entries["tables"])

    def __repr__(self) -> str:
        return f"<comparison of {', '.join(self.systems)}: {', '.join(self.means)}>"

    def __str__(self) -> str:
        return self._tables["table"]

    def to_pandas(self) -> pd.DataFrame:
        """Means, one line for each system and one column for each metric. Needs pandas."""
        tables = pandas()
        table: pd.DataFrame = tables.DataFrame(self.means, index=tables.Index(self.systems, name="system"))
        return table

    def to_latex(self) -> str:
        """The table that the command line prints with ``--format latex`` (it needs the package booktabs)."""
        return self._tables["latex"]

    def to_markdown(self) -> str:
        """The table that the command line prints with ``--format markdown``."""
        return self._tables["markdown"]


def score(
    gt: Any = None,
    recon: Any = None,
    *,
    metrics: str | Sequence[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    layout: Layout = "auto",
    progress: bool = True,
    **options: Any,
) -> Run:
    """Scores reconstructions against stimuli, as ``neurogauge score`` does, and writes a run folder.

    Args:
        gt: stimuli: a folder of images, an ``.npy`` stack or a ``.pt`` file; or an array as for
            :func:`neurogauge.metrics.pixcorr`. Arrays are written to ``<out>.arrays/``, so that the run can be
            repeated; their pairs are called "0", "1", ...
        recon: reconstructions, likewise.
        metrics: ids, "nsd8", "basic" or "all"; by default all that the inputs allow.
        out: the run folder. An unfinished run there is resumed, a finished one with the same inputs and options is
            read back. By default a temporary one that is removed, so the run has no ``path``.
        layout: how arrays lie, as for :func:`neurogauge.metrics.pixcorr`.
        progress: show bars if tqdm is installed. Notes, and the run's warnings in any
            case, become :class:`~neurogauge.NeurogaugeWarning`.
        **options: every option of ``neurogauge score`` (see ``neurogauge score --help``), with ``_`` for ``-``:
            ``observations="seen/"``, ``gt_captions=..., preset=["paper", "published"], antialias="on",
            pixel_size=256, offline=True, seed=7``. Lists are joined by commas, or repeated where the command line
            repeats; True is a flag that is given.

    Raises:
        DataError: for files and arrays that cannot be scored.
        ModelError: for weights that are missing or broken.
        UsageError: for an option or a metric that does not exist, or a value that makes no sense.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (3, 16, 16, 3), dtype=np.uint8)
        >>> run = ng.score(stimuli, stimuli[::-1], metrics=["pixcorr", "ssim"], pixel_size=16, progress=False)
        >>> round(float(run["pixcorr"].per_pair[1]), 9)
        1.0
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "run" if out is None else Path(out)
        arguments = [f"--out={folder}"]
        for name, value in (("gt", gt), ("recon", recon)):
            if value is None:
                continue
            path = value if isinstance(value, (str, os.PathLike)) else _stored(name, value, layout, folder)
            arguments.append(f"--{name}={os.fspath(path)}")
        if metrics is not None:
            arguments.append("--metrics=" + (metrics if isinstance(metrics, str) else ",".join(metrics)))
        arguments += [argument for name, value in options.items() for argument in _arguments(name, value)]
        run = Run(_neurogauge.score_run(arguments, Progress(progress)), kept=out is not None)
    for warning in run.warnings:
        warnings.warn(warning, NeurogaugeWarning, stacklevel=2)
    return run


def compare(
    runs: Sequence[str | os.PathLike[str] | Run],
    *,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
    seed: int = SEED,
) -> Comparison:
    """Sets finished runs side by side, as ``neurogauge compare`` does: paired bootstrap on the pairs they share.

    Args:
        runs: two run folders or more, or runs that were kept.
        resamples: bootstrap resamples.
        level: level of the intervals.
        seed: seed of the resamples.

    Raises:
        DataError: for something that is no finished run.
        UsageError: for fewer than two, or runs that share no pair or no metric.
    """
    paths = []
    for run in [runs] if isinstance(runs, (str, os.PathLike, Run)) else runs:
        path = run.path if isinstance(run, Run) else run
        if path is None:
            raise UsageError("a run of arrays that was not kept cannot be compared; give ng.score an `out`")
        paths.append(os.fspath(path))
    return Comparison(_neurogauge.compare_runs(paths, bootstrap(resamples, level, seed)))


def load_run(path: str | os.PathLike[str]) -> Run:
    """Reads a finished run: its scores, what they sum up to, and ``run.json``.

    Args:
        path: the run folder.

    Raises:
        DataError: if there is none, or it is not finished.
    """
    return Run(_neurogauge.read_run(os.fspath(path)))


def _stored(name: str, value: Any, layout: Layout, folder: Path) -> Path:
    """The array as a stack beside the run folder, which holds nothing but the run."""
    stack = np.ascontiguousarray(images(name, value, layout))
    parent = folder.with_name(f"{folder.name}.arrays")
    parent.mkdir(parents=True, exist_ok=True)
    path = parent / f"{name}.npy"
    np.save(path, stack)
    return path


def _arguments(name: str, value: Any) -> list[str]:
    """An option as the command line takes it."""
    flag = "--" + name.replace("_", "-")
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    if isinstance(value, Mapping):
        return [f"{flag}={key}={os.fspath(file)}" for key, file in value.items()]
    if name in ("checkpoint", "lpips_heads"):
        several = [value] if isinstance(value, (str, os.PathLike)) else value
        return [f"{flag}={os.fspath(one)}" for one in several]
    if isinstance(value, (list, tuple)):
        joint = "x" if name in ("box_scale", "image_size") else ","
        return [f"{flag}={joint.join(map(str, value))}"]
    return [f"{flag}={os.fspath(value) if isinstance(value, os.PathLike) else value}"]
