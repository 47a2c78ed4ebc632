"""Converts ratings and scores in memory to tables of text for the extension module."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _arrays, _neurogauge
from ._errors import DataError, UsageError
from ._result import Result, names_of, some
from ._run import Run


def names(option: str, names: Sequence[str]) -> Sequence[str]:
    if isinstance(names, str):
        raise UsageError(f"{option} is {names!r}; expected a list of names: [{names!r}]")
    return names


def human_source(human: Any, items: Sequence[Any] | None) -> tuple[str, tuple[str, str] | None]:
    """The value of --human, and the table in memory that it names."""
    if isinstance(human, (str, os.PathLike)):
        return os.fspath(human), None
    frame = _frame(human)
    if frame is not None:
        return "human", ("human", _frame_text(frame))
    if isinstance(human, Mapping):
        return "human", ("human", _columns_text("human", human, items))
    ratings = _arrays.array("human", human)
    if ratings.ndim != 2:
        raise DataError(f"human: shape {ratings.shape}; expected (n_items, n_raters)")
    return "human", ("human", _columns_text("human", dict(enumerate(ratings.T)), items))


def are_in_order(human: Any) -> bool:
    """Do several columns of a DataFrame have one title, which pandas counts where it reads a file (``title.1``)? A file
    may have such columns, too."""
    if isinstance(human, (str, os.PathLike)):
        return True
    frame = _frame(human)
    titles = [] if frame is None else [str(title) for title in frame.columns]
    return len(set(titles)) < len(titles) or any(" " in title and f"{title}.1" in titles for title in titles)


def metric_sources(metrics: Any, items: Sequence[Any] | None) -> tuple[list[str], list[tuple[str, str]]]:
    """The values of --metrics, and the tables in memory among them."""
    several = isinstance(metrics, (list, tuple))
    arguments: list[str] = []
    tables: list[tuple[str, str]] = []
    for place, source in enumerate(metrics if several else [metrics]):
        name = f"metrics[{place}]" if several else "metrics"
        path = getattr(source, "path", source)
        if isinstance(path, (str, os.PathLike)):
            arguments.append(os.fspath(path))
            joined = getattr(source, "_added", {})
            if joined:
                arguments.append(f"{name}, joined")
                tables.append((arguments[-1], _columns_text(name, joined, None)))
            continue
        frame = _frame(source)
        if frame is not None:
            text = _frame_text(frame)
        elif isinstance(source, Mapping):
            text = _columns_text(name, source, items)
        else:
            raise DataError(
                f"{name}: {type(source).__name__}; expected a mapping of names to scores, a DataFrame, or a path"
            )
        arguments.append(name)
        tables.append((name, text))
    return arguments, tables


def directions_of(metrics: Any) -> dict[str, str]:
    """The direction of each result, by name; the registry knows that of its own metrics."""
    sources = metrics if isinstance(metrics, (list, tuple)) else [metrics]
    columns = [item for source in sources if isinstance(source, Mapping) for item in source.items()]
    known = set(_neurogauge.metric_ids())
    return {str(name): found.direction for name, found in columns if isinstance(found, Result) and name not in known}


def _frame(value: Any) -> Any:
    """A DataFrame as it is; objects of xarray and Hugging Face converted to one; None for everything else."""
    if hasattr(value, "to_csv") and hasattr(value, "index"):
        return value
    if isinstance(value, (Run, Result)) or not hasattr(value, "to_pandas"):
        return None
    frame = value.to_pandas()
    return frame.to_frame(name=frame.name or "value") if hasattr(frame, "to_frame") else frame


def _frame_text(frame: Any) -> str:
    """A DataFrame as text; an index that is more than row numbers holds the items."""
    index = frame.index
    is_numbering = index.names == [None] and getattr(index.dtype, "kind", "O") in "iu"
    if is_numbering:
        text: str = frame.to_csv(index=False)
    else:
        text = frame.to_csv(index_label=[name or "item" for name in index.names])
    return text


def _columns_text(name: str, columns: Mapping[Any, Any], items: Sequence[Any] | None) -> str:
    """Columns as the text of a table with a row per item; results and Series are joined by names, others by
    position."""
    if not columns:
        raise DataError(f"{name}: empty; expected at least one column")
    values = {}
    names = {}
    for column, own in columns.items():
        numbers = np.asarray(_arrays.array(f"{name}[{column!r}]", getattr(own, "per_pair", own)), dtype=np.float64)
        if numbers.ndim != 1:
            raise DataError(f"{name}[{column!r}]: shape {numbers.shape}; expected one number for each item")
        values[str(column)] = numbers
        own_names = names_of(own)
        if own_names is not None:
            names[str(column)] = own_names
    if items is not None:
        of_items, ids = "items", [str(item) for item in items]
    elif names:
        first, ids = next(iter(names.items()))
        of_items = f"{name}[{first!r}]"
        places = [str(place) for place in range(len(ids))]
        ids = places if set(ids) == set(places) else ids
    else:
        of_items, ids = "items", [str(place) for place in range(len(next(iter(values.values()))))]
    for column, numbers in values.items():
        own_names = names.get(column)
        if own_names is not None and own_names != ids:
            place_of = {own: place for place, own in enumerate(own_names)}
            if len(place_of) != len(own_names) or len(set(ids)) != len(ids) or set(place_of) != set(ids):
                odd = sorted(set(place_of) ^ set(ids))
                only = f"; only one of them has {odd[0]!r}" if odd else ""
                raise DataError(
                    f"{name}[{column!r}] is of {len(own_names)} items ({some(own_names)}), {of_items} of {len(ids)} ({some(ids)}){only}; "
                    "expected the same names, in any order and each once"
                )
            values[column] = numbers[[place_of[item] for item in ids]]
        elif len(numbers) != len(ids):
            raise DataError(f"{name}[{column!r}]: {len(numbers)} values for {len(ids)} items; expected one for each")
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow(["item", *values])
    for place, item in enumerate(ids):
        row = [float(numbers[place]) for numbers in values.values()]
        writer.writerow([item, *("" if number != number else repr(number) for number in row)])
    return text.getvalue()
