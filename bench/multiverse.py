"""Times `neurogauge multiverse` of five systems under every released convention beside the same systems under one.

    python bench/multiverse.py [--pairs 1000] [--side 256] [--binary target/release/neurogauge] [--weights FOLDER]

The metrics are nsd8, with synthetic weights of the published shapes, which are written if --weights does not have them.
Both sides start with an empty cache, and both are whole commands on the same PNG files. A single run is five calls of
`neurogauge score --preset mindeye2`, one for each system, with one cache, so that the stimuli go through the models
once. Released evaluations prepare images for models in three ways. Features with the same preparation are computed
once, and the step through 256 px does not change pictures of that size. So the models alone cost twice a single run
here (three times with another --side); the rest is added by the multiverse. Prints rows for bench/measurements.toml.
Exits with 1 if a model processed an image more than three times."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from processes import BINARY, THREADS, measure

SYSTEMS = 5
MODELS = ("alexnet", "inception_v3", "clip_vit_l_14", "efficientnet_b1", "swav_resnet50")
PREPARATIONS = 3


def pictures(folder: Path, n: int, side_px: int) -> None:
    """Stimuli, and reconstructions that are blends with other pictures, as PNG files that compress about as well as
    photographs."""
    import numpy as np
    from PIL import Image

    rng = np.random.default_rng(7)

    def picture() -> np.ndarray:
        coarse = Image.fromarray(rng.integers(0, 256, (9, 9, 3), dtype=np.uint8))
        smooth = np.asarray(coarse.resize((side_px, side_px), Image.Resampling.BICUBIC), dtype=np.int16)
        return np.clip(smooth + rng.integers(-6, 7, smooth.shape), 0, 255)

    names = ["gt", *(f"system{system}" for system in range(SYSTEMS))]
    for name in names:
        (folder / name).mkdir(parents=True)
    for index in range(n):
        stimulus = picture()
        for place, name in enumerate(names):
            share = place / (SYSTEMS + 1)
            blend = stimulus if place == 0 else (1 - share) * stimulus + share * picture()
            Image.fromarray(blend.astype(np.uint8)).save(folder / name / f"{index}.png", compress_level=1)


def observed(cache: Path) -> dict[str, int]:
    """Number of feature rows of each model's layers in a cache."""
    import numpy as np

    rows: dict[str, int] = {}
    for path in (cache / "features").glob("*/*.npy"):
        rows[path.parent.name] = rows.get(path.parent.name, 0) + len(np.load(path, mmap_mode="r"))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--side", type=int, default=256, help="of the pictures, in pixels")
    parser.add_argument("--binary", type=Path, default=BINARY)
    parser.add_argument("--weights", type=Path, help="folder of MODEL.safetensors; a temporary one otherwise")
    parser.add_argument("--placeholder", action="store_true", help="no weights: what everything but the models costs")
    args = parser.parse_args()
    assert args.binary.exists(), f"{args.binary} is not built"
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        pictures(work, args.pairs, args.side)
        models: list[object] = ["--set", "image_models=placeholder"]
        if not args.placeholder:
            weights = args.weights or work / "weights"
            weights.mkdir(parents=True, exist_ok=True)
            if not all((weights / f"{model}.safetensors").exists() for model in MODELS):
                code = f"import nsd8, pathlib; nsd8.write_weights(pathlib.Path({str(weights)!r}))"
                subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, check=True)
            models = [f"--checkpoint={model}={weights / model}.safetensors" for model in MODELS]
        options = ["--metrics", "nsd8", "--threads", THREADS, *models]

        def timed(cache: str, lines: list[list[object]]) -> tuple[float, float]:
            os.environ["NEUROGAUGE_CACHE"] = str(work / cache)
            found = [measure([args.binary, *line, *options]) for line in lines]
            return sum(one.seconds for one in found), max(one.peak_mib for one in found)

        systems = [f"system{system}" for system in range(SYSTEMS)]
        single, _ = timed(
            "single",
            [
                ["score", work / "gt", work / system, "--preset", "mindeye2", "--out", work / "runs" / system]
                for system in systems
            ],
        )
        call = [
            "multiverse",
            work / "gt",
            *(f"{system}={work / system}" for system in systems),
            "--out",
            work / "universe",
        ]
        whole, peak = timed("multiverse", [call])
        again, _ = timed("multiverse", [call])
        counts = observed(work / "multiverse"), observed(work / "single")
        record = json.loads((work / "universe" / "multiverse.json").read_text(encoding="utf-8"))
        conventions = {
            name for metric in record["metrics"] for row in metric["conventions"] for name in row["name"].split(", ")
        }
        shutil.rmtree(work / "universe")
    case = f"{SYSTEMS} systems of {args.pairs} pairs of {args.side} px, nsd8, {len(conventions)} conventions"
    cells = [
        case,
        f"{whole:.1f} s",
        f"{single:.1f} s",
        f"{whole / single:.2f}",
        f"{peak:.0f} MiB",
        f"again: {again:.1f} s",
    ]
    print(json.dumps(cells, ensure_ascii=False) + ",", flush=True)
    for layer, rows in counts[0].items():
        if rows > PREPARATIONS * counts[1][layer]:
            raise SystemExit(
                f"{layer}: {rows} rows of features, {counts[1][layer]} in a single run; expected at most {PREPARATIONS} times"
            )


if __name__ == "__main__":
    main()
