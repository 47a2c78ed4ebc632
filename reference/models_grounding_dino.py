"""Goldens of Grounding DINO and MM-Grounding-DINO (from an image and a prompt, boxes) with synthetic checkpoints.

Reference: transformers' GroundingDinoForObjectDetection and MMGroundingDinoForObjectDetection, float32, eval mode, one
thread, one image at a time. Every tensor of a *published* checkpoint is synthetic.parameter(its published name, shape,
seed 0): the files of save_pretrained, loaded with from_pretrained; no tensor may be missing or unused.

mmdet_grounding_dino_reduced is a checkpoint with mmdetection's names and shapes (3.x), converted here and run by
transformers, since mmdetection itself is not run. The names are those that transformers' own conversion of published
files reads.

The networks are small, with awkward sizes: windows that extend beyond the map, two maps that the backbone does not
have, a map whose proposals are all too large, images that patches do not divide, phrases of several tokens.

Besides what model_goldens.py describes, a golden has `config` (config.json) and, instead of `runs`,
  cases    per image and prompt: image, height, width, ids, and `taps`: records (without the batch dimension, channels
           last) of backbone.N, vision, text, vision.N, text.N (before the enhancer and after its layers), proposals,
           decoder.N, logits (of the prompt's tokens), boxes
The choice of queries must not depend on rounding: the script refuses near ties there, and also runs everything in
float64.

Run from `reference/`, all models or those named as arguments. Writes golden/models/<model>.json.
"""

import re
import sys
import tempfile
from pathlib import Path

import numpy as np
import safetensors.torch
import torch
import transformers

import synthetic
from model_goldens import GOLDEN, IMAGENET, check_rounding, image, line, record, versions

N_PROBES = 48
# Weights are made smaller, so that float32 is precise enough: sampling points are nearer, and boxes move less.
CALM = {"sampling_offsets.weight": 0.25, "layers.2.weight": 0.5, ".4.weight": 0.5}
# Relative to the standard deviation of the logits: the least gap between two positions whose order could change.
MARGIN = 1e-5

SWIN = {"model_type": "swin", "window_size": 5, "drop_path_rate": 0.0}
BERT = {
    "model_type": "bert",
    "vocab_size": 1100,
    "hidden_size": 36,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 50,
    "max_position_embeddings": 20,
}
MODELS = {
    "mm_grounding_dino_reduced": {
        "model_type": "mm-grounding-dino",
        "backbone_config": {
            **SWIN,
            "embed_dim": 12,
            "depths": [2, 2, 3, 2],
            "num_heads": [1, 2, 3, 4],
            "out_indices": [1, 2, 3, 4],
        },
        "text_config": BERT,
        "d_model": 64,
        "num_queries": 20,
        "num_feature_levels": 6,
        "encoder_layers": 2,
        "encoder_ffn_dim": 88,
        "encoder_attention_heads": 4,
        "encoder_n_points": 3,
        "decoder_layers": 3,
        "decoder_ffn_dim": 70,
        "decoder_attention_heads": 2,
        "decoder_n_points": 2,
        "max_text_len": 40,
        "decoder_bbox_embed_share": False,
        "decoder_cls_embed_share": False,
    },
    "grounding_dino_reduced": {
        "model_type": "grounding-dino",
        "backbone_config": {
            **SWIN,
            "embed_dim": 8,
            "depths": [2, 1, 2, 2],
            "num_heads": [2, 2, 4, 4],
            "out_indices": [2, 3, 4],
        },
        "text_config": BERT,
        "d_model": 32,
        "num_queries": 25,
        "num_feature_levels": 4,
        "encoder_layers": 2,
        "encoder_ffn_dim": 60,
        "encoder_attention_heads": 4,
        "encoder_n_points": 2,
        "decoder_layers": 2,
        "decoder_ffn_dim": 40,
        "decoder_attention_heads": 4,
        "decoder_n_points": 3,
        "max_text_len": 30,
        "positional_embedding_temperature": 15,
    },
    # Numbers of heads and points are mmdetection's, since its files do not have them.
    "mmdet_grounding_dino_reduced": {
        "model_type": "mm-grounding-dino",
        "backbone_config": {
            **SWIN,
            "embed_dim": 8,
            "depths": [1, 2, 2, 1],
            "num_heads": [1, 2, 2, 4],
            "out_indices": [2, 3, 4],
        },
        "text_config": {**BERT, "hidden_size": 64, "num_attention_heads": 1, "num_hidden_layers": 1},
        "d_model": 64,
        "num_queries": 25,
        "num_feature_levels": 4,
        "encoder_layers": 1,
        "encoder_ffn_dim": 64,
        "encoder_attention_heads": 8,
        "decoder_layers": 2,
        "decoder_ffn_dim": 48,
        "decoder_attention_heads": 8,
        "decoder_bbox_embed_share": False,
        "decoder_cls_embed_share": False,
    },
}
# The published configuration of SEED's detector, except for the number of queries: some of the 900 largest logits are
# closer to each other than the precision of float32. It has no second run in float64, and the golden does not list its
# many tensors.
LARGE = {
    "mm_grounding_dino_large": {
        "model_type": "mm-grounding-dino",
        "backbone_config": {
            "model_type": "swin",
            "embed_dim": 192,
            "depths": [2, 2, 18, 2],
            "num_heads": [6, 12, 24, 48],
            "window_size": 12,
            "out_indices": [1, 2, 3, 4],
        },
        "num_queries": 30,
        "num_feature_levels": 5,
        "decoder_bbox_embed_share": False,
        "decoder_cls_embed_share": False,
    },
}
# Image, height, width, ids: three phrases; then one that ends in a question mark, and one without an end.
CASES = [
    ("noise", 101, 135, [101, 7, 8, 1012, 9, 1012, 20, 21, 22, 1012, 102]),
    ("astronaut", 180, 122, [101, 30, 31, 1029, 1012, 32, 33, 102]),
]
CLASSES = {
    "mm-grounding-dino": (transformers.MMGroundingDinoConfig, transformers.MMGroundingDinoForObjectDetection),
    "grounding-dino": (transformers.GroundingDinoConfig, transformers.GroundingDinoForObjectDetection),
}


def calm(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """The synthetic tensor of this name, with weights of CALM made smaller."""
    values = np.asarray(synthetic.parameter(name, shape))
    for ending, factor in CALM.items():
        if name.endswith(ending):
            values = values * np.float32(factor)
    return values


def saved(config: dict, folder: str) -> tuple[type, dict[str, torch.Tensor], dict]:
    """The class, and the contents of its files: tensors and config.json."""
    of_config, of_model = CLASSES[config["model_type"]]
    kept = {key: value for key, value in config.items() if key != "model_type"}
    of_model(of_config(**kept)).save_pretrained(folder)
    tensors = safetensors.torch.load_file(Path(folder) / "model.safetensors")
    return of_model, tensors, config


def loaded(config: dict, values) -> tuple[torch.nn.Module, dict[str, list[int]]]:
    """The model from a checkpoint with tensors values(name, shape), and their shapes."""
    with tempfile.TemporaryDirectory() as folder:
        of_model, tensors, _ = saved(config, folder)
        state = {
            name: torch.from_numpy(np.asarray(values(name, tuple(tensor.shape)))) for name, tensor in tensors.items()
        }
        assert all(state[name].shape == tensors[name].shape for name in tensors)
        safetensors.torch.save_file(state, Path(folder) / "model.safetensors", metadata={"format": "pt"})
        model, report = of_model.from_pretrained(folder, output_loading_info=True)
    assert not any(report.values()), report
    return model.float().eval(), {name: list(tensor.shape) for name, tensor in tensors.items()}


# transformers' names (of files) to mmdetection's, in this order.
RENAMINGS = [
    (r"^model\.backbone\.conv_encoder\.model\.", "backbone."),
    (r"^backbone\.embeddings\.patch_embeddings\.projection", "backbone.patch_embed.projection"),
    (r"^backbone\.embeddings\.norm", "backbone.patch_embed.norm"),
    (r"^backbone\.encoder\.layers", "backbone.stages"),
    (r"attention\.self\.relative_position_bias_table", "attn.w_msa.relative_position_bias_table"),
    (r"^(backbone\..*)attention\.self\.(query|key|value)", r"\1attn.w_msa.qkv.\2"),
    (r"^(backbone\..*)attention\.output\.dense", r"\1attn.w_msa.proj"),
    (r"^(backbone\..*)intermediate\.dense", r"\1ffn.layers.0.0"),
    (r"^(backbone\..*)output\.dense", r"\1ffn.layers.1"),
    (r"^(backbone\..*)layernorm_before", r"\1norm1"),
    (r"^(backbone\..*)layernorm_after", r"\1norm2"),
    (r"^model\.text_backbone", "language_model.language_backbone.body.model"),
    (r"^model\.text_projection", "text_feat_map"),
    (r"^model\.level_embed", "level_embed"),
    (r"^model\.query_position_embeddings", "query_embedding"),
    (r"^model\.enc_output_norm", "memory_trans_norm"),
    (r"^model\.enc_output\.", "memory_trans_fc."),
    (r"^model\.encoder\.layers\.(\d+)\.fusion_layer\.", r"encoder.fusion_layers.\1."),
    (r"vision_param$", "gamma_v"),
    (r"text_param$", "gamma_l"),
    (r"(fusion_layers.*layer_norm_)vision", r"\1v"),
    (r"(fusion_layers.*layer_norm_)text", r"\1l"),
    (r"(fusion_layers.*)vision_proj", r"\1v_proj"),
    (r"(fusion_layers.*)text_proj", r"\1l_proj"),
    (r"^model\.encoder\.layers\.(\d+)\.text_enhancer_layer\.", r"encoder.text_layers.\1."),
    (r"^model\.encoder\.layers\.(\d+)\.deformable_layer\.", r"encoder.layers.\1."),
    (r"^model\.decoder\.layers", "decoder.layers"),
    (r"(text_layers\.\d+|decoder\.layers\.\d+)\.self_attn\.(query|key|value)", r"\1.self_attn.attn.in_proj.\2"),
    (r"(text_layers\.\d+|decoder\.layers\.\d+)\.self_attn\.out_proj", r"\1.self_attn.attn.out_proj"),
    (r"encoder_attn_text\.(query|key|value)", r"cross_attn_text.attn.in_proj.\1"),
    (r"encoder_attn_text\.out_proj", "cross_attn_text.attn.out_proj"),
    (r"encoder_attn_text_layer_norm", "norms.1"),
    (r"encoder_attn_layer_norm", "norms.2"),
    (r"encoder_attn\.", "cross_attn."),
    (r"self_attn_layer_norm", "norms.0"),
    (r"(decoder\.layers\.\d+)\.final_layer_norm", r"\1.norms.3"),
    (r"(encoder\.layers\.\d+)\.final_layer_norm", r"\1.norms.1"),
    (r"layer_norm_before", "norms.0"),
    (r"layer_norm_after", "norms.1"),
    (r"\.fc1\.", ".ffn.layers.0.0."),
    (r"\.fc2\.", ".ffn.layers.1."),
    (r"^model\.decoder\.layer_norm", "decoder.norm"),
    (r"^model\.decoder\.reference_points_head", "decoder.ref_point_head"),
]


def to_mmdetection(name: str, config: dict) -> str:
    """mmdetection's name; if it stores several maps as one, followed by the name of the part."""
    n_maps, n_layers = len(config["backbone_config"]["out_indices"]), config["decoder_layers"]
    for pattern, replacement in RENAMINGS:
        name = re.sub(pattern, replacement, name)
    name = re.sub(r"^backbone\.hidden_states_norms\.stage(\d+)", lambda m: f"backbone.norm{int(m[1]) - 1}", name)
    part = {"0": "conv", "1": "gn"}
    if match := re.match(r"model\.input_proj_vision\.(\d+)\.([01])\.(.*)", name):
        level = int(match[1])
        kind = f"convs.{level}" if level < n_maps else f"extra_convs.{level - n_maps}"
        name = f"neck.{kind}.{part[match[2]]}.{match[3]}"
    name = name.replace("model.encoder_output_class_embed.", f"class_embed.{n_layers}.")
    name = name.replace("model.encoder_output_bbox_embed.", f"bbox_embed.{n_layers}.")
    name = re.sub(r"^class_embed\.", "bbox_head.cls_branches.", name)
    return re.sub(r"^bbox_embed\.(\d+)\.layers\.(\d)", lambda m: f"bbox_head.reg_branches.{m[1]}.{2 * int(m[2])}", name)


def of_mmdetection(config: dict) -> tuple[torch.nn.Module, dict[str, list[int]]]:
    """The model from a checkpoint with mmdetection's names and shapes, and these."""
    listing: dict[str, list[int]] = {}

    def values(name: str, shape: tuple[int, ...]) -> np.ndarray:
        theirs = to_mmdetection(name, config)
        if theirs.startswith("backbone.swin.layernorm."):
            # A part of the classifier, which transformers' class has but does not use.
            return synthetic.parameter(theirs, shape)
        parts = ["query", "key", "value"]
        if match := re.match(r"(.*)\.(query|key|value)\.(weight|bias)$", theirs):
            if "language_model" not in theirs:
                whole, joint = match[1], "_" if match[1].endswith("in_proj") else "."
                whole, shape3 = f"{whole}{joint}{match[3]}", (3 * shape[0], *shape[1:])
                listing[whole] = list(shape3)
                return calm(whole, shape3).reshape(3, *shape)[parts.index(match[2])]
        if shape == ():
            listing[theirs] = [1]
            return calm(theirs, (1,)).reshape(())
        listing[theirs] = list(shape)
        array = calm(theirs, shape)
        if "downsample" in theirs:
            # nn.Unfold: (channel, row, column); Swin's authors: (column, row, channel).
            array = array.reshape(*shape[:-1], shape[-1] // 4, 2, 2)
            array = np.ascontiguousarray(np.moveaxis(array, -3, -1).swapaxes(-3, -2)).reshape(shape)
        return array

    model, _ = loaded(config, values)
    # Other tensors in the files: a buffer of the backbone, noise for training, a table of positions.
    listing["backbone.stages.0.blocks.0.attn.w_msa.relative_position_index"] = [25, 25]
    listing["dn_query_generator.label_embedding.weight"] = [10, config["d_model"]]
    listing["language_model.language_backbone.body.model.embeddings.position_ids"] = [1, 20]
    return model, listing


def taps(model: torch.nn.Module, pixels: torch.Tensor, ids: list[int]) -> dict[str, np.ndarray]:
    maps = []
    hook = model.model.backbone.conv_encoder.model.register_forward_hook(
        lambda _module, _inputs, output: maps.extend(output.feature_maps)
    )
    with torch.no_grad():
        outputs = model(pixel_values=pixels, input_ids=torch.tensor([ids]), output_hidden_states=True)
    hook.remove()
    found = {f"backbone.{index}": each[0].permute(1, 2, 0) for index, each in enumerate(maps)}
    for name, states in (
        ("vision", outputs.encoder_vision_hidden_states),
        ("text", outputs.encoder_text_hidden_states),
    ):
        found[name] = states[0][0]
        found |= {f"{name}.{index}": state[0] for index, state in enumerate(states[1:])}
    found["proposals"] = outputs.init_reference_points[0]
    for index, state in enumerate(outputs.intermediate_hidden_states[0]):
        found[f"decoder.{index}"] = state
    logits = outputs.logits[0]
    assert torch.isneginf(logits[:, len(ids) :]).all()
    found["logits"], found["boxes"] = logits[:, : len(ids)], outputs.pred_boxes[0]
    check_choice(outputs.enc_outputs_class[0].max(-1)[0], model.config.num_queries)
    return {name: np.ascontiguousarray(tensor.numpy()) for name, tensor in found.items()}


def check_choice(logits: torch.Tensor, n_queries: int) -> None:
    largest = torch.sort(logits, descending=True)[0][: n_queries + 1].double()
    gaps = -largest.diff()
    # Positions without a proposal have equal logits.
    near = gaps[gaps > 1e-6 * logits.std()]
    print(f"  smallest gap {near.min() / logits.std():.2g}, {len(gaps) - len(near)} ties", flush=True)
    assert near.min() > MARGIN * logits.std()


def golden(name: str) -> dict:
    config, large = {**MODELS, **LARGE}[name], name in LARGE
    if name.startswith("mmdet"):
        model, listing = of_mmdetection(config)
    else:
        model, listing = loaded(config, synthetic.parameter if large else calm)
    mean, std = (np.array(IMAGENET[key], dtype=np.float32) for key in ("mean", "std"))
    cases = []
    for image_name, height, width, ids in [("noise", 333, 427, CASES[0][-1])] if large else CASES:
        pixels = (image(image_name, height, width) - mean) / std
        batch = torch.from_numpy(pixels).permute(2, 0, 1)[None].contiguous()
        outputs = taps(model, batch, ids)
        if not large:
            model.double()
            wide = taps(model, batch.double(), ids)
            model.float()
            check_rounding(
                name,
                {tap: [array] for tap, array in outputs.items()},
                {tap: [array] for tap, array in wide.items()},
                N_PROBES,
            )
        records = {tap: record(array, N_PROBES) for tap, array in outputs.items()}
        for tap, entry in records.items():
            print(f"{name:30} {tap:12} {str(entry['shape']):16} std {entry['std']:10.4g}", flush=True)
            assert 1e-3 < entry["std"] < 1e4, f"{name} {tap}: dead or exploded"
        cases.append({"image": image_name, "height": height, "width": width, "ids": ids, "taps": records})
    apart = [np.array(case["taps"]["boxes"]["values"]) for case in cases]
    assert all(np.abs(apart[0] - other).mean() > 1e-2 for other in apart[1:]), "the same boxes for every image"
    return {
        "model": name,
        "reference": f"transformers.{type(model).__name__}, {versions('transformers', 'torch')}",
        "seed": 0,
        "probes": N_PROBES,
        **({} if large else {"damped": CALM}),
        "config": config,
        **{key: IMAGENET[key] for key in ("mean", "std")},
        **({} if large else {"tensors": listing}),
        "cases": cases,
    }


def write(name: str, content: dict) -> None:
    """Writes one line per record, so that differences are readable."""
    parts = [f'"{key}":{line(value)}' for key, value in content.items() if key != "cases"]
    cases = []
    for case in content["cases"]:
        head = ",".join(f'"{key}":{line(value)}' for key, value in case.items() if key != "taps")
        records = ",\n".join(f'"{tap}":{line(entry)}' for tap, entry in case["taps"].items())
        cases.append(f'{{{head},"taps":{{\n{records}}}}}')
    parts.append('"cases":[\n' + ",\n".join(cases) + "]")
    path = GOLDEN / "models" / f"{name}.json"
    path.write_text("{" + ",\n".join(parts) + "}\n")
    print(f"{path.name}: {path.stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    for model_name in sys.argv[1:] or [*MODELS, *LARGE]:
        write(model_name, golden(model_name))
