"""Goldens of SAM 2 (from an image and boxes or points, masks) with synthetic checkpoints.

Reference: transformers' Sam2Model, float32, eval mode, one thread. Every tensor is synthetic.parameter(its published
name, shape, seed 0), loaded strictly. Images are prepared as in SAM 2's own code: torchvision's resize of the
float tensor, with antialiasing, which does not keep proportions.

sam2_original_reduced is a checkpoint with the names and shapes of SAM 2's own files, converted here and run by
transformers. The weights of its hypernetworks are made smaller, so that single masks are not stable and one of the
other three is used instead.

The reduced networks have awkward sizes: windows that extend beyond the map, positions of another size. Networks of
published sizes have the tensors of the published checkpoints, with transformers' names.

Besides what model_goldens.py describes, a golden has `config` and, instead of `runs`,
  cases    per image: image, height, width, `prompts` (each {"box": [x0, y0, x1, y1]} or {"points": [[x, y, label],
           ...]}, px of the image; all of one case have the same form), `taps`: records (channels last, prompts first)
           of stage.N (of the trunk), feature.0, feature.1, embedding, sparse, iou, logits (of all four masks);
           `chosen` and `scores`: the chosen mask, and its predicted IoU; `masks`: whether the chosen logits at the
           image's size are above 0, row by row, packed, hex.
The published sizes are run in float32 only.

Run from `reference/`, all models or those named as arguments. Writes golden/models/<model>.json.
"""

import re
import sys

import numpy as np
import torch
import torch.nn.functional as F
import torchvision.transforms.functional as TF
import transformers

import synthetic
from model_goldens import GOLDEN, IMAGENET, check_rounding, f32, image, line, record, versions

N_PROBES = 48


def config(channels, blocks, heads, windows, global_blocks, background, image_px=1024, width=256, n_inner=2048) -> dict:
    return {
        "n_channels": channels,
        "blocks": blocks,
        "heads": heads,
        "windows": windows,
        "global_blocks": global_blocks,
        "background": background,
        "image_px": image_px,
        "width": width,
        "n_inner": n_inner,
    }


MODELS = {
    "sam2_reduced": config(16, [1, 2, 3, 2], [1, 2, 4, 8], [8, 4, 14, 7], [4], 7, 256, 64, 88),
    "sam2_original_reduced": config(14, [2, 2, 3, 1], [2, 2, 4, 4], [8, 4, 14, 7], [3, 5], 14, 256, 32, 50),
}
PUBLISHED = {
    "sam2_hiera_tiny": config(96, [1, 2, 7, 2], [1, 2, 4, 8], [8, 4, 14, 7], [5, 7, 9], 7),
    "sam2_hiera_small": config(96, [1, 2, 11, 2], [1, 2, 4, 8], [8, 4, 14, 7], [7, 10, 13], 7),
    "sam2_hiera_base_plus": config(112, [2, 3, 16, 3], [2, 4, 8, 16], [8, 4, 14, 7], [12, 16, 20], 14),
    "sam2_hiera_large": config(144, [2, 6, 36, 4], [2, 4, 8, 16], [8, 4, 16, 8], [23, 33, 43], 7),
}
# Weights are made smaller, since deep networks would differ from float64 by more than a parity test allows, and all
# masks would be stable.
DAMPED = {
    "sam2_reduced": {"attn.proj.weight": 0.5, "proj_out.weight": 0.5},
    "sam2_original_reduced": {
        "output_hypernetworks_mlps.0.layers.2.weight": 0.015625,
        "output_hypernetworks_mlps.0.layers.2.bias": 0.015625,
    },
}
PUBLISHED_DAMPED = {"attn.proj.weight": 0.25, "mlp.proj_out.weight": 0.25}

# Image, height, width, prompts.
CASES = [
    (
        "astronaut",
        90,
        131,
        [{"box": [10.5, 20.0, 80.25, 85.0]}, {"box": [-3.0, -2.5, 135.0, 92.0]}, {"box": [60.0, 30.0, 61.0, 33.0]}],
    ),
    ("noise", 310, 283, [{"box": [30.0, 40.5, 200.0, 290.0]}]),
    ("coffee", 64, 64, [{"points": [[20.0, 31.0, 1], [50.5, 8.0, 0]]}, {"points": [[3.0, 60.0, 1], [33.0, 33.0, 1]]}]),
]
PUBLISHED_CASES = [("astronaut", 110, 141, [{"box": [30.0, 10.5, 100.0, 90.0]}, {"box": [80.0, 50.0, 140.0, 105.25]}])]


def of_transformers(own: dict) -> transformers.Sam2Config:
    """The same network as transformers' configuration."""
    channels = [own["n_channels"] << stage for stage in range(4)]
    px, width = own["image_px"], own["width"]
    return transformers.Sam2Config(
        vision_config={
            "backbone_config": {
                "model_type": "sam2_hiera_det_model",
                "hidden_size": channels[0],
                "image_size": [px, px],
                "blocks_per_stage": own["blocks"],
                "embed_dim_per_stage": channels,
                "num_attention_heads_per_stage": own["heads"],
                "window_size_per_stage": own["windows"],
                "global_attention_blocks": own["global_blocks"],
                "window_positional_embedding_background_size": [own["background"]] * 2,
            },
            "backbone_channel_list": channels[::-1],
            "backbone_feature_sizes": [[px // 4] * 2, [px // 8] * 2, [px // 16] * 2],
            "fpn_hidden_size": width,
        },
        prompt_encoder_config={"hidden_size": width, "image_size": px},
        mask_decoder_config={"hidden_size": width, "mlp_dim": own["n_inner"], "iou_head_hidden_dim": width},
    )


# transformers' names to those of SAM 2's own files, in this order.
RENAMINGS = [
    (r"^no_memory_embedding", "no_mem_embed"),
    (r"^vision_encoder\.backbone\.", "image_encoder.trunk."),
    (r"^vision_encoder\.neck\.convs\.(\d)\.", r"image_encoder.neck.convs.\1.conv."),
    (r"^prompt_encoder\.point_embed\.", "sam_prompt_encoder.point_embeddings."),
    (
        r"^(prompt_encoder\.shared|shared_image)_embedding\.positional_embedding",
        "sam_prompt_encoder.pe_layer.positional_encoding_gaussian_matrix",
    ),
    (r"^prompt_encoder\.mask_embed\.conv1", "sam_prompt_encoder.mask_downscaling.0"),
    (r"^prompt_encoder\.mask_embed\.layer_norm1", "sam_prompt_encoder.mask_downscaling.1"),
    (r"^prompt_encoder\.mask_embed\.conv2", "sam_prompt_encoder.mask_downscaling.3"),
    (r"^prompt_encoder\.mask_embed\.layer_norm2", "sam_prompt_encoder.mask_downscaling.4"),
    (r"^prompt_encoder\.mask_embed\.conv3", "sam_prompt_encoder.mask_downscaling.6"),
    (r"^prompt_encoder\.", "sam_prompt_encoder."),
    (r"^mask_decoder\.upscale_conv1", "sam_mask_decoder.output_upscaling.0"),
    (r"^mask_decoder\.upscale_layer_norm", "sam_mask_decoder.output_upscaling.1"),
    (r"^mask_decoder\.upscale_conv2", "sam_mask_decoder.output_upscaling.3"),
    (r"^mask_decoder\.", "sam_mask_decoder."),
    (r"patch_embed\.projection", "patch_embed.proj"),
    (r"\.layer_norm_final_attn", ".norm_final_attn"),
    (r"\.layer_norm(\d)", r".norm\1"),
    (r"\.o_proj", ".out_proj"),
    (r"(hypernetworks_mlps\.\d|_head)\.proj_out", r"\1.layers.2"),
    (r"(hypernetworks_mlps\.\d|_head)\.layers\.0", r"\1.layers.1"),
    (r"(hypernetworks_mlps\.\d|_head)\.proj_in", r"\1.layers.0"),
    (r"\.mlp\.proj_in", ".mlp.layers.0"),
    (r"\.mlp\.proj_out", ".mlp.layers.1"),
]


def original_name(name: str) -> str:
    for pattern, replacement in RENAMINGS:
        name = re.sub(pattern, replacement, name)
    return name


def parameter(name: str, shape: tuple[int, ...], damped: dict) -> np.ndarray:
    values = np.asarray(synthetic.parameter(name, shape))
    for ending, factor in damped.items():
        if name.endswith(ending):
            values = values * np.float32(factor)
    return values


def loaded(own: dict, damped: dict, original: bool) -> tuple[torch.nn.Module, dict[str, list[int]]]:
    """The model from a checkpoint of synthetic tensors, and their names and shapes in the file."""
    model = transformers.Sam2Model(of_transformers(own))
    listing: dict[str, list[int]] = {}
    state = {}
    for name, tensor in model.state_dict().items():
        shape = tuple(tensor.shape)
        if name == "prompt_encoder.shared_embedding.positional_embedding":
            # One tensor with two names.
            if not original:
                listing[name] = list(shape)
            values = parameter(
                original_name(name) if original else "shared_image_embedding.positional_embedding", shape, damped
            )
        elif original and name == "prompt_encoder.point_embed.weight":
            rows = [f"sam_prompt_encoder.point_embeddings.{row}.weight" for row in range(shape[0])]
            listing |= {row: [1, shape[1]] for row in rows}
            values = np.concatenate([parameter(row, (1, shape[1]), damped) for row in rows])
        else:
            theirs = original_name(name) if original else name
            listing[theirs] = list(shape)
            values = parameter(theirs, shape, damped)
        state[name] = torch.from_numpy(np.asarray(values))
    if original:
        # Only videos need these.
        listing |= {"maskmem_tpos_enc": [7, 1, 1, 8], "memory_attention.norm.weight": [16], "no_obj_ptr": [1, 16]}
    model.load_state_dict(state, strict=True)
    return model.float().eval(), listing


def pixels(values: np.ndarray, px: int) -> torch.Tensor:
    """Prepares an image like SAM2Transforms."""
    tensor = torch.from_numpy(values).permute(2, 0, 1)
    resized = TF.resize(tensor, [px, px], antialias=True)
    return TF.normalize(resized, IMAGENET["mean"], IMAGENET["std"])[None]


def prompts_of(prompts: list[dict], height: int, width: int, px: int, dtype: torch.dtype) -> dict:
    scale = torch.tensor([width, height], dtype=dtype)
    if "box" in prompts[0]:
        boxes = torch.tensor([prompt["box"] for prompt in prompts], dtype=dtype).reshape(1, -1, 2, 2)
        return {"input_boxes": (boxes / scale * px).reshape(1, -1, 4)}
    points = torch.tensor([prompt["points"] for prompt in prompts], dtype=dtype)[None]
    return {"input_points": points[..., :2] / scale * px, "input_labels": points[..., 2].int()}


def run(model: torch.nn.Module, batch: torch.Tensor, prompts: list[dict], size: tuple[int, int]) -> tuple[dict, dict]:
    """Taps, and the chosen masks."""
    seen: dict = {}
    choose = model.mask_decoder._dynamic_multimask_via_stability

    def keep(masks: torch.Tensor, scores: torch.Tensor):
        seen["logits"], seen["iou"] = masks[0], scores[0]
        return choose(masks, scores)

    model.mask_decoder._dynamic_multimask_via_stability = keep
    hooks = [
        model.vision_encoder.backbone.register_forward_hook(
            lambda _module, _inputs, output: seen.update(
                {f"stage.{index}": each[0] for index, each in enumerate(output.intermediate_hidden_states)}
            )
        ),
        model.prompt_encoder.register_forward_hook(
            lambda _module, _inputs, output: seen.update({"sparse": output[0][0]})
        ),
    ]
    px = model.prompt_encoder.input_image_size
    with torch.no_grad():
        said = model(pixel_values=batch, multimask_output=False, **prompts_of(prompts, *size, px, batch.dtype))
        whole = F.interpolate(said.pred_masks[0], size, mode="bilinear", align_corners=False)[:, 0]
    for hook in hooks:
        hook.remove()
    model.mask_decoder._dynamic_multimask_via_stability = choose
    for name, tensor in zip(("feature.0", "feature.1", "embedding"), said.image_embeddings):
        seen[name] = tensor[0].permute(1, 2, 0)
    # The index of the chosen mask among the four.
    chosen = [
        next(index for index in range(4) if torch.equal(seen["logits"][prompt, index], said.pred_masks[0, prompt, 0]))
        for prompt in range(len(prompts))
    ]
    taps = {name: np.ascontiguousarray(tensor.numpy()) for name, tensor in sorted(seen.items())}
    packed = [np.packbits((mask > 0).numpy().reshape(-1)).tobytes().hex() for mask in whole]
    return taps, {
        "chosen": chosen,
        "scores": [f32(score) for score in said.iou_scores[0, :, 0].tolist()],
        "masks": packed,
    }


def golden(name: str) -> dict:
    published = name in PUBLISHED
    own, damped = {**MODELS, **PUBLISHED}[name], DAMPED.get(name, PUBLISHED_DAMPED)
    model, listing = loaded(own, damped, "original" in name)
    cases = []
    for image_name, height, width, prompts in PUBLISHED_CASES if published else CASES:
        values = image(image_name, height, width)
        batch = pixels(values, own["image_px"])
        taps, choice = run(model, batch, prompts, (height, width))
        if not published:
            model.double()
            wide, _ = run(model, batch.double(), prompts, (height, width))
            model.float()
            check_rounding(
                name,
                {tap: [array] for tap, array in taps.items()},
                {tap: [array] for tap, array in wide.items()},
                N_PROBES,
            )
        records = {tap: record(array, N_PROBES) for tap, array in taps.items()}
        for tap, entry in records.items():
            print(f"{name:26} {tap:12} {str(entry['shape']):20} std {entry['std']:10.4g}", flush=True)
            assert 1e-3 < entry["std"] < 1e5, f"{name} {tap}: dead or exploded"
        shares = [sum(byte.bit_count() for byte in bytes.fromhex(mask)) / (height * width) for mask in choice["masks"]]
        print(f"  chosen {choice['chosen']}, shares {shares}", flush=True)
        cases.append(
            {"image": image_name, "height": height, "width": width, "prompts": prompts, "taps": records, **choice}
        )
    return {
        "model": name,
        "reference": f"transformers.Sam2Model, {versions('transformers', 'torch', 'torchvision')}",
        "seed": 0,
        "probes": N_PROBES,
        "damped": damped,
        "config": own,
        **({} if published else {"tensors": listing}),
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
    for model_name in sys.argv[1:] or [*MODELS, *PUBLISHED]:
        write(model_name, golden(model_name))
