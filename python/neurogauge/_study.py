"""Several systems, their ratings, and the tables and figures of a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import Literal

from . import _commands
from ._errors import UsageError
from ._result import Interval
from ._run import Path, Run
from ._tables import LatexStyle


def study(
    *,
    out: Path,
    config: Path | None = None,
    gt: Path | None = None,
    recon: Mapping[str, Path] | None = None,
    observations: Mapping[str, Path] | None = None,
    run: Mapping[str, Run | Path] | None = None,
    human: Path | Mapping[str, Path] | None = None,
    metrics: str | Sequence[str] | None = None,
    captioner: str | None = None,
    text_encoder: str | None = None,
    image_models: Literal["own", "placeholder"] | None = None,
    overwrite: bool = False,
    latex_style: LatexStyle | None = None,
    latex_siunitx: bool = False,
    figure_format: str | Sequence[str] | None = None,
    figure_width: str | None = None,
    figure_font_size: float | None = None,
    figure_caption: Literal["on", "off"] | None = None,
    subjects: str | None = None,
    new_subjects: bool = False,
    interval: Interval | None = None,
    weights: Path | None = None,
    offline: bool = False,
    checkpoint: Mapping[str, Path] | None = None,
    device: str | None = None,
    precision: Literal["f32", "bf16"] | None = None,
    weight_precision: Literal["f32", "bf16", "f16"] | None = None,
    weights_in_f32: bool = False,
    progress: bool = True,
) -> FilePath:
    """Scores several systems, compares metrics with ratings, and writes the SEED paper's tables and figures, like
    ``neurogauge study``.

    Args:
        out: where runs, tables, figures, study.md, study.html and study.json go. A study that was stopped there is
        resumed. config: a TOML file that names systems, ratings and choices of components, instead of the following
        arguments. gt: stimuli that the systems share: a folder, an ``.npy`` stack or a ``.pt`` file. recon:
        reconstructions by system, likewise. observations: observations by system: a folder with gt/ and recon/ inside,
        or SEED's evaluations/<model>/. run: finished runs by system, taken as they are. human: ratings by system, by
        stem; one file where there is one system. metrics: ids, or lists such as "nsd8"; all that the inputs allow if
        not given. captioner, text_encoder, image_models: models, as for :func:`score`. overwrite: replace a finished
        run of other inputs or options in ``out``. latex_style: printed beside estimates in LaTeX tables: intervals, ±
        the distance to their ends, or none. latex_siunitx: align the numbers of LaTeX tables at the decimal point,
        which needs the package siunitx. figure_format: formats of figures: "svg", "png", "pdf"; svg and png if not
        given. figure_width, figure_font_size, figure_caption: as for :func:`gallery`. subjects, new_subjects: what
        systems are called where several are subjects of one, as for :func:`compare`. interval: how intervals of means
        are made (convention `interval`). weights, offline, checkpoint, device, precision, weight_precision,
        weights_in_f32: of models, as for :func:`score`. progress: show bars if tqdm is installed.

    Returns:
        The folder. Pairs that a model failed on have no value; a :class:`~neurogauge.NeurogaugeWarning` counts them.

    Raises:
        DataError: for files that cannot be scored.
        ModelError: for weights that are missing or broken.
        UsageError: for no system, or a value that makes no sense.

    Example:
        >>> import neurogauge as ng, numpy as np, tempfile
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (3, 16, 16, 3), dtype=np.uint8)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = ng.score(stimuli, stimuli[::-1], metrics="pixcorr", pixel_size=16, out=f"{folder}/mine", progress=False)
        ...     study = ng.study(run={"mine": run}, metrics="pixcorr", figure_format="svg", out=f"{folder}/study", progress=False)
        ...     "PixCorr" in (study / "study.md").read_text(encoding="utf-8")
        True
    """
    options = dict(locals())
    del options["progress"]
    if not (config or recon or observations or run):
        raise UsageError("which systems? Give ng.study their recon, observations or run, or a config that names them")
    _commands.write(["study"], options, progress)
    return FilePath(out)
