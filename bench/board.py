"""Times `neurogauge board make`: 50 systems of 8 subjects with 1000 pairs and 20 metrics, until the site is written,
and its size.

    python bench/board.py [--systems 50] [--subjects 8] [--pairs 1000] [--binary target/release/neurogauge] [--keep DIR]

Entries are copies of one run of captions, with random scores instead of its own: systems share the quality of each
pair, and their differences become smaller and smaller. It needs pyarrow (`make references` installs it)."""

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from processes import BINARY, measure

METRICS = [
    "pixcorr", "ssim", "psnr", "effnet", "swav", "object_recall", "object_precision", "object_f1", "cap_sim", "basic_object_precision",
    "basic_object_recall", "basic_object_f1", "basic_attribute_f1", "basic_relation_f1", "meteor", "rouge_1", "rouge_2", "rouge_l_f1",
    "rouge_l", "cider",
]  # fmt: skip


def entry(template: Path, folder: Path, scores: np.ndarray) -> None:
    """Copies a run with other scores, a row for each metric."""
    folder.mkdir(parents=True)
    record = json.loads((template / "run.json").read_text())
    first = record["metrics"][0]
    record["metrics"] = [{**first, "id": metric} for metric in METRICS]
    (folder / "run.json").write_text(json.dumps(record))
    pairs = [str(pair) for pair in range(scores.shape[1])]
    table = pa.table(
        {
            "pair": pairs * len(METRICS),
            "metric": [metric for metric in METRICS for _ in pairs],
            "value": scores.ravel(),
            "undefined": pa.nulls(scores.size, pa.string()),
        }
    )
    pq.write_table(table, folder / "scores.parquet")


def make(binary: Path, work: Path, n_systems: int, n_subjects: int, n_pairs: int) -> None:
    rng = np.random.default_rng(3)
    captions = {str(pair): f"a thing called n{pair}" for pair in range(n_pairs)}
    (work / "captions.json").write_text(json.dumps(captions))
    sides = [word for side in ("gt", "recon") for word in (f"--{side}", f"captions={work / 'captions.json'}")]
    measure([binary, "score", *sides, "--metrics", "rouge_1", "--out", work / "template"])
    for subject in range(n_subjects):
        shared = rng.normal(size=(len(METRICS), n_pairs))
        for system in range(n_systems):
            own = rng.normal(size=shared.shape)
            scores = 1 / (1 + np.exp(-(shared + own) / 2 - 2 * system / n_systems))
            folder = work / "entries" / f"system{system:02}-subj{subject:02}"
            entry(work / "template", folder, scores)
            (folder / "card.toml").write_text(f'system = "System {system:02}"\nsubject = "subj{subject:02}"\n')
    (work / "board.toml").write_text('title = "Drawn scores"\nentries = ["entries"]\n')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", type=int, default=50)
    parser.add_argument("--subjects", type=int, default=8)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--binary", type=Path, default=BINARY)
    parser.add_argument("--keep", type=Path, help="leave entries and site in this folder")
    args = parser.parse_args()
    work = args.keep or Path(tempfile.mkdtemp(prefix="board"))
    work.mkdir(parents=True, exist_ok=True)
    make(args.binary, work, args.systems, args.subjects, args.pairs)
    made = measure([args.binary, "--quiet", "board", "make", work / "board.toml", "--out", work / "site"])
    sizes: dict[str, int] = {}
    for path in (work / "site").rglob("*"):
        if path.is_file():
            kind = path.relative_to(work / "site").parts[0]
            sizes[kind] = sizes.get(kind, 0) + path.stat().st_size
    print(f"{made.seconds:.1f} s, {made.peak_mib:.0f} MiB")
    print(
        f"site: {sum(sizes.values()) / 1e6:.1f} MB ("
        + ", ".join(f"{kind} {size / 1e6:.1f}" for kind, size in sizes.items())
        + ")"
    )
    if args.keep is None:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
