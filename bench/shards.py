"""What the parts of a plan cost: a run in one call, and in eight parts, two at a time, on two cores."""

import argparse
import concurrent.futures
import json
import os
import random
import shutil
import statistics
import struct
import subprocess
import tempfile
import time
from pathlib import Path

from processes import THREADS

N_SHARDS = 8
N_IMAGES = 480
SIDE_PX = 256
# Observers that need no weights stand for those that do: each image is decoded, seen three times and written.
WITH = ["--with", "stand-in:grid4", "--with", "stand-in-captioner", "--with", "stand-in-detector"]


def images(path: Path) -> None:
    """An .npy stack of noise."""
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({N_IMAGES}, {SIDE_PX}, {SIDE_PX}, 3), }}".encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    draw = random.Random(0)
    with path.open("wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        for _ in range(N_IMAGES):
            file.write(draw.randbytes(SIDE_PX * SIDE_PX * 3))


def command(binary: str, cache: Path, words: list[object]) -> float:
    """Seconds of a call."""
    begun = time.perf_counter()
    environment = {**os.environ, "NEUROGAUGE_CACHE": str(cache)}
    subprocess.run([binary, "--quiet", *map(str, words)], check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - begun


def one_call(binary: str, root: Path) -> float:
    words = ["--threads", THREADS, "perceive", "--images", root / "images.npy", *WITH, "--out", root / "whole"]
    return command(binary, root / "cache-whole", words)


def in_shards(binary: str, root: Path) -> tuple[float, list[float]]:
    """Seconds of all parts and of what puts them together, without the plan; and of each part."""
    run, cache = root / "parts", root / "cache-parts"
    command(binary, cache, ["plan", "perceive", "--images", root / "images.npy", *WITH, "--out", run])
    begun = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        shards = [["--threads", 1, "work", run, "--shard", f"{shard}/{N_SHARDS}"] for shard in range(N_SHARDS)]
        list(pool.map(lambda words: command(binary, cache, words), shards))
    command(binary, cache, ["--threads", THREADS, "finish", run, "--all-shards"])
    seconds = time.perf_counter() - begun
    records = (json.loads(path.read_text()) for path in run.glob("shards/*/shard.json"))
    return seconds, [record["wall_s"] for record in records]


def on_cluster(shard_seconds: list[float], n_nodes: int, per_node: int, start_s: float, reduce_s: float) -> float:
    """Seconds of an array on a cluster: a job goes to the first place that is free, after the scheduler has started it."""
    places = [0.0] * (n_nodes * per_node)
    for number, seconds in enumerate(shard_seconds):
        place = min(range(len(places)), key=places.__getitem__)
        # The scheduler starts one job after the other.
        places[place] = max(places[place], number * start_s) + seconds
    return max(places) + reduce_s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default="target/release/neurogauge")
    parser.add_argument("--repeats", type=int, default=3)
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
    one, eight = statistics.median(whole), statistics.median(parts)
    print(f"{N_IMAGES} images: one call {one:.2f} s, {N_SHARDS} shards {eight:.2f} s, ratio {eight / one:.3f}")
    print("shards (s): " + " ".join(f"{seconds:.2f}" for seconds in sorted(shards)))


if __name__ == "__main__":
    main()
