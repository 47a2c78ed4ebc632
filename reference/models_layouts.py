"""Goldens of image models of timm and transformers: the same networks with other names.

Reference: timm's and transformers' own constructors (no pretrained weights), float32, eval mode, one thread. Every
floating-point tensor of a *published* checkpoint is synthetic.parameter(its published name, shape, seed 0): timm's
state dict, loaded with strict=True; for transformers, what save_pretrained writes (files keep names that the modules of
newer versions no longer have), loaded with from_pretrained. model_goldens.py describes the records and inputs. Taps
have the names of torchvision's equal modules; TAPS maps them to the library's modules.

If all of timm's names are torchvision's (ResNet, Inception v3), nothing is written: its outputs are compared with
torchvision's golden.

Run from `reference/`, all models or those named as arguments. Writes golden/models/<library>_<model>.json.
"""

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import safetensors.torch
import timm
import torch
import torchvision.models
import transformers

import synthetic
from model_goldens import GOLDEN, IMAGENET, IMAGES, fill, image_run, images, record, run_taps, versions, write

N_PROBES = 32
HALVES = {"mean": [0.5, 0.5, 0.5], "std": [0.5, 0.5, 0.5]}

# Layers made smaller as in models_torchvision.py, so that float32 is precise enough.
CALM = {
    "timm_efficientnet_b1": {"conv_reduce.weight": 0.125, "conv_expand.weight": 0.125},
    "robustness_resnet50": {"bn3.weight": 0.25},
    "transformers_resnet50": {"layer.2.normalization.weight": 0.25},
}

# golden -> size of the images, {torchvision's name: the library's}.
TAPS = {
    # The layout of the `robustness` library (Engstrom et al. 2019): a model, and in an attacker the same model once
    # more.
    "robustness_resnet50": (
        224,
        {
            **{f"layer{i}": f"module.model.layer{i}" for i in range(1, 5)},
            "avgpool": "module.model.avgpool",
            "fc": "module.model.fc",
        },
    ),
    "timm_vit_b_16": (
        224,
        {
            "conv_proj": "patch_embed.proj",
            "encoder.dropout": "pos_drop",
            **{f"encoder.layers.encoder_layer_{i}": f"blocks.{i}" for i in (0, 11)},
            "encoder.ln": "norm",
            "heads.head": "head",
        },
    ),
    "timm_convnext_tiny": (
        224,
        {
            "features.0": "stem",
            **{f"features.{2 * i + 1}": f"stages.{i}" for i in range(4)},
            "avgpool": "head.global_pool",
            "classifier.2": "head.fc",
        },
    ),
    "timm_swin_t": (
        224,
        {
            "features.0": "patch_embed",
            **{f"features.{2 * i + 1}": f"layers.{i}" for i in range(4)},
            "norm": "norm",
            "flatten": "head.global_pool",
            "head": "head.fc",
        },
    ),
    "timm_vgg16": (
        224,
        {
            "features.4": "features.4",
            "features.30": "features.30",
            "classifier.1": "pre_logits.act1",
            "classifier.4": "pre_logits.act2",
            "classifier.6": "head.fc",
        },
    ),
    "timm_efficientnet_b1": (
        240,
        {
            "features.0": "bn1",
            **{f"features.{i + 1}": f"blocks.{i}" for i in (0, 1, 2, 6)},
            "features.8": "bn2",
            "avgpool": "global_pool",
            "classifier.1": "classifier",
        },
    ),
    "transformers_vit_b_16": (
        224,
        {
            "conv_proj": "vit.embeddings.patch_embeddings.projection",
            "encoder.dropout": "vit.embeddings.dropout",
            **{f"encoder.layers.encoder_layer_{i}": f"vit.layers.{i}" for i in (0, 11)},
            "encoder.ln": "vit.layernorm",
            "heads.head": "classifier",
        },
    ),
    **{
        f"transformers_{name}": (
            224,
            {
                "relu": "resnet.embedder.embedder",
                **{f"layer{i + 1}": f"resnet.encoder.stages.{i}" for i in range(4)},
                "avgpool": "resnet.pooler",
                "fc": "classifier.1",
            },
        )
        for name in ("resnet18", "resnet50")
    },
    "transformers_convnext_tiny": (
        224,
        {
            "features.0": "convnext.embeddings",
            **{f"features.{2 * i + 1}": f"convnext.encoder.stages.{i}" for i in range(4)},
            "classifier.2": "classifier",
        },
    ),
    "transformers_swin_t": (
        224,
        {
            "features.0": "swin.embeddings.norm",
            **{f"features.{2 * i + 1}.1": f"swin.encoder.layers.{i}.blocks.1" for i in range(4)},
            "norm": "swin.layernorm",
            "flatten": "swin.pooler",
            "head": "classifier",
        },
    ),
}

TIMM = {
    "timm_vit_b_16": "vit_base_patch16_224",
    "timm_convnext_tiny": "convnext_tiny",
    "timm_swin_t": "swin_tiny_patch4_window7_224",
    "timm_vgg16": "vgg16",
    "timm_efficientnet_b1": "efficientnet_b1",
}

LABELS = {"num_labels": 1000}
TRANSFORMERS = {
    "transformers_vit_b_16": ("ViTForImageClassification", transformers.ViTConfig(**LABELS)),
    "transformers_resnet18": (
        "ResNetForImageClassification",
        transformers.ResNetConfig(depths=[2, 2, 2, 2], hidden_sizes=[64, 128, 256, 512], layer_type="basic", **LABELS),
    ),
    "transformers_resnet50": ("ResNetForImageClassification", transformers.ResNetConfig(**LABELS)),
    "transformers_convnext_tiny": ("ConvNextForImageClassification", transformers.ConvNextConfig(**LABELS)),
    "transformers_swin_t": ("SwinForImageClassification", transformers.SwinConfig(**LABELS)),
}

# Models of timm with torchvision's names: torchvision's golden, timm's model, its statistics, size. Inception v3 gets
# pixels in [-1, 1], which torchvision's model computes itself (transform_input).
SAME = {
    "timm_resnet18": ("resnet18", "resnet18", IMAGENET, 224, {"avgpool": "global_pool", "fc": "fc"}),
    "timm_resnet50": ("resnet50_calm", "resnet50", IMAGENET, 224, {"avgpool": "global_pool", "fc": "fc"}),
    "timm_inception_v3": ("inception_v3", "inception_v3", HALVES, 299, {"avgpool": "global_pool", "fc": "fc"}),
}


def of_transformers(name: str) -> tuple[torch.nn.Module, dict]:
    """The model, loaded from a synthetic checkpoint with published names, and the names."""
    kind, config = TRANSFORMERS[name]
    constructor = getattr(transformers, kind)
    with tempfile.TemporaryDirectory() as folder:
        constructor(config).save_pretrained(folder)
        path = Path(folder) / "model.safetensors"
        state, listing = {}, {"tensors": {}, "integers": {}}
        damped = CALM.get(name, {})
        if damped:
            listing = {"damped": damped, **listing}
        for key, tensor in safetensors.torch.load_file(path).items():
            shape = list(tensor.shape)
            real = tensor.is_floating_point()
            listing["tensors" if real else "integers"][key] = shape
            if real:
                values = synthetic.parameter(key, tuple(shape))
                for ending, factor in damped.items():
                    if key.endswith(ending):
                        values = values * np.float32(factor)
                tensor = torch.from_numpy(np.asarray(values))
            state[key] = tensor
        safetensors.torch.save_file(state, path, metadata={"format": "pt"})
        model, report = constructor.from_pretrained(folder, attn_implementation="eager", output_loading_info=True)
    assert not any(report.values()), report
    return model.float().eval(), listing


def of_robustness() -> torch.nn.Module:
    """torchvision's ResNet-50 as in the library's `AttackerModel`, within `DataParallel`."""

    def normalizer() -> torch.nn.Module:
        module = torch.nn.Module()
        for part in ("new_mean", "new_std"):
            module.register_buffer(part, torch.zeros(3, 1, 1))
        return module

    model = torchvision.models.resnet50(weights=None)
    attacker = torch.nn.ModuleDict({"normalize": normalizer(), "model": model})
    whole = torch.nn.ModuleDict({"normalizer": normalizer(), "model": model, "attacker": attacker})
    return torch.nn.ModuleDict({"module": whole})


def golden(name: str) -> dict:
    size, taps = TAPS[name]
    if name == "robustness_resnet50":
        model = of_robustness()
        listing = fill(model, CALM[name])
        reference = f"torchvision.models.resnet50, {versions('torchvision', 'torch')}"
        forward: Callable = model["module"]["model"]
    elif name in TIMM:
        model = timm.create_model(TIMM[name], pretrained=False)
        listing = fill(model, CALM.get(name))
        reference = f"timm.create_model({TIMM[name]!r}), {versions('timm', 'torch')}"
        forward = model
    else:
        model, listing = of_transformers(name)
        reference = f"transformers.{TRANSFORMERS[name][0]}, {versions('transformers', 'torch')}"
        forward = lambda batch: model(pixel_values=batch)  # noqa: E731
    run = image_run(name, model, forward, size, IMAGENET, list(taps.values()), N_PROBES)
    theirs = run["taps"]
    run["taps"] = {"input": theirs["input"], **{ours: theirs[key] for ours, key in taps.items()}}
    return {
        "model": name,
        "reference": reference,
        "seed": 0,
        "probes": N_PROBES,
        **listing,
        "runs": [run],
    }


def compare(name: str) -> None:
    """Compares timm's model, with the synthetic checkpoint of torchvision's golden."""
    stem, constructor, statistics, size, taps = SAME[name]
    expected = json.loads((GOLDEN / "models" / f"{stem}.json").read_text())
    model = timm.create_model(constructor, pretrained=False)
    listing = fill(model, expected.get("damped"))
    auxiliary = {key: shape for key, shape in expected["tensors"].items() if key.startswith("AuxLogits.")}
    assert {**listing["tensors"], **auxiliary} == expected["tensors"]
    outputs = run_taps(model, taps.values(), lambda: model(images(size, statistics)))
    run = next(run for run in expected["runs"] if run["size"] == size)
    worst = 0.0
    for ours, theirs in taps.items():
        for index in range(len(IMAGES)):
            truth = run["taps"][ours][index]
            found = record(outputs[theirs][index], expected["probes"])
            apart = np.abs(np.array(found["values"]) - np.array(truth["values"])).max()
            worst = max(worst, float(apart) / truth["std"])
    print(f"{name}: {versions('timm')} is within {worst:.2g} standard deviations of torchvision's golden")
    assert worst < 1e-5


if __name__ == "__main__":
    torch.set_num_threads(1)
    for model_name in sys.argv[1:] or [*SAME, *TAPS]:
        if model_name in SAME:
            compare(model_name)
        else:
            write(model_name, golden(model_name))
