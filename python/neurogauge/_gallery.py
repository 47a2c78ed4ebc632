"""The figure of stimuli and reconstructions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import Literal

from . import _commands
from ._run import Path, Run


def gallery(
    recon: Mapping[str, Run | Path],
    *,
    pick: str | Sequence[str],
    out: Path,
    gt: Path | None = None,
    pairs: Literal["all", "shared"] | None = None,
    match: str | None = None,
    stack_order: Literal["natural", "text", "reversed"] | None = None,
    parts: str | None = None,
    frames: str | None = None,
    on_missing: Literal["error", "skip"] | None = None,
    values: Literal["0..255", "-1..1", "clip", "as-they-are"] | None = None,
    alpha: Literal["white", "black", "as-stored"] | None = None,
    by: str | None = None,
    by_system: str | None = None,
    metric: str | Sequence[str] | None = None,
    captions: bool = False,
    caption_file: Mapping[str, Path] | None = None,
    masks: bool = False,
    stimuli_in_column: bool = False,
    figure_width: str | None = None,
    figure_font_size: float | None = None,
    figure_caption: Literal["on", "off"] | None = None,
    overwrite: bool = False,
) -> FilePath:
    """Draws stimuli with each system's reconstructions below them, like ``neurogauge gallery``.

    Args:
        recon: systems by name: a run that was kept, its folder, or a folder of reconstructions. pick: pairs, in this
        order: "best", "median", "worst", "largest-gain:A-B" (each with ``:N`` for N of them), or stems. out: the
        figure: .pdf, .svg or .png. gt: stimuli; those of the first run among the systems if not given. pairs, match,
        stack_order: which stems pair, as for :func:`score`. parts, frames, on_missing: how items are made of several
        images, as for :func:`score`. values, alpha: what stored values of images without a run mean, as for
        :func:`score`. by: metric by whose scores pairs are picked; the first of ``metric`` if not given. by_system:
        system by whose scores pairs are picked; the mean over all systems if not given. metric: metrics whose scores
        are printed below reconstructions: of the runs, or computed here if they compare pixels. captions: captions
        below images: those of runs, and of captions.json beside images. caption_file: files of captions by system
        (``"gt"`` for the stimuli): JSON, {"stem": "text"}. masks: the masks of each level of BASIC-L beside each image,
        a row for each image; systems are runs with masks. stimuli_in_column: stimuli in the first column instead of the
        first row. figure_width: "89mm", "3.5in", "single" (89 mm) or "double" (183 mm). figure_font_size: size of the
        letters of names in points. figure_caption: title above and sentences below the figure; on if not given.
        overwrite: replace another file of that name.

    Returns:
        The path of the figure.

    Raises:
        DataError: for images or runs that cannot be read, or do not pair.
        UsageError: for a file that exists, unless ``overwrite`` is set; for a pick or metric that does not exist.

    Example:
        >>> import neurogauge as ng, numpy as np, tempfile
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (3, 16, 16, 3), dtype=np.uint8)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = ng.score(stimuli, stimuli[::-1], metrics="pixcorr", pixel_size=16, out=f"{folder}/mine", progress=False)
        ...     figure = ng.gallery({"mine": run}, pick=["best", "worst"], metric="pixcorr", out=f"{folder}/mine.svg")
        ...     figure.name, "PixCorr" in figure.read_text(encoding="utf-8")
        ('mine.svg', True)
    """
    options = dict(locals())
    _commands.write(["gallery"], options)
    return FilePath(out)
