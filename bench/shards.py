"""Measures the cost of a plan's parts: a run in one call, and in eight parts, two at a time, on two cores."""

import argparse
import concurrent.futures
import heapq
import json
import os
import random
import resource
import shutil
import statistics
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from processes import THREADS

N_SHARDS = 8
N_IMAGES = 720
SIDE_PX = 256
# Observers without weights stand for those with weights: each image is decoded, processed three times and written.
WITH = ["--with", "placeholder:grid4", "--with", "placeholder-captioner", "--with", "placeholder-detector"]


def images(path: Path) -> None:
    """An .npy stack of noise."""
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({N_IMAGES}, {SIDE_PX}, {SIDE_PX}, 3), }}".encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    draw = random.Random(0)
    with path.open("wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        for _ in range(N_IMAGES):
            file.write(draw.randbytes(SIDE_PX * SIDE_PX * 3))


class Took(NamedTuple):
    """Wall seconds and processor seconds."""

    clock: float
    processors: float


def command(binary: str, cache: Path, words: list[object]) -> None:
    environment = {**os.environ, "NEUROGAUGE_CACHE": str(cache)}
    subprocess.run([binary, "--quiet", *map(str, words)], check=True, stdout=subprocess.DEVNULL, env=environment)


def took(act: Callable[[], object]) -> Took:
    def now() -> Took:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return Took(time.perf_counter(), used.ru_utime + used.ru_stime)

    begun = now()
    act()
    ended = now()
    return Took(ended.clock - begun.clock, ended.processors - begun.processors)


def one_call(binary: str, root: Path) -> Took:
    words = ["--threads", THREADS, "perceive", "--images", root / "images.npy", *WITH, "--out", root / "whole"]
    return took(lambda: command(binary, root / "cache-whole", words))


def in_shards(binary: str, root: Path) -> tuple[Took, list[float]]:
    """The cost of all parts and of putting them together, without the plan; and the seconds of each part."""
    run, cache = root / "parts", root / "cache-parts"
    command(binary, cache, ["cluster", "plan", "perceive", "--images", root / "images.npy", *WITH, "--out", run])

    def work() -> None:
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            shards = [
                ["--threads", 1, "cluster", "work", run, "--shard", f"{shard}/{N_SHARDS}"] for shard in range(N_SHARDS)
            ]
            list(pool.map(lambda words: command(binary, cache, words), shards))
        command(binary, cache, ["--threads", THREADS, "cluster", "finish", run, "--all-shards"])

    seconds = took(work)
    records = (json.loads(path.read_text()) for path in run.glob("shards/*/shard.json"))
    return seconds, [record["wall_s"] for record in records]


# A model of a cluster: the fixed cost of a job (starting, hashing the inputs and weights, loading the models), the
# interval at which the scheduler starts jobs, and the time to put the run together, s.
FIXED_S, START_S, FINISH_S = 30.0, 0.1, 120.0
PLACES_OF_NODE = 8
# 982 stimuli and the reconstructions of fifteen systems; seconds per image for GIT-large and MM-Grounding-DINO on two
# cores (docs/pages/project/benchmarks.md).
N_SEEN, IMAGE_S = 982 * 16, 1.10 + 5.12


def on_cluster(n_nodes: int, n_shards: int, spread: float) -> float:
    """Seconds for an array: each job goes to the first free slot once the scheduler starts it."""
    draw = random.Random(0)
    places = [0.0] * (n_nodes * PLACES_OF_NODE)
    for shard in range(n_shards):
        n_items = N_SEEN * (shard + 1) // n_shards - N_SEEN * shard // n_shards
        seconds = FIXED_S + n_items * IMAGE_S * draw.lognormvariate(-(spread**2) / 2, spread)
        begun = max(heapq.heappop(places), shard * START_S)
        heapq.heappush(places, begun + seconds)
    return max(places) + FINISH_S


def scaling(spread: float) -> str:
    """A table of nodes and parts, and of the speed-up over a single slot."""
    alone = FIXED_S + N_SEEN * IMAGE_S + FINISH_S
    rows = ["| nodes | parts | time | speed-up over one worker | efficiency |", "|---|---|---|---|---|"]
    for n_nodes in (1, 10, 100):
        for times in (1, 2, 4):
            n_places = n_nodes * PLACES_OF_NODE
            seconds = on_cluster(n_nodes, n_places * times, spread)
            gain = alone / seconds
            rows.append(
                f"| {n_nodes} | {n_places * times} | {seconds / 60:.1f} min | {gain:.0f} times | {gain / n_places:.0%} |"
            )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default="target/release/neurogauge")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--spread", type=float, default=0.15, help="of the times of shards on the cluster, as a part of their mean"
    )
    arguments = parser.parse_args()
    whole, parts, shards = [], [], []
    for _ in range(arguments.repeats):
        root = Path(tempfile.mkdtemp())
        images(root / "images.npy")
        whole.append(one_call(arguments.binary, root))
        seconds, of_shards = in_shards(arguments.binary, root)
        parts.append(seconds)
        shards.extend(of_shards)
        shutil.rmtree(root)
    for what in Took._fields:
        one, eight = (statistics.median(getattr(of, what) for of in all_of) for all_of in (whole, parts))
        print(
            f"{N_IMAGES} images, {what}: one call {one:.2f} s, {N_SHARDS} shards {eight:.2f} s, ratio {eight / one:.3f}"
        )
    print("shards (s): " + " ".join(f"{seconds:.2f}" for seconds in sorted(shards)))
    print(
        f"spread of shards: {statistics.stdev(shards) / statistics.mean(shards):.2f} of their mean\n{scaling(arguments.spread)}"
    )


if __name__ == "__main__":
    main()
