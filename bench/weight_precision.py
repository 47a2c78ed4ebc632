"""What half precision of all-MiniLM-L6-v2 changes in Cap-Sim, on decoded captions of real subjects.

    python bench/weight_precision.py --weights DIR [--captions ../shared/data/brainhub/captions] [--pairs N] [--only
    STEM]

Needs `cargo build --release --package neurogauge` (or NEUROGAUGE_BINARY=PATH) and pyarrow. Every file of captions in
the folder is scored against reference_coco.json in f32, with weights rounded to bf16 and f16 (`--weight-precision`),
and with products of bf16 (`--precision bf16`); prints the page of benchmarks' table: by how much the score of a pair
changes (mean and maximum), and by how much the mean of the system does. --pairs uses only the first N images."""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pyarrow.parquet

from processes import BINARY, ROOT

REFERENCE = "reference_coco.json"
OPTIONS = {
    "f32": ["--precision", "f32"],
    "weights in bf16": ["--weight-precision", "bf16"],
    "weights in f16": ["--weight-precision", "f16"],
    "products of bf16": ["--precision", "bf16"],
}


def shortened(source: Path, n_pairs: int | None, folder: Path) -> Path:
    """Writes a file of the same name with the captions of the first images, in the order of the reference."""
    stems = list(json.loads(source.with_name(REFERENCE).read_text()))[:n_pairs]
    captions = json.loads(source.read_text())
    (folder / source.name).write_text(json.dumps({stem: captions[stem] for stem in stems}))
    return folder / source.name


def scores(captions: Path, weights: Path, precision: list[str], run: Path) -> np.ndarray:
    subprocess.run(
        [
            BINARY, "score", "--metrics", "cap_sim", "--gt", f"captions={captions.with_name(REFERENCE)}",
            "--recon", f"captions={captions}", "--weights", weights, *precision, "--out", run,
        ],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    table = pyarrow.parquet.read_table(run / "scores.parquet").to_pandas()
    if "metric" in table:
        table = table[table["metric"] == "cap_sim"]
        return table["value"].to_numpy(dtype=np.float64)
    return table["cap_sim"].to_numpy(dtype=np.float64)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--captions", type=Path, default=ROOT.parent / "shared/data/brainhub/captions")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--only", help="stem of one file")
    options = parser.parse_args()
    print("| captions | pairs | Cap-Sim | in half precision | mean change of a pair | largest | change of the mean |")
    print("|---|---|---|---|---|---|---|")
    for captions in sorted(options.captions.glob("*.json")):
        if captions.name == REFERENCE or options.only not in (None, captions.stem):
            continue
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            shortened(captions.with_name(REFERENCE), options.pairs, folder)
            captions = shortened(captions, options.pairs, folder)
            found = {
                name: scores(captions, options.weights, precision, folder / name) for name, precision in OPTIONS.items()
            }
        plain = found["f32"]
        for name in list(OPTIONS)[1:]:
            change = found[name] - plain
            cells = [captions.stem, f"{len(plain)}", f"{plain.mean():.4f}", name]
            cells += [f"{abs(change).mean():.1e}", f"{abs(change).max():.1e}", f"{change.mean():+.1e}"]
            print(f"| {' | '.join(cells)} |", flush=True)
