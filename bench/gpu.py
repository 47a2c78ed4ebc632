"""Compares the times of every kind of model on a GPU with PyTorch in bfloat16, and every network there with its golden.

    python bench/gpu.py [--device cuda|metal] [--precision bf16|f32] [--weights DIR] [--only resnet50 ...] [--repeats 5]
        [--no-goldens | --no-times]

Needs Rust, NVIDIA's toolkit (for `--device cuda`) and what `make references` installs. It builds the examples and the
tests with the feature of the device, in release mode. First the tests of networks run with NEUROGAUGE_TEST_DEVICE set
to the device; then the sides alternate: ours multiplies in bfloat16 and computes the rest in f32 (`--precision f32`:
everything), PyTorch does everything in bfloat16, without compilation. Weights are synthetic or random, since they do
not affect the time; only all-MiniLM-L6-v2 is read from `--weights`, and left out without it. If there is no such
device, the script says so and ends.

`--device cpu-f64` runs everything on any machine (slowly), to try this script; its peer is PyTorch on the CPU."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import captions
import detector
import masks_from_pixels
import models
from processes import EXAMPLE, PRECISIONS, ROOT, head, measure, peer_line, row

TEXT_LIMITS = {"max_new_tokens": 20, "num_beams": 1, "do_sample": False}

# For each model: what it does, and how many images it gets at a time.
KINDS = {
    **{model: ("image", 64) for model in ("resnet50", "convnext_tiny", "swin_t", "vit_b_16", "clip_vit_l_14")},
    "git_large_coco": ("captions", 16),
    "mm_grounding_dino_tiny": ("detections", 1),
    "sam2.1_hiera_large": ("masks", 1),
    "all-MiniLM-L6-v2": ("texts", 2048),
}
TEXTS = [" ".join(["a photograph of a dog on a beach"] * (1 + place % 4)) + f" {place}" for place in range(2048)]


def command(model: str, args: argparse.Namespace) -> list[object]:
    """Our side: a program that first prints the best seconds of a batch."""
    kind, batch = KINDS[model]
    repeats, precision = args.repeats, PRECISIONS[args.precision]
    device = f"{args.device},{precision}"
    numbers = [batch, repeats]
    if kind == "image":
        layer, size = next((layer, size) for known, layer, size, *_ in models.MODELS if known == model)
        model += f"-{precision}" if args.precision != "f32" else ""
        return [EXAMPLE, "image_model", model, layer, size, *numbers, args.device]
    if kind == "captions":
        config = json.dumps(captions.configuration(model))
        limits = [TEXT_LIMITS["max_new_tokens"], TEXT_LIMITS["num_beams"]]
        return [EXAMPLE, "captioner", config, *numbers, *limits, device]
    if kind == "detections":
        ids = json.dumps(detector.prompt(82))
        config = json.dumps(detector.MODELS[model])
        return [EXAMPLE, "detector", config, 800, 800, repeats, ids, device]
    if kind == "texts":
        return [EXAMPLE, "text_encoder", args.weights, args.texts, repeats, device]
    return [EXAMPLE, "segmenter", model, 8, repeats, device]


def network(model: str, batch: int, weights: Path | None):
    """The peer: a network with its inputs, by name."""
    import torch

    sys.path.insert(0, str(ROOT / "reference"))
    kind, _ = KINDS[model]
    if kind == "image":
        size, peer = next((size, peer) for known, _, size, _, peer in models.MODELS if known == model)
        return models.network(peer), {"x": torch.rand(batch, 3, size, size)}
    if kind == "texts":
        from transformers import AutoModel, AutoTokenizer

        tokens = AutoTokenizer.from_pretrained(weights)(
            TEXTS, padding=True, truncation=True, max_length=256, return_tensors="pt"
        )
        return AutoModel.from_pretrained(weights), dict(tokens)
    if kind == "captions":
        from transformers import GitConfig, GitForCausalLM

        git = GitForCausalLM(GitConfig(**captions.configuration(model))).eval()
        return git, {"pixel_values": torch.rand(batch, 3, 224, 224)}
    if kind == "detections":
        import synthetic
        from models_grounding_dino import loaded

        network, _ = loaded(detector.MODELS[model], synthetic.parameter)
        ids = torch.tensor([detector.prompt(82)])
        return network, {"pixel_values": torch.rand(1, 3, 800, 800), "input_ids": ids}
    from models_sam2 import PUBLISHED, PUBLISHED_DAMPED, loaded

    network, _ = loaded(PUBLISHED[model.replace("sam2.1", "sam2")], PUBLISHED_DAMPED, original=False)
    side = masks_from_pixels.SIDE_PX
    corners = [[[10.0 * index, 10.0 * index, 10.0 * index + 480.0, 10.0 * index + 360.0] for index in range(8)]]
    return network, {"pixel_values": torch.rand(1, 3, side, side), "input_boxes": torch.tensor(corners)}


def peer(args: argparse.Namespace) -> None:
    """Runs in a separate process: prints the best seconds of a batch."""
    import torch

    model, device, repeats = args.peer, args.device, args.repeats
    kind, batch = KINDS[model]
    place = {"cuda": "cuda", "metal": "mps"}.get(device.split(":")[0], "cpu")
    network_, inputs = network(model, batch, args.weights)
    network_ = network_.to(place, torch.bfloat16).eval()
    inputs = {name: tensor.to(place) for name, tensor in inputs.items()}
    inputs = {name: tensor.bfloat16() if tensor.is_floating_point() else tensor for name, tensor in inputs.items()}
    wait = {"cuda": torch.cuda.synchronize, "mps": torch.mps.synchronize, "cpu": lambda: None}[place]
    best = float("inf")
    with torch.no_grad():
        for _ in range(repeats):
            wait()
            start = time.perf_counter()
            if kind == "captions":
                network_.generate(**inputs, **TEXT_LIMITS)
            elif kind == "image":
                network_(*inputs.values())
            else:
                network_(**inputs)
            wait()
            best = min(best, time.perf_counter() - start)
    print(f"{best:.4f}")


def run(line: list[str], **environment: str) -> None:
    """Runs a program; if it fails, this script ends."""
    print("$", *line, flush=True)
    if subprocess.run(line, cwd=ROOT, env={**os.environ, **environment}).returncode:
        raise SystemExit(f"failed: {' '.join(line)}")


def refuse_without(device: str) -> None:
    """Ends the script if PyTorch finds no such device."""
    import torch

    there = {"cuda": torch.cuda.is_available, "metal": torch.backends.mps.is_available, "cpu-f64": lambda: True}
    kind = device.split(":")[0]
    if kind not in there:
        raise SystemExit(f"--device {device}: expected cuda, cuda:N, metal, metal:N or cpu-f64")
    if not there[kind]():
        raise SystemExit(
            f"--device {device}: this machine has no such GPU, or PyTorch cannot use it, so there is nothing to measure. "
            "--device cpu-f64 tries this script on the processor."
        )


def seconds(line: list[object]) -> float:
    """The first number that our programs and the peer print. For a segmenter that is the encoder's time, and the
    image's is the third."""
    first = measure(line).output.splitlines()[0].split()
    return float(first[2] if len(first) > 2 else first[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--precision", choices=PRECISIONS, default="bf16", help="of our side")
    parser.add_argument("--weights", type=Path, help="the folder of all-MiniLM-L6-v2")
    parser.add_argument("--only", nargs="*", choices=KINDS)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--no-goldens", action="store_true")
    parser.add_argument("--no-times", action="store_true")
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        peer(args)
        return
    refuse_without(args.device)
    kind = args.device.split(":")[0]
    features = ["--features", kind] if kind != "cpu-f64" else []
    cargo = [os.environ.get("CARGO", "cargo")]
    package = ["--release", "--package", "neurogauge-models", *features]
    if not args.no_goldens:
        tests = ["--package", "neurogauge-tests", "--lib", "--test", "models", "--test", "kernels"]
        run([*cargo, "test", *package, *tests], NEUROGAUGE_TEST_DEVICE=args.device)
    if args.no_times:
        return
    run([*cargo, "build", *package, "--example", "time_models"])
    head(f"model | at a time | neurogauge, {args.precision} | PyTorch, bfloat16 | ratio")
    with tempfile.TemporaryDirectory() as folder:
        args.texts = Path(folder) / "texts.json"
        args.texts.write_text(json.dumps(TEXTS))
        for model in args.only or KINDS:
            kind, batch = KINDS[model]
            if kind == "texts" and args.weights is None:
                row(model, "left out: its folder is not given (--weights)", "", "", "")
                continue
            weights = ["--weights", args.weights] if kind == "texts" else []
            line = peer_line(__file__, model, "--device", args.device, "--repeats", args.repeats, *weights)
            own, theirs = seconds(command(model, args)), seconds(line)
            row(model, batch, f"{batch / own:.1f}/s", f"{batch / theirs:.1f}/s", f"{own / theirs:.2f}")


if __name__ == "__main__":
    main()
