"""Tables: pandas for data frames, which nothing else needs, and text for files."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import pandas as pd

Cell = str | float | int | None

LatexStyle = Literal["intervals", "pm", "none"]
"""What stands beside estimates in LaTeX: intervals, ± the distance to their ends, or nothing."""


def latex_form(style: LatexStyle, siunitx: bool) -> str:
    """The name of a table's form."""
    forms = {"intervals": "latex", "pm": "latex-pm", "none": "latex-none"}
    if style not in forms:
        raise ValueError(f"style is {style!r}; expected intervals, pm or none")
    return forms[style] + ("-siunitx" if siunitx else "")


def data_frame(rows: Any, index: tuple[Sequence[str], str] | None = None, **options: Any) -> pd.DataFrame:
    """A table of pandas, its index with the values and the name that are given.

    Raises:
        ImportError: where pandas is not installed, with what to do.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_pandas() needs pandas, which is not installed: pip install pandas") from error
    if index is not None:
        options["index"] = pd.Index(index[0], name=index[1])
    return pd.DataFrame(rows, **options)


class Tables:
    """Something that has a table in each of the command line's formats."""

    def _table(self, form: str) -> str:
        raise NotImplementedError

    def to_latex(self, *, style: LatexStyle = "intervals", siunitx: bool = False) -> str:
        """The tables that the command line prints with ``--format latex`` (they need the package booktabs).

        Args:
            style: printed beside estimates: intervals, ± the distance to their ends, or nothing.
            siunitx: align numbers at the decimal point, which needs the package siunitx.
        """
        return self._table(latex_form(style, siunitx))

    def to_markdown(self) -> str:
        """The tables that the command line prints with ``--format markdown``."""
        return self._table("markdown")


def html_table(heads: Iterable[str], rows: Iterable[Sequence[str]], first: Literal["th", "td"] = "td") -> str:
    """A table of cells that are HTML; the first of each row may be its heading."""
    head = "".join(f"<th>{name}</th>" for name in heads)
    lines = (
        f"<tr><{first}>{cells[0]}</{first}>" + "".join(f"<td>{cell}</td>" for cell in cells[1:]) + "</tr>"
        for cells in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def with_interval(value: float | None, interval: Sequence[float] | None, decimals: int = 3) -> str:
    """A number and the ends of its interval; a dash where there is none."""
    if value is None or value != value:
        return "–"
    return f"{value:.{decimals}f}" + ("" if interval is None else f" {ends(interval, decimals)}")


def ends(interval: Sequence[float] | None, decimals: int) -> str:
    """The ends of an interval; a dash where there is none."""
    return "–" if interval is None else "[{:.{d}f}, {:.{d}f}]".format(*interval, d=decimals)


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Cell]], path: str | os.PathLike[str] | None) -> str:
    """A table as CSV, also written to a file where one is named.

    Numbers have the fewest digits that read back to the same number; there is nothing where there is no value.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow(
            ["" if cell is None or cell != cell else repr(cell) if isinstance(cell, float) else cell for cell in row]
        )
    return written(text.getvalue(), path)


def written(text: str, path: str | os.PathLike[str] | None) -> str:
    """A text, also written to a file where one is named."""
    if path is not None:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    return text


def number(value: float) -> float | None:
    """A number for JSON: None for NaN."""
    return None if value != value else float(value)
