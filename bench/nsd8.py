"""Compares the time of `neurogauge score --metrics nsd8` with MindEye2's computation of the eight metrics in PyTorch.

    python bench/nsd8.py [--pairs 100] [--steps]

Both sides score the same PNG files of 256 px with the same synthetic weights, from start-up to the table: neurogauge as
a command with safetensors of these weights (and 2000 bootstrap resamples), the peer as a Python process that follows
the notebook: every image set goes through a model as one batch. Checks that both sides give the same figures.

With --steps, shows instead where our time goes: processor seconds on one thread of each network's metrics and of the
pixels', by what was computed, with the network's share of the processor's peak, in f32 and in bf16, and how far bf16
moves each metric. It needs `perf`, and a program and an example `time_models` (`EXAMPLE`) with symbols, such as those
of the development profile.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from processes import BINARY, EXAMPLE, PRECISIONS, ROOT, THREADS, head, measure, row
from run import command, images

IMAGENET = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])
CLIP = ([0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711])
# The metrics of each network, and its thousands of millions of operations for an image (as `models` counts them).
PARTS = {
    "": ("pixcorr,ssim", 0.0),
    "alexnet": ("alexnet2,alexnet5", 1.43),
    "inception_v3": ("inception", 11.4),
    "clip_vit_l_14": ("clip", 162.0),
    "efficientnet_b1": ("effnet", 1.37),
    "swav_resnet50": ("swav", 8.18),
}
# What a function computes, by words of its name; the first that fits counts.
COMPUTES = {
    "network": "kernels|models|candle|gemm",
    "decoding": "png|zune|fdeflate|inflate|adler|crc32",
    "resizing": "core.*image|preprocess|resiz",
    "metrics, intervals": "metrics|stats|alignment",
    "hashes": "sha2|sha256",
}


def networks() -> dict:
    """Id -> (constructor, size, statistics, taps)."""
    import torchvision
    from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection

    large = dict(
        hidden_size=1024,
        intermediate_size=4096,
        num_hidden_layers=24,
        num_attention_heads=16,
        patch_size=14,
        image_size=224,
        projection_dim=768,
    )
    vision = torchvision.models
    return {
        "alexnet": (vision.alexnet, 256, IMAGENET, {"alexnet2": "features.4", "alexnet5": "features.11"}),
        "inception_v3": (
            lambda: vision.inception_v3(init_weights=False, transform_input=True),
            342,
            IMAGENET,
            {"inception": "avgpool"},
        ),
        "clip_vit_l_14": (lambda: CLIPVisionModelWithProjection(CLIPVisionConfig(**large)), 224, CLIP, {"clip": ""}),
        "efficientnet_b1": (vision.efficientnet_b1, 255, IMAGENET, {"effnet": "avgpool"}),
        "swav_resnet50": (vision.resnet50, 224, IMAGENET, {"swav": "avgpool"}),
    }


def write_weights(folder: Path) -> None:
    from model_goldens import fill
    from safetensors.torch import save_file

    golden = json.loads((ROOT / "reference/golden/nsd8.json").read_text())
    for name, (construct, *_) in networks().items():
        model = construct()
        # PyTorch's random weights give features that nearly vanish. These weights are damped as in the golden, because
        # rounding errors of undamped synthetic weights grow from layer to layer.
        fill(model, golden["models"][name].get("damped"))
        save_file(
            {key: value.contiguous() for key, value in model.state_dict().items()}, folder / f"{name}.safetensors"
        )


def peer(folder: Path) -> None:
    """The notebook's steps; prints the means."""
    import numpy as np
    import scipy.spatial.distance
    import torch
    from PIL import Image
    from safetensors.torch import load_file
    from skimage.color import rgb2gray
    from skimage.metrics import structural_similarity
    from torchvision import transforms
    from torchvision.models.feature_extraction import create_feature_extractor

    torch.set_num_threads(THREADS)
    torch.set_grad_enabled(False)

    def load(side: str) -> torch.Tensor:
        paths = sorted((folder / side).iterdir(), key=lambda path: int(path.stem))
        to_tensor = transforms.functional.to_tensor
        stack = torch.stack([to_tensor(Image.open(path).convert("RGB")) for path in paths])
        return transforms.Resize((256, 256), antialias=False)(stack)

    gt, recon = load("gt"), load("recon")
    means = {}
    preprocess = transforms.Resize(425, antialias=False)
    flat_gt, flat_recon = (preprocess(side).reshape(len(side), -1).numpy() for side in (gt, recon))
    means["pixcorr"] = np.mean([np.corrcoef(a, b)[0][1] for a, b in zip(flat_gt, flat_recon)])
    grey_gt, grey_recon = (rgb2gray(preprocess(side).permute(0, 2, 3, 1).numpy()) for side in (gt, recon))
    options = dict(gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=1.0)
    means["ssim"] = np.mean([structural_similarity(b, a, **options) for a, b in zip(grey_gt, grey_recon)])
    for name, (construct, size, (mean, std), taps) in networks().items():
        model = construct()
        model.load_state_dict(load_file(folder / f"{name}.safetensors"))
        model.eval()
        prepare = transforms.Compose([transforms.Resize(size, antialias=False), transforms.Normalize(mean, std)])
        if name == "clip_vit_l_14":
            run = lambda x: {"": model(pixel_values=x).image_embeds}  # noqa: E731
        else:
            run = create_feature_extractor(model, return_nodes=list(taps.values()))
        real, decoded = (run(prepare(side)) for side in (gt, recon))
        for metric, tap in taps.items():
            a, b = (out[tap].reshape(len(gt), -1).numpy() for out in (real, decoded))
            if metric in ("effnet", "swav"):
                distances = [scipy.spatial.distance.correlation(x, y) for x, y in zip(a, b)]
                means[metric] = np.mean(distances)
                continue
            r = np.corrcoef(a, b)[: len(a), len(a) :]
            success = r < np.diag(r)
            means[metric] = np.mean(np.sum(success, 0) / (len(a) - 1))
    print(json.dumps({metric: float(mean) for metric, mean in means.items()}))


def run_peer(folder: Path) -> tuple[float, float, dict]:
    """Wall seconds, peak MiB, means."""
    output, seconds, peak = measure([sys.executable, __file__, "--peer", folder])
    return seconds, peak, json.loads(output)


def steps(work: Path, n_pairs: int) -> None:
    """Prints where the time goes."""
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
    peak = float(re.findall(r": ([\d.]+) GFLOP", measure([EXAMPLE, "products", 0]).output)[0])
    kinds = " | ".join(COMPUTES)
    head(f"{n_pairs} pairs, one thread | processor | {kinds} | others | share of {peak:.0f} GFLOP/s | moved")
    known: dict[str, float] = {}
    for precision in PRECISIONS:
        for network, (metrics, giga) in PARTS.items() if precision == "f32" else list(PARTS.items())[1:]:
            out, data = work / f"{precision}-{network}", work / "perf.data"
            line = [BINARY, "score", work / "gt", work / "recon", "--metrics", metrics, "--preset", "nsd8-mindeye2"]
            line += ["--threads", 1, "--quiet", "--precision", precision, "--out", out]
            line += [f"--checkpoint={network}={work / network}.safetensors"] if network else []
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            words = [str(word) for word in ["perf", "record", "-q", "-F", 199, "-o", data, *line]]
            environment["NEUROGAUGE_CACHE"] = f"{out}-cache"
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=environment)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            said = measure(["perf", "report", "-i", data, "--stdio", "--percent-limit", 0, "-F", "overhead,sym"]).output
            shares = dict.fromkeys([*COMPUTES, "others"], 0.0)
            for share, function in re.findall(r"^ *([\d.]+)% +(.*)", said, re.M):
                fitting = (kind for kind, words in COMPUTES.items() if re.search(words, function))
                shares[next(fitting, "others")] += float(share) / 100
            summary = json.loads((out / "summary.json").read_text())
            values = {metric: summary[metric]["value"] for metric in metrics.split(",")}
            moved = [f"{metric} {value - known[metric]:+.1e}" for metric, value in values.items() if metric in known]
            known |= values
            reached = 2 * n_pairs * giga / max(shares["network"] * seconds, 0.01) / peak
            cells = [f"{seconds * share:.1f} s" for share in shares.values()]
            row(f"{network or 'pixels'}, {precision}", f"{seconds:.1f} s", *cells, f"{reached:.2f}", ", ".join(moved))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--steps", action="store_true", help="show where our time goes")
    parser.add_argument("--peer", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        peer(args.peer)
        return
    assert BINARY.exists(), f"{BINARY} is not built"
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        images(work, args.pairs, 256)
        subprocess.run(
            [sys.executable, "-c", f"import nsd8, pathlib; nsd8.write_weights(pathlib.Path({name!r}))"],
            cwd=Path(__file__).parent,
            check=True,
        )
        if args.steps:
            steps(work, args.pairs)
            return
        checkpoints = [f"--checkpoint={model}={work / model}.safetensors" for model in networks()]
        ours, memory = command(
            "--gt",
            work / "gt",
            "--recon",
            work / "recon",
            "--metrics",
            "nsd8",
            "--preset",
            "nsd8-mindeye2",
            *checkpoints,
            out=work / "run",
        )
        theirs, peer_memory, means = run_peer(work)
        summary = json.loads((work / "run/summary.json").read_text())
        for metric, mean in means.items():
            # Two-way identification by noise-like features flips if two correlations differ only in the last digits.
            tolerance = 2e-3 if metric in ("alexnet2", "alexnet5", "inception", "clip") else 1e-5
            assert abs(summary[metric]["value"] - mean) < tolerance, (metric, summary[metric]["value"], mean)
    print(
        f"| nsd8, {args.pairs} pairs of 256 px | {ours:.1f} s | {theirs:.1f} s | {ours / theirs:.2f} | {memory:.0f} MiB "
        f"| {peer_memory:.0f} MiB | {memory / peer_memory:.2f} |"
    )


if __name__ == "__main__":
    main()
