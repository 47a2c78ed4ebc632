"""Goldens of torchvision's image models with synthetic checkpoints.

Reference: torchvision's own constructors (weights=None), float32, eval mode, one thread. Every floating-point tensor of
the state dict is synthetic.parameter(name, shape, seed 0), loaded with strict=True, which proves the names and shapes
of the published .pth files. model_goldens.py describes the records and inputs. Taps have the names of torchvision's
modules.

Run from `reference/`, all models or those named as arguments. Writes golden/models/<model>.json.
"""

import sys

import torch
import torchvision.models

from model_goldens import IMAGENET, fill, image_run, versions, write

RESNET_TAPS = ["maxpool", "layer1.0", "layer1", "layer2", "layer3", "layer4", "avgpool", "fc"]
EFFICIENTNET_TAPS = [*(f"features.{index}" for index in range(9)), "avgpool", "classifier.1"]

# Inception's published weights need transform_input; the plain constructor leaves it off.
INCEPTION = {"aux_logits": True, "init_weights": False, "transform_input": True}

# Without trained statistics, a residual network's signals grow from block to block, until they dwarf every bias in
# layer4 of ResNet-50, and squeeze and excitation in EfficientNet amplifies rounding errors on noise. The models with
# "_calm" have a smaller last normalisation in each block, or smaller layers of squeeze and excitation.
CALM = {
    "resnet50_calm": {"bn3.weight": 0.25},
    "efficientnet_b1_calm": {"fc1.weight": 0.125, "fc2.weight": 0.125},
}

# model -> constructor's options, taps per input size, probes per tensor. The second sizes are those of evaluation
# protocols that resize without a crop.
MODELS = {
    "alexnet": (
        {},
        {
            224: [
                *(f"features.{index}" for index in (1, 4, 7, 9, 11)),
                "avgpool",
                "classifier.2",
                "classifier.6",
            ],
            256: ["features.4", "features.11"],
        },
        64,
    ),
    "vgg16": ({}, {224: [*(f"features.{index}" for index in (4, 9, 16, 23, 30)), "classifier.6"]}, 64),
    "resnet18": ({}, {224: RESNET_TAPS}, 64),
    "resnet50": ({}, {224: RESNET_TAPS}, 64),
    "resnet50_calm": ({}, {224: RESNET_TAPS}, 64),
    "vit_b_16": (
        {},
        {
            224: [
                "conv_proj",
                "encoder.dropout",
                *(f"encoder.layers.encoder_layer_{index}" for index in (0, 3, 7, 11)),
                "encoder.ln",
                "heads.head",
            ]
        },
        64,
    ),
    "inception_v3": (
        INCEPTION,
        {
            299: [
                "Conv2d_1a_3x3",
                "maxpool1",
                "Conv2d_4a_3x3",
                "Mixed_5b",
                "Mixed_5d",
                "Mixed_6e",
                "Mixed_7c",
                "avgpool",
                "fc",
            ],
            342: ["Mixed_5d", "Mixed_7c", "avgpool"],
        },
        32,
    ),
    "efficientnet_b1": ({}, {240: EFFICIENTNET_TAPS}, 32),
    "efficientnet_b1_calm": (
        {},
        {240: EFFICIENTNET_TAPS, 255: ["features.2", "features.8", "avgpool"]},
        32,
    ),
    "convnext_tiny": (
        {},
        {224: [*(f"features.{index}" for index in (0, 1, 3, 5, 7)), "avgpool", "classifier.2"]},
        64,
    ),
    "swin_t": (
        {},
        {224: [*(f"features.{index}" for index in (0, 1, 3, 5, 7)), "norm", "avgpool", "flatten", "head"]},
        64,
    ),
}


def golden(name: str) -> dict:
    options, sizes, n_probes = MODELS[name]
    constructor = name.removesuffix("_calm")
    model = getattr(torchvision.models, constructor)(weights=None, **options)
    return {
        "model": name,
        "reference": f"torchvision.models.{constructor}, {versions('torchvision', 'torch')}",
        "seed": 0,
        "probes": n_probes,
        **fill(model, CALM.get(name)),
        "runs": [image_run(name, model, model, size, IMAGENET, taps, n_probes) for size, taps in sizes.items()],
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    for model_name in sys.argv[1:] or MODELS:
        write(model_name, golden(model_name))
