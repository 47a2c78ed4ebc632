"""Options on their way to the extension module, which takes them as the JSON of ``run.json``."""

from __future__ import annotations

import difflib
import inspect
import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import UsageError

if sys.version_info >= (3, 11):
    from typing import Unpack as Unpack
elif TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack
else:
    # Annotations are not evaluated, so this is never used.
    Unpack = None


# More options than this make a signature that is not read.
_MOST_TYPED = 30


def as_json(options: Mapping[str, Any]) -> str:
    """JSON of the options that were given; None stands for the default and is omitted.

    Raises:
        UsageError: for a value that JSON has no form for.
    """

    def plain(value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        raise UsageError(f"{value!r} is no value of an option")

    given = {name: value for name, value in options.items() if value is not None}
    try:
        return json.dumps(given, default=plain, allow_nan=False)
    except ValueError as error:
        raise UsageError(f"options {given}: {error}") from error


def whole(name: str, value: Any, least: int, greatest: int) -> int:
    """A whole number within bounds.

    Raises:
        UsageError: for anything else.
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= greatest:
        raise UsageError(f"{name} is {value!r}; expected a whole number from {least} to {greatest}")
    return int(value)


def word(name: str, value: Any, known: Sequence[str]) -> str:
    """One of some words; another is refused as by the extension module.

    Raises:
        UsageError: for anything else.
    """
    if isinstance(value, str) and value in known:
        return value
    found = f'"{value}"' if isinstance(value, str) else repr(value)
    words = [f'"{one}"' for one in known]
    raise UsageError(f"{name} is {found}; expected {', '.join(words[:-1])} or {words[-1]}")


def folder(value: str | os.PathLike[str] | None) -> str | None:
    """A path as text."""
    return None if value is None else os.fspath(value)


def nearest(name: str, known: Iterable[str]) -> str:
    """Added to a message about an unknown name: a suggestion, if a known name is similar."""
    found = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {found[0]!r}?" if found else ""


def check_names(given: Iterable[str], known: Iterable[str], of: str = "") -> None:
    """Refuses options that do not exist, with Python's usual message for any function.

    Raises:
        TypeError: for one.
    """
    from ._options_from_registry import Settings

    known = list(known)
    for name in given:
        if name not in known:
            is_convention = "set" in known and name in Settings.__annotations__
            hint = f"; it is a convention: set={{{name!r}: ...}}" if is_convention else nearest(name, known)
            raise TypeError(f"{of}() got an unexpected keyword argument {name!r}{hint}".removeprefix("() "))


def show_public_names(module: Any, intervals: Mapping[str, Any]) -> None:
    """Completion shows the public names of a module alone, and ``help()`` the options of its functions one by one,
    with the defaults of ``intervals``."""
    public = getattr(module, "__all__", None)
    if public is not None:
        vars(module)["__dir__"] = lambda: public
    for function in (vars(module).get(name) for name in public or ()):
        if inspect.isfunction(function):
            _spell_out(function, intervals)


def _spell_out(function: Any, intervals: Mapping[str, Any]) -> None:
    """Replaces ``**options`` in a signature by their fields, which are then completed as they are typed; without
    their types where there are many."""
    *own, options = inspect.signature(function).parameters.values() or (None,)
    written = str(getattr(options, "annotation", ""))
    if options is None or not written.startswith("Unpack["):
        return
    fields = function.__globals__[written[len("Unpack[") : -1]].__annotations__
    defaults = intervals if fields.keys() == intervals.keys() else {}
    keywords = [
        options.replace(
            name=name,
            kind=options.KEYWORD_ONLY,
            default=defaults.get(name),
            annotation=annotation if len(fields) <= _MOST_TYPED else options.empty,
        )
        for name, annotation in fields.items()
    ]
    function.__signature__ = inspect.signature(function).replace(parameters=[*own, *keywords])
