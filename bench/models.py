"""Times the image models beside PyTorch and ONNX Runtime on the same processor, and prints the page of benchmarks'
table.

    python bench/models.py [--only MODEL ...] [--rounds 3] [--repeats 6] [--batch 8] [--precision bf16] [--busy]

Needs `cargo build --release --package neurogauge-models --example time_models` and the newest peers, which `make bench`
installs into `.venv-peers` and whose versions the table's head has.
Every measurement is a separate process (2 threads, f32, batch 8; best of 6 batches; the first one warms up), and
the sides alternate, so that a busy moment of the machine affects both. With --busy, each network has a row more, for
which a program spins on one of the cores. Weights are synthetic or random, since they do not affect the time. Memory is
the process's peak.

A second table shows how near each side is to the machine's limits. The limits are measured first: products of 2048 x
2048 (the faster of PyTorch and ONNX Runtime), and reading 1 GiB. A batch takes at least its operations (counted by
PyTorch) by the one and its weights by the other, whichever is longer; the share is that time by the time taken.

`bench/avx2_only.py` limits all sides to AVX2.
"""

import argparse
import contextlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from processes import EXAMPLE, PRECISIONS, THREADS, best_of, head, in_turns, measure, peer_line, row

# Our id, its last layer, image size, target ratio to PyTorch eager, and how the peer is made: the library and its name
# of the network, with options after a question mark.
MODELS = [
    ("efficientnet_b1", "classifier.1", 240, 0.45, "torchvision:efficientnet_b1"),
    ("resnet50", "fc", 224, 0.75, "torchvision:resnet50"),
    ("resnet18", "fc", 224, None, "torchvision:resnet18"),
    ("alexnet", "classifier.6", 224, 0.65, "torchvision:alexnet"),
    ("inception_v3", "fc", 299, 0.80, "torchvision:inception_v3"),
    ("vgg16", "classifier.6", 224, 0.90, "torchvision:vgg16"),
    ("clip_vit_l_14", "image_embeds", 224, 1.00, "clip:768"),
    ("clip_vit_b_16", "image_embeds", 224, None, "clip:512"),
    ("vit_b_16", "heads.head", 224, 1.00, "torchvision:vit_b_16"),
    ("swin_t", "head", 224, 1.00, "torchvision:swin_t"),
    ("convnext_tiny", "classifier.2", 224, 0.90, "torchvision:convnext_tiny"),
    ("clip_vit_b_32", "image_embeds", 224, 0.85, "timm:vit_base_patch32_clip_quickgelu_224?num_classes=512"),
    ("siglip2_vit_b_16", "head", 224, 0.85, "timm:vit_base_patch16_siglip_224"),
    ("siglip2_vit_so400m_14", "head", 224, 0.85, "timm:vit_so400m_patch14_siglip_224"),
    ("siglip2_vit_so400m_16", "head", 256, 0.85, "timm:vit_so400m_patch16_siglip_256"),
    ("siglip2_vit_so400m_16_gap", "head", 256, 0.85, "timm:vit_so400m_patch16_siglip_gap_256"),
    ("dfn_clip_vit_l_14", "image_embeds", 224, 0.85, "timm:vit_large_patch14_clip_quickgelu_224?num_classes=768"),
    ("mobileclip2_vit_b", "head", 224, 0.85, "timm:vit_base_mci_224?num_classes=512"),
    ("pe_core_vit_b_16", "head", 224, 0.85, "timm:vit_pe_core_base_patch16_224"),
    ("pe_core_vit_l_14_336", "head", 336, 0.85, "timm:vit_pe_core_large_patch14_336"),
    ("dinov2_vit_b_14", "head", 518, 0.85, "timm:vit_base_patch14_dinov2?global_pool=token"),
    ("dinov3_vit_b_16", "head", 256, 0.85, "timm:vit_base_patch16_dinov3?global_pool=token"),
    ("robust_resnet50", "fc", 224, 0.85, "torchvision:resnet50"),
    # A clip has 16 frames, which we get stacked vertically.
    ("videomae_vit_b_16", "classifier", 224, 0.60, "videomae:16"),
]

# The ways to run a network: two in PyTorch, and ONNX Runtime.
PEERS = ("default", "channels_last", "onnx")


def network(kind: str):
    """A library's network with random weights."""

    library, name = kind.split(":")
    if library == "torchvision":
        import torchvision

        options = {"init_weights": False} if name == "inception_v3" else {}
        model = getattr(torchvision.models, name)(**options)
    elif library == "timm":
        import timm

        name, _, options = name.partition("?")
        pairs = (option.split("=") for option in options.split(",") if option)
        model = timm.create_model(name, **{key: int(value) if value.isdigit() else value for key, value in pairs})
    elif library == "videomae":
        from transformers import VideoMAEConfig, VideoMAEForVideoClassification

        model = VideoMAEForVideoClassification(VideoMAEConfig(num_frames=int(name), num_labels=400))
    else:
        from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection

        large = name == "768"
        config = CLIPVisionConfig(
            hidden_size=1024 if large else 768,
            intermediate_size=4096 if large else 3072,
            num_hidden_layers=24 if large else 12,
            num_attention_heads=16 if large else 12,
            patch_size=14 if large else 16,
            image_size=224,
            projection_dim=int(name),
        )
        model = CLIPVisionModelWithProjection(config)
    return model.eval().requires_grad_(False)


def frames(kind: str) -> int:
    """Number of frames in a clip; 1 for a network of images."""
    library, name = kind.split(":")
    return int(name) if library == "videomae" else 1


def batch_of(kind: str, size: int, n: int):
    """A batch of n images, or of clips."""
    import torch

    return torch.rand(n, 3, size, size) if frames(kind) == 1 else torch.rand(n, frames(kind), 3, size, size)


def batch(kind: str, n: int) -> int:
    """The batch size: n images, or a quarter of that for clips, which are larger."""
    return n if frames(kind) == 1 else max(1, n // 4)


def peer(kind: str, size: int, n: int, side: str, repeats: int) -> None:
    """Runs in a separate process: prints the best wall time of a batch."""
    import torch

    torch.set_num_threads(THREADS)
    torch.set_grad_enabled(False)
    model, x = network(kind), batch_of(kind, size, n)
    if side == "channels_last" and x.ndim == 4:
        model, x = model.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
    run = exported(model, x) if side == "onnx" else lambda: model(x)
    print(f"{best_of([run] * repeats)[0]:.4f}")


def exported(model, x, profile: int = 0):
    """The same network in ONNX Runtime, as a function that runs the batch; or the events of so many profiled runs."""
    import onnxruntime
    import torch

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        path = f"{folder}/model.onnx"
        torch.onnx.export(model, (x,), path, input_names=["x"], dynamo=True)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1 if profile else THREADS
        options.enable_profiling, options.profile_file_prefix = profile > 0, f"{folder}/profile"
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        inputs = {session.get_inputs()[0].name: x.numpy()}
        if profile:
            for _ in range(profile):
                session.run(None, inputs)
            return json.loads(Path(session.end_profiling()).read_text())
    return lambda: session.run(None, inputs)


def count(kind: str, size: int, n: int) -> None:
    """Runs in a separate process: prints the number of operations in a batch, and the bytes of the weights."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    torch.set_grad_enabled(False)
    model, counter = network(kind), FlopCounterMode(display=False)
    with counter:
        model(batch_of(kind, size, n))
    print(counter.get_total_flops(), sum(weights.nbytes for weights in model.parameters()))


def limits() -> None:
    """Runs in a separate process: prints operations and bytes per second."""
    import torch

    torch.set_num_threads(THREADS)
    torch.set_grad_enabled(False)
    n = 2048
    square, x, gibibyte = torch.nn.Linear(n, n, bias=False).eval(), torch.rand(n, n), torch.ones(2**28)

    product = min(best_of([run] * 12)[0] for run in (lambda: square(x), exported(square, x)))
    print(2 * n**3 / product, gibibyte.nbytes / best_of([gibibyte.sum] * 12)[0])


def numbers(*arguments: object) -> list[float]:
    """The numbers that this script prints when it runs in a separate process."""
    output = measure([sys.executable, __file__, *arguments]).output
    return [float(word) for word in output.split()]


@contextlib.contextmanager
def spinning(is_busy: bool) -> Iterator[None]:
    """Another program takes one core, if so."""
    program = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if is_busy else None
    try:
        yield
    finally:
        if program:
            program.kill()
            program.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=6)
    parser.add_argument("--batch", type=int, default=8, help="images of a batch; clips are a quarter of it")
    parser.add_argument("--precision", choices=PRECISIONS, default="f32", help="of our side")
    parser.add_argument("--busy", action="store_true", help="each network also while a program spins on one core")
    parser.add_argument("--peer", nargs=4, metavar=("KIND", "SIZE", "BATCH", "SIDE"), help=argparse.SUPPRESS)
    parser.add_argument("--count", nargs=3, metavar=("KIND", "SIZE", "BATCH"), help=argparse.SUPPRESS)
    parser.add_argument("--limits", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.count:
        count(args.count[0], *map(int, args.count[1:]))
        return
    if args.limits:
        limits()
        return
    if args.peer:
        peer(args.peer[0], *map(int, args.peer[1:3]), args.peer[3], args.repeats)
        return
    operations_per_second, bytes_per_second = numbers("--limits")
    shares = []
    suffix = "" if args.precision == "f32" else f"-{PRECISIONS[args.precision]}"
    head(
        f"model (batch {args.batch}) | neurogauge | PyTorch {version('torch')} | ratio | target | channels_last | ratio "
        f"| ONNX Runtime {version('onnxruntime')} | ratio | memory | PyTorch"
    )
    for model, layer, size, target, kind in MODELS:
        if args.only and model not in args.only:
            continue
        n = batch(kind, args.batch)
        lines = {side: peer_line(__file__, kind, size, n, side, "--repeats", args.repeats) for side in PEERS}
        ours_line = [EXAMPLE, "image_model", model + suffix, layer, size, n, args.repeats, "cpu", frames(kind)]
        for is_busy in [True, False] if args.busy else [False]:
            with spinning(is_busy):
                found = in_turns({"ours": ours_line} | lines, args.rounds)
            ours, eager, last, onnx = (side.times[0] for side in found.values())
            memory = [found[side].peak_mib for side in ("ours", "default")]
            beside = [f"{ours:.3f} s", f"{eager:.3f} s", f"{ours / eager:.2f}", target or "-"]
            for peer_seconds in (last, onnx):
                beside += [f"{peer_seconds:.3f} s", f"{ours / peer_seconds:.2f}"]
            case = f"{model}, {size} px" + (", a core busy" if is_busy else "")
            row(case, *beside, *(f"{mib:.0f} MiB" for mib in memory))
        operations, weights = numbers("--count", kind, size, n)
        least = max(operations / operations_per_second, weights / bytes_per_second)
        share = [cell for s in (ours, onnx) for cell in (f"{operations / s / 1e9:.0f}", f"{least / s:.2f}")]
        of_weights = [f"{weights / 2**20:.0f} MiB", f"{memory[0] * 2**20 / weights:.2f}"]
        shares.append([model, f"{operations / 1e9:.1f}", *share, *of_weights])
    print(f"\nlimits: {operations_per_second / 1e9:.0f} GFLOP/s, {bytes_per_second / 1e9:.1f} GB/s\n")
    head("model | GFLOP | GFLOP/s | share | ONNX Runtime | share | weights | memory / weights")
    for cells in shares:
        row(*cells)


if __name__ == "__main__":
    main()
