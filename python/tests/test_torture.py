"""A short version of `make torture`: commands that are killed, whose calls fail or whose disk is full continue as if
nothing had happened."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ["score", "perceive", "align", "study", "meta", "board", "collect", "gifs"]


@pytest.fixture(scope="module")
def tortured() -> subprocess.CompletedProcess[str]:
    binary = os.environ.get("NEUROGAUGE_BINARY", str(ROOT / "target" / "debug" / "neurogauge"))
    few = ["--points", "2", "--kills", "1", "--writers", "1", "--damages", "3"]
    line = [sys.executable, str(ROOT / "torture" / "run.py"), "--binary", binary, "--only", ",".join(COMMANDS), *few]
    return subprocess.run(line, capture_output=True, text=True)


@pytest.mark.skipif(
    (platform.system(), platform.machine()) != ("Linux", "x86_64"), reason="the tracer of torture/ is for x86-64 Linux"
)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_disturbs_a_command_leaves_nothing(command: str, tortured: subprocess.CompletedProcess[str]) -> None:
    assert tortured.returncode == 0, f"{tortured.stdout}\n{tortured.stderr}"
    (held,) = [line for line in tortured.stdout.splitlines() if line.startswith(f"{command}: ")]
    for what in ("kill", "tear", "EIO", "ENOSPC", "EACCES", "random kills", "two writers", "read-only"):
        assert what in held, held
