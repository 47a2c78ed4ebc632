"""The page of runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path as FilePath

from . import _commands
from ._errors import UsageError
from ._options import Unpack
from ._options_from_registry import ReportOptions
from ._run import Path, Run


def report(
    runs: Run | Path | Sequence[Run | Path], *, out: Path, progress: bool = True, **options: Unpack[ReportOptions]
) -> FilePath:
    """Writes a page of finished runs to look at, to send and to print, as ``neurogauge report`` does: an HTML file that
    loads nothing.

    Args:
        runs: one run that was kept, or several, or their folders; ``[]`` for a page of alignments or a multiverse
            alone.
        out: the HTML file.
        progress: show bars if tqdm is installed.
        options: those of ``neurogauge report`` (:class:`~neurogauge.ReportOptions`).

    Returns:
        The path of the page.

    Raises:
        DataError: for something that is no finished run.
        UsageError: for a file that exists, unless ``overwrite`` is set; for options that exclude each other.

    Example:
        >>> import neurogauge as ng, numpy as np, tempfile
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (3, 16, 16, 3), dtype=np.uint8)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = ng.score(stimuli, stimuli[::-1], metrics="pixcorr", set={"pixel_size": 16}, out=f"{folder}/mine", progress=False)
        ...     page = ng.report(run, out=f"{folder}/mine.html", title="Mine", progress=False)
        ...     "<title>Mine" in page.read_text(encoding="utf-8")
        True
    """
    several = [runs] if isinstance(runs, (str, os.PathLike, Run)) else list(runs)
    if not several and not options.get("align") and not options.get("multiverse"):
        raise UsageError("which run? Give ng.report one or more, or what `neurogauge align` or `multiverse` wrote")
    _commands.write(["report"], {"out": out, **options}, progress, several)
    return FilePath(out)
