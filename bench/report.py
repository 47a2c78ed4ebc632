"""Times `neurogauge report` on five systems of 1000 pairs: until the page is written, its size, and until a reader can
use it.

    python bench/report.py [--pairs 1000] [--systems 5] [--frames 0] [--binary target/release/neurogauge] [--keep DIR]

Images of 256 px, captions, detections, and features of CLIP and Inception, so that the page also finds ranks among
others with their nearest confusers, and near misses. With `--frames 8`, pairs are clips of 8 frames of 64 px, without
anything else. The time in the browser takes Chromium, Node.js and `npm ci` in pages/: from the start of loading until
the list of pairs is there and a key was answered, median of three."""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image
from processes import BINARY, ROOT, measure

THINGS = "person dog cat car boat bird horse sheep cow bear zebra giraffe chair couch bed clock bus train truck pizza".split()
FEATURES = {"clip": 768, "inception": 2048}


def picture(rng: np.random.Generator, coarse: np.ndarray) -> Image.Image:
    """A smooth field of colours with grain, which compresses about as well as a photograph."""
    smooth = np.asarray(Image.fromarray(coarse).resize((256, 256), Image.Resampling.BICUBIC), dtype=np.int16)
    return Image.fromarray(np.clip(smooth + rng.integers(-12, 13, smooth.shape), 0, 255).astype(np.uint8))


def write_side(
    side: Path, images: Path, coarse: np.ndarray, things: list[list[int]], features: dict[str, np.ndarray]
) -> None:
    """Writes images, captions, detections and features of stimuli or of reconstructions."""
    rng = np.random.default_rng(7)
    for folder in (images, side / "detections", side / "features"):
        folder.mkdir(parents=True)
    captions = {}
    for index, (colours, present) in enumerate(zip(coarse, things, strict=True)):
        picture(rng, colours).save(images / f"{index}.png")
        names = [THINGS[thing] for thing in present]
        corners = rng.integers(0, 120, (len(names), 2))
        boxes = [[int(x), int(y), int(x) + 100, int(y) + 90] for x, y in corners]
        found = {"labels": names, "scores": rng.uniform(0.3, 1.0, len(names)).round(4).tolist(), "bboxes": boxes}
        (side / "detections" / f"{index}.json").write_text(json.dumps(found))
        captions[str(index)] = f"a {' and a '.join(names)} in front of a large field with trees on a cloudy day"
    (side / "captions.json").write_text(json.dumps(captions))
    (side / "features" / "ids.json").write_text(json.dumps([str(index) for index in range(len(coarse))]))
    for name, rows in features.items():
        np.save(side / "features" / f"{name}.npy", rows.astype(np.float32))


def make(folder: Path, n_pairs: int, n_systems: int) -> None:
    """Writes stimuli and systems; later systems are further from the stimuli."""
    rng = np.random.default_rng(42)
    coarse = rng.integers(0, 256, (n_pairs, 9, 9, 3), dtype=np.uint8)
    things = [rng.choice(len(THINGS), rng.integers(1, 6), replace=False).tolist() for _ in range(n_pairs)]
    features = {name: rng.standard_normal((n_pairs, size)) for name, size in FEATURES.items()}
    for system in range(n_systems):
        noise = rng.integers(-60, 61, coarse.shape) * (system + 1) / n_systems
        seen = np.clip(coarse + noise, 0, 255).astype(np.uint8)
        guessed = [[int(rng.integers(len(THINGS))) if rng.random() < 0.2 else thing for thing in own] for own in things]
        decoded = {name: rows + (1 + system) * 2 * rng.standard_normal(rows.shape) for name, rows in features.items()}
        observed = folder / f"observed{system}"
        write_side(observed / "recon", folder / f"recon{system}", seen, guessed, decoded)
        write_side(observed / "gt", observed / "gt_images", coarse, things, features)


def make_clips(folder: Path, n_pairs: int, n_systems: int, n_frames: int) -> None:
    """Writes the same as arrays of clips, whose frames move to the right."""
    rng = np.random.default_rng(42)
    coarse = rng.integers(0, 256, (n_pairs, 9, 9, 3), dtype=np.uint8)
    for system in range(-1, n_systems):
        noise = rng.integers(-60, 61, coarse.shape) * (system + 1) / n_systems
        seen = np.clip(coarse + noise, 0, 255).astype(np.uint8)
        still = np.stack([np.asarray(picture(rng, colours).resize((64, 64))) for colours in seen])
        clips = np.stack([np.roll(still, 3 * frame, axis=2) for frame in range(n_frames)], axis=1)
        np.save(folder / ("gt.npy" if system < 0 else f"recon{system}.npy"), clips)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pairs", type=int, default=1000)
    arguments.add_argument("--systems", type=int, default=5)
    arguments.add_argument("--frames", type=int, default=0, help="frames of a clip; 0 for images")
    arguments.add_argument("--binary", type=Path, default=BINARY)
    arguments.add_argument("--keep", type=Path, help="a folder for data and pages; what it holds is not made again")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = chosen.keep or Path(scratch)
        runs = [work / f"system{system}" for system in range(chosen.systems)]
        if chosen.frames and not runs[-1].exists():
            make_clips(work, chosen.pairs, chosen.systems, chosen.frames)
        elif not runs[-1].exists():
            make(work, chosen.pairs, chosen.systems)
        for system, run in enumerate(runs):
            observed = work / f"observed{system}"
            inputs = ["--gt", observed / "gt_images", "--recon", work / f"recon{system}", "--observations", observed]
            inputs += ["--set", "text_encoder=placeholder"]
            if chosen.frames:
                inputs = ["--gt", work / "gt.npy", "--recon", work / f"recon{system}.npy", "--parts", "frame"]
                inputs += ["--metrics", "pixcorr,ssim", "--set", "pixel_size=own"]
            measure([chosen.binary, "score", *inputs, "--out", run, "--offline"])
        for n_systems in sorted({1, chosen.systems}):
            page = work / f"report{n_systems}.html"
            written = measure([chosen.binary, "report", *runs[:n_systems], "--out", page, "--overwrite"])
            size = page.stat().st_size / 1e6
            ready = subprocess.run(
                ["node", ROOT / "bench/report_page.mjs", page], check=True, capture_output=True, text=True
            ).stdout.strip()
            print(
                f"| {n_systems} x {chosen.pairs} pairs | {written.seconds:.1f} s | {written.peak_mib:.0f} MiB | {size:.1f} MB | {ready} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
