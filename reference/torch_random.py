"""Random numbers and untrained models of torch: golden/torch_random.json.

Reference: torch 2.15.0 and torchvision 0.29.2 on an x86 CPU with AVX2 or AVX-512 (elsewhere the last bits of normal
draws differ). `torch.manual_seed(seed)`, then the constructor. The variant "inverse_erf" has
`torch.nn.init.trunc_normal_` of torch up to 2.11, with the inverse error function, instead of the present one.

The golden has the name and shape of every tensor of every model, and the value of constant ones. For the others, in the
same order, it has for each seed the beginning of the SHA-256 of the bytes, and for one seed (two for "inverse_erf",
instead of hashes) six values and the sum of squares.
"""

import hashlib
import json
import math
import warnings
from pathlib import Path

import numpy as np
import torch
import torchvision

MODELS = [
    "alexnet",
    "convnext_tiny",
    "efficientnet_b1",
    "inception_v3",
    "resnet18",
    "resnet50",
    "swin_t",
    "vgg16",
    "vit_b_16",
]
TRUNCATED = ["convnext_tiny", "inception_v3", "swin_t", "vit_b_16"]
SEEDS = [0, 1, 2, 42]
HASH_DIGITS = 12


def inverse_erf(tensor, mean, std, a, b, generator=None):
    with torch.no_grad():
        low, high = ((1 + math.erf((x - mean) / std / math.sqrt(2))) / 2 for x in (a, b))
        tensor.uniform_(2 * low - 1, 2 * high - 1, generator=generator)
        tensor.erfinv_().mul_(std * math.sqrt(2)).add_(mean).clamp_(min=a, max=b)
        return tensor


REJECTION = torch.nn.init._no_grad_trunc_normal_


def numbers(array):
    """The shortest decimals that equal these numbers in single precision."""
    return [float(str(value)) for value in np.asarray(array, np.float32).ravel()]


def draw(kind, n, *arguments):
    tensor = torch.empty(n)
    torch.nn.init._no_grad_trunc_normal_ = inverse_erf if kind == "inverse_erf" else REJECTION
    if kind in ("rejection", "inverse_erf"):
        torch.nn.init.trunc_normal_(tensor, 0.0, *arguments)
    else:
        getattr(tensor, kind + "_")(*arguments)
    return [kind, n, list(arguments), numbers(tensor)]


def streams():
    """Draws one after another from one seed: each size alone, then mixtures."""
    plans = [(0, [("uniform", n, -0.037, 0.037)]) for n in (1, 5, 1000)]
    plans += [(1, [("uniform", 200, 0.1, 0.7)]), (2**32 + 7, [("uniform", 5, 0.0, 1.0)])]
    plans += [(42, [("normal", n, 0.0, 1.0)]) for n in (1, 5, 15, 16, 17, 31, 40, 1000)]
    plans += [(1, [("normal", n, 0.3, 0.02)]) for n in (15, 40)]
    mixed = [("normal", 5, 0.0, 1.0), ("uniform", 3, -1.0, 1.0), ("normal", 17, 0.0, 0.5)]
    plans.append((2, mixed + [("normal", 4, 1.0, 2.0), ("uniform", 700, 0.0, 1.0), ("normal", 16, 0.0, 1.0)]))
    for kind in ("rejection", "inverse_erf"):
        plans.append((0, [(kind, 7, 1.0), (kind, 100, 1.0), (kind, 40, 0.02), ("uniform", 2, 0.0, 1.0)]))
    for seed, plan in plans:
        torch.manual_seed(seed)
        yield {"seed": seed, "draws": [draw(*step) for step in plan]}


def state(name, seed, trunc_normal):
    torch.nn.init._no_grad_trunc_normal_ = trunc_normal
    torch.manual_seed(seed)
    model = getattr(torchvision.models, name)()
    tensors = {k: v.numpy() for k, v in model.state_dict().items() if v.is_floating_point()}
    return dict(sorted(tensors.items()))


def constant(array):
    return numbers(array.flat[0])[0] if (array == array.flat[0]).all() else None


def probe(array):
    flat, n = array.ravel(), array.size
    values = numbers(flat[[i * (n - 1) // 5 for i in range(6)]])
    return values + [float(np.sum(np.square(flat, dtype=np.float64)))]


def model(name):
    result = {"sha256": {}, "probes": {}, "inverse_erf": {}}
    for seed in SEEDS:
        tensors = state(name, seed, REJECTION)
        random = [array for array in tensors.values() if constant(array) is None]
        result["sha256"][seed] = "".join(
            hashlib.sha256(np.ascontiguousarray(array).data).hexdigest()[:HASH_DIGITS] for array in random
        )
        if seed == SEEDS[0]:
            result["tensors"] = [[k, v.shape, constant(v)] for k, v in tensors.items()]
            result["probes"][seed] = [probe(array) for array in random]
    if name in TRUNCATED:
        for seed in (0, 42):
            tensors = state(name, seed, inverse_erf).values()
            result["inverse_erf"][seed] = [probe(array) for array in tensors if constant(array) is None]
    return result


def main():
    torch.set_num_threads(1)
    warnings.simplefilter("ignore", FutureWarning)
    golden = {"streams": list(streams()), "models": {name: model(name) for name in MODELS}}
    path = Path(__file__).parent / "golden" / "torch_random.json"
    path.write_text(json.dumps(golden, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
