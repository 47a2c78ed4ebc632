"""Commands whose result is files, as functions: keywords become the command line's options, and its messages become
warnings and errors."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, ClassVar

from . import _neurogauge
from ._errors import NeurogaugeWarning, UsageError
from ._options import check_names
from ._progress import Progress
from ._run import Path, Run


def write(
    command: Sequence[str], options: Mapping[str, Any], progress: bool = False, positional: Sequence[Run | Path] = ()
) -> str | None:
    """Runs the command with these options, and returns the text it would print.

    Args:
        command: its words, such as ``["survey", "make"]``.
        options: by the names of its options, with ``_`` for ``-``, and ``download``. None and False are omitted, True is a flag, a
            sequence is given one by one, a mapping as NAME=VALUE, and a run as its folder.
        progress: show the command's progress.
        positional: its arguments without a name.

    Warns:
        NeurogaugeWarning: for each of the command's warnings, and for metrics that were joined to a run in Python,
        which its folder
            does not have.

    Raises:
        DataError, ModelError, UsageError: as the command ends with.
        TypeError: for an option that the command does not have.
    """
    options = dict(options)
    download = bool(options.pop("download", False))
    check_names(options, _neurogauge.command_options(command), command[-1])
    own = [_text("runs", run) for run in positional]
    words = [*command, *arguments(options), "--", *own]
    found, printed = _neurogauge.write_result(words, _Lines(progress, download))
    runs = (run for given in (*options.values(), list(positional)) for run in _runs(given))
    joined = [
        f"{run.path}: without {', '.join(run._added)}, which the folder of the run does not have"
        for run in runs
        if run._added
    ]
    for warning in [*found, *joined]:
        # The caller of the function that calls this one.
        warnings.warn(warning, NeurogaugeWarning, stacklevel=3)
    return printed


class FolderResult:
    """What a command wrote into a folder: its record ``<name>.json``, ``<name>.md`` and the rest."""

    _NAME: ClassVar[str]

    def __init__(self, path: Path) -> None:
        self.path = FilePath(path)
        record = self.path / f"{self._NAME}.json"
        _neurogauge.verify_outputs(str(record))
        self.record: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))

    def __repr__(self) -> str:
        return (self.path / f"{self._NAME}.md").read_text(encoding="utf-8")


def arguments(options: Mapping[str, Any]) -> list[str]:
    """Options as words of the command line, as :func:`write` takes them."""
    return [f"--{name.replace('_', '-')}{value}" for name, given in options.items() for value in _values(name, given)]


class _Lines(Progress):
    """Notes are printed as lines, as by the command: they report progress, and warnings come with the result."""

    def __init__(self, shown: bool, download: bool) -> None:
        super().__init__(shown, download)
        self._shown = shown

    def note(self, message: str) -> None:
        if self._shown:
            print(message, file=sys.stderr, flush=True)


def _runs(given: Any) -> Iterator[Run]:
    if isinstance(given, Run):
        yield given
    elif isinstance(given, (Mapping, list, tuple)):
        ones = given.values() if isinstance(given, Mapping) else given
        yield from (one for one in ones if isinstance(one, Run))


def _values(name: str, given: Any) -> list[str]:
    """The values after the option's name, for each time that it is given."""
    if given is None or given is False:
        return []
    if given is True:
        return [""]
    if isinstance(given, Mapping) and not isinstance(given, Run):
        return [f"={pair}" for pair in named(name, given)]
    several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    return [f"={_text(name, value)}" for value in several]


def named(name: str, given: Mapping[str, Any]) -> list[str]:
    """Values with their names, as NAME=VALUE.

    Raises:
        UsageError: for a name with "=", at which the command would split it, and for what :func:`_text` refuses.
    """
    for key in given:
        if "=" in str(key):
            raise UsageError(f"{name}: the name {key!r} has a '='; expected one without")
    return [f"{key}={_text(name, value)}" for key, value in given.items()]


def _text(name: str, value: Any) -> str:
    """A value in the command line's form.

    Raises:
        UsageError: for a run without a folder, and for an invalid value of an option.
    """
    if isinstance(value, Run):
        if value.path is None:
            raise UsageError(f"{name}: a run of arrays that was not kept has no folder; give ng.score an `out`")
        return str(value.path)
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if hasattr(value, "__float__"):
        return str(value)
    raise UsageError(f"{name} is {value!r}; expected a text, a number, a path or a run")
