"""The same pairs under the conventions of every released evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from . import _commands, _plots
from ._options import Unpack
from ._options_from_registry import MultiverseOptions
from ._run import Path
from ._tables import data_frame

if TYPE_CHECKING:
    import pandas as pd


class Multiverse(_commands.FolderResult):
    """A finished multiverse: every metric of every system under every convention.

    Attributes:
        path: the folder with multiverse.json, multiverse.md, multiverse.csv, the figures and the runs.
        record: what multiverse.json holds.
    """

    _NAME = "multiverse"

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
        return data_frame(list(self.rows()))

    def figure(self, metric: str) -> FilePath:
        """The specification curve of a metric, as a file: PNG, or the first format that was asked for.

        Raises:
            KeyError: for a metric without a figure.
        """
        found = sorted((self.path / "figures").glob(f"specification_curve_{metric}.*"))
        if not found:
            raise KeyError(f"{self.path}: no specification curve of {metric!r}")
        return next((path for path in found if path.suffix == ".png"), found[0])


def multiverse(
    stimuli: Path,
    recon: Mapping[str, Path],
    *,
    out: Path,
    metrics: str | Sequence[str] = ("pixcorr", "ssim"),
    progress: bool = True,
    **options: Unpack[MultiverseOptions],
) -> Multiverse:
    """Scores the same pairs under the conventions of every released evaluation, like ``neurogauge multiverse``.

    Args:
        stimuli: a folder of images, an ``.npy`` stack or a ``.pt`` file; for metrics of captions a file of captions.
        recon: reconstructions or captions of each system, likewise, by name.
        out: the folder of the results. Finished runs in it are read back.
        metrics: ids of metrics of pixels or of image models, or ``"nsd8"``; or of captions, with ``over="options"``.
        progress: show bars if tqdm is installed.
        options: those of ``neurogauge multiverse`` (:class:`~neurogauge.MultiverseOptions`).

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
        ...     sorted({row["ssim"] for row in found.rows()})
        ['colour', 'columns', 'grey']
    """
    given = {"out": out, "metrics": metrics if isinstance(metrics, str) else ",".join(metrics), **options}
    _commands.write(["multiverse"], given, progress, [stimuli, *_commands.named("recon", recon)])
    return Multiverse(out)
