"""Does a decoder reconstruct, or does it classify?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, Literal

from . import _commands, _neurogauge
from ._result import Interval
from ._run import Path


class Audit:
    """A finished audit: a question, numbers with intervals, and an answer in words, several times.

    Attributes:
        path: the folder with audit.json, audit.md, items.csv, folds.csv and figures.
        record: what audit.json holds.
    """

    def __init__(self, path: Path) -> None:
        self.path = FilePath(path)
        _neurogauge.verify_outputs(str(self.path / "audit.json"))
        self.record: dict[str, Any] = json.loads((self.path / "audit.json").read_text(encoding="utf-8"))

    @property
    def answers(self) -> dict[str, str]:
        """The answer to each question, by its short name."""
        return {section["id"]: section["answer"] for section in self.record["sections"]}

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every number: question, what, value, low, high, n, compared_with, compared_value, and whether it rests on a
        placeholder model (stand_in); ``pandas.DataFrame(audit.rows())``."""
        stand_in = any(finding["code"] == "stand_in" for finding in self.record["findings"])
        for section in self.record["sections"]:
            for line in section["lines"]:
                estimate, other = line["estimate"], line["compared_with"] or {}
                low, high = estimate["interval"] or (None, None)
                yield {
                    "question": section["id"],
                    "what": line["what"],
                    "value": estimate["value"],
                    "low": low,
                    "high": high,
                    "n": estimate["n"],
                    "compared_with": other.get("what"),
                    "compared_value": other.get("value"),
                    "stand_in": stand_in,
                }

    def __repr__(self) -> str:
        return (self.path / "audit.md").read_text(encoding="utf-8")


def audit(
    *,
    test: Path,
    out: Path,
    train: Path | None = None,
    recon: Path | None = None,
    decoded: Path | None = None,
    features: str | None = None,
    preset: Literal["nsd8-mindeye2", "nsd8-native", "published", "timm", "brain-diffuser"] | None = None,
    antialias: Literal["on", "off"] | None = None,
    values: Literal["0..255", "-1..1", "clip", "as-they-are"] | None = None,
    alpha: Literal["white", "black", "as-stored"] | None = None,
    weights: Path | None = None,
    offline: bool = False,
    checkpoint: Mapping[str, Path] | None = None,
    device: str | None = None,
    precision: Literal["f32", "bf16"] | None = None,
    weight_precision: str | None = None,
    weights_in_f32: bool = False,
    clusters: Path | int = 40,
    axes: int = 50,
    folds: int = 5,
    random_fold_scores: Path | None = None,
    cluster_fold_scores: Path | None = None,
    train_captions: Path | None = None,
    decoded_captions: Path | None = None,
    caption_pictures: Path | None = None,
    sample_scores: Path | None = None,
    sample_pattern: str = "{stem}_{sample}",
    chosen: Path | None = None,
    metric: Literal["correlation", "cosine", "euclidean"] | None = None,
    overwrite: bool = False,
    no_figures: bool = False,
    figure_format: str | Sequence[str] | None = None,
    figure_width: str | None = None,
    figure_font_size: float | None = None,
    figure_caption: Literal["on", "off"] | None = None,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 42,
    interval: Interval | None = None,
    progress: bool = True,
) -> Audit:
    """Compares test stimuli and reconstructions with training stimuli, and identification with what the cluster alone
    gives, as ``neurogauge audit`` does.

    Args:
        test: features of the test stimuli: ``.npy``, ``.npz`` or ``.pt``, items first, with the ids of the rows in
        ids.json; with
            ``features`` also images: a folder, an ``.npy`` stack or a ``.pt`` file.
        out: the folder of the results. train: features of the training stimuli by the same model, or images. Without
        them only clusters and collapse are looked at. recon: features of the reconstructions by the same model, or
        images. decoded: features decoded from the brain directly, instead. features: the image model whose features
        images have, as ``"MODEL"``, ``"MODEL:LAYER"`` or ``"MODEL:LAYER:POOLING"``. preset, antialias: how images are
        prepared for it, as for :func:`neurogauge.models.load`. values, alpha: what stored values of images mean, as for
        :func:`neurogauge.score`. weights, offline, checkpoint, device, precision, weight_precision, weights_in_f32: its
        weights and where it runs, as for
            :func:`neurogauge.score`.
        clusters: a table with the columns item and cluster, or the number of clusters that k-means looks for. axes:
        principal axes in which it looks for them. folds: folds of training stimuli in folds.csv, by cluster and at
        random. random_fold_scores, cluster_fold_scores: scores of decoders trained on these folds; their difference is
        what clusters gave. train_captions, decoded_captions: features of captions, for the control that shows the
        training picture of the nearest caption. caption_pictures: pictures that were made of the decoded captions
        alone, or their features. sample_scores: scores of several samples of each stimulus, whose items are called as
        ``sample_pattern`` says. chosen: a table with the columns item and label that says which sample was chosen.
        metric: how features are compared, by correlation if not given; the similarity of "euclidean" is minus the
        distance. overwrite: replace a finished audit of other inputs or options. no_figures: draw none. figure_format:
        formats of figures: "svg", "png", "pdf"; svg and png if not given. figure_width, figure_font_size,
        figure_caption: as for :func:`gallery`. level, resamples, seed, interval: of the intervals; the seed is also
        that of clusters and folds. progress: show bars if tqdm is installed.

    Returns:
        The numbers and answers, and the folder that they are in.

    Raises:
        DataError: for files that cannot be read or that do not belong together.
        ModelError: for weights that are missing or broken.
        UsageError: for a value that makes no sense.

    Example:
        >>> import neurogauge as ng, numpy as np, tempfile
        >>> rng = np.random.default_rng(0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for name in ("train", "test", "recon"):
        ...         np.save(f"{folder}/{name}.npy", rng.normal(size=(30, 8)).astype("f4"))
        ...     found = ng.audit(train=f"{folder}/train.npy", test=f"{folder}/test.npy", recon=f"{folder}/recon.npy", clusters=3,
        ...                      out=f"{folder}/audit", no_figures=True, progress=False)
        ...     sorted(found.answers)
        ['among_training', 'clusters', 'collapse', 'controls', 'feature_accuracy', 'overlap']
    """
    options = dict(locals())
    del options["progress"]
    _commands.write(["audit"], options, progress)
    return Audit(out)
