"""Runs all tests: Rust's test programs, the examples in its documentation, Python's tests and types, and the commands
of all pages.

Everything is compiled first, once, while what tests need is fetched. Then two programs run at a time, those that take
longest first, and the output of each is shown when it ends, if it failed. At the end the slowest tests and commands are
listed, and how many there were. This needs only Python's standard library; `make test` calls it."""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Two programs at a time; each may use half of the processors. Giving each all of them takes as long.
N_AT_ONCE = 2
N_SHOWN = 30
# Slower tests and commands are marked.
SLOW_S = 5.0


@dataclass
class Job:
    """A program to run: what it is, its command, where, and with what environment."""

    name: str
    command: list[str]
    folder: Path = ROOT
    variables: dict[str, str] = field(default_factory=dict)
    # How long it took when this was measured, s; only the order depends on it.
    weight: float = 0.0
    code: int = 0
    output: str = ""
    seconds: float = 0.0

    def run(self) -> None:
        began = time.monotonic()
        done = subprocess.run(
            self.command,
            cwd=self.folder,
            env={**os.environ, **self.variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        self.seconds = time.monotonic() - began
        self.code, self.output = done.returncode, done.stdout.decode(errors="replace")


def built(cargo: str) -> list[Job]:
    """Compiles libraries, programs and tests, and returns a job for each test program."""
    command = [cargo, "build", "--workspace", "--lib", "--bins", "--tests", "--message-format=json-render-diagnostics"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    jobs = []
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message.get("reason") != "compiler-artifact" or not message["profile"]["test"] or not message["executable"]:
            continue
        folder = Path(message["manifest_path"]).parent
        kind = "lib" if "lib" in message["target"]["kind"] else message["target"]["name"]
        # Reporting the seconds of each test is an unstable option of the test harness; this variable enables it on
        # stable toolchains.
        options = ["-Zunstable-options", "--report-time", f"--test-threads={threads()}"]
        variables = {"RUSTC_BOOTSTRAP": "1", "CARGO_MANIFEST_DIR": str(folder)}
        size = Path(message["executable"]).stat().st_size
        weight = WEIGHTS.get(f"{folder.name} {kind}", size / 1e8)
        jobs.append(Job(f"{folder.name} {kind}", [message["executable"], *options], folder, variables, weight))
    return jobs


# Jobs that take longest begin first.
WEIGHTS: dict[str, float] = {
    "cli cli": 300,
    "models models": 65,
    "tests stats": 32,
    "tests alignment": 28,
    "formats formats": 20,
    "tests metrics": 16,
    "models lib": 16,
    "audit audit": 9,
}


def threads() -> int:
    return math.ceil((os.cpu_count() or 1) / N_AT_ONCE)


def others(cargo: str, python: str, binary: str) -> list[Job]:
    """Jobs for the examples in Rust's documentation, and for Python."""
    variables = {"NEUROGAUGE_BINARY": binary, "PYTHONPATH": "python", "MYPYPATH": "python"}
    pytest = [python, "-m", "pytest", "--quiet", "--durations=0", "--durations-min=0.1"]
    stubs = [python, "-m", "mypy.stubtest", "neurogauge._neurogauge", "--mypy-config-file", "pyproject.toml"]
    return [
        Job("examples in Rust's documentation", [cargo, "test", "--quiet", "--workspace", "--doc"], weight=200),
        Job("commands of all pages", [*pytest, "journeys"], variables=variables, weight=240),
        Job(
            "Python's tests",
            [*pytest, "--doctest-modules", "python/neurogauge", "python/tests"],
            variables=variables,
            weight=200,
        ),
        Job("Python's types", [python, "-m", "mypy"], variables=variables, weight=30),
        # Both types' jobs would write .mypy_cache.
        Job("types of the library", stubs, variables={**variables, "MYPY_CACHE_DIR": ".mypy_cache/stubs"}, weight=10),
    ]


# Where Linux keeps files in memory, and the free bytes from which on temporary files of tests go there.
MEMORY = Path("/dev/shm")
ENOUGH_BYTES = 8 << 30


@contextlib.contextmanager
def temporary_files() -> Iterator[None]:
    """Keeps temporary files in memory if there is room, which takes a tenth of the time from the commands' tests."""
    if not MEMORY.is_dir() or shutil.disk_usage(MEMORY).free < ENOUGH_BYTES:
        yield
        return
    with tempfile.TemporaryDirectory(dir=MEMORY, prefix="neurogauge-tests-") as folder:
        # Some tests are of another user's files.
        os.chmod(folder, 0o755)
        os.environ["TMPDIR"] = folder
        yield


RUST_TEST = re.compile(r"^test (.+?) \.\.\. ok <([0-9.]+)s>$", re.MULTILINE)
PYTHON_TEST = re.compile(r"^\s*([0-9.]+)s (?:call|setup)\s+(\S.*)$", re.MULTILINE)
RUST_COUNT = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored", re.MULTILINE)
PYTHON_COUNT = re.compile(r"^(?:\d+ failed, )?(\d+) passed", re.MULTILINE)


def timed(jobs: list[Job]) -> list[tuple[float, str]]:
    """Seconds and name of every test that reports them."""
    found = []
    for job in jobs:
        found += [(float(seconds), f"{job.name}: {name}") for name, seconds in RUST_TEST.findall(job.output)]
        found += [(float(seconds), name) for seconds, name in PYTHON_TEST.findall(job.output)]
    return sorted(found, reverse=True)


def run(jobs: list[Job]) -> None:
    """Runs all jobs, the heaviest first, two at a time."""
    waiting = sorted(jobs, key=lambda job: job.weight)
    lock = threading.Lock()

    def work() -> None:
        while True:
            with lock:
                if not waiting:
                    return
                job = waiting.pop()
            job.run()
            with lock:
                if job.code:
                    print(job.output)
                print(f"{'FAILED' if job.code else 'passed'} {job.seconds:6.1f} s  {job.name}", flush=True)

    workers = [threading.Thread(target=work) for _ in range(N_AT_ONCE)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--cargo", default="cargo")
    arguments.add_argument(
        "--python", required=True, help="the Python that has what python/tests/requirements.txt names"
    )
    arguments.add_argument("--built", type=Path, required=True, help="the folder of the programs that cargo builds")
    given = arguments.parse_args()
    given.built = given.built.resolve()

    began = time.monotonic()
    # What tests need beside programs: Python's packages, weights, photographs, WordNet.
    fetching = subprocess.Popen(["make", "fetched"], cwd=ROOT)
    jobs = built(given.cargo)
    if fetching.wait():
        return 1
    compiled_s = time.monotonic() - began
    print(f"compiled in {compiled_s:.0f} s: {len(jobs)} programs of tests", flush=True)
    extension(given.built)
    jobs += others(given.cargo, given.python, str(given.built / "neurogauge"))
    with temporary_files():
        run(jobs)

    tests = timed(jobs)
    table = given.built / "test-seconds.csv"
    table.write_text("".join(f"{seconds:.3f},{name}\n" for seconds, name in tests), encoding="utf-8")
    print(f"\nThe {N_SHOWN} slowest tests and pages (all: {table}):")
    for seconds, name in tests[:N_SHOWN]:
        print(f"{seconds:7.2f} s{' !' if seconds > SLOW_S else '  '} {name}")
    output = "\n".join(job.output for job in jobs)
    rust = [sum(map(int, column)) for column in zip(*RUST_COUNT.findall(output), strict=True)]
    python = sum(map(int, PYTHON_COUNT.findall(output)))
    failed = [job.name for job in jobs if job.code]
    seconds = time.monotonic() - began
    user = os.times()
    print(
        f"\n{rust[0]} tests of Rust passed, {rust[2]} ignored; {python} of Python and of pages; {seconds / 60:.1f} minutes,"
    )
    print(
        f"{(user.children_user + user.children_system) / 60:.1f} of processor time, {compiled_s / 60:.1f} to compile."
    )
    if failed:
        print(f"FAILED: {', '.join(failed)}")
    return 1 if failed else 0


def extension(folder: Path) -> None:
    """Copies the Python package's library to where Python finds it."""
    for name in ("lib_neurogauge.so", "lib_neurogauge.dylib"):
        if (folder / name).exists():
            (ROOT / "python/neurogauge/_neurogauge.abi3.so").write_bytes((folder / name).read_bytes())


if __name__ == "__main__":
    sys.exit(main())
