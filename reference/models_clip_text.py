"""Goldens of CLIP's text towers with synthetic checkpoints.

References, float32, eval mode, one thread, attention written out ("eager"):
  clip_text_*        transformers' CLIPTextModelWithProjection: the names of the Hugging Face files
  clip_openai_text_* open_clip's text tower: the names of OpenAI's own .pt files

A text's vector is the output at its end token. transformers finds it by two rules: the position of the largest id if
the configuration has eos_token_id 2 (as in the published files, and in OpenAI's code), otherwise the first position of
eos_token_id. With CLIP's vocabulary, whose end token has the largest id, the two are equal; both are run here and must
agree.

Texts are padded with zeros to 77; padding follows the end token and the attention is causal, so it has no effect, and
records of per-token taps only have the rows of the text's own ids. Each run has `ids` instead of an input size. See
model_goldens.py for the records.

Run from `reference/`, all models or those named as arguments. Writes golden/models/<model>.json.
"""

import sys

import numpy as np
import open_clip
import torch
from open_clip.tokenizer import SimpleTokenizer
from transformers import CLIPTextConfig, CLIPTextModelWithProjection

import synthetic
from model_goldens import checked_records, fill, run_taps, versions, write
from models_clip_tokenizer import N_POSITIONS, TEXTS, token_ids

# Indices into TEXTS for the towers: empty, short, long, cut.
TOWER_TEXTS = [0, 3, 12, 40]
N_PROBES = 32

HUGGING_FACE = {
    "clip_text_reduced": {
        "vocab_size": 997,
        "hidden_size": 128,
        "num_hidden_layers": 3,
        "num_attention_heads": 2,
        "intermediate_size": 400,
        "projection_dim": 52,
    },
    "clip_text_b_16": {
        "vocab_size": 49408,
        "hidden_size": 512,
        "num_hidden_layers": 12,
        "num_attention_heads": 8,
        "intermediate_size": 2048,
        "projection_dim": 512,
    },
    "clip_text_l_14": {
        "vocab_size": 49408,
        "hidden_size": 768,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "intermediate_size": 3072,
        "projection_dim": 768,
    },
}
OPENAI = {
    "clip_openai_text_reduced": {"vocab_size": 997, "width": 128, "heads": 2, "layers": 3},
    "clip_openai_text_b_16": {"vocab_size": 49408, "width": 512, "heads": 8, "layers": 12},
}
EMBED_DIM = {"clip_openai_text_reduced": 52, "clip_openai_text_b_16": 512}
BLOCKS = {3: [0, 1, 2], 12: [0, 3, 7, 11]}


def tower_ids(vocab_size: int) -> list[list[int]]:
    """Real texts for the real vocabulary; noise of the same lengths for a small one."""
    tokenizer = SimpleTokenizer()
    rows = [token_ids(tokenizer, TEXTS[index]) for index in TOWER_TEXTS]
    if vocab_size == tokenizer.vocab_size:
        return rows
    noise = [
        synthetic.bits(f"ids{index}", 0, len(row) - 2) % np.uint64(vocab_size - 2) for index, row in enumerate(rows)
    ]
    return [[vocab_size - 2, *row.tolist(), vocab_size - 1] for row in noise]


def padded(ids: list[list[int]]) -> torch.Tensor:
    return torch.tensor([row + [0] * (N_POSITIONS - len(row)) for row in ids])


def own_rows(outputs: dict[str, np.ndarray], ids: list[list[int]]) -> dict[str, list[np.ndarray]]:
    return {
        tap: [row[: len(own)] if row.ndim == 2 else row for row, own in zip(rows, ids)] for tap, rows in outputs.items()
    }


def golden(name: str, reference: str, config: dict, listing: dict, ids: list, outputs: dict) -> dict:
    taps = checked_records(name, own_rows(outputs, ids), N_PROBES)
    return {
        "model": name,
        "reference": reference,
        "config": config,
        "seed": 0,
        "probes": N_PROBES,
        **listing,
        "runs": [{"ids": ids, "taps": taps}],
    }


def hugging_face(name: str) -> dict:
    options = {
        **HUGGING_FACE[name],
        "max_position_embeddings": N_POSITIONS,
        "hidden_act": "quick_gelu",
        "layer_norm_eps": 1e-5,
        "bos_token_id": HUGGING_FACE[name]["vocab_size"] - 2,
        "eos_token_id": 2,
    }
    model = CLIPTextModelWithProjection(CLIPTextConfig(**options, attn_implementation="eager"))
    listing = fill(model)
    ids = tower_ids(options["vocab_size"])
    taps = [
        "text_model.embeddings",
        *(f"text_model.encoder.layers.{index}" for index in BLOCKS[options["num_hidden_layers"]]),
        "text_model.final_layer_norm",
        "text_projection",
    ]
    outputs = run_taps(model, taps, lambda: model(input_ids=padded(ids)))
    embeddings = torch.from_numpy(outputs["text_projection"])
    model.text_model.eos_token_id = options["vocab_size"] - 1
    with torch.no_grad():
        assert torch.equal(model(input_ids=padded(ids)).text_embeds, embeddings)
        for row, embedding in zip(ids, embeddings):
            alone = model(input_ids=torch.tensor([row])).text_embeds[0]
            torch.testing.assert_close(alone, embedding, rtol=1e-4, atol=1e-4)
    reference = f"transformers.CLIPTextModelWithProjection, {versions('transformers', 'torch')}"
    return golden(name, reference, options, listing, ids, outputs)


def openai(name: str) -> dict:
    options = {**OPENAI[name], "context_length": N_POSITIONS}
    model = open_clip.CLIP(
        embed_dim=EMBED_DIM[name],
        vision_cfg={"image_size": 32, "layers": 1, "width": 64, "patch_size": 16},
        text_cfg=options,
        quick_gelu=True,
    )
    del model.visual
    listing = fill(model)
    ids = tower_ids(options["vocab_size"])
    taps = [*(f"transformer.resblocks.{index}" for index in BLOCKS[options["layers"]]), "ln_final"]
    embeddings = []
    outputs = run_taps(model, taps, lambda: embeddings.append(model.encode_text(padded(ids))))
    outputs["text_projection"] = embeddings[0].numpy()
    reference = f"open_clip.CLIP(quick_gelu=True).encode_text, {versions('open_clip_torch', 'torch')}"
    return golden(name, reference, {**options, "embed_dim": EMBED_DIM[name]}, listing, ids, outputs)


if __name__ == "__main__":
    torch.set_num_threads(1)
    for model_name in sys.argv[1:] or [*HUGGING_FACE, *OPENAI]:
        write(model_name, hugging_face(model_name) if model_name in HUGGING_FACE else openai(model_name))
