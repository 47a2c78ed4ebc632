"""Results of ``neurogauge align``, read back."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _neurogauge, _plots
from .._errors import DataError, UsageError
from .._tables import data_frame, html_table, with_interval

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["Alignment", "load"]


Curve = npt.NDArray[np.float64]

OTHER_SUBJECTS = "other subjects"
_FIGURES = (
    "accuracy",
    "full_ref_cov",
    "brain_ref_score",
    "noise_corrected",
    "shape_distance",
    "null_mean",
    "corrected",
    "selected_rank",
)

_CONTRIBUTIONS = ("whole", "alone", "loss", "shapley", "profile_mean_alone", "profile_mean_loss", "null_loss")


class Alignment:
    """Recovery of target references by sources, as ``neurogauge align`` computed it.

    Attributes:
        record: everything, as ``align.json`` keeps it.
        sources: names of the sources; "other subjects" stands for all of them together.
        curves: for each source TopKCov for k = 1, 2, ..., the mean over target units.
        null_curves: for each source the mean of the same after stimuli were permuted; without a null there is none.
        null_draws: for each source (n_draws, n_prefixes), each draw of each target unit, averaged over folds.
    """

    def __init__(self, record: dict[str, Any], units: Sequence[dict[str, Any]]) -> None:
        self.record = record
        self._units = units
        self.sources: tuple[str, ...] = tuple(found["source"] for found in record["sources"])
        self.curves: dict[str, Curve] = {}
        self.null_curves: dict[str, Curve] = {}
        self.null_draws: dict[str, Curve] = {}
        for found in record["sources"]:
            name = found["source"]
            self.curves[name] = np.asarray(found["curve"] or [], dtype=np.float64)
            draws = _null_draws(name, units)
            if found["null_curve"]:
                self.null_curves[name] = np.asarray(found["null_curve"], dtype=np.float64)
            if draws:
                self.null_draws[name] = np.asarray(draws, dtype=np.float64)

    def __repr__(self) -> str:
        return f"<alignment of {len(self.sources)} sources with {len(self.record['units'])} target units>"

    def to_pandas(self) -> pd.DataFrame:
        """A line for each source: the mean over target units of each figure, the ends of its interval, and p of
        ProfileMean against its null over all target units, alone and corrected over the models. Needs pandas.

        ``brain_ref_score`` depends on the noise of the subjects' responses; ``noise_corrected`` is the same over other
        subjects without noise (convention ``recovery-profile``)."""
        rows = []
        for found in self.record["sources"]:
            row = {"source": found["source"]}
            for figure in _FIGURES:
                mean, interval = _mean(found.get(figure))
                row[figure] = mean
                row[f"{figure}_low"], row[f"{figure}_high"] = interval or (np.nan, np.nan)
            rows.append(row | {name: _known(p) for name, p in found["group_null"].items()})
        return data_frame(rows).set_index("source")

    def differences(self) -> pd.DataFrame:
        """A line for every two models: the first less the second in ProfileMean above chance (ProfileMean without a
        null), the ends of its interval, p, and p after Holm's correction over all lines. Needs pandas."""
        rows = []
        for own in self.record["differences"]:
            mean, interval = _mean(own["difference"])
            low, high = interval or (np.nan, np.nan)
            names = dict(zip(("first", "second"), own["sources"], strict=True))
            ps = {name: _known(own[name]) for name in ("p", "p_corrected")}
            rows.append(names | {"difference": mean, "low": low, "high": high} | ps)
        columns = ["first", "second", "difference", "low", "high", "p", "p_corrected"]
        return data_frame(rows, columns=columns).set_index(["first", "second"])

    def human_references(self) -> pd.DataFrame:
        """A line for each region: what other subjects recover of it, their null, and the reliability of what is above
        it (NaN where unknown). Needs pandas."""
        rows = [own | {"reliability": _known(own["reliability"]["value"])} for own in self.record["human_references"]]
        return data_frame(rows)

    def contributions(self) -> pd.DataFrame:
        """A line for each layer of each source: what it recovers alone, what is lost without it, its Shapley value, and
        the ends of their intervals. Needs pandas, and an alignment with ``block-ablation`` among its ``controls``.

        Raises:
            UsageError: if the alignment has none.
        """
        found = self.record.get("contributions")
        if not found:
            raise UsageError(
                "no contributions here; align with `block-ablation` in `controls`, and a source of several layers"
            )
        rows = []
        for own in found:
            row = {"source": own["source"], "layer": own["block"], "n_significant": own["n_significant"]}
            for figure in _CONTRIBUTIONS:
                mean, interval = _mean(own[figure])
                row[figure] = mean
                row[f"{figure}_low"], row[f"{figure}_high"] = interval or (np.nan, np.nan)
            rows.append(row)
        return data_frame(rows).set_index(["source", "layer"])

    def attribution(self) -> pd.DataFrame:
        """The features that carry most of each direction: a line for each source, target unit, fold, direction and
        feature. Needs pandas, and an alignment with ``attribution`` among its ``controls``.

        ``feature`` counts from 0 over all layers of a source (a brain's voxels), ``direction`` from 1.

        Raises:
            UsageError: if the alignment has none.
        """
        rows = []
        for unit in self._units:
            names = {f"target_{name}": unit["unit"][name] for name in ("subject", "hemisphere", "roi")}
            for source in unit["sources"]:
                for fold, fit in enumerate(source["fits"]):
                    for place, direction in enumerate(fit.get("attribution", [])):
                        where = {"source": source["source"], **names, "fold": fold, "direction": place + 1}
                        rows += [where | feature for feature in (direction["value"] or {}).get("features", [])]
        if not rows:
            raise UsageError("no attribution here; align with `attribution` in `controls`")
        return data_frame(rows)

    def plot(self, sources: str | Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
        """The recovery curve of each source, and the null as a band: mean ± SD over draws and target units. Needs
        matplotlib.

        Args:
            sources: which, in this order; all if not given.
            ax: where to draw; a new figure if not given.

        Returns:
            The axes.

        Raises:
            UsageError: for a source that is not here.
        """
        asked = [sources] if isinstance(sources, str) else list(self.sources if sources is None else sources)
        for name in asked:
            if name not in self.curves:
                raise UsageError(f"no source {name!r} here; there are {', '.join(self.sources)}")
        axes = _plots.axes(ax, height=3.8)
        for place, name in enumerate(asked):
            _plots.curve(axes, self.curves[name], name, place)
        for place, name in enumerate(asked):
            if name in self.null_draws:
                _plots.band(axes, self.null_draws[name], f"null of {name}", place)
        _plots.profile_axes(axes)
        return axes

    def _repr_html_(self) -> str:
        """The main figures of each source, as notebooks show them."""
        rows = (
            [html.escape(found["source"]), *(with_interval(*_mean(found.get(figure))) for figure in _FIGURES)]
            for found in self.record["sources"]
        )
        return html_table((figure.replace("_", " ") for figure in ("", *_FIGURES)), rows, "th")


def load(path: str | os.PathLike[str]) -> Alignment:
    """Reads the files written by ``neurogauge align``.

    Args:
        path: the folder of the alignment, with ``align.json``.

    Raises:
        DataError: if there is none, it cannot be read, or a file of a unit is not the one that was written.

    Example:
        >>> import neurogauge as ng, pathlib, tempfile
        >>> from neurogauge._command import main
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     code = main(["align", "--simulate", "miniature", "--out", f"{folder}/found", "--quiet", "--null", "2"])
        ...     found = ng.align.load(f"{folder}/found")
        >>> found.sources[0], len(found.curves["A trained"]), found.plot().get_ylabel()
        ('other subjects', 20, 'TopKCov ↑ (0 to 1)')
    """
    folder = Path(path)
    record = _read(folder / "align.json")
    if record.get("command") != "align":
        raise DataError(f"{folder / 'align.json'}: not what `neurogauge align` writes")
    _neurogauge.verify_outputs(str(folder / "align.json"))
    units = sorted(name for name in record["outputs"] if name.startswith("units/"))
    return Alignment(record, [_read(folder / unit) for unit in units])


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: {error}; expected a finished `neurogauge align`") from error
    if not isinstance(found, dict):
        raise DataError(f"{path}: expected an object of `neurogauge align`")
    return found


def _null_draws(source: str, units: Sequence[dict[str, Any]]) -> list[Curve]:
    """Draws of a source in each unit, averaged over folds; for "other subjects", of all of them."""
    draws: list[Curve] = []
    for unit in units:
        for found in unit["sources"]:
            is_own = found["donor"] if source == OTHER_SUBJECTS else found["source"] == source and not found["donor"]
            folds = [fit["null"] for fit in found["fits"]]
            if is_own and all(folds):
                draws += list(np.asarray(folds, dtype=np.float64).mean(axis=0))
    return draws


def _known(p: float | None) -> float:
    return np.nan if p is None else p


def _mean(found: dict[str, Any] | None) -> tuple[float, tuple[float, float] | None]:
    if found is None or found["mean"] is None:
        return np.nan, None
    interval = found["interval"]
    return float(found["mean"]), None if interval is None else (float(interval[0]), float(interval[1]))
