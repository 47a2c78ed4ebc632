"""The same pairs under the conventions of every released evaluation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Literal

from . import _commands, _neurogauge, _plots
from ._result import Interval
from ._run import Path
from ._tables import pandas

if TYPE_CHECKING:
    import pandas as pd


class Multiverse:
    """A finished multiverse: every metric of every system under every convention.

    Attributes:
        path: the folder with multiverse.json, multiverse.md, multiverse.csv, the figures and the runs.
        record: what multiverse.json holds.
    """

    def __init__(self, path: Path) -> None:
        self.path = FilePath(path)
        _neurogauge.verify_outputs(str(self.path / "multiverse.json"))
        self.record: dict[str, Any] = json.loads((self.path / "multiverse.json").read_text(encoding="utf-8"))

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every estimate: metric, convention, system, value, low, high, standard_error, n, whether it rests on a
        placeholder model (stand_in), and a column for each choice."""
        names = [name for name, _ in self.record["request"]["systems"]]
        for metric in self.record["metrics"]:
            for row in metric["conventions"]:
                choices = {choice["factor"]: choice["option"] for choice in row["choices"]}
                for system, scored in zip(names, row["systems"], strict=True):
                    low, high = scored["estimate"]["interval"] or (None, None)
                    yield {
                        "metric": metric["metric"],
                        "convention": row["name"],
                        "system": system,
                        "value": scored["estimate"]["value"],
                        "low": low,
                        "high": high,
                        "standard_error": scored["standard_error"],
                        "n": scored["estimate"]["n"],
                        "stand_in": metric["label"].endswith(_plots.DAGGER),
                        **choices,
                    }

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a table.

        Raises:
            ImportError: where pandas is not installed.
        """
        table: pd.DataFrame = pandas().DataFrame(list(self.rows()))
        return table

    def figure(self, metric: str) -> FilePath:
        """The specification curve of a metric, as a file: PNG, or the first format that was asked for.

        Raises:
            KeyError: for a metric without a figure.
        """
        found = sorted((self.path / "figures").glob(f"specification_curve_{metric}.*"))
        if not found:
            raise KeyError(f"{self.path}: no specification curve of {metric!r}")
        return next((path for path in found if path.suffix == ".png"), found[0])

    def __repr__(self) -> str:
        return (self.path / "multiverse.md").read_text(encoding="utf-8")


def multiverse(
    stimuli: Path,
    recon: Mapping[str, Path],
    *,
    out: Path,
    metrics: str | Sequence[str] = ("pixcorr", "ssim"),
    over: Literal["presets", "options"] = "presets",
    published: float | None = None,
    pairs: Literal["all", "shared"] | None = None,
    match: str | None = None,
    stack_order: Literal["natural", "text", "reversed"] | None = None,
    values: Literal["0..255", "-1..1", "clip", "as-they-are"] | None = None,
    alpha: Literal["white", "black", "as-stored"] | None = None,
    image_models: Literal["own", "placeholder"] | None = None,
    weights: Path | None = None,
    device: str | None = None,
    offline: bool = False,
    overwrite: bool = False,
    no_figures: bool = False,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 42,
    interval: Interval | None = None,
    progress: bool = True,
) -> Multiverse:
    """Scores the same pairs under the conventions of every released evaluation, like ``neurogauge multiverse``.

    Args:
        stimuli: a folder of images, an ``.npy`` stack or a ``.pt`` file; for metrics of captions a file of captions.
        recon: reconstructions or captions of each system, likewise, by name.
        out: the folder of the results. Finished runs in it are read back.
        metrics: ids of metrics of pixels or of image models, or ``"nsd8"``; or of captions, with ``over="options"``.
        over: the presets of released evaluations, or all combinations of single options.
        published: a number whose convention is looked for.
        pairs, match, stack_order: which stems pair, as for :func:`score`.
        values, alpha: what stored values of images mean, as for :func:`neurogauge.score`.
        image_models: "placeholder" replaces all models (no weights, numbers mean nothing).
        weights, device, offline: of the models, as for :func:`score`.
        overwrite: replace a finished result of other inputs or options.
        no_figures: draw none.
        level, resamples, seed, interval: of the intervals.
        progress: show bars if tqdm is installed.

    Returns:
        The estimates, what the choices make of their spread, and the folder that they are in.

    Raises:
        DataError: for images that cannot be read or do not pair.
        UsageError: for a metric that no preset or option decides.
        ModelError: for weights that are missing.

    Example:
        >>> import neurogauge as ng, numpy as np, tempfile
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (4, 16, 16, 3), dtype=np.uint8)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     np.save(f"{folder}/gt.npy", stimuli)
        ...     np.save(f"{folder}/mine.npy", stimuli[:, ::-1])
        ...     found = ng.multiverse(f"{folder}/gt.npy", {"mine": f"{folder}/mine.npy"}, metrics="ssim", out=f"{folder}/m",
        ...                           no_figures=True, progress=False)
        ...     sorted({row["SSIM"] for row in found.rows()})
        ['colour', 'columns', 'grey']
    """
    options = dict(locals())
    for name in ("stimuli", "recon", "progress"):
        del options[name]
    options["metrics"] = metrics if isinstance(metrics, str) else ",".join(metrics)
    _commands.write(["multiverse"], options, progress, [stimuli, *_commands.named("recon", recon)])
    return Multiverse(out)
