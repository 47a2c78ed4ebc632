"""Progress: bars of tqdm if it is installed, and in notebooks a line that is rewritten."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

from ._errors import NeurogaugeWarning

# A notebook keeps its output, so short stages show nothing there.
_SILENT_S = 1.0
_INTERVAL_S = 0.2


class Progress:
    """Receives the extension module's progress, and says whether it may download weights. Silent if ``shown`` is
    False, and without tqdm outside of notebooks."""

    def __init__(self, shown: bool = True, download: bool = False) -> None:
        self.download = download
        self._tqdm: Any = None
        self._bar: Any = None
        self._line: _Line | None = None
        if not shown:
            return
        if _is_notebook():
            self._line = _Line()
            return
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
        except ImportError:
            return
        self._tqdm = tqdm

    def start(self, stage: str, total: int, done: int) -> None:
        """A stage of ``total`` steps begins; ``done`` steps were finished before."""
        self._close()
        if total <= 1:
            return
        if self._line is not None:
            self._bar = _Stage(self._line, stage, total, done)
        elif self._tqdm is not None:
            # No bar for short stages, and none in a file or a pipe.
            self._bar = self._tqdm(total=total, initial=done, desc=stage, leave=False, delay=_SILENT_S, disable=None)

    def show(self, done: int, is_over: bool) -> None:
        """``done`` steps are finished; says whether the stage is over."""
        if self._bar is not None:
            self._bar.update(done - self._bar.n)
            if is_over:
                self._close()

    def note(self, message: str) -> None:
        """Shows something that the user should read."""
        warnings.warn(message, NeurogaugeWarning, stacklevel=3)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


class _Line:
    """One line of a notebook's output, for any number of stages."""

    def __init__(self) -> None:
        self._began = self._written = time.monotonic()
        self._handle: Any = None

    def write(self, text: str) -> None:
        now = time.monotonic()
        if now - self._began < _SILENT_S or now - self._written < _INTERVAL_S:
            return
        self._written = now
        if self._handle is None:
            from IPython.display import display  # type: ignore[import-not-found, unused-ignore]

            self._handle = display({"text/plain": text}, raw=True, display_id=True)
        else:
            self._handle.update({"text/plain": text}, raw=True)

    def clear(self) -> None:
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)


class _Stage:
    """A stage on the line, with the methods of a tqdm bar that are needed."""

    def __init__(self, line: _Line, stage: str, total: int, done: int) -> None:
        self._line, self._stage, self._total = line, stage, total
        self.n = done

    def update(self, steps: int) -> None:
        self.n += steps
        self._line.write(f"{self._stage}: {self.n} of {self._total}")

    def close(self) -> None:
        self._line.clear()


def _is_notebook() -> bool:
    """Does this run in a Jupyter kernel? IPython in a terminal does not."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None) is not None
