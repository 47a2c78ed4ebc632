"""The page of runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path as FilePath

from . import _commands
from ._errors import UsageError
from ._run import Path, Run


def report(
    runs: Run | Path | Sequence[Run | Path],
    *,
    out: Path,
    meta: Path | Sequence[Path] | None = None,
    align: Path | Sequence[Path] | None = None,
    audit: Path | Sequence[Path] | None = None,
    multiverse: Path | Sequence[Path] | None = None,
    subjects: str | None = None,
    new_subjects: bool = False,
    title: str | None = None,
    overwrite: bool = False,
    thumbnail_size: int | None = None,
    linked: bool = False,
    no_images: bool = False,
    blur: bool = False,
    progress: bool = True,
) -> FilePath:
    """Writes a page of finished runs to look at, to send and to print, as ``neurogauge report`` does: an HTML file that
    loads nothing.

    Args:
        runs: one run that was kept, or several, or their folders; ``[]`` for a page of alignments or a multiverse
        alone. out: the HTML file. meta: what ``neurogauge meta`` wrote, one folder or several, to be shown, too. align:
        what ``neurogauge align`` wrote, likewise. audit: what ``neurogauge audit`` wrote; what the cluster alone gives
        stands beside every accuracy of identification. multiverse: what ``neurogauge multiverse`` wrote: every metric
        under every convention. subjects, new_subjects: what runs are called where several are subjects of one system,
        as for :func:`compare`. title: heading of the page; the names of the runs if not given. overwrite: replace
        another file of that name. thumbnail_size: longer side of the thumbnails in px; as large as a page of 10 MB
        allows, up to 256, if not given. linked: put the images into a folder beside the page. no_images: show no
        images. blur: blur all images beyond recognition, for data whose licence forbids passing them on. progress: show
        bars if tqdm is installed.

    Returns:
        The path of the page.

    Raises:
        DataError: for something that is no finished run.
        UsageError: for a file that exists, unless ``overwrite`` is set; for options that exclude each other.

    Example:
        >>> import neurogauge as ng, numpy as np, tempfile
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (3, 16, 16, 3), dtype=np.uint8)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = ng.score(stimuli, stimuli[::-1], metrics="pixcorr", pixel_size=16, out=f"{folder}/mine", progress=False)
        ...     page = ng.report(run, out=f"{folder}/mine.html", title="Mine", progress=False)
        ...     "<title>Mine" in page.read_text(encoding="utf-8")
        True
    """
    options = {
        "out": out,
        "meta": meta,
        "align": align,
        "audit": audit,
        "multiverse": multiverse,
        "subjects": subjects,
        "new_subjects": new_subjects,
        "title": title,
        "overwrite": overwrite,
        "thumbnail_size": thumbnail_size,
        "linked": linked,
        "no_images": no_images,
        "blur": blur,
    }
    several = [runs] if isinstance(runs, (str, os.PathLike, Run)) else list(runs)
    if not several and not align and not multiverse:
        raise UsageError("which run? Give ng.report one or more, or what `neurogauge align` or `multiverse` wrote")
    _commands.write(["report"], options, progress, several)
    return FilePath(out)
