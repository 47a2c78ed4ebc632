"""Compares finished runs."""

from __future__ import annotations

import html
import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Literal, cast

from . import _neurogauge, _plots
from ._errors import UsageError
from ._options import word
from ._result import Bootstrap, Interval, IntervalOptions, Summary, bootstrap, check_alike
from ._run import Path, Run
from ._tables import Tables, csv_text, data_frame, ends, html_table, number, with_interval

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


class Comparison(Tables):
    """Systems side by side on the pairs that they share.

    Attributes:
        systems: names of the systems, in the order given.
        means: for each metric the mean of each system, NaN where there is none.
        intervals: for each metric the interval of each system's mean, or None.
        ranks: for each metric the rank of each system, 1 being best, or None.
        subjects: the subjects of each system, where ``subjects`` told them apart; else empty. Means, intervals, ranks
            and differences are then those of the mean over subjects.
        subject_means: for each metric and system the mean of each subject.
        subject_intervals: likewise the interval, for this subject and new stimuli, or None.
        differences: for each metric and pair of systems a mapping with ``metric``, ``minuend``, ``subtrahend``,
            ``difference``, ``n`` (pairs), ``interval`` (the differences that the test does not reject), ``test`` (its
            name), ``p_value`` (two-sided, not corrected), ``smallest_p`` (that the test could give), ``p_holm`` (after
            Holm's correction over all differences, or over those of the metric), ``d_z`` (the difference over the
            standard deviation of the stimuli's differences), ``share_better`` (of stimuli at which the first is
            better), ``detectable`` (the smallest difference shown with a power of 80%), with ``equivalence`` its
            ``bound``, ``level``, ``interval`` and ``is_shown``, with ``subjects`` the difference of each of the
            ``subjects`` and how many are in the ``same_direction``, ``verdict`` (``"different"``, ``"not_shown"``, or
            ``"not_decidable"`` where no difference, however large, could have been shown with so few pairs and so many
            differences) and, where it is strong, ``strong_skewness``. The p values and the verdict are None where
            nothing is tested: metrics of placeholder models, and metrics that were not asked for.
        by_dimension: BASIC-H by dimension, if that was asked for: ``dimensions`` (for each one ``dimension``,
        ``n_pairs`` and ``f1``, an
            estimate of each system), ``differences`` (as above, each with its ``dimension``), and ``stand_in``; else
            None.
        notes: what should be known about the comparison.
        level: level of all intervals.
        stand_ins: metrics whose numbers are based on a placeholder model in one of the runs, and mean nothing.
    """

    def __init__(self, entries: Mapping[str, Any], stand_ins: frozenset[str] = frozenset()) -> None:
        self.stand_ins = stand_ins
        self.systems: tuple[str, ...] = tuple(entries["systems"])
        self.means: dict[str, tuple[float, ...]] = {}
        self.intervals: dict[str, tuple[tuple[float, float] | None, ...]] = {}
        self.ranks: dict[str, tuple[float | None, ...]] = {}
        for metric, summaries, ranks in entries["metrics"]:
            self.means[metric] = tuple(math.nan if s[0] is None else s[0] for s in summaries)
            self.intervals[metric] = tuple(s[2] for s in summaries)
            self.ranks[metric] = tuple(ranks)
        self.subjects: dict[str, tuple[str, ...]] = {
            system: tuple(subjects) for system, subjects in entries.get("subjects", ())
        }
        self.subject_means: dict[str, dict[str, tuple[float, ...]]] = {}
        self.subject_intervals: dict[str, dict[str, tuple[tuple[float, float] | None, ...]]] = {}
        for metric, of_systems in entries.get("of_subjects", ()):
            named = dict(zip(self.systems, of_systems, strict=True))
            means = {system: tuple(math.nan if s[0] is None else s[0] for s in sums) for system, sums in named.items()}
            self.subject_means[metric] = means
            self.subject_intervals[metric] = {system: tuple(s[2] for s in sums) for system, sums in named.items()}
        self.differences: list[dict[str, Any]] = json.loads(entries["differences"])
        self.by_dimension: dict[str, Any] | None = json.loads(entries["by_dimension"])
        self.notes: tuple[str, ...] = tuple(entries["notes"])
        self.level: float = entries["level"]
        self._tables: dict[str, str] = dict(entries["tables"])

    def __repr__(self) -> str:
        return f"<comparison of {', '.join(self.systems)}: {', '.join(self.means)}>"

    def __str__(self) -> str:
        return self._tables["table"]

    def _repr_html_(self) -> str:
        """Means with intervals and the paired differences, as notebooks show them."""
        rows = ([self._heading(metric), *self._cells(metric)] for metric in self.means)
        means = html_table(("", *map(html.escape, self.systems)), rows, "th")
        names = ("", "difference", _plots.interval_words(self.level), "p", "p (Holm)")
        differences = html_table(names, map(self._difference_row, self.differences), "th")
        note = f"<p>{_plots.DAGGER_NOTE}</p>" if self.stand_ins & set(self.means) else ""
        return f"{means}{differences}{note}{_plots.population_notes(self.notes)}"

    def _heading(self, metric: str) -> str:
        spec = _neurogauge.metric_spec(metric)
        return html.escape(_plots.heading(spec["label"], spec["direction"], metric in self.stand_ins))

    def _cells(self, metric: str) -> list[str]:
        decimals = _neurogauge.metric_spec(metric)["decimals"]
        found = zip(self.means[metric], self.intervals[metric], strict=True)
        return [with_interval(mean, interval, decimals) for mean, interval in found]

    def _difference_row(self, found: Mapping[str, Any]) -> list[str]:
        decimals = _neurogauge.metric_spec(found["metric"])["decimals"] + 1
        names = html.escape(f"{found['minuend']} − {found['subtrahend']}")
        is_decidable = found["verdict"] != "not_decidable"
        return [
            f"{self._heading(found['metric'])}: {names}",
            with_interval(found["difference"], None, decimals),
            ends(found["interval"], decimals),
            with_interval(found["p_value"], None, 4),
            with_interval(found["p_holm"], None, 4) if is_decidable else "not decidable",
        ]

    def plot(self, metrics: str | Sequence[str] | None = None, ax: Axes | None = None) -> Any:
        """Every paired difference of two systems with its interval, beside a line at 0. Needs matplotlib.

        A dot is full where the difference is significant after Holm's correction, at the level of the intervals, and
        hollow where it is not. Metrics of another scale have axes of their own.

        Args:
            metrics: which; all if not given.
            ax: where to draw; a new figure if not given.

        Returns:
            The axes, or an array of them where the metrics have several scales.

        Raises:
            UsageError: for a metric that is not here, or ``ax`` with metrics of several scales.

        Example:
            >>> import numpy as np, neurogauge as ng, tempfile
            >>> stimuli = np.random.default_rng(0).integers(0, 256, (6, 16, 16, 3), dtype=np.uint8)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     options = {"metrics": "pixcorr", "set": {"pixel_size": 16}, "progress": False}
            ...     mine = ng.score(stimuli, stimuli[:, ::-1], out=f"{folder}/mine", **options)
            ...     other = ng.score(stimuli, stimuli[:, :, ::-1], out=f"{folder}/other", **options)
            ...     found = ng.compare([mine, other])
            >>> found.plot().get_xlabel()
            'mine − other, 95% interval of the paired difference'
        """
        asked = _plots.chosen(metrics, list(self.means))
        is_single = len(self.systems) == 2
        items = []
        for found in self.differences:
            if found["metric"] not in asked:
                continue
            spec = _neurogauge.metric_spec(found["metric"])
            label = _plots.heading(spec["label"], spec["direction"], found["metric"] in self.stand_ins)
            names = f"{found['minuend']} − {found['subtrahend']}"
            row = _plots.Row(
                label if is_single else f"{label}  {names}",
                math.nan if found["difference"] is None else found["difference"],
                found["interval"],
                remark=_remark(found),
                is_filled=found["verdict"] == "different",
            )
            items.append((found["metric"], spec["range"], row))
        drawn = _plots.by_scale(ax, items)
        first = self.differences[0]
        words = _plots.plain(f"{first['minuend']} − {first['subtrahend']}") if is_single else "difference"
        for place, (axes, _, rows) in enumerate(drawn):
            is_last = place == len(drawn) - 1
            x_label = f"{words}, {_plots.interval_words(self.level)} of the paired difference" if is_last else ""
            has_dagger = is_last and bool(self.stand_ins & set(asked))
            _plots.forest(axes, rows, x_label, has_dagger)
            axes.axvline(0, color=_plots.QUIET, linewidth=1, zorder=0)
            if not place:
                axes.set_title("p after Holm's correction", loc="right", fontsize="small", color=_plots.QUIET)
        return _plots.one_or_all([axes for axes, _, _ in drawn])

    def to_pandas(self) -> pd.DataFrame:
        """Means, one line for each system and one column for each metric. Needs pandas."""
        return data_frame(self.means, (self.systems, "system"))

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can have it: means by metric and system, intervals, ranks, differences, notes."""
        by_system = {
            "means": {metric: [number(mean) for mean in means] for metric, means in self.means.items()},
            "intervals": {
                metric: [None if ends is None else list(ends) for ends in intervals]
                for metric, intervals in self.intervals.items()
            },
            "ranks": {metric: list(ranks) for metric, ranks in self.ranks.items()},
        }
        return {
            "systems": list(self.systems),
            **by_system,
            **({"subjects": self._subjects()} if self.subjects else {}),
            "differences": [dict(found) for found in self.differences],
            **({"by_dimension": self.by_dimension} if self.by_dimension else {}),
            "notes": list(self.notes),
            "level": self.level,
            "stand_ins": sorted(self.stand_ins),
        }

    def _subjects(self) -> dict[str, Any]:
        """By system: names of the subjects, means and intervals by metric."""
        return {
            system: {
                "names": list(names),
                "means": {
                    metric: [number(mean) for mean in means[system]] for metric, means in self.subject_means.items()
                },
                "intervals": {
                    metric: [None if ends is None else list(ends) for ends in intervals[system]]
                    for metric, intervals in self.subject_intervals.items()
                },
            }
            for system, names in self.subjects.items()
        }

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """A line for each paired difference: metric, the two systems, difference, ends of its interval, p values,
        verdict, whether it is based on a placeholder model, n, the test, and effect sizes, as in ``differences.csv``.
        The text, also written to ``path`` if given."""
        header = [
            "metric",
            "minuend",
            "subtrahend",
            "difference",
            "low",
            "high",
            "p_value",
            "p_holm",
            "verdict",
            "stand_in",
        ]
        sizes = ["test", "d_z", "share_better", "detectable"]
        rows = []
        for found in self.differences:
            low, high = found["interval"] or (None, None)
            names = [found[name] for name in header[:4]]
            mark = str(found["metric"] in self.stand_ins).lower()
            n = found.get("n_stimuli", found["n"])
            rows.append(
                [*names, low, high, *(found[name] for name in header[6:-1]), mark, n, *(found[name] for name in sizes)]
            )
        return csv_text([*header, "n", *sizes], rows, path)

    def _table(self, form: str) -> str:
        return self._tables[form]


def compare(
    runs: Sequence[Run | Path] | Mapping[str, Run | Path] = (),
    *,
    metrics: str | Sequence[str] = (),
    holm: Literal["all", "metric"] = "all",
    test: Literal["sign-flip", "studentized"] = "sign-flip",
    equivalence: float | None = None,
    subjects: str | None = None,
    new_subjects: bool = False,
    mixed: bool = False,
    by_dimension: bool = False,
    resamples: int | None = None,
    level: float | None = None,
    seed: int | None = None,
    interval: Interval | None = None,
    **systems: Run | Path,
) -> Comparison:
    """Sets finished runs side by side, as ``neurogauge compare`` does, on the pairs they share.

    Metrics that :meth:`Run.with_results` joined to all of them are compared, too, unless ``subjects`` puts runs
    together.

    Args:
        runs: two runs or more, or their folders; or a mapping of names to them, which can also be given as keywords:
            ``ng.compare(A=mine, B="runs/other")``. Without names, folders give them, and runs that were not kept are
            called by their places.
        metrics: ids or lists such as ``"nsd8"``, in one text with commas or one by one, also ids of joined ones; all
            that every run has if not given.
        holm: Holm's correction is over the differences of all metrics, or over those of each ``"metric"``; verdicts and
            ranks follow.
        test: what tests the differences and gives their intervals (convention `paired-test`): flips of signs, which
            suppose that differences are symmetric, or the studentised bootstrap, which also suits skewed ones.
        equivalence: also test whether differences are within ± this, in the unit of the metric (convention
            `paired-test`).
        subjects: what runs are called where several are subjects of one system: ``{system}`` and ``{subject}`` where
            these are named and ``*`` where anything may be, such as ``"{system}_s{subject}"`` (convention `subjects`).
        new_subjects: intervals and tests of means over subjects are for new subjects, too, and not for these alone. It
            takes five.
        mixed: compare runs of different test sets on pairs of the same name, which may show different stimuli; refused
            otherwise.
        by_dimension: also compare BASIC-H by dimension (convention `basic-dimensions`), for runs that all have it.
        resamples, level, seed, interval: how intervals of means are made (:class:`~neurogauge.IntervalOptions`); the
            seed is also of the flips.
        systems: runs or their folders by their names in tables.

    Raises:
        DataError: for something that is no finished run.
        UsageError: for fewer than two, runs that share no pair or no metric, runs of different test sets, an option out
            of its range, or joined results of several chance levels or kinds of interval, or whose mean is no mean over
            pairs (BLEU of a corpus).

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (6, 16, 16, 3), dtype=np.uint8)
        >>> options = {"metrics": "pixcorr", "set": {"pixel_size": 16}, "progress": False}
        >>> mine, other = (ng.score(stimuli, decoded, **options) for decoded in (stimuli[:, ::-1], stimuli[:, :, ::-1]))
        >>> ng.compare(mine=mine, other=other).systems
        ('mine', 'other')
    """
    word("holm", holm, ("metric", "all"))
    named, given = _named(runs, systems)
    paths = [os.fspath(run._folder if isinstance(run, Run) else run) for run in given]
    chosen = {"resamples": resamples, "level": level, "seed": seed, "interval": interval}
    over = bootstrap(cast(IntervalOptions, {name: value for name, value in chosen.items() if value is not None}))
    names = [name.strip() for name in metrics.split(",")] if isinstance(metrics, str) else list(metrics)
    if new_subjects and subjects is None:
        raise UsageError("new_subjects is about means over subjects; say with subjects what runs are called")
    joined = [run for run in given if isinstance(run, Run)]
    added = _added_to_all(joined) if len(joined) == len(given) and subjects is None else []
    added = [metric for metric in added if not names or metric in names]
    of_folders = [name for name in names if name not in added]
    if added and equivalence is not None:
        raise UsageError(
            f"equivalence is tested of metrics in run folders, and {added[0]} was joined in Python; name others in metrics"
        )
    of_runs = (subjects, new_subjects, mixed, by_dimension)
    entries = _neurogauge.compare_runs(paths, named, of_folders, holm == "all", (test, equivalence), of_runs, over)
    stand_ins = {metric for path in paths for metric in _stand_ins(path)}
    if added:
        if names and not of_folders:
            _leave_out_folders(entries)
        _join(entries, joined, added, over, holm, test)
        stand_ins |= {metric for metric in added if any(run[metric].stand_in for run in joined)}
    return Comparison(entries, frozenset(stand_ins))


def _named(
    runs: Sequence[Run | Path] | Mapping[str, Run | Path], systems: Mapping[str, Run | Path]
) -> tuple[list[str] | None, list[Run | Path]]:
    """The runs, and their names if not all of these follow from their folders.

    Raises:
        TypeError: for something that is neither a run nor a path, such as the value of an option that does not exist.
    """
    if isinstance(runs, Mapping) and not isinstance(runs, Run):
        systems, runs = {**runs, **systems}, ()
    several: list[Run | Path] = [runs] if isinstance(runs, (str, os.PathLike, Run)) else list(runs)
    for name, run in systems.items():
        if not isinstance(run, (str, os.PathLike, Run)):
            raise TypeError(f"compare() got {name}={run!r}; expected a run or the folder of one")
    given = [*several, *systems.values()]
    if not systems and all(isinstance(run, (str, os.PathLike)) or run.path is not None for run in given):
        return None, given
    return [*(_name(run, place) for place, run in enumerate(several, 1)), *systems], given


def _name(run: Run | Path, place: int) -> str:
    if isinstance(run, Run):
        return f"run {place}" if run.path is None else run.name
    return FilePath(run).absolute().name


def _remark(found: Mapping[str, Any]) -> str:
    """The text beside a difference in a figure."""
    p_holm = found["p_holm"]
    if p_holm is None:
        return ""
    if found["verdict"] == "not_decidable":
        return "not decidable"
    return "p < 0.001" if p_holm < 0.001 else f"p = {p_holm:.3f}"


def _added_to_all(runs: Sequence[Run]) -> list[str]:
    """Metrics that all runs have, and that are not in all of their folders."""
    return [
        metric for metric in runs[0] if all(metric in run for run in runs) and any(metric in run._added for run in runs)
    ]


def _leave_out_folders(entries: dict[str, Any]) -> None:
    """Takes the metrics of the run folders out of a comparison."""
    labels = [_neurogauge.metric_spec(metric)["label"] for metric, _, _ in entries["metrics"]]
    entries["notes"] = [note for note in entries["notes"] if not any(label in note for label in labels)]
    entries["metrics"], entries["differences"] = [], "[]"
    entries["tables"] = [(form, "") for form, _ in entries["tables"]]


def _join(
    entries: dict[str, Any],
    runs: Sequence[Run],
    metrics: Sequence[str],
    over: Bootstrap,
    holm: Literal["all", "metric"],
    test: str,
) -> None:
    """Puts metrics that were joined to runs beside those of their folders.

    Raises:
        UsageError: for results that cannot be compared pair by pair.
    """
    for metric in metrics:
        check_alike([run[metric] for run in runs], "so joined results of it cannot be compared; name others in metrics")
    stand_ins = {metric for metric in metrics if any(run[metric].stand_in for run in runs)}
    places = [{pair: place for place, pair in enumerate(run.pairs)} for run in runs]
    shared = [pair for pair in runs[0].pairs if all(pair in own for own in places)]
    systems: Sequence[str] = entries["systems"]
    differences = json.loads(entries["differences"])
    rows: list[tuple[str, list[Summary]]] = [(system, []) for system in systems]
    n_of_metric = len(systems) * (len(systems) - 1) // 2
    n_known = sum(found["p_value"] is not None for found in differences)
    n_tested = len(metrics) - len(stand_ins)
    n_family = max(n_known + n_tested * n_of_metric, 1) if holm == "all" else n_of_metric
    for metric in metrics:
        columns = [run[metric].per_pair[[own[pair] for pair in shared]] for run, own in zip(runs, places, strict=True)]
        spreads = [run[metric]._of_stimuli for run in runs]
        of_stimuli = None
        if all(spread is not None for spread in spreads):
            orders = [[own[pair] for pair in shared] for own in places]
            of_runs = [spread for spread in spreads if spread is not None]
            of_stimuli = [
                (pseudo[order], [stimuli[place] for place in order], too_low_by)
                for (pseudo, stimuli, too_low_by), order in zip(of_runs, orders, strict=True)
            ]
        summaries, ranks, found = _neurogauge.compare_columns(metric, columns, (test, n_family), over, of_stimuli)
        entries["metrics"].append((metric, summaries, ranks))
        for row, summary in zip(rows, summaries, strict=True):
            row[1].append(summary)
        for minuend, subtrahend, value, n, (interval, p_value, smallest_p, skewness), sizes in found:
            p_value = None if metric in stand_ins else p_value
            names = {"metric": metric, "minuend": systems[minuend], "subtrahend": systems[subtrahend]}
            tested: dict[str, Any] = {
                "p_value": p_value,
                "smallest_p": None if p_value is None else smallest_p,
                "p_holm": None,
                "verdict": None,
            }
            tested |= dict(zip(("test", "d_z", "share_better", "detectable"), sizes, strict=True))
            skewed = {} if skewness is None else {"strong_skewness": skewness}
            differences.append({**names, "difference": value, "n": n, "interval": interval, **tested, **skewed})
    with_p = [one for one in differences if one["p_value"] is not None]
    families = [with_p] if holm == "all" else [[one for one in with_p if one["metric"] == metric] for metric in metrics]
    for family in families:
        corrected = _neurogauge.holm([(one["p_value"], one["smallest_p"]) for one in family], entries["level"])
        for one, (p_holm, verdict) in zip(family, corrected, strict=True):
            one.update(p_holm=p_holm, verdict=verdict)
    entries["differences"] = json.dumps(differences)
    if holm == "all" and 0 < n_known < len(with_p):
        note = (
            "p (Holm), ranks and marks of the tables count the metrics of the run folders alone, "
            f"p (Holm) of `differences` all {len(with_p)} differences"
        )
        entries["notes"] = [*entries["notes"], note]
    chances = [(metric, runs[0][metric].chance, metric in stand_ins) for metric in metrics]
    tables = dict(entries["tables"])
    for form, text in tables.items():
        own = _neurogauge.render_table("Joined in Python", chances, rows, entries["level"], form)
        tables[form] = f"{text.rstrip()}\n\n{own}" if text else own
    entries["tables"] = list(tables.items())


def _stand_ins(path: str) -> list[str]:
    """Metrics of a finished run that rest on a placeholder model."""
    record = json.loads((FilePath(path) / "run.json").read_text(encoding="utf-8"))
    return [metric["id"] for metric in record["metrics"] if metric["stand_in"]]
