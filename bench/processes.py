"""Runs a program and says what it printed, how long it took and how much memory it held."""

import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

# Of every measurement.
THREADS = 2
# What `--precision` is for the library.
PRECISIONS = {"f32": "f32", "bf16": "bf16-products"}


class Measured(NamedTuple):
    """What is known of a process when it has ended."""

    output: str
    seconds: float
    """On the clock, from its start to its end."""
    peak_mib: float


def measure(line: list[object], interval_seconds: float = 0.02) -> Measured:
    """Runs a program on `THREADS` threads; its memory is looked at after every interval. One that fails ends this
    one."""
    words = [str(word) for word in line]
    environment = {**os.environ, "RAYON_NUM_THREADS": str(THREADS), "OMP_NUM_THREADS": str(THREADS)}
    # Files, since a pipe that nobody reads while the process runs would stop it.
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        start, peak = time.perf_counter(), 0.0
        process = subprocess.Popen(words, stdout=output, stderr=errors, text=True, env=environment)
        # Not ru_maxrss: a child starts with the memory of the process that forks it.
        while process.poll() is None:
            try:
                status = Path(f"/proc/{process.pid}/status").read_text()
            except FileNotFoundError:
                break
            peak = max([peak, *(int(row.split()[1]) / 1024 for row in status.splitlines() if row.startswith("VmHWM"))])
            time.sleep(interval_seconds)
        failed = process.wait() != 0
        seconds = time.perf_counter() - start
        output.seek(0)
        errors.seek(0)
        if failed:
            raise SystemExit(f"failed: {' '.join(words)}\n{errors.read()}")
        return Measured(output.read(), seconds, peak)
