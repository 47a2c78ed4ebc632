"""Shows where the time of a network of convolutions goes, by kind of layer, beside ONNX Runtime, on one thread.

    python bench/layers.py [--models efficientnet_b1 resnet50] [--repeats 12]

Needs what `bench/models.py` needs. ONNX Runtime times each layer of a batch in its profile. Of ours, each convolution
is timed alone, two images at a time as the networks do, and the rest is the network's time without them. The peak is
that of fused multiply-adds in registers.
"""

import argparse
from collections import Counter, defaultdict

import processes
from models import MODELS, batch_of, exported, network
from processes import EXAMPLE, head, measure, row

BATCH = 8
SHOWN = 0.01
"""Kinds below this share of the operations and of the time are shown together with the rest."""


def profiled(model, x, repeats: int) -> list[dict]:
    """The layers of ONNX Runtime's profile, each with its best time in all runs."""
    found: dict[str, dict] = {}
    for event in exported(model, x, profile=repeats):
        if event["cat"] != "Node" or not event["name"].endswith("_kernel_time"):
            continue
        best = found.setdefault(event["name"], event)
        best["dur"] = min(best["dur"], event["dur"])
    return list(found.values())


def shape(layer: dict) -> tuple[int, ...] | None:
    """Kernel, stride, channels before and after, size and groups of a convolution; None for another layer."""
    args = layer["args"]
    if not args["op_name"].endswith("Conv"):
        return None
    (_, n_in, size, _), (n_out, per_group, kernel, _) = (of["float"] for of in args["input_type_shape"][:2])
    return kernel, round(size / args["output_type_shape"][0]["float"][2]), n_in, n_out, size, n_in // per_group


def kind(of: tuple[int, ...]) -> str:
    kernel, stride, n_in, _, size, groups = of
    name = "stem" if n_in == 3 else "depthwise" if groups > 1 else "convolution"
    return f"{name} {kernel} x {kernel}{', stride 2' if stride == 2 else ''}, {size} px"


def table(model_id: str, layer: str, size: int, source: str, repeats: int) -> None:
    model, x = network(source), batch_of(source, size, BATCH)
    layers = profiled(model, x, repeats)
    shapes = Counter(of for of in map(shape, layers) if of)
    words = [",".join(map(str, of)) for of in shapes]
    peak, *seconds = map(float, measure([EXAMPLE, "layers", repeats, *words]).output.split())
    whole = float(measure([EXAMPLE, "image_model", model_id, layer, size, BATCH, repeats]).output)
    ours, theirs, operations = defaultdict(float), defaultdict(float), defaultdict(float)
    for of, best in zip(shapes, seconds):
        kernel, stride, n_in, n_out, side, groups = of
        ours[kind(of)] += shapes[of] * best * BATCH / 2
        operations[kind(of)] += shapes[of] * 2 * BATCH * (-(-side // stride)) ** 2 * n_out * n_in // groups * kernel**2
    for one in layers:
        of = shape(one)
        theirs[kind(of) if of else "the rest"] += one["dur"] / 1e6
    ours["the rest"] = whole - sum(ours.values())
    for name in list(operations):
        if operations[name] < SHOWN * sum(operations.values()) and theirs[name] < SHOWN * sum(theirs.values()):
            for of in (ours, theirs, operations):
                of["small convolutions"] += of.pop(name)
    head(f"{model_id}, peak {peak / 1e9:.0f} GFLOP/s | GFLOP | neurogauge | share | ONNX Runtime | share | ratio")
    names = [*sorted(operations, key=operations.get, reverse=True), "the rest"]
    of_all = [sum(of.values()) for of in (operations, ours, theirs)]
    for name, *of in [(name, operations[name], ours[name], theirs[name]) for name in names] + [("all", *of_all)]:
        n, mine, other = of
        cells = [f"{n / 1e9:.2f}"] + [
            cell for s in (mine, other) for cell in (f"{1e3 * s:.1f} ms", f"{n / peak / s:.2f}")
        ]
        row(name, *cells, f"{mine / other:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="*", default=["efficientnet_b1", "resnet50"])
    parser.add_argument("--repeats", type=int, default=12)
    args = parser.parse_args()
    processes.THREADS = 1
    for model_id, layer, size, _, source in MODELS:
        if model_id in args.models:
            table(model_id, layer, size, source, args.repeats)


if __name__ == "__main__":
    main()
