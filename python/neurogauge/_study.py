"""Several systems, their ratings, and the tables and figures of a paper."""

from __future__ import annotations

from pathlib import Path as FilePath

from . import _commands
from ._errors import UsageError
from ._options import Unpack
from ._options_from_registry import StudyOptions
from ._run import Path


def study(
    paper: Path | None = None, *, out: Path, progress: bool = True, **options: Unpack[StudyOptions]
) -> FilePath:
    """Scores several systems, compares metrics with ratings, and writes the SEED paper's tables and figures, like
    ``neurogauge study``.

    Args:
        paper: whose tables and figures are made: "seed", "seed-v1", "basic", or the folder of one of your own; None for
            these three. With ``data``, a folder of the paper's data, what is not in it is left out and named.
        out: where runs, tables, figures, study.md, study.html and study.json go. A study that was stopped there is
            resumed.
        progress: show bars if tqdm is installed.
        options: those of ``neurogauge study`` (:class:`~neurogauge.StudyOptions`).

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
        ...     run = ng.score(stimuli, stimuli[::-1], metrics="pixcorr", set={"pixel_size": 16}, out=f"{folder}/mine", progress=False)
        ...     study = ng.study(run={"mine": run}, metrics="pixcorr", figure_format="svg", out=f"{folder}/study", progress=False)
        ...     "PixCorr" in (study / "study.md").read_text(encoding="utf-8")
        True
    """
    if not any(options.get(name) for name in ("config", "data", "recon", "observations", "run")):
        raise UsageError("which systems? Give ng.study their recon, observations or run, a config that names them, or a paper and its data")
    positional = [] if paper is None else [paper]
    _commands.write(["study"], {"out": out, **options}, progress, positional)
    return FilePath(out)
