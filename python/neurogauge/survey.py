"""People's opinion: questionnaires, their answers, and the number of raters needed, as in ``neurogauge survey``.

ng.survey.power(pairs=[100, 300], raters=[3, 10])
ng.survey.make("stimuli", {"mine": "decoded"}, out="survey")
ng.survey.read("answers", survey="survey", out="rated")
ng.agreement("rated/ratings.csv", run, rater_columns=["semantic_*"])
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any

from . import _commands
from ._options import Unpack
from ._options_from_registry import AnswerOptions, PowerOptions, SurveyOptions
from ._run import Path

__all__ = ["make", "power", "read"]


def make(
    gt: Path, recon: Mapping[str, Path], *, out: Path, progress: bool = True, **options: Unpack[SurveyOptions]
) -> FilePath:
    """Writes questionnaires of stimuli and reconstructions, each a file that works in any browser without a server.

    Args:
        gt: stimuli: a folder of images, an ``.npy`` stack or a ``.pt`` file.
        recon: reconstructions by system, likewise.
        out: where pages/, survey.json, assignments.md and assignments.csv go.
        progress: show bars if tqdm is installed.
        options: those of ``neurogauge survey make`` (:class:`~neurogauge.SurveyOptions`).

    Returns:
        The folder.

    Raises:
        DataError: for images that cannot be read, or do not pair.
        UsageError: for another survey in ``out``, unless ``overwrite`` is set; for a value out of its range.

    >>> import numpy as np, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.save(f"{folder}/gt.npy", np.random.default_rng(0).integers(0, 256, (6, 16, 16, 3), dtype=np.uint8))
    ...     made = make(f"{folder}/gt.npy", {"same": f"{folder}/gt.npy"}, raters=2, repeats=1, out=f"{folder}/survey", progress=False)
    ...     len(list((made / "pages").glob("*.html")))
    2
    """
    _commands.write(["survey", "make"], {"gt": gt, "recon": recon, "out": out, **options}, progress)
    return FilePath(out)


def read(files: Path | Sequence[Path], *, survey: Path, out: Path, **options: Unpack[AnswerOptions]) -> FilePath:
    """Reads answers, lists raters who failed attention checks, and writes the ratings that
    :func:`neurogauge.agreement` takes.

    Args:
        files: saved results (.json), copied codes (.txt), exports of Mechanical Turk (.csv), or folders of these; one
            or several.
        survey: the folder that :func:`make` wrote.
        out: where ratings.csv, participants.csv, raters.md, raters.csv and read.json go.
        options: those of ``neurogauge survey read`` (:class:`~neurogauge.AnswerOptions`).

    Returns:
        The folder.

    Raises:
        DataError: for answers that cannot be read, or are of another survey.
        UsageError: for other ratings in ``out``, unless ``overwrite`` is set; for a value out of its range.
    """
    given = [files] if isinstance(files, (str, os.PathLike)) else files
    _commands.write(["survey", "read"], {"survey": survey, "out": out, **options}, positional=given)
    return FilePath(out)


def power(*, progress: bool = True, **options: Unpack[PowerOptions]) -> dict[str, Any]:
    """Predicts the width of the interval on a metric's agreement with people, by simulation.

    Args:
        progress: show bars if tqdm is installed.
        options: those of ``neurogauge survey power`` (:class:`~neurogauge.PowerOptions`).

    Returns:
        The contents of power.json.

    Raises:
        UsageError: for a value out of its range; for another result in ``out``, unless ``overwrite`` is set.

    >>> found = power(pairs=20, raters=3, correlation=0.8, simulations=2, progress=False)
    >>> found["schema"]
    1
    """
    printed = _commands.write(["survey", "power"], {**options, "format": "json"}, progress)
    found: dict[str, Any] = json.loads(printed or "{}")
    return found
