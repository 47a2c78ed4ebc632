"""Runs: what the command line scores, from Python."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _neurogauge, _plots
from ._arrays import Layout, images
from ._details import Details, frame
from ._errors import NeurogaugeWarning, UsageError
from ._options import as_json
from ._progress import Progress
from ._result import Interval, Result
from ._tables import csv_text, pandas

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


Path = str | os.PathLike[str]


class Run(Mapping[str, Result]):
    """A finished run: a mapping from ids of metrics to their results.

    Attributes:
        path: the run folder, or None for a run of arrays that was not kept.
        name: its name in tables.
        record: the content of ``run.json``: what was asked for, what was read, options, models, versions.
        pairs: stems of the pairs.
        warnings: what should be known about the numbers, such as inputs on an unusual scale, and images or captions
            that a model failed on.
        details: for each pair what was matched, missed and invented: ``{"stem": stem, metric: {level: {"matched": [entry, ...],
            "missed": [...], "invented": [...]}}}``, as ``details.jsonl`` has it; empty for a run without metrics that match
            anything.
    """

    def __init__(self, entries: Mapping[str, Any], kept: bool = True) -> None:
        self.path: FilePath | None = FilePath(entries["path"]) if kept else None
        self.name: str = entries["name"]
        self.record: dict[str, Any] = json.loads(entries["record"])
        self.pairs: tuple[str, ...] = tuple(entries["pairs"])
        found = [f"{one['subject']}: {one['message']}" for one in self.record["warnings"]]
        self.warnings: tuple[str, ...] = (*found, *entries["failed"])
        self._tables: dict[str, str] = dict(entries["tables"])
        self._details = Details(entries["details"])
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

    @property
    def details(self) -> list[dict[str, Any]]:
        """For each pair what was matched, missed and invented."""
        return self._details.of_pairs()

    def details_frame(self) -> pd.DataFrame:
        """The details as a long table, that of ``details.parquet``: a line for each entry, with its pair, metric, level and kind. Needs
        pandas."""
        return frame((found["stem"], found) for found in self.details)

    def to_pandas(self) -> pd.DataFrame:
        """One line for each pair, one column for each metric, NaN where there is no value. Needs pandas."""
        tables = pandas()
        columns = {metric: result.per_pair for metric, result in self._results.items()}
        table: pd.DataFrame = tables.DataFrame(columns, index=tables.Index(self.pairs, name="pair"))
        return table

    def to_dict(self) -> dict[str, Any]:
        """What each metric found, by its id, as :meth:`Result.to_dict` gives it."""
        return {metric: result.to_dict() for metric, result in self._results.items()}

    def to_csv(self, path: Path | None = None) -> str:
        """The table of ``scores.csv``: a line for each pair, a column for each metric. The text, also written to ``path`` if given."""
        columns = [result.per_pair for result in self._results.values()]
        rows: Iterator[Sequence[str | float]] = (
            [pair, *(float(column[place]) for column in columns)] for place, pair in enumerate(self.pairs)
        )
        return csv_text(["pair", *self], rows, path)

    def plot(self, metrics: str | Sequence[str] | None = None, ax: Axes | None = None) -> Any:
        """The mean of each metric with its interval, and a mark at its chance level. Needs matplotlib.

        On the right stands what each metric's values may be; metrics of another scale have axes of their own.

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
            >>> run = ng.score(stimuli, stimuli[:, ::-1], metrics="pixcorr", pixel_size=16, progress=False)
            >>> axes = run.plot()
            >>> [label.get_text() for label in axes.get_yticklabels()]
            ['PixCorr ↑']
        """
        results = [self._results[metric] for metric in _plots.chosen(metrics, list(self))]
        drawn = _plots.by_scale(ax, [(found.metric, found.range, found) for found in results])
        for place, (axes, scale, group) in enumerate(drawn):
            is_last = place == len(drawn) - 1
            rows = [
                _plots.Row(found.heading, found.mean, found.interval, found.chance, _plots.range_words(found.range))
                for found in group
            ]
            words = f"mean over pairs, {_plots.interval_words(group[0].level)}" if is_last else ""
            _plots.forest(axes, rows, words, is_last and any(found.stand_in for found in results))
            _plots.within(axes, scale, rows)
            if not place:
                axes.set_title("possible values", loc="right", fontsize="small", color=_plots.QUIET)
            _plots.legend_above(axes)
        return _plots.one_or_all([axes for axes, _, _ in drawn])

    def to_latex(self) -> str:
        """The table of ``summary.tex`` (it needs the package booktabs)."""
        return self._tables["latex"]

    def to_markdown(self) -> str:
        """The table of ``summary.md``."""
        return self._tables["markdown"]


def score(
    gt: Any = None,
    recon: Any = None,
    *,
    metrics: str | Sequence[str] | None = None,
    out: Path | None = None,
    layout: Layout = "auto",
    progress: bool = True,
    # Inputs
    pairs: Literal["all", "shared"] | None = None,
    match: str | None = None,
    observations: Path | None = None,
    gt_captions: Path | None = None,
    recon_captions: Path | None = None,
    gt_detections: Path | None = None,
    recon_detections: Path | None = None,
    gt_vlm_categories: Path | None = None,
    recon_vlm_categories: Path | None = None,
    gt_masks: Path | None = None,
    recon_masks: Path | None = None,
    gt_categories: Path | None = None,
    recon_categories: Path | None = None,
    gt_features: Path | None = None,
    recon_features: Path | None = None,
    gt_scene_graphs: Path | None = None,
    recon_scene_graphs: Path | None = None,
    pool: Path | None = None,
    wordnet: Path | None = None,
    punkt: Path | None = None,
    tagger: Path | None = None,
    # Output
    overwrite: bool = False,
    export_layout: Literal["official"] | None = None,
    overlay: str | Sequence[str] | None = None,
    from_run: Path | None = None,
    accept_changes: bool = False,
    on_failure: Literal["skip", "stop"] | None = None,
    # Metrics
    preset: str | Sequence[str] | None = None,
    labels: Path | None = None,
    box_scale: tuple[float, float] | None = None,
    image_size: tuple[float, float] | None = None,
    identification_direction: Literal["reconstruction", "stimulus"] | None = None,
    identification_ties: Literal["lose", "half", "win"] | None = None,
    n_way: int | None = None,
    top_k: int | None = None,
    draws: int | None = None,
    right_classes: int | None = None,
    class_top_k: int | None = None,
    seed_images: Literal["nsd8-mindeye2", "nsd8-native", "published"] | None = None,
    object_variant: Literal["existence", "size", "location", "number"] | None = None,
    score_order: Literal["as-listed", "any"] | None = None,
    min_box_area: float | None = None,
    references: Literal["mean", "max", "first"] | None = None,
    vlm_names: Literal["normalised", "as-written"] | None = None,
    pixel_size: int | None = None,
    first_size: int | None = None,
    proportions: Literal["kept", "squashed"] | None = None,
    filter: Literal["bilinear", "bicubic"] | None = None,
    antialias: Literal["on", "off"] | None = None,
    text_encoder: str | None = None,
    text_instruction: str | None = None,
    captioner: str | None = None,
    caption_beams: int | None = None,
    caption_tokens: int | None = None,
    detector: str | None = None,
    prompt_names: Literal["spaces", "underscores"] | None = None,
    max_detections: int | None = None,
    image_models: Literal["own", "stand-in"] | None = None,
    snm_threshold: float | None = None,
    snm_categories: Literal["salient", "all"] | None = None,
    snm_recon_categories: Literal["same", "all"] | None = None,
    sdm_f1_above: float | None = None,
    sdm_gap_above: float | None = None,
    # Models behind a server
    mllm: str | Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    mllm_model: str | None = None,
    mllm_asks: str | Sequence[str] | None = None,
    mllm_prompt: str | Sequence[str] | None = None,
    mllm_tokens: int | None = None,
    mllm_temperature: float | None = None,
    mllm_seed: int | None = None,
    mllm_field: str | Sequence[str] | None = None,
    mllm_timeout: float | None = None,
    mllm_tries: int | None = None,
    parallel: int | None = None,
    # BASIC-H
    parser: Literal["file", "t5"] | None = None,
    parser_beams: int | None = None,
    parser_tokens: int | None = None,
    phrase_encoder: str | None = None,
    basic_containment: Literal["whole-words", "substring", "off"] | None = None,
    basic_assignment: Literal["optimal", "greedy"] | None = None,
    basic_synonyms: Literal["on", "off"] | None = None,
    basic_soft: Literal["per-side-maximum", "one-to-one", "off"] | None = None,
    basic_negative_cosines: Literal["zero", "kept"] | None = None,
    basic_epsilon: float | None = None,
    basic_weights: tuple[float, float, float] | None = None,
    basic_lemmas: Literal["on", "off"] | None = None,
    basic_drop_of: Literal["on", "off"] | None = None,
    basic_noun_filter: Literal["on", "off"] | None = None,
    basic_stop_words: Path | None = None,
    # BASIC-L
    mask_categories: Literal["both", "reference"] | None = None,
    mask_matching: Literal["optimal", "greedy"] | None = None,
    mask_instances: Literal["objects", "all"] | None = None,
    mask_background: Literal["elements", "complement"] | None = None,
    mask_empty: Literal["undefined", "zero"] | None = None,
    mask_resize: Literal["refuse", "nearest"] | None = None,
    mask_score: float | None = None,
    mask_ap_thresholds: Sequence[float] | None = None,
    mask_prompts: Literal["own", "stimulus"] | None = None,
    masks: str | None = None,
    mask_detector: str | None = None,
    box_threshold: float | None = None,
    text_threshold: float | None = None,
    unlabelled_boxes: Literal["keep", "drop"] | None = None,
    mask_nms: float | None = None,
    # Intervals
    resamples: int | None = None,
    level: float | None = None,
    seed: int | None = None,
    interval: Interval | None = None,
    # Models
    weights: Path | None = None,
    offline: bool = False,
    checkpoint: Mapping[str, Path] | None = None,
    device: str | None = None,
    weight_precision: Literal["f32", "bf16", "f16"] | None = None,
    lpips_heads: Path | Sequence[Path] | None = None,
) -> Run:
    """Scores reconstructions against stimuli, as ``neurogauge score`` does, and writes a run folder.

    Options have the names of ``neurogauge score``, with ``_`` for ``-``, and its defaults; ``neurogauge score --help``
    says what each means.

    Args:
        gt: stimuli: a folder of images, an ``.npy`` stack or a ``.pt`` file; or an array as for
            :func:`neurogauge.metrics.pixcorr`. Arrays are written to ``<out>.arrays/``, so that the run can be
            repeated; their pairs are called "0", "1", ...
        recon: reconstructions, likewise.
        metrics: ids, "nsd8", "basic" or "all"; by default all that the inputs allow.
        out: the run folder. An unfinished run there is resumed, a finished one with the same inputs and options is
            read back, and one of others is refused unless ``overwrite`` is set. By default a temporary one that is
            removed, so the run has no ``path``.
        layout: how arrays lie, as for :func:`neurogauge.metrics.pixcorr`.
        progress: show bars if tqdm is installed. Notes, and the run's warnings in any
            case, become :class:`~neurogauge.NeurogaugeWarning`; so do images and captions that a model failed on, whose
            pairs have no value.
        pairs: which stems are scored: "all" (the default: a stem without a partner is an error), or "shared", those that
            both sides have; the run's warnings count and name the others.
        match: what the reconstruction of a stem is called, without its extension, such as ``"{stem}_recon"``; with
            ``"{number}"``, the numbers in both names pair, whatever zeros stand before them.
        observations: a folder with what is known of both sides (captions, detections, masks, features, ...); the
            options ``gt_*`` and ``recon_*`` name one kind of one side.
        mllm: address of a server with a vision-language model (``mllm_model``) that says what the images hold; several servers
            are tables with ``url``, ``model``, ``asks``, ``prompt``, ``tokens``, ``temperature`` and ``seed``. Its key is taken from
            the environment (``NEUROGAUGE_MLLM_KEY``).
        preset: one of each kind, such as ``["paper", "published"]``.
        checkpoint: weights of your own, by model: ``{"resnet50": "robust.pth"}``.
        from_run: a ``run.json`` to repeat; its inputs and models must be unchanged, unless ``accept_changes`` is set.

    Raises:
        DataError: for files and arrays that cannot be scored.
        ModelError: for weights that are missing or broken.
        UsageError: for a metric that does not exist, or a value that makes no sense.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (3, 16, 16, 3), dtype=np.uint8)
        >>> run = ng.score(stimuli, stimuli[::-1], metrics=["pixcorr", "ssim"], pixel_size=16, progress=False)
        >>> round(float(run["pixcorr"].per_pair[1]), 9)
        1.0
    """
    options = dict(locals())
    for name in ("gt", "recon", "out", "layout", "progress"):
        del options[name]
    with tempfile.TemporaryDirectory() as temporary:
        folder = FilePath(temporary) / "run" if out is None else FilePath(out)
        options["out"] = folder
        for name, value in (("gt", gt), ("recon", recon)):
            is_path = value is None or isinstance(value, (str, os.PathLike))
            options[name] = value if is_path else stored(name, value, layout, folder)
        run = Run(_neurogauge.score_run(as_json(options), Progress(progress)), kept=out is not None)
    for warning in run.warnings:
        warnings.warn(warning, NeurogaugeWarning, stacklevel=2)
    return run


def load_run(path: str | os.PathLike[str]) -> Run:
    """Reads a finished run: its scores, what they sum up to, and ``run.json``.

    Args:
        path: the run folder.

    Raises:
        DataError: if there is none, or it is not finished.
    """
    return Run(_neurogauge.read_run(os.fspath(path)))


def cite(*runs: Path | Run) -> str:
    """BibTeX of everything that runs used, as ``neurogauge cite`` prints it: this program, the papers of the metrics and models,
    and those of data sets that their records name. Each stands there once; the same work has the same key whatever the run.

    Args:
        runs: folders of results (of ``score``, ``compare``, ``meta`` or ``align``), or runs, kept or not.

    Raises:
        DataError: for a record that cannot be read.
        UsageError: for no run, or a folder without a record.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (3, 16, 16, 3), dtype=np.uint8)
        >>> run = ng.score(stimuli, stimuli[::-1], metrics="ssim", progress=False)
        >>> "@misc{wang2004image," in ng.cite(run)
        True
    """
    if not runs:
        raise UsageError("which run? Give ng.cite one or more")
    records = [json.dumps(run.record) for run in runs if isinstance(run, Run)]
    folders = [os.fspath(run) for run in runs if not isinstance(run, Run)]
    return _neurogauge.cite(folders, records)


def stored(name: str, value: Any, layout: Layout, folder: FilePath) -> FilePath:
    """The array as a stack beside the run folder, which holds nothing but the run."""
    stack = np.ascontiguousarray(images(name, value, layout))
    parent = folder.with_name(f"{folder.name}.arrays")
    parent.mkdir(parents=True, exist_ok=True)
    path = parent / f"{name}.npy"
    np.save(path, stack)
    return path
