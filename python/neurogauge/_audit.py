"""Does a decoder reconstruct, or does it classify?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import _commands
from ._options import Unpack
from ._options_from_registry import AuditOptions
from ._run import Path


class Audit(_commands.FolderResult):
    """A finished audit: a question, numbers with intervals, and an answer in words, several times.

    Attributes:
        path: the folder with audit.json, audit.md, items.csv, folds.csv and figures.
        record: what audit.json holds.
    """

    _NAME = "audit"

    @property
    def answers(self) -> dict[str, str]:
        """The answer to each question, by its short name."""
        return {section["id"]: section["answer"] for section in self.record["sections"]}

    def rows(self) -> Iterator[dict[str, Any]]:
        """Every number: question, what, value, low, high, n, compared_with, compared_value, and whether it depends on a
        placeholder model (stand_in); ``pandas.DataFrame(audit.rows())``."""
        stand_in = any(finding["code"] == "stand_in" for finding in self.record["findings"])
        for section in self.record["sections"]:
            for line in section["lines"]:
                estimate, other = line["estimate"], line["compared_with"] or {}
                low, high = estimate["interval"] or (None, None)
                yield {
                    "question": section["id"],
                    "what": line["what"],
                    "value": estimate["value"],
                    "low": low,
                    "high": high,
                    "n": estimate["n"],
                    "compared_with": other.get("what"),
                    "compared_value": other.get("value"),
                    "stand_in": stand_in,
                }


def audit(*, test: Path, out: Path, progress: bool = True, **options: Unpack[AuditOptions]) -> Audit:
    """Compares test stimuli and reconstructions with training stimuli, and identification with what the cluster alone
    gives, as ``neurogauge audit`` does.

    Args:
        test: features of the test stimuli: ``.npy``, ``.npz`` or ``.pt``, items first, with the ids of the rows in
            ids.json; with ``features`` also images: a folder, an ``.npy`` stack or a ``.pt`` file.
        out: the folder of the results.
        progress: show bars if tqdm is installed.
        options: those of ``neurogauge audit`` (:class:`~neurogauge.AuditOptions`).

    Returns:
        The numbers and answers, and the folder that they are in.

    Raises:
        DataError: for files that cannot be read or that do not belong together.
        ModelError: for weights that are missing or broken.
        UsageError: for a value that makes no sense.

    Example:
        >>> import neurogauge as ng, numpy as np, tempfile
        >>> rng = np.random.default_rng(0)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for name in ("train", "test", "recon"):
        ...         np.save(f"{folder}/{name}.npy", rng.normal(size=(30, 8)).astype("f4"))
        ...     found = ng.audit(train=f"{folder}/train.npy", test=f"{folder}/test.npy", recon=f"{folder}/recon.npy", clusters=3,
        ...                      out=f"{folder}/audit", no_figures=True, progress=False)
        ...     sorted(found.answers)
        ['among_training', 'clusters', 'collapse', 'controls', 'feature_accuracy', 'overlap']
    """
    _commands.write(["audit"], {"test": test, "out": out, **options}, progress)
    return Audit(out)
