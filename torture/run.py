"""Kills commands, lets their calls fail and fills their disk, at every point at which they change a file; then lets
them go on.

    make torture              or    python torture/run.py [--binary FILE] [--only score,meta] [--points N] [--kills N]
    [--part 1/8]

The verdict, every time: a command that failed said so in words, without a panic; one that said it was done is done; and
the next undisturbed run into the same folder leaves the same bytes as a run that nothing disturbed, in the folder of
results and in the cache, and no other file. What disturbs:

- points: at each call that changes a file (see faults.c), the process is killed before it, or in the midst of writing;
  or the call fails (input and output, permission), or the disk is full from there on. --points N takes N of them,
  evenly spread.
- kills: the process is killed after a random time, several times in a row.
- writers: two start at once with one folder. One is done; the other is too, or says who holds the folder.
- read-only: the folder of results, or the one above it, may not be written to. Nothing is there afterwards.

--part 3/8 takes every eighth of all these, from the third on: eight calls, one after the other or side by side, take
them all.

It takes a C compiler, x86-64 Linux and Python alone. A quarter of a minute of it is in `make test`
(python/tests/test_torture.py)."""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from inputs import write_inputs

ROOT = Path(__file__).resolve().parent.parent
HOWS = ["kill", "tear", "EIO", "ENOSPC", "EACCES"]
SLOWEST_SECONDS = 120.0
NOBODY = 65534


def commands(work: Path) -> dict[str, list[str]]:
    """Every command with all that it writes: figures, stores, tables, journals."""
    at = {
        name: str(work / name)
        for name in ("gt", "near", "far", "ratings.csv", "metrics.csv", "align/align.toml", "board.toml", "state/out")
    }
    out = ["--out", at["state/out"]]
    stand_ins = ["--image-models", "stand-in", "--text-encoder", "stand-in", "--captioner", "stand-in-captioner"]
    detector = ["--detector", "stand-in-detector"]
    few = ["--resamples", "50"]
    systems = [word for name in ("near", "far") for word in ("--recon", f"{name}={at[name]}")]
    score = ["score", "--gt", at["gt"], "--recon", at["near"], "--metrics", "pixcorr,ssim,effnet,cap_sim,object_f1"]
    return {
        "score": [*score, *stand_ins, *detector, *few, *out],
        "perceive": ["perceive", "--images", at["gt"], "--with", "stand-in,stand-in-captioner,stand-in-detector", *out],
        "align": ["align", "--config", at["align/align.toml"], *out],
        "study": ["study", "--gt", at["gt"], *systems, "--metrics", "pixcorr,effnet,cap_sim", *stand_ins, *out],
        "meta": ["meta", "--human", at["ratings.csv"], "--metrics", at["metrics.csv"], *out],
        "board": ["board", "make", at["board.toml"], *out],
    }


class Failed(Exception):
    """Neurogauge did what it must not."""


class Torture:
    """One command in one working folder."""

    def __init__(self, binary: Path, work: Path, name: str):
        self.binary, self.work, self.name = binary, work, name
        self.words = [str(binary), *commands(work)[name], "--threads", "2", "--quiet"]
        self.state = work / "state"
        self.faults = work / "faults"
        self.done: Counter[str] = Counter()
        self.fresh()
        self.calls = self.count()
        self.expected = files(self.state)
        if not self.expected:
            raise Failed(f"{name} writes nothing")
        self.fresh()
        self.undisturbed("a second run")

    def fresh(self) -> None:
        shutil.rmtree(self.state, ignore_errors=True)
        self.state.mkdir()

    def environment(self) -> dict[str, str]:
        own = {"NEUROGAUGE_CACHE": str(self.state / "cache"), "HF_HUB_OFFLINE": "1", "TMPDIR": str(self.work / "tmp")}
        kept = {name: value for name, value in os.environ.items() if not name.startswith("NEUROGAUGE")}
        return {**kept, "HF_HOME": "/nonexistent", "TORCH_HOME": "/nonexistent", **own}

    def run(self, words: list[str], user: int | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SLOWEST_SECONDS,
            user=user,
        )

    def count(self) -> int:
        """How many calls of an undisturbed run change a file."""
        report = self.work / "report"
        ran = self.run([str(self.faults), "--below", str(self.state), "--report", str(report), "--", *self.words])
        if ran.returncode != 0:
            raise Failed(f"{self.name}: {ran.stderr}")
        return int(report.read_text().split()[0])

    def age(self) -> None:
        """Others may write in the cache too, so what a killed process left there is swept when it is a day old: it is
        made to look so."""
        for path in (self.state / "cache").rglob(".*.tmp"):
            os.utime(path, (0, 0))

    def undisturbed(self, after: str) -> None:
        """The command goes on to its end; then all bytes are as they should be."""
        self.age()
        ran = self.run(self.words)
        if ran.returncode != 0:
            raise Failed(f"{self.name}, {after}: exit {ran.returncode}\n{ran.stderr}")
        self.compare(after)

    def compare(self, after: str) -> None:
        found = files(self.state)
        expected = self.expected
        # What a command could not put into the cache is made anew by the next that needs it.
        absent = {name for name in expected if name.startswith("cache/") and name not in found}
        names = (found.keys() | expected.keys()) - absent
        if "/cache" in after or after == "two writers":
            # Where the cache cannot be written to, its part lies in the folder of results; two writers have two
            # journals.
            in_cache = {Path(name).name for name in expected if name.startswith("cache/")}
            kept = {name for name in names if name.startswith("out/") and Path(name).name in in_cache}
            kept |= {name for name in names if name.endswith(".jsonl")}
            names -= kept - {name for name in expected if name.startswith("out/")}
        # A lock that could not be removed is left, and harms nobody.
        names -= {name for name in names - expected.keys() if f"unlink /{name})" in after and name.endswith(".lock")}
        wrong = sorted(name for name in names if found.get(name) != expected.get(name))
        if wrong:
            kinds = [
                "is missing" if name not in found else "is left over" if name not in expected else "differs"
                for name in wrong
            ]
            told = "; ".join(f"{name} {kind}" for name, kind in zip(wrong, kinds))
            raise Failed(f"{self.name}, {after}: {told}")

    def accept(self, ran: subprocess.CompletedProcess[str], after: str) -> None:
        """Of a run that was disturbed and not killed."""
        if "panicked" in ran.stderr or ran.returncode not in (0, 1):
            raise Failed(f"{self.name}, {after}: exit {ran.returncode}\n{ran.stderr}")
        if ran.returncode == 1 and not ran.stderr.startswith("error: "):
            raise Failed(f"{self.name}, {after}: it failed without a word\n{ran.stderr}")
        left = [name for name in files(self.state) if name.endswith((".tmp", ".lock"))]
        # What cannot be removed is left.
        if left and "unlink" not in after:
            raise Failed(f"{self.name}, {after}: it leaves {left}")

    def point(self, how: str, at: int) -> None:
        self.fresh()
        report = self.work / "report"
        tracer = [
            str(self.faults),
            "--below",
            str(self.state),
            "--report",
            str(report),
            "--at",
            str(at),
            "--how",
            how,
            "--",
        ]
        ran = self.run([*tracer, *self.words])
        hit = report.read_text().strip().replace(str(self.state), "")
        after = f"{how} at call {at} of {self.calls} ({hit})"
        if ran.returncode != 137:
            self.accept(ran, after)
        self.undisturbed(after)
        self.done[how] += 1

    def kills(self, draws: random.Random, seconds: float) -> None:
        """Up to three in a row."""
        self.fresh()
        n = draws.randint(1, 3)
        for _ in range(n):
            # The next may be done, after which nothing opens the cache.
            self.age()
            silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            process = subprocess.Popen(self.words, env=self.environment(), **silent)
            time.sleep(draws.uniform(0, seconds))
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.undisturbed(f"{n} random kills")
        self.done["random kills"] += n

    def writers(self, draws: random.Random, seconds: float) -> None:
        self.fresh()
        started = []
        for _ in range(2):
            pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
            started.append(subprocess.Popen(self.words, env=self.environment(), text=True, **pipes))
            time.sleep(draws.uniform(0, seconds))
        codes = []
        for process in started:
            _, said = process.communicate(timeout=SLOWEST_SECONDS)
            codes.append(process.returncode)
            if process.returncode != 0 and "process" not in said:
                raise Failed(f"{self.name}, two writers: exit {process.returncode}\n{said}")
        if 0 not in codes:
            raise Failed(f"{self.name}, two writers: none of them is done")
        self.compare("two writers")
        self.done["two writers"] += 1

    def read_only(self) -> None:
        # The rights of a folder do not bind root.
        user = NOBODY if os.geteuid() == 0 else None
        for out in (self.state, self.state / "out"):
            self.fresh()
            out.mkdir(exist_ok=True)
            out.chmod(0o555)
            ran = self.run(self.words, user)
            out.chmod(0o755)
            after = f"the folder {out.name} is read-only"
            self.accept(ran, after)
            if ran.returncode == 0 or any(name.startswith("out/") for name in files(self.state)):
                raise Failed(f"{self.name}, {after}: exit {ran.returncode}, it leaves {sorted(files(self.state))}")
            self.done["read-only"] += 1


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def spread(n: int, most: int) -> Iterator[int]:
    """At most so many of 1 to n, evenly spread."""
    taken = min(n, most)
    return (1 + index * n // taken for index in range(taken))


def part(text: str) -> tuple[int, int]:
    """Which of how many."""
    which, n = (int(number) for number in text.split("/"))
    if not 1 <= which <= n:
        raise ValueError(text)
    return which, n


def prepare(work: Path, binary: Path) -> None:
    """Inputs, a board of two finished runs, and the tracer."""
    work.chmod(0o755)
    (work / "tmp").mkdir()
    (work / "tmp").chmod(0o777)
    write_inputs(work)
    for system in ("near", "far"):
        score = ["score", "--gt", work / "gt", "--recon", work / system, "--metrics", "pixcorr,ssim"]
        run = [binary, *score, "--quiet", "--out", work / "entries" / system]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
        (work / "entries" / system / "card.toml").write_text(f'system = "{system}"\nsubject = "subj01"\n')
    (work / "board.toml").write_text('title = "Two systems"\nentries = ["entries"]\n')
    compiler = [os.environ.get("CC", "cc"), "-O1", "-Wall", "-Wextra", "-o", str(work / "faults")]
    subprocess.run([*compiler, str(ROOT / "torture" / "faults.c")], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / "target" / "release" / "neurogauge")
    parser.add_argument(
        "--only",
        type=lambda names: names.split(","),
        default=["score", "perceive", "align", "study", "meta", "board"],
    )
    parser.add_argument(
        "--points", type=int, default=sys.maxsize, help="points of each kind and command [default: all]"
    )
    parser.add_argument("--kills", type=int, default=40, help="trials with random kills of each command")
    parser.add_argument("--writers", type=int, default=10, help="trials with two writers of each command")
    parser.add_argument("--part", type=part, default=(1, 1), help="such as 3/8: every eighth trial, from the third on")
    parser.add_argument("--seed", type=int, default=23)
    args = parser.parse_args()
    which, n_parts = args.part
    draws = random.Random(args.seed + which - 1)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        prepare(work, args.binary.resolve())
        for name in args.only:
            began = time.monotonic()
            try:
                torture = Torture(args.binary.resolve(), work, name)
                once = time.monotonic()
                torture.fresh()
                torture.undisturbed("a third run")
                seconds = time.monotonic() - once
                trials = [
                    lambda how=how, at=at: torture.point(how, at)
                    for at in spread(torture.calls, args.points)
                    for how in HOWS
                ]
                trials += [lambda: torture.kills(draws, seconds)] * args.kills
                trials += [lambda: torture.writers(draws, seconds)] * args.writers
                trials.append(torture.read_only)
                for trial in trials[which - 1 :: n_parts]:
                    try:
                        trial()
                    except Failed as failure:
                        failures.append(str(failure))
                        print(f"FAILED {failure}", flush=True)
                told = ", ".join(f"{n} {what}" for what, n in torture.done.items())
                print(f"{name}: {torture.calls} calls; held: {told}; {time.monotonic() - began:.0f} s", flush=True)
            except Failed as failure:
                failures.append(str(failure))
                print(f"FAILED {failure}", flush=True)
    if failures:
        raise SystemExit(f"{len(failures)} failed")


if __name__ == "__main__":
    main()
