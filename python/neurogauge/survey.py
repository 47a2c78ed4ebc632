"""People's opinion: questionnaires, their answers, and the number of raters needed, as in ``neurogauge survey``.

ng.survey.power(pairs=[100, 300], raters=[3, 10])
ng.survey.make("stimuli", {"mine": "decoded"}, out="survey")
ng.survey.read("answers", survey="survey", out="rated")
ng.meta.evaluate("rated/ratings.csv", run, rater_columns=["semantic_*"])
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, Literal

from . import _commands
from ._result import Interval
from ._run import Path

__all__ = ["make", "power", "read"]


def __dir__() -> Iterable[str]:
    return __all__


def make(
    gt: Path,
    recon: Mapping[str, Path],
    *,
    out: Path,
    pairs: Literal["all", "shared"] | None = None,
    match: str | None = None,
    stack_order: Literal["natural", "text", "reversed"] | None = None,
    parts: str | None = None,
    frames: str | None = None,
    on_missing: Literal["error", "skip"] | None = None,
    values: Literal["0..255", "-1..1", "clip", "as-they-are"] | None = None,
    alpha: Literal["white", "black", "as-stored"] | None = None,
    questions: Path | None = None,
    overwrite: bool = False,
    mturk_images: str | None = None,
    image_size: int | None = None,
    image_format: Literal["jpeg", "png"] | None = None,
    clip_frames: int | None = None,
    clip_seconds: float | None = None,
    raters: int | None = None,
    pairs_per_page: int | None = None,
    repeats: int | None = None,
    attention_checks: int | None = None,
    seed: int | None = None,
    consent: Path | None = None,
    demographics: Path | None = None,
    completion_code: str | None = None,
    completion_secret: str | None = None,
    completion_url: str | None = None,
    submit_url: str | None = None,
    datapipe: str | None = None,
    progress: bool = True,
) -> FilePath:
    """Writes questionnaires of stimuli and reconstructions, each a file that works in any browser without a server.

    Args:
        gt: stimuli: a folder of images, an ``.npy`` stack or a ``.pt`` file. recon: reconstructions by system,
        likewise. out: where pages/, survey.json, assignments.md and assignments.csv go. pairs, match, stack_order:
        which stems pair, as for :func:`neurogauge.score`. parts, frames, on_missing: how items are made of several
        images, as for :func:`neurogauge.score`. values, alpha: what stored values mean, as for
        :func:`neurogauge.score`. questions: a JSON file with the words of the questionnaire; two questions as in the
        SEED paper, with five points, if not given. overwrite: replace a survey of other images or options in that
        folder. mturk_images: also write mturk/, whose batch.csv says that the pictures are found below this address.
        image_size: the longest side of pictures in px; 425 if not given. image_format: "jpeg" (if not given) or "png",
        without loss and much larger. clip_frames: the most frames of a clip on a page, evenly spaced; 16 if not given.
        clip_seconds: how long each clip lasts; as its file says, or a third of a second for each frame, if not given.
        raters: of each pair; 5 if not given. pairs_per_page: about as many, for one rater; 50 if not given. repeats:
        pairs of a page that are shown once more; 5 if not given. attention_checks: pairs of a page whose answer is
        known; 4 if not given. seed: of the plan; 42 if not given. consent: the text to which people must agree before
        they see anything else. demographics: a TOML file of questions about the person, or "standard" (age, gender,
        eyesight). completion_code: a code that everybody is shown at the end. completion_secret: make a code for each
        page from this secret, which survey.json keeps. completion_url: where a link at the end leads; ``{CODE}`` in it
        becomes the code. submit_url: send the answers to this address at the end; ``neurogauge survey collect``
        receives them. datapipe: send the answers to this experiment of DataPipe. progress: show bars if tqdm is
        installed.

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
    options = dict(locals())
    del options["progress"]
    _commands.write(["survey", "make"], options, progress)
    return FilePath(out)


def read(
    files: Path | Sequence[Path],
    *,
    survey: Path,
    out: Path,
    overwrite: bool = False,
    failed_share: float | None = None,
    keep_failed: bool = False,
) -> FilePath:
    """Reads answers, lists raters who failed attention checks, and writes the ratings that
    :func:`neurogauge.meta.evaluate` takes.

    Args:
        files: saved results (.json), copied codes (.txt), exports of Mechanical Turk (.csv), or folders of these; one
        or several. survey: the folder that :func:`make` wrote. out: where ratings.csv, participants.csv, raters.md,
        raters.csv and read.json go. overwrite: replace ratings of other answers or options in that folder.
        failed_share: raters who fail more than this share of their attention checks do not count; 0.25 if not given.
        keep_failed: count their ratings all the same.

    Returns:
        The folder.

    Raises:
        DataError: for answers that cannot be read, or are of another survey.
        UsageError: for other ratings in ``out``, unless ``overwrite`` is set; for a value out of its range.
    """
    options = {
        "survey": survey,
        "out": out,
        "overwrite": overwrite,
        "failed_share": failed_share,
        "keep_failed": keep_failed,
    }
    given = [files] if isinstance(files, (str, os.PathLike)) else files
    _commands.write(["survey", "read"], options, positional=given)
    return FilePath(out)


def power(
    *,
    pairs: int | Sequence[int] | None = None,
    raters: int | Sequence[int] | None = None,
    correlation: float | Sequence[float] | None = None,
    pairs_per_rater: int | None = None,
    rater_noise: float | None = None,
    simulations: int | None = None,
    preset: Literal["seed"] | None = None,
    bootstrap: Literal["items", "raters", "both"] | None = None,
    resamples: int | None = None,
    level: float | None = None,
    interval: Interval | None = None,
    seed: int | None = None,
    out: Path | None = None,
    overwrite: bool = False,
    progress: bool = True,
) -> dict[str, Any]:
    """Predicts the width of the interval on a metric's agreement with people, by simulation.

    Args:
        pairs: numbers of pairs; 100 and 300 if not given. raters: numbers of raters of each pair; 3 and 10 if not
        given. correlation: of the metric with the quality that raters judge, from -1 to 1; 0.5 and 0.8 if not given.
        pairs_per_rater: pairs that one person rates, at most; 50 if not given. rater_noise: mean standard deviation of
        raters' noise around the quality, in points of the scale; 0.85 if not given. simulations: surveys that are
        simulated for each combination of numbers; 100 if not given. preset: "seed" makes intervals as SEED's paper
        does. bootstrap, resamples, level, interval, seed: of the intervals, as for :func:`neurogauge.meta.evaluate`.
        out: where power.json, power.md and power.csv go, if anywhere. overwrite: replace a result of other options in
        that folder. progress: show bars if tqdm is installed.

    Returns:
        The contents of power.json.

    Raises:
        UsageError: for a value out of its range; for another result in ``out``, unless ``overwrite`` is set.

    >>> found = power(pairs=20, raters=3, correlation=0.8, simulations=2, progress=False)
    >>> found["schema"]
    1
    """
    options = dict(locals())
    del options["progress"]
    printed = _commands.write(["survey", "power"], {**options, "format": "json"}, progress)
    found: dict[str, Any] = json.loads(printed or "{}")
    return found
