"""What all journeys share: the program, the demo's data, and the number of commands that were run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pages import environment


@pytest.fixture(scope="session")
def binary() -> Path:
    """The program; `make test-journeys` builds it and passes its path."""
    return Path(os.environ["NEUROGAUGE_BINARY"])


@pytest.fixture(scope="session")
def demo(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the demo writes, with its data and runs, by the program of `make demo`."""
    home = tmp_path_factory.mktemp("demo")
    program = binary.with_name("neurogauge-demo")
    ran = subprocess.run([program], cwd=home, env=environment(binary, home), check=True, capture_output=True, text=True)
    assert "PixCorr" in ran.stdout and "neurogauge compare demo-run/run demo-run/blurred" in ran.stderr
    return home / "demo-run"
