"""Tests that measured numbers are kept in one place: the tables of README and of the page of benchmarks must agree with
bench/measurements.toml, and that of the page of calibration with bench/calibration."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("script", ["tables.py", "calibration.py"])
def test_the_tables_are_what_was_measured(script: str) -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / "bench" / script, "--check"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_benchmarks_has_no_other_tables() -> None:
    text = (ROOT / "docs" / "pages" / "project" / "benchmarks.md").read_text(encoding="utf-8")
    heads = re.findall(r"(.*)\n\|.*\n\|[-|]+\|\n", text)
    assert heads and all(line.startswith("<!-- table: ") for line in heads), heads
