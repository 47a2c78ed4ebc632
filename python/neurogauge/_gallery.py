"""The figure of stimuli and reconstructions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath

from . import _commands
from ._options import Unpack
from ._options_from_registry import GalleryOptions
from ._run import Path, Run


def gallery(
    recon: Mapping[str, Run | Path], *, pick: str | Sequence[str], out: Path, **options: Unpack[GalleryOptions]
) -> FilePath:
    """Draws stimuli with each system's reconstructions below them, like ``neurogauge gallery``.

    Args:
        recon: systems by name: a run that was kept, its folder, or a folder of reconstructions.
        pick: pairs, in this order: "best", "median", "worst", "largest-gain:A-B" (each with ``:N`` for N of them), or
            stems.
        out: the figure: .pdf, .svg or .png.
        options: those of ``neurogauge gallery`` (:class:`~neurogauge.GalleryOptions`).

    Returns:
        The path of the figure.

    Raises:
        DataError: for images or runs that cannot be read, or do not pair.
        UsageError: for a file that exists, unless ``overwrite`` is set; for a pick or metric that does not exist.

    Example:
        >>> import neurogauge as ng, numpy as np, tempfile
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (3, 16, 16, 3), dtype=np.uint8)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = ng.score(stimuli, stimuli[::-1], metrics="pixcorr", set={"pixel_size": 16}, out=f"{folder}/mine", progress=False)
        ...     figure = ng.gallery({"mine": run}, pick=["best", "worst"], metric="pixcorr", out=f"{folder}/mine.svg")
        ...     figure.name, "PixCorr" in figure.read_text(encoding="utf-8")
        ('mine.svg', True)
    """
    _commands.write(["gallery"], {"recon": recon, "pick": pick, "out": out, **options})
    return FilePath(out)
