"""Checks of the images of two sides before they are scored."""

from __future__ import annotations

import html
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path as FilePath
from typing import Any, Literal

from . import _neurogauge
from ._arrays import Layout
from ._options import as_json
from ._options_from_registry import Settings
from ._progress import Progress
from ._score import stored
from ._tables import html_table


@dataclass(frozen=True)
class Finding:
    """Something that was found out about images, and what to do about it.

    Attributes:
        severity: "problem" (scoring would end with an error), "warning" (the numbers are likely not the intended ones),
            "note" (what to know when they are compared with others) or "read" (what an input was read as).
        code: a stable name, such as "same_source".
        subject: what it is about, such as "gt images".
        message: what was found or taken for granted.
        evidence: why it was read this way; may be empty.
        otherwise: what else it could have been; may be empty.
        advice: what to do about it; may be empty.
    """

    severity: Literal["problem", "warning", "note", "read"]
    code: str
    subject: str
    message: str
    evidence: str = ""
    otherwise: str = ""
    advice: str = ""

    def __str__(self) -> str:
        return f"{self.severity}: {_neurogauge.finding_text(json.dumps(asdict(self)))}"


class Check:
    """What :func:`check` found out.

    Attributes:
        findings: problems first, then warnings, notes, and what was read.
        n_pairs: images that pair up.
        n_items: the items that they are parts of; as many as pairs unless ``parts`` says otherwise.
        explanation: the mistakes that were looked for: ``suppositions`` (the files as they are first) with ``mistakes``,
            ``remedies``, ``shown`` (the factor by which squared differences shrink and its standard errors, or None)
            and ``values`` (mean and standard error of each of ``metrics``). None if nothing was to be explained.
    """

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found
        self.n_pairs: int = found["n_pairs"]
        self.n_items: int = found.get("n_items", self.n_pairs)
        self.explanation: dict[str, Any] | None = found.get("explanation")
        self.findings: tuple[Finding, ...] = tuple(Finding(**finding) for finding in found["findings"])

    @property
    def ok(self) -> bool:
        """Would :func:`neurogauge.score` go through? Warnings and notes do not stop it."""
        return all(finding.severity != "problem" for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """What ``neurogauge check --json`` prints: ``gt`` and ``recon`` (counts, sizes, ranges), ``n_pairs``,
        ``findings``; ``n_items`` where pairs are of parts of items."""
        copy: dict[str, Any] = json.loads(json.dumps(self._found))
        return copy

    def __repr__(self) -> str:
        is_fine = all(finding.severity == "read" for finding in self.findings)
        lines = [*(["no problems found"] if is_fine else []), *map(str, self.findings)]
        return "\n".join([f"<check of {self.n_pairs} pairs>", *lines])

    def _repr_html_(self) -> str:
        """The findings as a table, as notebooks show them."""
        if not self.findings:
            return f"<p>{self.n_pairs} pairs: no problems found</p>"
        rows = (
            [html.escape(text) for text in (one.severity, one.subject, one.message, one.advice)]
            for one in self.findings
        )
        return html_table(("", "of what", f"found in {self.n_pairs} pairs", "what to do"), rows)


def check(
    gt: Any,
    recon: Any,
    *,
    pairs: Literal["all", "shared"] | None = None,
    match: str | None = None,
    parts: str | None = None,
    set: Settings | None = None,
    explain: Sequence[str] = (),
    layout: Layout = "auto",
    progress: bool = True,
) -> Check:
    """Looks at stimuli and reconstructions before they are scored, as ``neurogauge check`` does.

    It reports how they pair, their properties (counts, sizes, ranges, kinds of files), and what would stop
    :func:`neurogauge.score` or make its numbers incomparable: images that are the same, constant or grey ones,
    different proportions, counts of known test sets.

    Args:
        gt: stimuli: a folder of images, an ``.npy`` stack or a ``.pt`` file; or an array as for
            :func:`neurogauge.metrics.pixcorr`.
        recon: reconstructions, likewise.
        pairs: as for :func:`neurogauge.score`.
        match: as for :func:`neurogauge.score`.
        parts: as for :func:`neurogauge.score`.
        set: conventions about the files and the parts of items, as for :func:`neurogauge.score`, such as
            ``{"alpha": "white"}``.
        explain: metrics, with a published value if there is one, such as ``["ssim=0.412"]``: the common mistakes that
            explain these images or this value are looked for (``Check.explanation``). Models need their weights.
        layout: layout of arrays, as for :func:`neurogauge.metrics.pixcorr`.
        progress: show bars if tqdm is installed.

    Raises:
        DataError: for a side that cannot be opened.
        UsageError: for an invalid pattern, or conventions about parts without ``parts``.

    Example:
        >>> import numpy as np, neurogauge as ng
        >>> stimuli = np.random.default_rng(0).integers(0, 256, (2, 8, 8, 3), dtype=np.uint8)
        >>> ng.check(stimuli, stimuli, progress=False).findings[0].code
        'identical_pairs'
    """
    with tempfile.TemporaryDirectory() as temporary:

        def path(name: str, value: Any) -> str:
            is_path = isinstance(value, (str, os.PathLike))
            return os.fspath(value if is_path else stored(name, value, layout, FilePath(temporary) / "check")[0])

        of_parts = None if parts is None else {"pattern": parts, "frames": "nearest", "on_missing": "error"}
        pairing = as_json({"pairs": pairs, "match": match, "parts": of_parts})
        found = _neurogauge.check_images(
            path("gt", gt), path("recon", recon), (pairing, as_json(set or {})), list(explain), Progress(progress)
        )
    return Check(json.loads(found))
