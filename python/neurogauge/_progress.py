"""Progress bars, drawn by tqdm where it is installed."""

from __future__ import annotations

import warnings
from typing import Any

from ._errors import NeurogaugeWarning


class Progress:
    """What the extension module tells how far it is. Silent without tqdm, or if ``shown`` is False."""

    def __init__(self, shown: bool = True) -> None:
        self._tqdm: Any = None
        self._bar: Any = None
        if shown:
            try:
                from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
            except ImportError:
                return
            self._tqdm = tqdm

    def start(self, stage: str, total: int, done: int) -> None:
        """A stage of ``total`` steps begins, ``done`` of which were finished before."""
        self._close()
        if self._tqdm is not None and total > 1:
            self._bar = self._tqdm(total=total, initial=done, desc=stage, leave=False)

    def show(self, done: int, is_over: bool) -> None:
        """So many steps are done; the stage is over or not."""
        if self._bar is not None:
            self._bar.update(done - self._bar.n)
            if is_over:
                self._close()

    def note(self, message: str) -> None:
        """Something the user should read."""
        warnings.warn(message, NeurogaugeWarning, stacklevel=3)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
