"""Options on their way to the extension module, which takes them as the JSON of ``run.json``."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ._errors import UsageError


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
    """One of some words, refused as the extension module refuses another.

    Raises:
        UsageError: for anything else.
    """
    if isinstance(value, str) and value in known:
        return value
    found = f'"{value}"' if isinstance(value, str) else repr(value)
    words = [f'"{one}"' for one in known]
    raise UsageError(f"{name} is {found}; expected {', '.join(words[:-1])} or {words[-1]}")


def require_parts(parts: Any, **options: Any) -> None:
    """Checks that options about the parts of items are not given without ``parts``.

    Raises:
        UsageError: for one that is.
    """
    for name, value in options.items():
        if parts is None and value is not None:
            raise UsageError(f"{name} is about the parts of items; say with parts what these are")


def folder(value: str | os.PathLike[str] | None) -> str | None:
    """A path as text."""
    return None if value is None else os.fspath(value)


def nearest(name: str, known: Iterable[str]) -> str:
    """The addition to a message about an unknown name: the name that was probably meant, if there is one."""
    found = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean {found[0]!r}?" if found else ""
