"""What the command line scores, from Python."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, Literal

import numpy as np

from . import _neurogauge
from ._arrays import Layout, images
from ._errors import NeurogaugeWarning, UsageError
from ._options import as_json
from ._own_metrics import asked_for, with_own
from ._progress import Progress
from ._result import Interval
from ._run import Path, Run


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
    vqa_scores: Path | None = None,
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
    seed_images: Literal["nsd8-mindeye2", "nsd8-native", "published", "timm"] | None = None,
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
    image_models: Literal["own", "placeholder"] | None = None,
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
    parser: Literal["file", "t5", "t5-subcaptions"] | None = None,
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
    precision: Literal["f32", "bf16"] | None = None,
    weight_precision: Literal["f32", "bf16", "f16"] | None = None,
    weights_in_f32: bool = False,
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
        metrics: ids, "nsd8", "basic" or "all"; by default all that the inputs allow. Beside them, ids of functions of your own
            (:func:`neurogauge.register_metric`), which get the images of a pair, (height, width, 3), read-only: 8 bits, or floats where
            floats are stored. Their results join the run as with :meth:`Run.with_results`. A pair that a function fails on has no
            value, unless ``on_failure`` is "stop".
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
            the environment (``NEUROGAUGE_MLLM_KEY``). ``mllm_model="qwen2.5-vl-7b"`` needs no server, nor does
            ``"clip_flant5_xl"``, which gives VQA scores only.
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
    options["metrics"], own = asked_for(metrics)
    with tempfile.TemporaryDirectory() as temporary:
        folder = FilePath(temporary) / "run" if out is None else FilePath(out)
        options["out"] = folder
        for name, value in (("gt", gt), ("recon", recon)):
            is_path = value is None or isinstance(value, (str, os.PathLike))
            options[name] = value if is_path else stored(name, value, layout, folder)
        bars = Progress(progress)
        run = Run(_neurogauge.score_run(as_json(options), bars), kept=out is not None)
        if own:
            run = with_own(run, own, folder, on_failure == "stop", bars)
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
        >>> "@article{wang2004image," in ng.cite(run)
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
