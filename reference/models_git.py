"""Goldens of GIT (from an image, a caption) with synthetic checkpoints.

Reference: transformers' GitForCausalLM, float32, eval mode, one thread, attention written out ("eager"), its state dict
loaded strictly. `git_reduced` is small, with sizes without common divisors; git_base_coco and git_large_coco have the
published configurations.

Besides what model_goldens.py describes (`runs`, with the taps of the image encoder and of the projection), a golden has
  generated   per end id and number of beams (1 is greedy): the ids of each image, with the start id first and the end
              id, if reached, last. The end ids of the small model end one caption early, but not others.
  logits      per image and step: a record of the logits by which the next id of the first `generated` was chosen,
              computed without a cache, on the whole sequence at once
With near ties, rounding would decide about ids; the script refuses these, and also runs everything in float64.

Run from `reference/`, all models or those named as arguments. Writes golden/models/<model>.json.
"""

import sys

import numpy as np
import torch
from transformers import GitConfig, GitForCausalLM

from model_goldens import CLIP, IMAGES, fill, image_run, images, record, versions, write

MODELS = {
    "git_reduced": {
        "vision_config": {
            "hidden_size": 128,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "intermediate_size": 300,
            "patch_size": 14,
            "image_size": 70,
        },
        "vocab_size": 151,
        "hidden_size": 96,
        "num_hidden_layers": 2,
        "num_attention_heads": 3,
        "intermediate_size": 200,
        "max_position_embeddings": 40,
        "pad_token_id": 0,
        "bos_token_id": 1,
        "eos_token_id": 2,
    },
    "git_base_coco": {
        "vision_config": {
            "hidden_size": 768,
            "num_hidden_layers": 12,
            "num_attention_heads": 12,
            "intermediate_size": 3072,
            "patch_size": 16,
            "image_size": 224,
        }
    },
    "git_large_coco": {
        "vision_config": {
            "hidden_size": 1024,
            "num_hidden_layers": 24,
            "num_attention_heads": 16,
            "intermediate_size": 4096,
            "patch_size": 14,
            "image_size": 224,
        }
    },
}
NEW_TOKENS = {"git_reduced": 24, "git_base_coco": 6, "git_large_coco": 6}
N_BEAMS = 3
N_PROBES = 32
# Relative to the largest logit: twice the difference that the Rust side may have.
MARGIN = 2e-4


def generated(model: GitForCausalLM, pixels: torch.Tensor, n_new: int, n_beams: int) -> list[list[int]]:
    config = model.config
    ids = model.generate(pixel_values=pixels, max_new_tokens=n_new, num_beams=n_beams, do_sample=False)
    rows = []
    for row in ids.tolist():
        ends = [place for place, token in enumerate(row) if place > 0 and token == config.eos_token_id]
        rows.append(row[: ends[0] + 1] if ends else row)
    for row, pixel in zip(rows, pixels):
        alone = model.generate(pixel_values=pixel[None], max_new_tokens=n_new, num_beams=n_beams, do_sample=False)
        assert alone[0].tolist() == row, "the batch changes a caption"
    return rows


def step_logits(model: GitForCausalLM, pixels: torch.Tensor, ids: list[int]) -> np.ndarray:
    """The logits after every id but the last, (step, vocabulary)."""
    text = torch.tensor([ids[:-1]])
    logits = model(input_ids=text, pixel_values=pixels[None], use_cache=False).logits
    return logits[0, -text.shape[1] :].numpy()


def early_end(rows: list[list[int]]) -> int:
    """An id that occurs in one caption, not at its very start, and not in all of them."""
    for index, row in enumerate(rows):
        others = [other for number, other in enumerate(rows) if number != index]
        for place in range(3, len(row)):
            if row[place] not in row[:place] and any(row[place] not in other for other in others):
                return row[place]
    raise SystemExit("no id would end one caption early")


def end_with(model: GitForCausalLM, end: int) -> None:
    model.config.eos_token_id = model.generation_config.eos_token_id = end


def golden(name: str) -> dict:
    options = MODELS[name]
    config = GitConfig(**options, attn_implementation="eager")
    model = GitForCausalLM(config)
    listing = fill(model)
    size = config.vision_config.image_size
    n_layers = config.vision_config.num_hidden_layers
    encoder = "git.image_encoder.vision_model"
    taps = [
        f"{encoder}.pre_layrnorm",
        f"{encoder}.encoder.layers.0",
        f"{encoder}.encoder.layers.{n_layers - 1}",
        f"{encoder}.post_layernorm",
        "git.visual_projection",
    ]
    start = torch.full((len(IMAGES), 1), config.bos_token_id)
    run = image_run(name, model, lambda batch: model(input_ids=start, pixel_values=batch), size, CLIP, taps, N_PROBES)
    pixels, n_new = images(size, CLIP), NEW_TOKENS[name]
    with torch.no_grad():
        ends = [config.eos_token_id]
        if name == "git_reduced":
            end_with(model, -1)
            ends = [early_end(generated(model, pixels, n_new, 1))]
            end_with(model, ends[0])
            ends.append(early_end(generated(model, pixels, n_new, N_BEAMS)))
        generations = []
        for end in ends:
            end_with(model, end)
            for n_beams in (1, N_BEAMS):
                ids = generated(model, pixels, n_new, n_beams)
                print(f"{name}: end {end}, {n_beams} beams: {ids}", flush=True)
                generations.append({"end": end, "n_beams": n_beams, "ids": ids})
        greedy = generations[0]["ids"]
        logits = [step_logits(model, pixel, ids) for pixel, ids in zip(pixels, greedy)]
        model.double()
        wide = [step_logits(model, pixel.double(), ids) for pixel, ids in zip(pixels, greedy)]
        for generation in generations:
            end_with(model, generation["end"])
            exact = generated(model, pixels.double(), n_new, generation["n_beams"])
            assert exact == generation["ids"], "rounding decides an id"
    for row, exact, ids in zip(logits, wide, greedy):
        assert row.argmax(1).tolist() == ids[1:], "generation has other logits than the whole sequence"
        best = np.sort(row, axis=1)
        gap, scale = (best[:, -1] - best[:, -2]).min(), np.abs(row).max()
        error = np.abs(row - exact).max()
        print(f"{name}: smallest gap {gap:.4g}, largest logit {scale:.4g}, rounding {error:.2g}")
        assert gap > MARGIN * scale and error < 1e-5 * scale
    return {
        "model": name,
        "reference": f"transformers.GitForCausalLM, {versions('transformers', 'torch')}",
        "config": options,
        "seed": 0,
        "probes": N_PROBES,
        **listing,
        "max_new_tokens": n_new,
        "generated": generations,
        "logits": [[record(step, N_PROBES) for step in row] for row in logits],
        "runs": [run],
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    for model_name in sys.argv[1:] or MODELS:
        write(model_name, golden(model_name))
