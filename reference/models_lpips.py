"""Goldens of LPIPS with AlexNet and VGG-16 backbones with synthetic checkpoints.

Reference: lpips.LPIPS (0.1, not spatial), float32, eval mode, one thread. The backbone's tensors are
synthetic.parameter with torchvision's names ("features.0.weight", ...); the linear heads are the absolute values of
synthetic.parameter("lin0.model.1.weight", ...), since the published heads have no negative weights. Images are in [-1,
1]: 2 x - 1 of model_goldens.image.

  distance, layers               with the synthetic heads
  published_heads                the same backbone under the heads that the lpips wheel carries
                                 (file name, SHA-256, tensors, distance and layers of every pair)

Run from `reference/`. Writes golden/models/lpips.json.
"""

import hashlib
import json
from pathlib import Path

import lpips
import numpy as np
import torch

import synthetic
from model_goldens import GOLDEN, f32, image, versions

# name -> reference, compared, (height, width)
PAIRS = {
    "different photographs": ("astronaut", "coffee", (224, 224)),
    "photograph under noise": ("coffee", "veiled", (224, 224)),
    "photograph and noise, odd sizes": ("astronaut", "noise", (97, 131)),
}


def pixels(name: str, height: int, width: int) -> np.ndarray:
    if name == "veiled":
        veil = image("noise", height, width)
        return np.float32(0.75) * image("coffee", height, width) + np.float32(0.25) * veil
    return image(name, height, width)


def network_input(name: str, size: tuple[int, int]) -> torch.Tensor:
    scaled = np.float32(2) * pixels(name, *size) - np.float32(1)
    return torch.from_numpy(scaled).permute(2, 0, 1)[None].contiguous()


def network(net: str) -> tuple[lpips.LPIPS, dict[str, list[int]]]:
    model = lpips.LPIPS(net=net, pretrained=False, pnet_rand=True, verbose=False)
    listing, state = {}, {}
    for name, tensor in model.state_dict().items():
        shape = tuple(tensor.shape)
        if name.startswith("net."):
            published = "features." + name.split(".", 2)[2]
            listing[published] = list(shape)
            tensor = torch.from_numpy(synthetic.parameter(published, shape))
        elif name.startswith("lin"):
            # The list `lins` has the same modules as lin0 .. lin4.
            published = name.replace("lins.", "lin") if name.startswith("lins.") else name
            listing[published] = list(shape)
            tensor = torch.from_numpy(np.abs(synthetic.parameter(published, shape)))
        state[name] = tensor
    model.load_state_dict(state, strict=True)
    return model.eval(), listing


def distances(model: lpips.LPIPS) -> dict[str, dict]:
    found = {}
    for name, (reference, compared, size) in PAIRS.items():
        with torch.no_grad():
            total, layers = model(network_input(reference, size), network_input(compared, size), retPerLayer=True)
        found[name] = {"distance": f32(total.item()), "layers": [f32(part.item()) for part in layers]}
        assert min(found[name]["layers"]) > 1e-3 * found[name]["distance"], "a layer without a say"
    return found


def golden(net: str) -> dict:
    model, listing = network(net)
    with_synthetic = distances(model)
    heads = Path(lpips.__file__).parent / "weights" / "v0.1" / f"{net}.pth"
    published = torch.load(heads, map_location="cpu", weights_only=True)
    assert all((tensor >= 0).all() for tensor in published.values())
    assert set(published) == {f"lin{index}.model.1.weight" for index in range(5)}
    model.load_state_dict(published, strict=False)
    return {
        "tensors": listing,
        "pairs": with_synthetic,
        "published_heads": {
            "file": f"lpips/weights/v0.1/{net}.pth",
            "sha256": hashlib.sha256(heads.read_bytes()).hexdigest(),
            "pairs": distances(model),
        },
    }


def main() -> None:
    torch.set_num_threads(1)
    inputs = {
        name: {"reference": reference, "compared": compared, "height": size[0], "width": size[1]}
        for name, (reference, compared, size) in PAIRS.items()
    }
    record = {
        "reference": f"lpips.LPIPS, {versions('lpips', 'torchvision', 'torch')}",
        "seed": 0,
        "inputs": inputs,
        "alex": golden("alex"),
        "vgg": golden("vgg"),
    }
    for net in ("alex", "vgg"):
        for name, pair in record[net]["pairs"].items():
            print(net, name, pair, record[net]["published_heads"]["pairs"][name])
    (GOLDEN / "models" / "lpips.json").write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main()
