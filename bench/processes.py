"""Runs a program and reports what it printed, how long it took and how much memory it used; and runs several programs
alternately."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
RELEASE = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release"
BINARY = Path(os.environ.get("NEUROGAUGE_BINARY", RELEASE / "neurogauge"))
# The program that times our networks.
EXAMPLE = os.environ.get("EXAMPLE", RELEASE / "examples/time_models")
# Number of threads for every measurement.
THREADS = 2
# The library's name for each `--precision`.
PRECISIONS = {"f32": "f32", "bf16": "bf16-products"}


class Measured(NamedTuple):
    """What was measured of a process."""

    output: str
    seconds: float
    """On the clock, from its start to its end."""
    peak_mib: float


class Side(NamedTuple):
    """What was measured of one of several programs in all rounds."""

    times: list[float]
    """The least of each time on the first line that it printed."""
    peak_mib: float
    said: str
    """The second line of the last round; empty if there is none."""


def measure(line: list[object], interval_seconds: float = 0.02) -> Measured:
    """Runs a program on `THREADS` threads, and samples its memory at each interval. If it fails, this script ends."""
    words = [str(word) for word in line]
    environment = {**os.environ, "RAYON_NUM_THREADS": str(THREADS), "OMP_NUM_THREADS": str(THREADS)}
    # Output goes to files, since a full pipe that nobody reads would stop the process.
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        start, peak = time.perf_counter(), 0.0
        process = subprocess.Popen(words, stdout=output, stderr=errors, text=True, env=environment)
        # Not ru_maxrss, since a child starts with the memory of the process that forks it.
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


def in_turns(lines: dict[str, list[object]], rounds: int) -> dict[str, Side]:
    """Runs programs that print their times in seconds, alternately, so that a busy moment of the machine affects all of
    them."""
    found: dict[str, Side] = {}
    for _ in range(rounds):
        for name, line in lines.items():
            output, _, peak = measure(line)
            first, *others = output.splitlines()
            before = found.get(name, Side([float("inf")] * len(first.split()), 0.0, ""))
            times = [min(*pair) for pair in zip(before.times, map(float, first.split()))]
            found[name] = Side(times, max(before.peak_mib, peak), others[0] if others else "")
    return found


def best_of(runs: list[Callable[[], object]]) -> tuple[float, float, object]:
    """The smallest wall and processor seconds of several runs, and what the last one returned."""
    wall = processor = float("inf")
    result = None
    for run in runs:
        start, used = time.perf_counter(), time.process_time()
        result = run()
        wall, processor = min(wall, time.perf_counter() - start), min(processor, time.process_time() - used)
    return wall, processor, result


def forget_peak() -> None:
    """Resets this process's peak memory, so that creating the weights does not count."""
    Path("/proc/self/clear_refs").write_text("5")


def peer_line(file: str, *words: object) -> list[object]:
    """The command line that runs a script as a peer in a separate process, with --peer."""
    return [sys.executable, file, "--peer", *words]


def row(*cells: object) -> None:
    """A row of a table in Markdown."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def head(columns: str) -> None:
    """The head of a table, its columns with bars between them."""
    row(*columns.split(" | "))
    print("|---" * len(columns.split(" | ")) + "|", flush=True)


def beside(case: str, sides: dict[str, Side], target: float, images: int = 1) -> list[str]:
    """Cells of a table: our and the peer's wall time per image with their ratio, the target, the ratio of processor
    times, peak memory."""
    ours, theirs = sides["ours"], sides["theirs"]
    (wall, processor, *_), (peer_wall, peer_processor, *_) = ours.times, theirs.times
    return [
        case, f"{wall / images:.3f} s/image", f"{peer_wall / images:.3f} s/image", f"{wall / peer_wall:.2f}", f"{target}",
        f"{processor / peer_processor:.2f}", f"{ours.peak_mib:.0f} MiB", f"{theirs.peak_mib:.0f} MiB",
    ]  # fmt: skip
