"""Plots of results, drawn with matplotlib, which nothing else needs."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from ._errors import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Interval = tuple[float, float]
Item = TypeVar("Item")

# The colours of Okabe and Ito, which colour-blind readers can distinguish.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#3c3c3c", "#965a32")
QUIET = "0.45"
DAGGER = "†"
DAGGER_NOTE = f"{DAGGER} rests on a placeholder model: its number means nothing"
# With more pairs than this, a histogram replaces the dots.
MOST_DOTS = 150
N_BINS = 30
_ROW_INCHES = 0.32


@dataclass(frozen=True)
class Row:
    """A line of a forest plot.

    Attributes:
        label: text on the left.
        value: where the dot is; NaN for none.
        interval: ends of its bar, or None.
        chance: where the mark of the chance level is, or None.
        remark: text on the right, in small letters.
        is_filled: a full dot, or a hollow one.
    """

    label: str
    value: float
    interval: Interval | None = None
    chance: float | None = None
    remark: str = ""
    is_filled: bool = True


def pyplot() -> Any:
    """The module that makes figures.

    Raises:
        ImportError: where matplotlib is not installed, with what to do.
    """
    try:
        import matplotlib.pyplot as module
    except ImportError as error:
        raise ImportError("plot() needs matplotlib, which is not installed: pip install matplotlib") from error
    return module


def heading(label: str, direction: str, stand_in: bool = False) -> str:
    """Name of a metric with the arrow of its direction and the dagger of a placeholder model, as in tables."""
    return f"{label} {'↑' if direction == 'higher' else '↓'}{DAGGER if stand_in else ''}"


def range_words(range: Interval) -> str:
    """A range in words, such as "0 to 1"."""
    return " to ".join(f"{end:g}".replace("-", "−").replace("inf", "∞") for end in range)


def population_notes(notes: Iterable[str]) -> str:
    """Says which population the intervals are for, below a table in a notebook."""
    return "".join(f"<p>{html.escape(note)}</p>" for note in notes if "% intervals for " in note)


def interval_words(level: float) -> str:
    """The meaning of bars, such as "95% interval"."""
    return f"{100 * level:g}% interval"


def plain(words: str) -> str:
    """A user's text that matplotlib must draw literally, not as a formula between dollars."""
    return words.replace("$", r"\$")


def axes(ax: Axes | None, width: float = 6.0, height: float = 3.0) -> Axes:
    """The axes to draw on: the given axes, or the axes of a new figure of this size in inches."""
    if ax is not None:
        return ax
    made: Axes = pyplot().subplots(figsize=(width, height), layout="constrained")[1]
    return made


def scale_of(range: Interval) -> Interval:
    """Metrics with the same scale share axes: all with values between -1 and 1, and those of each other range."""
    return (-1.0, 1.0) if -1 <= range[0] and range[1] <= 1 else range


def by_scale(
    ax: Axes | None, items: Iterable[tuple[str, Interval, Item]], width: float = 7.0
) -> list[tuple[Axes, Interval, list[Item]]]:
    """Items (metric, range, what is to be drawn) by scale, each scale with its own axes, one below the other.

    Raises:
        UsageError: for nothing to draw, or several scales on axes that were given.
    """
    groups: dict[Interval, list[tuple[str, Item]]] = {}
    for metric, range, item in items:
        groups.setdefault(scale_of(range), []).append((metric, item))
    if not groups:
        raise UsageError("there is nothing to plot")
    if ax is None:
        sizes = [len(group) + 2.2 for group in groups.values()]
        height = _ROW_INCHES * sum(sizes) + 0.3
        made = pyplot().subplots(
            len(groups), figsize=(width, height), layout="constrained", height_ratios=sizes, squeeze=False
        )[1]
        drawn_on: list[Any] = list(made[:, 0])
    elif len(groups) == 1:
        drawn_on = [ax]
    else:
        scales = "; ".join(
            f"{range_words(scale)}: {', '.join(dict.fromkeys(metric for metric, _ in group))}"
            for scale, group in groups.items()
        )
        raise UsageError(
            f"the metrics have several scales ({scales}); choose those of one with metrics=, or leave out ax"
        )
    return [
        (one, scale, [item for _, item in group]) for one, (scale, group) in zip(drawn_on, groups.items(), strict=True)
    ]


def one_or_all(drawn: Sequence[Axes]) -> Any:
    """A single axes object if there is one scale, otherwise an array."""
    return drawn[0] if len(drawn) == 1 else np.array(drawn, dtype=object)


def chosen(metrics: str | Sequence[str] | None, known: Sequence[str]) -> list[str]:
    """The metrics to draw: all, or those that were asked for.

    Raises:
        UsageError: for one that is not there.
    """
    asked = [metrics] if isinstance(metrics, str) else list(known if metrics is None else metrics)
    for metric in asked:
        if metric not in known:
            raise UsageError(f"no metric {metric!r} here; there are {', '.join(known)}")
    return asked


def forest(ax: Axes, rows: Sequence[Row], x_label: str, has_dagger: bool = False) -> None:
    """A line for each row, the first on top: its dot, the bar of its interval, the mark of its chance level."""
    shown = list(enumerate(rows))
    for place, row in shown:
        colour = COLOURS[0]
        if row.interval is not None:
            ax.plot(row.interval, [place, place], color=colour, linewidth=2, solid_capstyle="butt", zorder=2)
        face = colour if row.is_filled else "white"
        if math.isfinite(row.value):
            ax.plot(
                row.value, place, "o", color=colour, markerfacecolor=face, markersize=7, markeredgewidth=1.5, zorder=3
            )
        if row.remark:
            ax.text(
                1.015, place, row.remark, transform=ax.get_yaxis_transform(), va="center", fontsize="small", color=QUIET
            )
    by_chance = [(place, row.chance) for place, row in shown if row.chance is not None]
    if by_chance:
        places, levels = zip(*by_chance, strict=True)
        ax.plot(
            levels,
            places,
            "|",
            color=QUIET,
            markersize=14,
            markeredgewidth=1.8,
            zorder=1,
            label="chance",
            linestyle="none",
        )
    ax.set_yticks(range(len(rows)), [plain(row.label) for row in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    note = f"\n{DAGGER_NOTE}" if has_dagger else ""
    ax.set_xlabel(x_label + note)
    _quieten(ax)
    ax.tick_params(axis="y", length=0)


def within(ax: Axes, scale: Interval, rows: Sequence[Row]) -> None:
    """Limits that show the whole scale: from its low end, or 0 if nothing is below, to its high end."""
    drawn = [number for row in rows for number in (row.value, *(row.interval or ())) if math.isfinite(number)]
    low, high = scale
    least = low if math.isfinite(low) and low >= 0 else 0.0
    greatest = high if math.isfinite(high) else max(drawn, default=1.0)
    least, greatest = min([least, *drawn]), max([greatest, *drawn])
    margin = 0.02 * (greatest - least or 1.0)
    ax.set_xlim(least - margin, greatest + margin)


def legend_above(ax: Axes) -> None:
    """A legend above the axes, where it covers nothing; none if nothing has a name."""
    _, names = ax.get_legend_handles_labels()
    if names:
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize="small", markerscale=0.7)


def distribution(
    ax: Axes,
    values: npt.NDArray[np.float64],
    mean: float,
    interval: Interval | None,
    level: float,
    chance: float | None,
) -> None:
    """Values as stacked dots, or as a histogram if there are many; their mean with its interval, and chance."""
    colour = COLOURS[0]
    present = values[np.isfinite(values)]
    if len(present) > MOST_DOTS:
        ax.hist(present, bins=N_BINS, color=colour, alpha=0.35)
    elif len(present):
        present = np.sort(present)
        width = np.ptp(present) / N_BINS or 1.0
        bins = ((present - present[0]) / width).astype(int)
        heights = np.arange(len(bins)) - np.searchsorted(bins, bins) + 1
        own, counts = np.unique(bins, return_counts=True)
        places = np.repeat([present[bins == one].mean() for one in own], counts)
        ax.plot(places, heights, "o", color=colour, alpha=0.6, markersize=6, markeredgewidth=0, clip_on=False)
        ax.set_ylim(0, max(5.0, float(heights.max()) + 1))
    if math.isfinite(mean):
        ax.axvline(mean, color="black", linewidth=1.8, label="mean", zorder=3)
    if interval is not None:
        ax.axvspan(*interval, color="black", alpha=0.12, linewidth=0, label=interval_words(level), zorder=0)
    if chance is not None:
        ax.axvline(chance, color=QUIET, linestyle="--", linewidth=1.4, label="chance", zorder=1)
    ax.locator_params(axis="y", integer=True)
    ax.set_ylabel("pairs")
    _quieten(ax)
    legend_above(ax)


def curve(ax: Axes, values: Any, label: str, place: int) -> None:
    """A curve over k = 1, 2, ..., in the colour of its index."""
    found = np.asarray(values, dtype=np.float64)
    ax.plot(
        np.arange(1, len(found) + 1),
        found,
        color=COLOURS[place % len(COLOURS)],
        linewidth=2,
        label=plain(label),
        zorder=3,
    )


def band(ax: Axes, draws: npt.NDArray[np.float64], label: str, place: int | None = None) -> None:
    """Mean ± SD of curves (n_curves, n_prefixes), in the colour of a place or in grey."""
    colour = "0.55" if place is None else COLOURS[place % len(COLOURS)]
    mean, spread = draws.mean(axis=0), draws.std(axis=0)
    k = np.arange(1, draws.shape[1] + 1)
    ax.fill_between(k, mean - spread, mean + spread, color=colour, alpha=0.2, linewidth=0, label=plain(label), zorder=1)


def profile_axes(
    ax: Axes, x_label: str = "k, leading directions of the reference", y_label: str = "TopKCov ↑ (0 to 1)"
) -> None:
    """Names and limits of axes with recovery curves."""
    ax.set_xlabel(x_label + ("\nbands: mean ± SD of the null" if ax.collections else ""))
    ax.set_ylabel(y_label)
    ax.set_ylim(0, 1.02)
    _quieten(ax)
    ax.locator_params(axis="x", integer=True)
    legend_above(ax)


def _quieten(ax: Axes) -> None:
    ax.locator_params(axis="x", nbins=6)
    ax.grid(axis="x", color="0.92", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
