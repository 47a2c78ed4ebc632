"""Counts the instructions of hot paths with valgrind. Counts are the same on a busy machine as on an idle one, so that
a change can be compared with the commit before it.

    python3 bench/instructions.py                 # counts, and writes bench/instructions.csv
    python3 bench/instructions.py --check         # counts, and fails if a path takes 3% more than recorded
    python3 bench/instructions.py ssim meteor     # only these

`make bench-instructions` and `make bench-check` build the program first (crates/facade/examples/hot_paths), which runs
one path on one thread, on inputs that it makes itself. Only the second call of a path counts. It is built like the
tests, so that a check needs no second build: networks, alignment and core as in a release, the rest less optimised. So
counts show whether a path does more than before, but not how long it takes; `make bench` times releases.

Valgrind's processor has AVX2 and FMA, but neither AVX-512 nor instructions for SHA-256 and products of bf16: so paths
are counted as on an older processor. Counts are valid for one compiler (rust-toolchain.toml)."""

import argparse
import concurrent.futures
import csv
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
RECORDED = ROOT / "bench" / "instructions.csv"
COLUMNS = ["path", "instructions", "commit"]
MOST = 1.03
# A row changes only by more than this, so that its commit is that of the last real change.
SAME = 1e-3


def program() -> Path:
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return target / "debug" / "examples" / "hot_paths"


def counted(path: str) -> int:
    """The number of instructions of a path's second call."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*counted*"]
    done = subprocess.run([*valgrind, program(), path], capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or found is None or int(found[1]) == 0:
        raise SystemExit(f"{path}: valgrind counted nothing (exit {done.returncode})\n{done.stderr}")
    return int(found[1])


def recorded() -> dict[str, tuple[int, str]]:
    if not RECORDED.exists():
        return {}
    with RECORDED.open(encoding="utf-8", newline="") as file:
        return {row["path"]: (int(row["instructions"]), row["commit"]) for row in csv.DictReader(file)}


def check(names: list[str], found: dict[str, int], known: dict[str, tuple[int, str]], all_of_them: bool) -> list[str]:
    """The reasons to fail."""
    reasons = []
    for name in names:
        if name not in known:
            reasons.append(f"{name}: not recorded")
        elif found[name] > MOST * known[name][0]:
            before, commit = known[name]
            reasons.append(
                f"{name}: {found[name]:,} instructions, {found[name] / before - 1:+.1%} against {before:,} of {commit}"
            )
    if all_of_them:
        reasons += [f"{name}: recorded, but no path is called so" for name in known if name not in found]
    return reasons


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="paths to count; all, if none is named")
    parser.add_argument(
        "--check", action="store_true", help="fail where a path takes 3%% more than recorded; write nothing"
    )
    options = parser.parse_args()
    every = subprocess.run([program(), "--list"], capture_output=True, text=True, check=True).stdout.split()
    names = options.names or every
    if unknown := set(names) - set(every):
        raise SystemExit(f"no path is called {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(names, pool.map(counted, names), strict=True))
    known = recorded()
    for name in names:
        before = known.get(name, (found[name], ""))[0]
        print(f"{name:24} {found[name]:>14,} {found[name] / before - 1:+8.2%}")
    if options.check:
        if reasons := check(names, found, known, not options.names):
            print(*reasons, sep="\n", file=sys.stderr)
            raise SystemExit(
                "If that is intended, record it with `make bench-instructions` and commit bench/instructions.csv."
            )
        return
    commit = subprocess.run(
        ["git", "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.strip()
    for name in names:
        before = known.get(name, (0, ""))[0]
        if abs(found[name] - before) > SAME * before:
            known[name] = (found[name], commit)
    with RECORDED.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows([name, *known[name]] for name in every if name in known)


if __name__ == "__main__":
    main()
