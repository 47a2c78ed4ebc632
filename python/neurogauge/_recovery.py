"""Which reproducible dimensions of a brain's responses do sources recover?"""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _commands, _plots
from ._arrays import array, matrix
from ._errors import DataError, UsageError
from ._options import Unpack
from ._options_from_registry import RecoveryOptions
from ._run import Path, TemporaryFolder, folder_of
from ._tables import data_frame, html_table, with_interval

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


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


class Recovery(_commands.FolderResult):
    """Recovery of target references by sources, as ``neurogauge align`` computes it.

    Attributes:
        path: the folder with align.json, align.md, numbers and figures.
        record: everything, as ``align.json`` keeps it.
        sources: names of the sources; "other subjects" stands for all of them together.
        curves: for each source TopKCov for k = 1, 2, ..., the mean over target units.
        null_curves: for each source the mean of the same after stimuli were permuted; without a null there is none.
        null_draws: for each source (n_draws, n_prefixes), each draw of each target unit, averaged over folds.
    """

    _NAME = "align"

    def __init__(self, path: Path, temporary: TemporaryFolder | None = None) -> None:
        file = FilePath(path) / "align.json"
        record = _read(file)
        if record.get("command") != "align":
            raise DataError(f"{file}: not what `neurogauge align` writes")
        super().__init__(path)
        self._temporary = temporary
        files = sorted(name for name in record["outputs"] if name.startswith("units/"))
        self._units = units = [_read(self.path / file) for file in files]
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

    @property
    def headline(self) -> str:
        """The result in a sentence, as the command line prints it: which source recovers most, if a test shows it."""
        return re.sub(r"\\(.)", r"\1", repr(self).partition("\n")[0])

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
            rows.append(row | {name: read_known(p) for name, p in found["group_null"].items()})
        return data_frame(rows).set_index("source")

    def differences(self) -> pd.DataFrame:
        """A line for every two models: the first less the second in ProfileMean above chance (ProfileMean without a
        null), the ends of its interval, p, and p after Holm's correction over all lines. Needs pandas."""
        rows = []
        for own in self.record["differences"]:
            mean, interval = _mean(own["difference"])
            low, high = interval or (np.nan, np.nan)
            names = dict(zip(("first", "second"), own["sources"], strict=True))
            ps = {name: read_known(own[name]) for name in ("p", "p_corrected")}
            rows.append(names | {"difference": mean, "low": low, "high": high} | ps)
        columns = ["first", "second", "difference", "low", "high", "p", "p_corrected"]
        return data_frame(rows, columns=columns).set_index(["first", "second"])

    def human_references(self) -> pd.DataFrame:
        """A line for each region: what other subjects recover of it, their null, and the reliability of what is above
        it (NaN where unknown). Needs pandas."""
        rows = [own | {"reliability": read_known(own["reliability"]["value"])} for own in self.record["human_references"]]
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
        """The headline and the main figures of each source, as notebooks show them."""
        rows = (
            [html.escape(found["source"]), *(with_interval(*_mean(found.get(figure))) for figure in _FIGURES)]
            for found in self.record["sources"]
        )
        table = html_table((figure.replace("_", " ") for figure in ("", *_FIGURES)), rows, "th")
        return f"<p>{html.escape(self.headline)}</p>{table}"


def recovery(
    responses: Path | Mapping[str, Any] | None = None,
    features: Mapping[str, Any] | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    out: Path | None = None,
    progress: bool = True,
    **options: Unpack[RecoveryOptions],
) -> Recovery:
    """Which reproducible dimensions of a brain's responses do sources recover: models' features, and other subjects?
    As ``neurogauge align``; the results of a finished one are read back.

    Args:
        responses: for each subject the responses to repeated stimuli, (n_stimuli, n_repeats, n_voxels), a repeat that
            was not shown being all NaN; or a pair of (n_trials, n_voxels) and the stimulus of each trial. Or a
            study's TOML file, or the folder of a finished ``neurogauge align``. None with ``simulate`` or ``preset``.
        features: for each source its features of the stimuli, (n_stimuli, ...).
        settings: with arrays, keys of the file's ``[settings]``, such as ``{"outer_folds": 3}``.
        out: the folder of the results; a study that was stopped there is resumed. By default a temporary one, which
            lasts as long as the result, without figures. Arrays are written to ``<out>.arrays/``.
        progress: show bars if tqdm is installed.
        options: those of ``neurogauge align`` (:class:`~neurogauge.RecoveryOptions`).

    Raises:
        DataError: for responses, features or results that cannot be read or do not belong together.
        ModelError: for weights that are missing or broken.
        UsageError: for no responses, or a value that makes no sense.

    Example:
        >>> import neurogauge as ng
        >>> found = ng.recovery(simulate="miniature", null=2, progress=False)
        >>> found.sources[0], len(found.curves["A trained"]), found.plot().get_ylabel()
        ('other subjects', 20, 'TopKCov ↑ (0 to 1)')
    """
    if isinstance(responses, (str, os.PathLike)) and features is None and FilePath(responses).is_dir():
        return Recovery(responses)
    folder, temporary = folder_of(out, "align")
    given: dict[str, Any] = {"out": folder, "no_figures": out is None, **options}
    given["config"] = study_file(responses, features, settings, folder)
    _commands.write(["align"], given, progress)
    return Recovery(folder, temporary)


def study_file(
    responses: Path | Mapping[str, Any] | None,
    features: Mapping[str, Any] | None,
    settings: Mapping[str, Any] | None,
    out: FilePath,
) -> Path | None:
    """The study's TOML file; arrays are written to ``<out>.arrays/``, with one that names them."""
    if not isinstance(responses, Mapping):
        if features is not None or settings is not None:
            raise UsageError("features and settings go with responses as arrays; a TOML file names its own")
        return responses
    folder = out.with_name(f"{out.name}.arrays")
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for place, (subject, value) in enumerate(responses.items()):
        trials, stimuli = _trials(f"responses[{subject!r}]", value)
        files = {"trials": f"responses-{place}.npy", "stimuli": f"stimuli-{place}.npy"}
        np.save(folder / files["trials"], trials)
        np.save(folder / files["stimuli"], stimuli)
        lines += _table("[[targets]]", {"subject": str(subject), "roi": "all", **files})
    for place, (name, value) in enumerate((features or {}).items()):
        np.save(folder / f"features-{place}.npy", matrix(f"features[{name!r}]", value))
        lines += _table("[[sources]]", {"name": str(name), "features": f"features-{place}.npy"})
    lines += _table("[settings]", settings or {})
    (folder / "align.toml").write_text("\n".join(lines), encoding="utf-8")
    return folder / "align.toml"


def _table(heading: str, values: Mapping[str, Any]) -> list[str]:
    """A table of TOML, in which texts, numbers and lists are written as in JSON."""
    return [heading, *(f"{key} = {json.dumps(value)}" for key, value in values.items()), ""]


def _trials(name: str, value: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Responses (n_trials, n_voxels), and the stimulus of each trial."""
    if isinstance(value, tuple) and len(value) == 2:
        return array(name, value[0]), array(f"stimuli of {name}", value[1])
    found = array(name, value)
    if found.ndim != 3:
        raise DataError(
            f"{name}: shape {found.shape}; expected (n_stimuli, n_repeats, n_voxels), or a pair of responses "
            "(n_trials, n_voxels) and the stimulus of each trial"
        )
    stimuli = np.repeat(np.arange(found.shape[0]), found.shape[1])
    trials = found.reshape(-1, found.shape[2])
    was_shown = ~np.isnan(trials).all(axis=1)
    return trials[was_shown], stimuli[was_shown]


def _read(path: FilePath) -> dict[str, Any]:
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


def read_known(p: float | None) -> float:
    return np.nan if p is None else p


def _mean(found: dict[str, Any] | None) -> tuple[float, tuple[float, float] | None]:
    if found is None or found["mean"] is None:
        return np.nan, None
    interval = found["interval"]
    return float(found["mean"]), None if interval is None else (float(interval[0]), float(interval[1]))
