"""A command that is killed, whose calls fail or whose disk is full, and that then goes on."""

import argparse
import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

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
    stand_ins = ["--set", "image_models=placeholder", "--set", "text_encoder=placeholder", "--captioner", "placeholder-captioner"]
    detector = ["--detector", "placeholder-detector"]
    few = ["--resamples", "50"]
    systems = [word for name in ("near", "far") for word in ("--recon", f"{name}={at[name]}")]
    score = ["score", "--gt", at["gt"], "--recon", at["near"], "--metrics", "pixcorr,ssim,effnet,cap_sim,object_f1"]
    return {
        "score": [*score, *stand_ins, *detector, *few, *out],
        "perceive": ["perceive", "--images", at["gt"], "--with", "placeholder,placeholder-captioner,placeholder-detector", *out],
        "align": ["align", "--config", at["align/align.toml"], "--figure-format", "svg", *out],
        "study": ["study", "--gt", at["gt"], *systems, "--metrics", "pixcorr,effnet,cap_sim", *stand_ins, *out],
        "meta": ["meta", "--human", at["ratings.csv"], "--metrics", at["metrics.csv"], *few, *out],
        "board": ["board", "make", at["board.toml"], *out],
        **{name: [*words, *out] for name, words in several(work).items()},
    }


def several(work: Path) -> dict[str, list[str]]:
    """Scores of files with several pictures, and of clips whose frames change their size."""
    clips = ["--parts", "frame", "--metrics", "pixcorr,ssim", "--set", "pixel_size=own"]
    stills = ["--metrics", "pixcorr,ssim"]

    def of(gt: str, near: str) -> list[str]:
        return ["score", "--gt", str(work / gt), "--recon", str(work / near)]

    return {
        "gifs": [*of("gifs/gt", "gifs/near"), *clips],
        "frames": [*of("frames/gt", "frames/near"), *clips],
        "videos": [*of("videos/gt", "videos/near"), *clips],
        "stacks": [*of("gt.npy", "near.npy"), *clips],
        "pages": [*of("pages/gt", "pages/near"), *stills],
        "pairs": [*of("pairs/gt#left:2x1", "pairs/gt#right:2x1"), *stills],
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
        self.prepare()

    def prepare(self) -> None:
        """Counts the calls, and keeps what an undisturbed run writes."""
        self.done: Counter[str] = Counter()
        self.fresh()
        self.calls = self.count()
        self.expected = files(self.state)
        if not self.expected:
            raise Failed(f"{self.name} writes nothing")
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
        try:
            return subprocess.run(
                words,
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=SLOWEST_SECONDS,
                check=False,
                user=user,
            )
        except subprocess.TimeoutExpired as error:
            raise Failed(f"{self.name}: no end after {SLOWEST_SECONDS:.0f} s: {words}") from error

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

    def trials(self, args: argparse.Namespace, draws: random.Random, seconds: float) -> list[Callable[[], None]]:
        """All of them; an undisturbed run takes so many seconds."""
        points = [partial(self.point, how, at) for at in spread(self.calls, args.points) for how in HOWS]
        kills: list[Callable[[], None]] = [partial(self.kills, draws, seconds)] * args.kills
        return [*points, *kills, *[partial(self.writers, draws, seconds)] * args.writers, self.read_only]

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
            if process.returncode != 0 and "another command is writing there" not in said:
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
