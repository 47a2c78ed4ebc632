"""Sources beside brains, region by region: how similar they are, and how well they predict voxels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _commands
from ._options import Unpack
from ._options_from_registry import RecoveryOptions
from ._recovery import read_known, study_file
from ._run import Path, TemporaryFolder, folder_of
from ._tables import data_frame

if TYPE_CHECKING:
    import pandas as pd

Dissimilarity = Literal["correlation", "cosine", "squared-euclidean", "crossnobis"]
Comparison = Literal["spearman", "kendall-tau-a", "kendall-tau-b", "pearson", "cosine", "whitened-cosine"]


class RegionAnalysis(_commands.FolderResult):
    """What ``neurogauge align --rsa`` or ``--readout ridge`` wrote.

    Attributes:
        path: the folder with the record, the tables, and for voxels their table and maps; in ``dissimilarities`` the
            square matrices of sources and subjects (.npy), in the order of the record's stimuli.
        record: everything, as ``rsa.json`` or ``encoding.json`` keeps it.
    """

    def __init__(self, path: Path, name: str, temporary: TemporaryFolder | None = None) -> None:
        self._NAME = name  # type: ignore[misc]
        super().__init__(path)
        self._temporary = temporary

    def to_pandas(self) -> pd.DataFrame:
        """A line for each region, source and quantity: the mean over subjects, the ends of its interval, p, and p after
        Holm's correction over the sources of the region. Needs pandas. Conventions: ``recovery-rsa``,
        ``recovery-ceilings``."""
        rows = []
        for region in self.record["regions"]:
            where = {"region": f"{region['hemisphere']} {region['roi']}".strip()}
            for source, quantities in zip(self.record["sources"], region["sources"], strict=True):
                for quantity, found in quantities:
                    low, high = found["interval"] or (np.nan, np.nan)
                    own = {"source": source, "quantity": quantity, "value": read_known(found["value"]["value"])}
                    ps = {name: read_known(found[name]) for name in ("p", "p_corrected")}
                    rows.append(where | own | {"low": low, "high": high} | ps)
        return data_frame(rows).set_index(["region", "source", "quantity"])


def encoding(
    responses: Path | Mapping[str, Any],
    features: Mapping[str, Any] | None = None,
    *,
    ceiling: str | Path = "ncsnr",
    settings: Mapping[str, Any] | None = None,
    out: Path | None = None,
    progress: bool = True,
    **options: Unpack[RecoveryOptions],
) -> RegionAnalysis:
    """Predicts every voxel by ridge regression on all features of a source, and says how much of what is explainable
    that is. As ``neurogauge align --readout ridge``; the results of a finished one are read back.

    Args:
        responses: as of :func:`recovery`. With given ceilings, single trials suffice.
        features: for each source its features of the stimuli, (n_stimuli, ...).
        ceiling: ``ncsnr`` or ``split-half``, from repeats, or a file with the explainable share of variance of voxels
            or regions, 0 to 1.
        settings: with arrays, keys of the file's ``[settings]``, such as ``{"outer_folds": 3}``.
        out: the folder of the results; by default a temporary one, which lasts as long as the result.
        progress: show bars if tqdm is installed.
        options: those of ``neurogauge align`` (:class:`~neurogauge.RecoveryOptions`).

    Raises:
        DataError: for responses, features or ceilings that cannot be read or do not belong together.
        UsageError: for a value that makes no sense.

    Example:
        >>> import numpy as np
        >>> import neurogauge as ng
        >>> rng = np.random.default_rng(0)
        >>> seen = rng.normal(size=(60, 5))
        >>> trials = (seen @ rng.normal(size=(5, 8)))[:, None] + rng.normal(size=(60, 3, 8))
        >>> found = ng.encoding({"s1": trials}, {"model": seen}, progress=False)
        >>> region = found.record["regions"][0]
        >>> region["subjects"], region["voxels"][0]["n_voxels"], region["sources"][0][0][0]
        (['s1'], 8, 'r')
    """
    own = {"readout": "ridge", "ceiling": str(ceiling), **options}
    return _analysed("encoding", (responses, features, settings), out, own, progress)


def similarity(
    responses: Path | Mapping[str, Any],
    features: Mapping[str, Any] | None = None,
    *,
    dissimilarity: Dissimilarity = "correlation",
    rdm_comparison: Comparison = "spearman",
    settings: Mapping[str, Any] | None = None,
    out: Path | None = None,
    progress: bool = True,
    **options: Unpack[RecoveryOptions],
) -> RegionAnalysis:
    """Compares how dissimilar responses to every two stimuli are with the same of features, beside noise ceilings. As
    ``neurogauge align --rsa``; arguments and errors are those of :func:`encoding`, and subjects may lack stimuli.

    Args:
        responses: as of :func:`recovery`.
        features: for each source its features of the stimuli, (n_stimuli, ...).
        dissimilarity: how dissimilar two patterns are (convention ``recovery-rsa``).
        rdm_comparison: how dissimilarities are compared (likewise).
        settings: as of :func:`encoding`.
        out: as of :func:`encoding`.
        progress: as of :func:`encoding`.
        options: as of :func:`encoding`.

    Example:
        >>> import numpy as np
        >>> import neurogauge as ng
        >>> rng = np.random.default_rng(0)
        >>> seen = rng.normal(size=(20, 8))
        >>> brains = {f"s{place}": seen[:, None] + rng.normal(size=(20, 2, 8)) for place in range(5)}
        >>> found = ng.similarity(brains, {"it": seen}, progress=False)
        >>> [quantity for quantity, _ in found.record["regions"][0]["sources"][0]]
        ['similarity', 'lower_ceiling', 'upper_ceiling', 'below_ceiling']
    """
    own = {"rsa": True, "dissimilarity": dissimilarity, "rdm_comparison": rdm_comparison, **options}
    return _analysed("rsa", (responses, features, settings), out, own, progress)


def _analysed(
    name: str, study: tuple[Any, Any, Any], out: Path | None, own: dict[str, Any], progress: bool
) -> RegionAnalysis:
    folder, temporary = folder_of(out, name)
    _commands.write(["align"], {"out": folder, "config": study_file(*study, folder), **own}, progress)
    return RegionAnalysis(folder, name, temporary)
