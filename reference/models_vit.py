"""Goldens of vision transformers that timm and transformers publish, with synthetic checkpoints.

Reference: timm's constructors and transformers' classes (no pretrained weights), float32, eval mode, one thread. Every
tensor has the size of the published model; only the number of blocks is cut to two, so that a golden is made and
compared in seconds (and DINOv2's images to 224 px, since the photographs are too small for its own size). `published`
has the numbers of parameters and of blocks of the published model. model_goldens.py describes the records and inputs.
Taps have the names of timm's modules; HUGGING_FACE maps them to transformers' modules.

Run from `reference/`, all models or those named as arguments. Writes golden/models/<library>_<model>.json.
"""

import sys

import timm
import torch
import transformers

import models_layouts
from model_goldens import CLIP, IMAGENET, fill, image_run, versions, write

N_PROBES = 32
HALVES = {"mean": [0.5, 0.5, 0.5], "std": [0.5, 0.5, 0.5]}
PLAIN = {"mean": [0.0, 0.0, 0.0], "std": [1.0, 1.0, 1.0]}
N_BLOCKS = 2
BLOCKS = [f"blocks.{index}" for index in range(N_BLOCKS)]
TOKENS = ["patch_embed", "pos_drop", *BLOCKS, "norm"]
PRE_NORM = ["patch_embed", "pos_drop", "norm_pre", *BLOCKS, "norm"]
# For DINO in both libraries: timm averages the patches by default, while the authors use the class token.
CLASS_TOKEN = {"global_pool": "token"}

# golden -> timm's model, options, side of the images, statistics, taps.
TIMM = {
    "timm_siglip2_vit_so400m_14": ("vit_so400m_patch14_siglip_224", {}, 224, HALVES, [*TOKENS, "attn_pool", "head"]),
    "timm_siglip2_vit_so400m_16": ("vit_so400m_patch16_siglip_256", {}, 256, HALVES, [*TOKENS, "attn_pool", "head"]),
    "timm_siglip2_vit_so400m_16_gap": ("vit_so400m_patch16_siglip_gap_256", {}, 256, HALVES, [*TOKENS, "head"]),
    "timm_siglip2_vit_b_16": ("vit_base_patch16_siglip_224", {}, 224, HALVES, [*TOKENS, "attn_pool", "head"]),
    "timm_dinov2_vit_b_14": (
        "vit_base_patch14_dinov2",
        {"img_size": 224, **CLASS_TOKEN},
        224,
        IMAGENET,
        [*TOKENS, "head"],
    ),
    "timm_dinov3_vit_b_16": ("vit_base_patch16_dinov3", CLASS_TOKEN, 256, IMAGENET, [*TOKENS, "head"]),
    "timm_dinov3_vit_b_16_qkvb": ("vit_base_patch16_dinov3_qkvb", CLASS_TOKEN, 224, IMAGENET, [*TOKENS, "head"]),
    "timm_pe_core_vit_b_16": ("vit_pe_core_base_patch16_224", {}, 224, HALVES, [*PRE_NORM, "attn_pool", "head"]),
    "timm_pe_core_vit_l_14_336": (
        "vit_pe_core_large_patch14_336",
        {},
        336,
        HALVES,
        [*PRE_NORM, "attn_pool", "head"],
    ),
    # CLIP's towers with timm's names, reduced as in models_clip.py.
    "timm_clip_vit_reduced": (
        "vit_base_patch16_clip_quickgelu_224",
        {"img_size": 80, "embed_dim": 192, "num_heads": 3, "depth": 3, "num_classes": 52},
        80,
        CLIP,
        [*PRE_NORM[:-1], "blocks.2", "norm", "head"],
    ),
    "timm_mobileclip2_vit_b": ("vit_base_mci_224", {"num_classes": 512}, 224, PLAIN, [*TOKENS, "head"]),
}

# Not run: every image tower comes with a text tower.
SMALL_TEXT = {
    "hidden_size": 64,
    "intermediate_size": 64,
    "num_hidden_layers": 1,
    "num_attention_heads": 1,
    "vocab_size": 16,
    "max_position_embeddings": 8,
}
SIGLIP_TAPS = {
    "pos_drop": "vision_model.embeddings",
    **{block: f"vision_model.encoder.layers.{index}" for index, block in enumerate(BLOCKS)},
    "norm": "vision_model.post_layernorm",
    "head": "vision_model.head",
}
BASE = {
    "hidden_size": 768,
    "intermediate_size": 3072,
    "num_attention_heads": 12,
    "num_hidden_layers": N_BLOCKS,
    "image_size": 224,
}

# golden -> transformers' class, configuration, statistics, {timm's name: transformers'}.
HUGGING_FACE = {
    "transformers_siglip2_vit_b_16": (
        "SiglipModel",
        transformers.SiglipConfig(
            vision_config={**BASE, "patch_size": 16},
            text_config=SMALL_TEXT,
        ),
        HALVES,
        SIGLIP_TAPS,
    ),
    "transformers_dinov2_vit_b_14": (
        "Dinov2Model",
        transformers.Dinov2Config(**{**BASE, "intermediate_size": None}, mlp_ratio=4, patch_size=14),
        IMAGENET,
        {
            "pos_drop": "embeddings",
            **{block: f"encoder.layer.{index}" for index, block in enumerate(BLOCKS)},
            "norm": "layernorm",
        },
    ),
    "transformers_dinov3_vit_b_16": (
        "DINOv3ViTModel",
        transformers.DINOv3ViTConfig(**BASE, patch_size=16, num_register_tokens=4),
        IMAGENET,
        {
            "pos_drop": "embeddings",
            **{block: f"model.layer.{index}" for index, block in enumerate(BLOCKS)},
            "norm": "norm",
        },
    ),
}


def of_timm(name: str) -> dict:
    constructor, options, size, statistics, taps = TIMM[name]
    with torch.device("meta"):
        whole = timm.create_model(constructor, pretrained=False, **options)
    published = {"parameters": sum(p.numel() for p in whole.parameters()), "blocks": len(whole.blocks)}
    model = timm.create_model(constructor, pretrained=False, **{"depth": N_BLOCKS, **options})
    listing = fill(model)
    return {
        "model": name,
        "reference": f"timm.create_model({constructor!r}), {versions('timm', 'torch')}",
        "published": published,
        "seed": 0,
        "probes": N_PROBES,
        **listing,
        "runs": [image_run(name, model, model, size, statistics, taps, N_PROBES)],
    }


def of_transformers(name: str) -> dict:
    kind, config, statistics, taps = HUGGING_FACE[name]
    models_layouts.TRANSFORMERS[name] = (kind, config)
    model, listing = models_layouts.of_transformers(name)
    tower = getattr(model, "vision_model", model)
    run = image_run(
        name, model, lambda batch: tower(pixel_values=batch), 224, statistics, list(taps.values()), N_PROBES
    )
    theirs = run["taps"]
    run["taps"] = {"input": theirs["input"], **{ours: theirs[key] for ours, key in taps.items()}}
    return {
        "model": name,
        "reference": f"transformers.{kind}, {versions('transformers', 'torch')}",
        "seed": 0,
        "probes": N_PROBES,
        **listing,
        "runs": [run],
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    for model_name in sys.argv[1:] or [*TIMM, *HUGGING_FACE]:
        write(model_name, of_timm(model_name) if model_name in TIMM else of_transformers(model_name))
