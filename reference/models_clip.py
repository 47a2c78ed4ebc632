"""Goldens of CLIP's image towers with synthetic checkpoints, in the two layouts that are published.

References, float32, eval mode, one thread, attention written out ("eager"):
  clip_vit_*         transformers' CLIPVisionModelWithProjection: the names of the Hugging Face files
  clip_openai_*      the `visual` tower of open_clip's models: the names of OpenAI's own .pt files,
                     where a tower's tensors begin with "visual."
The configurations of L/14, B/16, B/32 and RN50 are OpenAI's; the `reduced` ones are small with sizes without common
divisors. model_goldens.py describes the records and inputs. Taps have the names of the reference's modules.

Run from `reference/`, all models or those named as arguments. Writes golden/models/<model>.json.
"""

import sys

import open_clip
import torch
from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection

from model_goldens import CLIP, fill, image_run, versions, write

HUGGING_FACE = {
    "clip_vit_reduced": {
        "hidden_size": 192,
        "num_hidden_layers": 3,
        "num_attention_heads": 3,
        "intermediate_size": 600,
        "patch_size": 14,
        "image_size": 70,
        "projection_dim": 52,
    },
    "clip_vit_b_16": {
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "intermediate_size": 3072,
        "patch_size": 16,
        "image_size": 224,
        "projection_dim": 512,
    },
    "clip_vit_b_32": {
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "intermediate_size": 3072,
        "patch_size": 32,
        "image_size": 224,
        "projection_dim": 512,
    },
    "clip_vit_l_14": {
        "hidden_size": 1024,
        "num_hidden_layers": 24,
        "num_attention_heads": 16,
        "intermediate_size": 4096,
        "patch_size": 14,
        "image_size": 224,
        "projection_dim": 768,
    },
}

# Heads are 64 wide in all of OpenAI's towers; RN50's attention pooling has width * 32 / 64 heads.
OPENAI = {
    "clip_openai_vit_reduced": {
        "embed_dim": 52,
        "vision_cfg": {"image_size": 80, "layers": 3, "width": 192, "patch_size": 16},
    },
    "clip_openai_vit_b_16": {
        "embed_dim": 512,
        "vision_cfg": {"image_size": 224, "layers": 12, "width": 768, "patch_size": 16},
    },
    "clip_openai_rn50": {
        "embed_dim": 1024,
        "vision_cfg": {"image_size": 224, "layers": [3, 4, 6, 3], "width": 64, "patch_size": None},
    },
}

OPENAI["clip_openai_rn50_calm"] = OPENAI["clip_openai_rn50"]

# Without trained statistics, RN50's signals grow from block to block, until the attention pooling sees only one
# position, so that its positions and its scale have no effect. A smaller last normalisation in each block (and the
# stem) prevents that.
CALM = {"bn3.weight": 0.25}

# Not run: every image tower of open_clip comes with a text tower.
SMALL_TEXT = {"context_length": 8, "vocab_size": 16, "width": 64, "heads": 1, "layers": 1}

BLOCKS = {3: [0, 1, 2], 12: [0, 3, 7, 11], 24: [0, 3, 7, 11, 15, 23]}
N_PROBES = 32


def hugging_face(name: str) -> dict:
    options = HUGGING_FACE[name]
    config = CLIPVisionConfig(**options, hidden_act="quick_gelu", layer_norm_eps=1e-5, attn_implementation="eager")
    model = CLIPVisionModelWithProjection(config)
    listing = fill(model)
    taps = [
        "vision_model.pre_layrnorm",
        *(f"vision_model.encoder.layers.{index}" for index in BLOCKS[config.num_hidden_layers]),
        "vision_model.post_layernorm",
        "visual_projection",
    ]
    return {
        "model": name,
        "reference": f"transformers.CLIPVisionModelWithProjection, {versions('transformers', 'torch')}",
        "config": {**options, "hidden_act": "quick_gelu", "layer_norm_eps": 1e-5},
        "seed": 0,
        "probes": N_PROBES,
        **listing,
        "runs": [image_run(name, model, model, config.image_size, CLIP, taps, N_PROBES)],
    }


def openai(name: str) -> dict:
    options = OPENAI[name]
    vision = options["vision_cfg"]
    whole = open_clip.CLIP(**options, text_cfg=SMALL_TEXT, quick_gelu=True)
    model = torch.nn.ModuleDict({"visual": whole.visual})
    listing = fill(model, CALM if name.endswith("_calm") else None)
    if isinstance(vision["layers"], list):
        blocks = ["act3", "avgpool", "layer1", "layer2", "layer3", "layer4", "attnpool"]
    else:
        blocks = [
            "ln_pre",
            *(f"transformer.resblocks.{index}" for index in BLOCKS[vision["layers"]]),
            "ln_post",
        ]
    taps = [*(f"visual.{block}" for block in blocks), "visual"]
    run = image_run(name, model, model["visual"], vision["image_size"], CLIP, taps, N_PROBES)
    return {
        "model": name,
        "reference": f"open_clip.CLIP(quick_gelu=True).visual, {versions('open_clip_torch', 'torch')}",
        "config": {**vision, "embed_dim": options["embed_dim"]},
        "seed": 0,
        "probes": N_PROBES,
        **listing,
        "runs": [run],
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    for model_name in sys.argv[1:] or [*HUGGING_FACE, *OPENAI]:
        write(model_name, hugging_face(model_name) if model_name in HUGGING_FACE else openai(model_name))
