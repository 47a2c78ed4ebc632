"""The command line's scores, from Python."""

from __future__ import annotations

import filecmp
import hashlib
import json
import os
import re
import shutil
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from . import _neurogauge
from ._arrays import Layout, pictures
from ._errors import DataError, NeurogaugeError, NeurogaugeWarning, UsageError
from ._options import Unpack, as_json, check_names
from ._options_from_registry import ScoreOptions
from ._own_metrics import asked_for, with_own
from ._progress import Progress
from ._run import Path, Run, folder_of

# The names of files written by :func:`stored`.
_NAME = re.compile(r"(gt|recon)-[0-9a-f]{16}\.np[yz]")


def score(
    gt: Any = None,
    recon: Any = None,
    *,
    metrics: str | Sequence[str] | None = None,
    out: Path | None = None,
    layout: Layout = "auto",
    download: bool = False,
    progress: bool = True,
    **options: Unpack[ScoreOptions],
) -> Run:
    """Scores reconstructions against stimuli, as ``neurogauge score`` does, and writes a run folder.

    Options have the names of ``neurogauge score``, with ``_`` for ``-``, and its defaults. :class:`ScoreOptions` lists
    them, with what each means.

    Args:
        gt: stimuli: a folder of images, an ``.npy`` stack or a ``.pt`` file; or an array as for
            :func:`neurogauge.metrics.pixcorr`, with the parts of items as further axes if ``parts`` says what they are.
            Arrays are written to ``<out>.arrays/``, each under a name with its hash, so that the run can be repeated;
            their pairs are called "0", "1", ... A call that fails removes those that it wrote, unless the run folder
            refers to them.
        recon: reconstructions, likewise.
        metrics: ids, "nsd8", "basic" or "all"; by default all that the inputs allow. Beside them, ids of functions of
            your own (:func:`neurogauge.register_metric`), which get the images of a pair, (height, width, 3),
            read-only: 8 bits, or floats where floats are stored. Their results join the run as with
            :meth:`Run.with_results`. A pair that a function fails on has no value, unless ``on_failure`` is "stop".
        out: the run folder. An unfinished run there is resumed, a finished one with the same inputs and options is read
            back, and one of others is refused unless ``overwrite`` is set. By default a temporary one, which lasts as
            long as the run: it can be compared, but has no ``path``.
        layout: layout of arrays, as for :func:`neurogauge.metrics.pixcorr`.
        download: download weights that are missing. Without it, nothing is downloaded: they are an error that names
            them all with their sizes.
        progress: show bars if tqdm is installed. Notes, and the run's warnings in any case, become
            :class:`~neurogauge.NeurogaugeWarning`; so do images and captions that a model failed on, whose pairs have
            no value.
        options: those of :class:`ScoreOptions`, such as ``set={"pixel_size": 256}``; None stands for the default.

    Raises:
        DataError: for files and arrays that cannot be scored, such as arrays of unequal length.
        ModelError: for weights that are missing or broken.
        TypeError: for an option that does not exist.
        UsageError: for a metric that does not exist, or a value that makes no sense.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (3, 16, 16, 3), dtype=np.uint8)
        >>> run = ng.score(stimuli, stimuli[::-1], metrics=["pixcorr", "ssim"], set={"pixel_size": 16}, progress=False)
        >>> round(float(run["pixcorr"].per_pair[1]), 9)
        1.0
    """
    check_names(options, [*ScoreOptions.__annotations__, "metrics", "out", "layout", "download", "progress"], "score")
    given: dict[str, Any] = dict(options)
    given["metrics"], own = asked_for(metrics)
    folder, temporary = folder_of(out, "run")
    given["out"] = folder
    bars = Progress(progress, download)
    with _arrays_of(folder) as written:
        lengths: dict[str, int] = {}
        for name, value in (("gt", gt), ("recon", recon)):
            if value is None or isinstance(value, (str, os.PathLike)):
                given[name] = value
            else:
                given[name], lengths[name] = stored(name, value, layout, folder, written)
        if len(lengths) == 2 and lengths["gt"] != lengths["recon"] and options.get("pairs") != "shared":
            raise DataError(
                f"{lengths['gt']} stimuli, {lengths['recon']} reconstructions: entry i of both arrays is pair i, so pass "
                'as many of both, or pairs="shared" to leave out those behind the last pair'
            )
        try:
            run = Run(_neurogauge.score_run(as_json(given), bars), temporary)
        except NeurogaugeError as error:
            raise type(error)(_without_files(str(error), given, lengths)) from None
        if own:
            run = with_own(run, own, folder, options.get("on_failure") == "stop", bars)
    if temporary is not None:
        # The caller has the arrays.
        shutil.rmtree(_beside(folder), ignore_errors=True)
    for warning in (_without_files(text, given, lengths) for text in run.warnings):
        warnings.warn(warning, NeurogaugeWarning, stacklevel=2)
    return run


def _without_files(text: str, given: Mapping[str, Any], arrays: Iterable[str]) -> str:
    """A message about arrays by the names of their arguments, not by those of the files that hold them."""
    for name in arrays:
        text = text.replace(str(given[name]), name).replace(given[name].name, name)
    return text


def load_run(path: str | os.PathLike[str]) -> Run:
    """Reads a finished run: its scores, their summary, and ``run.json``.

    Args:
        path: the run folder.

    Raises:
        DataError: if there is none, or it is not finished.
    """
    return Run(_neurogauge.read_run(os.fspath(path)))


def cite(*runs: Path | Run, methods: bool = False) -> str:
    """BibTeX of everything that runs used, as ``neurogauge cite`` prints it: this program, the papers of the metrics
    and models, and those of data sets that their records name. Each appears once; the same work has the same key in
    every run.

    Args:
        runs: folders of results (of ``score``, ``compare``, ``meta`` or ``align``), or runs, kept or not.
        methods: a methods paragraph to paste into a paper instead, of runs and of comparisons of them.

    Raises:
        DataError: for a record that cannot be read.
        UsageError: for no run, or a folder without a record; with methods, for a record of another command.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (3, 16, 16, 3), dtype=np.uint8)
        >>> run = ng.score(stimuli, stimuli[::-1], metrics="ssim", progress=False)
        >>> "@article{wang2004image," in ng.cite(run)
        True
        >>> "Higher values are better for SSIM (Wang et al. 2004)." in ng.cite(run, methods=True)
        True
    """
    if not runs:
        raise UsageError("which run? Give ng.cite one or more")
    records = [json.dumps(run.record) for run in runs if isinstance(run, Run)]
    folders = [os.fspath(run) for run in runs if not isinstance(run, Run)]
    return _neurogauge.cite(folders, records, methods)


def stored(
    name: str, value: Any, layout: Layout, folder: FilePath, written: list[FilePath] | None = None
) -> tuple[FilePath, int]:
    """The array as a file beside the run folder, which holds only the run, and its length. Axes between the first and
    those of an image are of the parts of items. Images of several sizes are arrays of their own.

    Its name has its hash, so no array of another content is replaced. A new file is added to ``written``.
    """
    found = pictures(name, value, layout)
    stacks = [np.ascontiguousarray(one) for one in (found if isinstance(found, list) else [found])]
    parent = _beside(folder)
    parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    for stack in stacks:
        digest.update(f"{stack.dtype.str} {stack.shape}".encode())
        digest.update(stack.reshape(-1).view(np.uint8).data)
    ending = "npz" if isinstance(found, list) else "npy"
    path = parent / f"{name}-{digest.hexdigest()[:16]}.{ending}"
    unfinished = parent / f".{path.stem}.{os.getpid()}.{ending}"
    is_new = not path.exists()
    try:
        if isinstance(found, list):
            named: dict[str, Any] = {str(place): one for place, one in enumerate(stacks)}
            np.savez(unfinished, **named)
        else:
            np.save(unfinished, stacks[0])
        # A file that was changed since is written again.
        if is_new or not filecmp.cmp(unfinished, path, shallow=False):
            unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    if is_new and written is not None:
        written.append(path)
    return path, len(found)


def _beside(folder: FilePath) -> FilePath:
    """The folder of the arrays of a run."""
    return folder.with_name(f"{folder.name}.arrays")


@contextmanager
def _arrays_of(folder: FilePath) -> Iterator[list[FilePath]]:
    """Removes arrays that are written inside, and those of a run that is replaced inside, if no run refers to them at
    the end."""
    beside = FilePath(os.path.realpath(_beside(folder)))
    is_new = not beside.exists()
    replaced = [path for path in _inputs(folder) if path.parent == beside and _NAME.fullmatch(path.name)]
    written: list[FilePath] = []
    try:
        yield written
    finally:
        # Another run here may repeat what this one was before.
        unused = {*replaced, *(beside / path.name for path in written)} - set(_inputs(folder))
        if unused:
            unused.difference_update(path for run in folder.parent.glob("*/run.json") for path in _inputs(run.parent))
        for path in unused:
            path.unlink(missing_ok=True)
        if is_new:
            with suppress(OSError):
                # The folder stays if it is not empty.
                beside.rmdir()


def _inputs(folder: FilePath) -> list[FilePath]:
    """The stimuli and reconstructions of the run in a folder; none without a record that can be read."""
    try:
        inputs = json.loads((folder / "run.json").read_text(encoding="utf-8"))["request"]["inputs"]
        return [FilePath(os.path.realpath(inputs[name])) for name in ("gt", "recon") if inputs[name]]
    except (OSError, ValueError, KeyError, TypeError):
        return []
