"""Progress in notebooks is one line that disappears, and none for short stages."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import neurogauge as ng
from neurogauge import _progress


class Notebook:
    """IPython's outputs, by the number of the output."""

    def __init__(self, clock: list[float]) -> None:
        self.outputs: list[list[str]] = []
        self.clock = clock

    def display(self, data: dict[str, str], raw: bool, display_id: bool) -> Any:
        assert raw and display_id
        output = [data["text/plain"]]
        self.outputs.append(output)
        return SimpleNamespace(update=lambda data, raw: output.append(data["text/plain"]))


@pytest.fixture
def notebook(monkeypatch: Any) -> Notebook:
    clock = [0.0]
    shown = Notebook(clock)
    module = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=object()))
    monkeypatch.setitem(sys.modules, "IPython", module)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=shown.display))
    monkeypatch.setattr(_progress, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    return shown


def test_stages_share_a_line_that_goes_away(notebook: Notebook) -> None:
    progress = _progress.Progress()
    progress.start("first", 10, 2)
    for done, at in [(3, 0.5), (4, 1.5), (5, 1.6), (6, 2.0)]:
        notebook.clock[0] = at
        progress.show(done, is_over=False)
    progress.show(10, is_over=True)
    progress.start("second", 4, 0)
    notebook.clock[0] = 9.0
    progress.show(1, is_over=False)
    progress.show(4, is_over=True)
    assert notebook.outputs == [["first: 4 of 10", "first: 6 of 10", "", "second: 1 of 4", ""]]


def test_what_is_over_soon_shows_nothing(notebook: Notebook, capsys: Any) -> None:
    x = np.random.default_rng(0).random((60, 16, 16, 3), dtype=np.float32)
    ng.ssim(x, x, pixel_size=32)
    assert notebook.outputs == [] and capsys.readouterr().err == ""


def test_a_call_that_lasts_shows_its_stage(notebook: Notebook, monkeypatch: Any) -> None:
    times = iter(np.arange(0, 1e6, 5))
    monkeypatch.setattr(_progress, "time", SimpleNamespace(monotonic=lambda: float(next(times))))
    x = np.random.default_rng(0).random((200, 64, 64, 3), dtype=np.float32)
    ng.ssim(x, x, pixel_size=300)
    (output,) = notebook.outputs
    assert output[0].startswith("comparing pixels, ssim: ") and output[-1] == ""


def test_a_terminal_of_ipython_has_bars(monkeypatch: Any, capsys: Any) -> None:
    pytest.importorskip("tqdm")
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: SimpleNamespace()))
    monkeypatch.setattr(_progress, "_SILENT_S", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    progress = _progress.Progress()
    progress.start("stage", 10, 0)
    progress.show(10, is_over=True)
    assert "stage" in capsys.readouterr().err
    assert _progress.Progress(shown=False)._line is None
