"""Kills commands, lets their calls fail and fills their disk, at every point at which they change a file; then lets
them go on.

    make torture              or    python torture/run.py [--binary FILE] [--only score,collect] [--points N] [--kills N]
    [--damages N] [--part 1/8]

The verdict, every time: a command that failed said so in words, without a panic; one that said it was done is done; and
the next undisturbed run into the same folder leaves the same bytes as a run that nothing disturbed, in the folder of
results and in the cache, and no other file. What disturbs:

- points: at each call that changes a file (see faults.c), the process is killed before it, or in the midst of writing;
  or the call fails (input and output, permission), or the disk is full from there on. --points N takes N of them,
  evenly spread.
- kills: the process is killed after a random time, several times in a row.
- writers: two start at once with one folder. One is done; the other is too, or says who holds the folder.
- read-only: the folder of results, or the one above it, may not be written to. Nothing is there afterwards.
- damages: a byte or more of an input with several pictures is changed, lost or doubled (see damage.py).

`collect` is a server, with browsers that send answers (see collect.py).

--part 3/8 takes every eighth of all these, from the third on: eight calls, one after the other or side by side, take
them all.

It takes a C compiler, x86-64 Linux and Python alone. A quarter of a minute of it is in `make test`
(python/tests/test_torture.py)."""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from collect import Collecting
from command import Failed, Torture, several
from damage import Damaging
from inputs import write_inputs

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = ["score", "perceive", "align", "study", "meta", "board", "collect"]
COMMANDS += ["gifs", "frames", "stacks", "pages", "pairs"] + (["videos"] if shutil.which("ffmpeg") else [])


def part(text: str) -> tuple[int, int]:
    """Which of how many."""
    which, n = (int(number) for number in text.split("/"))
    if not 1 <= which <= n:
        raise ValueError(text)
    return which, n


def command_of(binary: Path, work: Path, name: str) -> Torture:
    if name == "collect":
        return Collecting(binary, work, name)
    return (Damaging if name in several(work) else Torture)(binary, work, name)


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
    systems = [f"{system}={work / system}" for system in ("near", "far")]
    survey = ["survey", "make", "--gt", work / "gt", "--recon", *systems, "--raters", "2", "--pairs-per-page", "6"]
    subprocess.run([binary, *survey, "--quiet", "--out", work / "survey"], check=True, stdout=subprocess.DEVNULL)
    compiler = [os.environ.get("CC", "cc"), "-O1", "-Wall", "-Wextra", "-o", str(work / "faults")]
    subprocess.run([*compiler, str(ROOT / "torture" / "faults.c")], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / "target" / "release" / "neurogauge")
    parser.add_argument(
        "--only",
        type=lambda names: names.split(","),
        default=COMMANDS,
        help=f"some of {','.join(COMMANDS)}",
    )
    parser.add_argument(
        "--points", type=int, default=sys.maxsize, help="points of each kind and command [default: all]"
    )
    parser.add_argument("--kills", type=int, default=40, help="trials with random kills of each command")
    parser.add_argument("--writers", type=int, default=10, help="trials with two writers of each command")
    parser.add_argument(
        "--damages", type=int, default=200, help="damaged inputs of each command that reads several pictures"
    )
    parser.add_argument("--keep", type=Path, help="folder for damaged inputs that did harm")
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
                torture = command_of(args.binary.resolve(), work, name)
                once = time.monotonic()
                torture.fresh()
                torture.undisturbed("a third run")
                seconds = time.monotonic() - once
                for trial in torture.trials(args, draws, seconds)[which - 1 :: n_parts]:
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
