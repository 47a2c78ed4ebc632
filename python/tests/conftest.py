"""What the tests share: random images, and the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

Images = npt.NDArray[np.uint8]


@pytest.fixture
def stimuli() -> Images:
    """Six images of 24 x 32 px."""
    return np.random.default_rng(1).integers(0, 256, (6, 24, 32, 3), dtype=np.uint8)


@pytest.fixture
def reconstructions(stimuli: Images) -> Images:
    """The same with noise, the last two all grey."""
    noise = np.random.default_rng(2).integers(-60, 61, stimuli.shape)
    noisy = np.clip(stimuli.astype(int) + noise, 0, 255).astype(np.uint8)
    noisy[4:] = 128
    return noisy


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the program if NEUROGAUGE_BINARY names it, else the package's own command."""

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        binary = os.environ.get("NEUROGAUGE_BINARY")
        program = [binary] if binary else [sys.executable, "-m", "neurogauge._command"]
        environment = {**os.environ, "NEUROGAUGE_CACHE": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "1"}
        words = [*program, *map(str, arguments)]
        return subprocess.run(words, capture_output=True, text=True, env=environment, check=False)

    return run
