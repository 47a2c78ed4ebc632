"""How time and memory of `neurogauge` grow with the input: each case at three sizes and more, with the exponent.

    make bench-scale          or    python bench/scale.py [--only NAME,...] [--quick]

The exponent k of time ~ n^k is the slope between the two largest sizes. Times are processor seconds, since other work
on the machine lengthens wall seconds, minus those of a run on almost no input. Inputs are random, small and seeded;
this needs only Python.

- pairs: `score` of PSNR on images of 16 px, each a file
- stack: `score` of PixCorr and SSIM on images of 16 px, all in one `.npy` file for each side
- features: `score` of two-way identification by 16 given features
- clips: `score` of SSIM, CLIP, 2-way identification by VideoMAE and the consistency of frames, with placeholder models,
  on clips of 8 frames of 128 px, each a file
- captions: `score` of Cap-Sim with the placeholder encoder, so that everything except the model is measured;
  of pairs, stack, features and captions, 100,000 pairs must stay below 1 GiB
- boxes: `score` of Object F1, 200 pairs with increasing numbers of boxes
- items, raters: `meta` with its defaults (studentized intervals), two metrics. Up to 8192 items, all pairs of items are
  in memory for each metric, sorted, which takes 4 bytes per pair, and twice that while they are sorted; above that,
  they are computed again and again, so 5,000 items take more memory than 50,000
- columns: `meta` of a table of five items and as many raters as columns
- targets: `align` of as many regions as targets, of four voxels each and twelve stimuli
- systems: `compare` of up to 1000 runs of 1000 pairs
"""

import argparse
import json
import math
import os
import random
import resource
import struct
import tempfile
import zlib
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from processes import BINARY, THREADS, measure

MOST_MIB = {
    ("pairs", 100_000): 1024.0,
    ("stack", 100_000): 1024.0,
    ("features", 100_000): 1024.0,
    ("captions", 200_000): 1024.0,
    ("clips", 2000): 320.0,
}
"""What a case may hold at a size."""


class Cost(NamedTuple):
    """The cost of a run."""

    clock_seconds: float
    processor_seconds: float
    peak_mib: float


def run(*words: object) -> Cost:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as cache:
        os.environ["NEUROGAUGE_CACHE"] = cache
        measured = measure([BINARY, *words, "--threads", THREADS, "--quiet"], interval_seconds=0.005)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(measured.seconds, processor, measured.peak_mib)


def png(seed: int, side_px: int) -> bytes:
    """A grey picture of noise."""
    draws = random.Random(seed)
    rows = b"".join(b"\0" + draws.randbytes(side_px) for _ in range(side_px))

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side_px, side_px, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


def pairs(work: Path, n: int) -> Cost:
    """Each image is a separate file; 500 of them differ."""
    pictures = [png(seed, 16) for seed in range(500)]
    for side, shift in (("gt", 0), ("recon", 7)):
        (work / side).mkdir()
        for index in range(n):
            (work / side / f"{index}.png").write_bytes(pictures[(index + shift) % len(pictures)])
    return run("score", "--gt", work / "gt", "--recon", work / "recon", "--metrics", "psnr", "--out", work / "run")


def npy(path: Path, kind: str, shape: tuple[int, ...], rows: Iterable[bytes]) -> None:
    """A NumPy array with these rows."""
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape!r}, }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    with path.open("wb") as file:
        file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode())
        file.writelines(rows)


def stack(work: Path, n: int) -> Cost:
    """500 pictures, repeated. They are compared at 32 px, since their size affects the time but not the memory."""
    draws = random.Random(5)
    pictures = [draws.randbytes(16 * 16 * 3) for _ in range(500)]
    for side, shift in (("gt", 0), ("recon", 7)):
        npy(work / f"{side}.npy", "|u1", (n, 16, 16, 3), (pictures[(index + shift) % 500] for index in range(n)))
    inputs = ["--gt", work / "gt.npy", "--recon", work / "recon.npy", "--set", "pixel_size=32"]
    return run("score", *inputs, "--metrics", "pixcorr,ssim", "--out", work / "run")


def features(work: Path, n: int) -> Cost:
    """Each pair is compared with all others, so the time grows with the square."""
    draws = random.Random(6)
    ids = json.dumps([str(index) for index in range(n)])
    for side in ("gt", "recon"):
        folder = work / side / "features"
        folder.mkdir(parents=True)
        (folder / "ids.json").write_text(ids)
        npy(
            folder / "clip.npy",
            "<f4",
            (n, 16),
            (array("f", (draws.random() for _ in range(16))).tobytes() for _ in range(n)),
        )
    return run("score", "--observations", work, "--metrics", "clip", "--out", work / "run")


def clips(work: Path, n: int) -> Cost:
    """Clips, made from 300 different frames."""
    pictures = [png(seed, 128) for seed in range(300)]
    for side, shift in (("gt", 0), ("recon", 7)):
        for clip in range(n):
            folder = work / side / f"{clip}"
            folder.mkdir(parents=True)
            for frame in range(8):
                (folder / f"{frame}.png").write_bytes(pictures[(8 * clip + frame + shift) % len(pictures)])
    metrics = "ssim,clip,video_n_way_accuracy_2,frame_consistency"
    models = ["--parts", "frame", "--set", "image_models=placeholder"]
    return run(
        "score", "--gt", work / "gt", "--recon", work / "recon", *models, "--metrics", metrics, "--out", work / "run"
    )


WORDS = (
    "a the man woman dog cat red blue rides holds a near of street beach kitchen bicycle horse train two small".split()
)


def captions(work: Path, n: int) -> Cost:
    draws = random.Random(1)
    for side in ("gt", "recon"):
        texts = {str(index): " ".join(draws.choices(WORDS, k=10)) for index in range(n // 2)}
        (work / f"{side}.json").write_text(json.dumps(texts))
    inputs = [
        "--gt",
        f"captions={work / 'gt.json'}",
        "--recon",
        f"captions={work / 'recon.json'}",
        "--set",
        "text_encoder=placeholder",
    ]
    return run("score", *inputs, "--metrics", "cap_sim", "--out", work / "run")


def boxes(work: Path, n: int) -> Cost:
    draws = random.Random(2)
    for side in ("gt", "recon"):
        folder = work / side / "detections"
        folder.mkdir(parents=True)
        for index in range(200):
            scores = sorted((draws.random() ** 3 for _ in range(n)), reverse=True)
            corners = [sorted(draws.uniform(0, 425) for _ in range(4)) for _ in range(n)]
            found = {
                "labels": [draws.randrange(82) for _ in range(n)],
                "scores": scores,
                "bboxes": [[a, b, c, d] for a, b, c, d in corners],
            }
            (folder / f"{index}.json").write_text(json.dumps(found))
    return run("score", "--observations", work, "--metrics", "object_f1", "--out", work / "run")


def survey(work: Path, n_items: int, n_raters: int) -> Cost:
    """Ratings of 1 to 5, and two metrics that follow them more and less closely."""
    draws = random.Random(3)
    ratings, metrics = [",".join(["item", *(f"r{rater}" for rater in range(n_raters))])], ["item,near,far"]
    for item in range(n_items):
        truth = draws.random()
        given = (round(1 + 4 * truth + 2 * (draws.random() - 0.5)) for _ in range(n_raters))
        ratings.append(",".join([f"i{item}", *(str(min(max(rating, 1), 5)) for rating in given)]))
        near, far = truth + 0.5 * (draws.random() - 0.5), truth + 1.5 * (draws.random() - 0.5)
        metrics.append(f"i{item},{near!r},{far!r}")
    (work / "ratings.csv").write_text("\n".join(ratings) + "\n")
    (work / "metrics.csv").write_text("\n".join(metrics) + "\n")
    inputs = ["--human", work / "ratings.csv", "--metrics", work / "metrics.csv", "--higher-is-better", "near,far"]
    return run("meta", *inputs, "--out", work / "meta")


def items(work: Path, n: int) -> Cost:
    return survey(work, n, 5)


def raters(work: Path, n: int) -> Cost:
    return survey(work, 1000, n)


def columns(work: Path, n: int) -> Cost:
    return survey(work, 5, n)


def targets(work: Path, n: int) -> Cost:
    """All regions have the same responses; only their number matters for the time."""
    draws = random.Random(7)
    numbers = range(12)
    npy(work / "stimuli.npy", "<f8", (24,), (struct.pack("<d", trial % 12) for trial in range(24)))
    npy(
        work / "features.npy",
        "<f4",
        (12, 3),
        (array("f", (draws.random() for _ in range(3))).tobytes() for _ in numbers),
    )
    (work / "ids.json").write_text(json.dumps([str(number) for number in numbers]))
    npy(
        work / "trials.npy",
        "<f8",
        (24, 4),
        (array("d", (draws.random() for _ in range(4))).tobytes() for _ in range(24)),
    )
    regions = json.dumps([f"r{region}" for region in range(n)])
    subjects = "".join(
        f'[[targets]]\nsubject = "{subject}"\nroi = {regions}\ntrials = "trials.npy"\nstimuli = "stimuli.npy"\n'
        for subject in "ab"
    )
    sources = '[[sources]]\nname = "model"\nfeatures = "features.npy"\n'
    few = "[settings]\nouter_folds = 3\ninner_folds = 2\npartitions = 2\nnull = 2\nresamples = 50\n"
    (work / "align.toml").write_text(subjects + sources + few)
    return run("align", "--config", work / "align.toml", "--out", work / "align")


def systems(work: Path, n: int) -> Cost:
    """Runs of 1000 pairs of captions; only their comparison is timed."""
    draws = random.Random(4)

    def write(name: str) -> Path:
        texts = {str(index): " ".join(draws.choices(WORDS, k=10)) for index in range(1000)}
        (work / name).write_text(json.dumps(texts))
        return work / name

    gt, runs = write("gt.json"), []
    for system in range(n):
        recon, out = write("recon.json"), work / f"system{system}"
        inputs = ["--gt", f"captions={gt}", "--recon", f"captions={recon}", "--set", "text_encoder=placeholder"]
        run("score", *inputs, "--metrics", "cap_sim", "--resamples", 10, "--out", out)
        runs.append(out)
    return run("compare", *runs, "--out", work / "compared")


CASES: dict[str, tuple[Callable[[Path, int], Cost], list[int]]] = {
    "pairs": (pairs, [1000, 10_000, 100_000]),
    "stack": (stack, [1000, 10_000, 100_000]),
    "features": (features, [1000, 10_000, 100_000]),
    "clips": (clips, [500, 2000]),
    "captions": (captions, [2000, 20_000, 200_000]),
    "boxes": (boxes, [30, 300, 3000]),
    "items": (items, [1000, 3000, 10_000, 20_000, 30_000, 100_000]),
    "raters": (raters, [10, 100, 1000]),
    "columns": (columns, [1000, 10_000, 100_000]),
    "targets": (targets, [3, 30, 300]),
    "systems": (systems, [10, 100, 1000]),
}


def slope(smaller: tuple[int, float], larger: tuple[int, float]) -> float:
    return math.log(larger[1] / smaller[1]) / math.log(larger[0] / smaller[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=lambda names: names.split(","), default=list(CASES))
    parser.add_argument("--quick", action="store_true", help="leave the largest size out")
    args = parser.parse_args()
    assert BINARY.exists(), f"{BINARY} is not built"
    print("| case | n | clock | processor | exponent | peak memory |\n|---|---|---|---|---|---|")
    for name in args.only:
        case, sizes = CASES[name]
        start_up, before = 0.0, None
        for index, n in enumerate([2, *(sizes[:-1] if args.quick else sizes)]):
            with tempfile.TemporaryDirectory() as folder:
                cost = case(Path(folder), n)
            if index == 0:
                start_up = cost.processor_seconds
                continue
            own = (n, max(cost.processor_seconds - start_up, 0.001))
            exponent = "" if before is None else f"{slope(before, own):.2f}"
            before = own
            row = f"{cost.clock_seconds:.2f} s | {cost.processor_seconds:.2f} s | {exponent} | {cost.peak_mib:.0f} MiB"
            print(f"| {name} | {n:,} | {row} |", flush=True)
            most = MOST_MIB.get((name, n), math.inf)
            assert cost.peak_mib < most, f"{name}: {cost.peak_mib:.0f} MiB; at most {most:.0f} were to be used"


if __name__ == "__main__":
    main()
