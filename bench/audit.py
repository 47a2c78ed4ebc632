"""Times the pass of `neurogauge audit` over training stimuli beside NumPy's blocked product and faiss-cpu's flat index,
on the same files in one run.

    python bench/audit.py [--rows 100000] [--base 20000] [--folder DIR] [--binary target/release/neurogauge]

It needs NumPy and faiss-cpu. Features are 1536 normal numbers a row, in single precision, in a file that no side holds
in memory as a whole unless its method needs it (faiss's index does). The audit compares 982 test stimuli and as many
training stimuli, which say how near training stimuli are to each other, with all training stimuli, in double precision;
so do the peers, in single precision. Both sides read the file. The command does more than that (hashes, moments, spans
of 20,000 rows), so it is timed with `--base` rows, too: the difference is what further rows take, and the figure that
is compared. Prints rows for bench/measurements.toml. Exits with 1 if the nearest training stimuli differ from NumPy's
by more than its rounding, or if the audit holds more than 2 GiB."""

import argparse
import csv
import json
import sys
import tempfile
import time
from pathlib import Path

from processes import BINARY, THREADS, measure

N_TEST, N_FEATURES, BLOCK = 982, 1536, 4096
# Correlations in single precision differ from those in double precision by less than this.
TOLERANCE = 1e-5
MOST_MIB = 2048


def rows(path: Path, n: int, seed: int) -> None:
    """Writes a file of normal numbers with ids beside it."""
    import numpy as np

    path.parent.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    values = np.lib.format.open_memmap(path, "w+", np.float32, (n, N_FEATURES))
    for start in range(0, n, BLOCK):
        block = values[start : start + BLOCK]
        block[:] = rng.standard_normal(block.shape, dtype=np.float32)
    values.flush()
    (path.parent / "ids.json").write_text(json.dumps([f"{path.parent.name}{row}" for row in range(n)]))


def audit(binary: Path, folder: Path, train: str) -> tuple[float, float]:
    """Wall seconds and peak MiB of the command."""
    clusters = folder / "clusters.csv"
    names = [name for of in (train, "test") for name in json.loads((folder / of / "ids.json").read_text())]
    clusters.write_text("item,cluster\n" + "".join(f"{name},{place % 12}\n" for place, name in enumerate(names)))
    line = [
        binary,
        "--threads",
        THREADS,
        "audit",
        "--train",
        folder / train / "f.npy",
        "--test",
        folder / "test" / "f.npy",
    ]
    line += ["--clusters", clusters, "--no-figures", "--overwrite", "--out", folder / f"out-{train}"]
    _, seconds, peak = measure(line)
    return seconds, peak


def peer(kind: str, folder: Path) -> None:
    """Runs in a separate process: finds the nearest training rows of twice 982 rows by correlation; prints its seconds
    without imports."""
    import numpy as np

    if kind == "faiss":
        import faiss

        faiss.omp_set_num_threads(THREADS)
    start = time.perf_counter()
    train, test = (np.load(folder / of / "f.npy", mmap_mode="r") for of in ("train", "test"))

    def standard(block):
        block = block - block.mean(1, keepdims=True)
        return block / np.linalg.norm(block, axis=1, keepdims=True)

    queries = standard(np.concatenate([test, train[:N_TEST]]))
    best = np.full(len(queries), -np.inf, np.float32)
    nearest = np.zeros(len(queries), np.int64)
    if kind == "faiss":
        index = faiss.IndexFlatIP(N_FEATURES)
        for at in range(0, len(train), BLOCK):
            index.add(standard(train[at : at + BLOCK]))
        found, places = index.search(queries, 1)
        best, nearest = found[:, 0], places[:, 0]
    else:
        for at in range(0, len(train), BLOCK):
            similarity = queries @ standard(train[at : at + BLOCK]).T
            place = similarity.argmax(1)
            value = similarity[np.arange(len(queries)), place]
            is_better = value > best
            best[is_better], nearest[is_better] = value[is_better], at + place[is_better]
    print(
        json.dumps(
            {
                "seconds": time.perf_counter() - start,
                "best": best[:N_TEST].tolist(),
                "nearest": nearest[:N_TEST].tolist(),
            }
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--base", type=int, default=20_000)
    parser.add_argument(
        "--folder", type=Path, help="where the files go (4 bytes x 1536 x (rows + base)); a temporary folder otherwise"
    )
    parser.add_argument("--binary", type=Path, default=BINARY)
    parser.add_argument("--peer", choices=("numpy", "faiss"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        return peer(args.peer, args.folder)
    assert args.binary.exists(), f"{args.binary} is not built"
    assert args.rows > args.base, "--rows: expected more than --base"
    with tempfile.TemporaryDirectory(dir=args.folder) as work:
        folder = Path(work)
        for name, n, seed in (("train", args.rows, 1), ("base", args.base, 1), ("test", N_TEST, 2)):
            rows(folder / name / "f.npy", n, seed)
        base_seconds, _ = audit(args.binary, folder, "base")
        seconds, peak = audit(args.binary, folder, "train")
        further = (seconds - base_seconds) * args.rows / (args.rows - args.base)
        case = f"{N_TEST} test and {N_TEST} training stimuli against {args.rows:,} training stimuli of {N_FEATURES} features"
        faults = [] if peak <= MOST_MIB else [f"{peak:.0f} MiB; expected at most {MOST_MIB}"]
        with open(folder / "out-train" / "items.csv", encoding="utf-8") as file:
            ours = list(csv.DictReader(file))
        for kind, name in (("numpy", "NumPy, blocks of 4096 rows"), ("faiss", "faiss-cpu, IndexFlatIP")):
            output, _, peer_peak = measure([sys.executable, __file__, "--peer", kind, "--folder", folder])
            found = json.loads(output)
            theirs = zip(ours, found["best"], found["nearest"], strict=True)
            differing = [
                row["item"] for row, best, _ in theirs if abs(float(row["nearest_similarity"]) - best) > TOLERANCE
            ]
            faults += (
                [f"{kind}: {len(differing)} nearest similarities differ, first of {differing[0]}"] if differing else []
            )
            cells = [case, f"{further:.1f} s", f"{found['seconds']:.1f} s", f"{found['seconds'] / further:.2f}"]
            cells += [f"{peak:.0f} MiB", f"{peer_peak:.0f} MiB", name]
            print(json.dumps(cells, ensure_ascii=False) + ",", flush=True)
        print(f"# the whole command: {seconds:.1f} s with {args.rows:,} rows, {base_seconds:.1f} s with {args.base:,}")
    if faults:
        raise SystemExit("\n".join(faults))


if __name__ == "__main__":
    main()
