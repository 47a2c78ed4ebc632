"""Golden of DreamSim: the package with small networks of synthetic weights, adapted by files that peft writes.

The package dreamsim reads the files in its folder; its own copy of DINO replaces torch hub's, which it would fetch.
Only the widths differ from the published networks: 192 features in three heads, an embedding of 52, patches as
published. The weights are synthetic.parameter of the names PART/NAME for a transformer's checkpoint, and of the names
in the file for the adapter's matrices. B is a quarter as large, so that the adapter changes the result without
dominating it.

Writes golden/models/dreamsim.json: for each form the files, the settings of its adapter, the embedding (`embed`) of
each image, and the distances of pairs. The package's own preprocessing prepares the photographs, so its resizing is
part of the golden.

Run from `reference/`.
"""

import json
import sys
import tempfile
from functools import partial
from pathlib import Path

import dreamsim.feature_extraction.extractor as extractor
import dreamsim.feature_extraction.load_clip_as_dino as load_clip
import dreamsim.feature_extraction.load_open_clip_as_dino as load_open_clip
import numpy as np
import torch
from dreamsim import dreamsim
from dreamsim.feature_extraction.vision_transformer import VisionTransformer
from dreamsim.model import PerceptualModel, dreamsim_args
from peft import LoraConfig, get_peft_model
from PIL import Image

import synthetic
from model_goldens import GOLDEN, f32, photograph, versions, window

WIDTH, EMBEDDING = 192, 52
# Files of a form's transformers in the order of the package, and the folder of its adapter.
FORMS = {
    "ensemble": {
        "dino_vitb16": "checkpoints/dino_vitbase16_pretrain.pth",
        "clip_vitb16": "clip_vitb16_pretrain.pth.tar",
        "open_clip_vitb16": "open_clip_vitb16_pretrain.pth.tar",
    },
    "dino_vitb16": {"dino_vitb16": "checkpoints/dino_vitbase16_pretrain.pth"},
    "clip_vitb32": {"clip_vitb32": "clip_vitb32_pretrain.pth.tar"},
    "open_clip_vitb32": {"open_clip_vitb32": "open_clip_vitb32_pretrain.pth.tar"},
}
RANK, ALPHA = 4, 6.0
# Name, rows and columns of a window, which is neither a square nor of the networks' size.
IMAGES = [("astronaut", 300, 260), ("coffee", 300, 260), ("coffee", 240, 240)]
PAIRS = [(0, 1), (1, 2), (0, 2)]


def small(patch_size: int = 16, **options: object) -> VisionTransformer:
    norm = partial(torch.nn.LayerNorm, eps=1e-6)
    return VisionTransformer(
        patch_size=patch_size,
        embed_dim=WIDTH,
        depth=12,
        num_heads=3,
        mlp_ratio=4,
        qkv_bias=True,
        norm_layer=norm,
        **options,
    )


def tensors(part: str, network: VisionTransformer) -> dict[str, torch.Tensor]:
    """The transformer's synthetic checkpoint."""
    names = {name: list(tensor.shape) for name, tensor in network.state_dict().items()}
    if "dino" not in part:
        names |= {"pos_drop.weight": [WIDTH], "pos_drop.bias": [WIDTH], "proj": [WIDTH, EMBEDDING]}
    return {
        name: torch.from_numpy(synthetic.parameter(f"{part}/{name}", tuple(shape))) for name, shape in names.items()
    }


def write_files(form: str, folder: Path) -> dict[str, dict[str, list[int]]]:
    shapes = {}
    for part, file in FORMS[form].items():
        state = tensors(part, small(patch_size=int(part[-2:])))
        shapes[part] = {name: list(tensor.shape) for name, tensor in state.items()}
        (folder / file).parent.mkdir(exist_ok=True)
        torch.save(state if "dino" == part[:4] else {"state_dict": state}, folder / file)
    if "dino_vitb16" in FORMS[form]:
        # The package reads the head of DINO's training from this file, but no form uses it.
        head = extractor.DINOHead(768, 2048)
        sizes = {f"module.head.{name}": tensor for name, tensor in head.state_dict().items() if "last" not in name}
        sizes["module.head.last_layer.weight"] = torch.zeros(2048, 256)
        torch.save({"student": sizes}, folder / "dino_vitb16_pretrain.pth")
    return shapes


def write_adapter(form: str, folder: Path) -> dict[str, list[int]]:
    """peft's own files, with synthetic matrices."""
    model = PerceptualModel(**dreamsim_args["model_config"][form], device="cpu", load_dir=str(folder))
    settings = LoraConfig(r=RANK, lora_alpha=ALPHA, lora_dropout=0.3, bias="none", target_modules=["qkv"])
    model = get_peft_model(model, settings)
    shapes = {}
    for name, parameter in model.named_parameters():
        if "lora_" not in name:
            continue
        published = name.replace(".default", "")
        values = synthetic.parameter(published, tuple(parameter.shape))
        parameter.data = torch.from_numpy(values * np.float32(0.25 if "lora_B" in name else 1.0))
        shapes[published] = list(parameter.shape)
    model.save_pretrained(str(folder / f"{form}{'' if form == 'ensemble' else '_single'}_lora"))
    return shapes


def of_form(form: str) -> dict:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        networks = write_files(form, folder)
        adapter = write_adapter(form, folder)
        model, preprocess = dreamsim(pretrained=True, device="cpu", cache_dir=str(folder), dreamsim_type=form)
        plain, _ = dreamsim(pretrained=False, device="cpu", cache_dir=str(folder), dreamsim_type=form)
        config = json.loads(next(folder.glob("*_lora/adapter_config.json")).read_text())
        images = [
            preprocess(Image.fromarray(window(photograph(name), height, width))) for name, height, width in IMAGES
        ]
        with torch.no_grad():
            embeddings = [model.embed(image)[0].numpy() for image in images]
            distances = [float(model(images[a], images[b])) for a, b in PAIRS]
            unadapted = [float(plain(images[a], images[b])) for a, b in PAIRS]
    apart = [abs(a - b) / a for a, b in zip(distances, unadapted)]
    print(f"{form}: distances {distances}, without the adapter {unadapted}", flush=True)
    assert min(apart) > 1e-2, "an adapter that changes nothing proves nothing"
    return {
        "networks": {part: {"file": FORMS[form][part], "tensors": shapes} for part, shapes in networks.items()},
        "adapter": {
            "tensors": adapter,
            "settings": {key: config[key] for key in sorted(config) if config[key] is not None},
        },
        "embeddings": [[f32(value) for value in embedding] for embedding in embeddings],
        "distances": [f32(value) for value in distances],
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.hub.load = lambda _repository, _model: _hub()
    load_clip.vit_base = load_open_clip.vit_base = small

    def _hub() -> VisionTransformer:
        network = small()
        network.load_state_dict(tensors("dino_vitb16", network))
        return network

    golden = {
        "reference": versions("dreamsim", "peft", "torch", "torchvision", "pillow"),
        "images": [{"photograph": name, "height": height, "width": width} for name, height, width in IMAGES],
        "pairs": PAIRS,
        "forms": {form: of_form(form) for form in sys.argv[1:] or FORMS},
    }
    path = GOLDEN / "models" / "dreamsim.json"
    path.write_text(json.dumps(golden, separators=(",", ":")) + "\n")
    print(f"{path.name}: {path.stat().st_size} bytes")
