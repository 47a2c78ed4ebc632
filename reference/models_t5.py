"""Goldens of T5 with synthetic checkpoints.

Reference, float32, eval mode, one thread, attention written out ("eager"): transformers' T5ForConditionalGeneration,
read by from_pretrained from a folder with the synthetic checkpoint, so that the reference itself handles a separate or
missing output map.

Each run: `ids` of the sources (including the end token, each run alone), `decoder_ids` for the decoder, and taps:
"encoder" (its last output) and "logits" (at every decoder position, without a cache). `generation`: what `generate`
returns for all sources in one padded batch, without padding and start token; float64 must return the same. See
model_goldens.py for the records.

golden/models/t5_buckets.json: buckets of relative positions for distances 0, 1, ...

Run from `reference/`, all models or those named as arguments.
"""

import json
import sys
import tempfile

import numpy as np
import torch
from safetensors.torch import save_file
from transformers import T5Config, T5ForConditionalGeneration
from transformers.models.t5.modeling_t5 import T5Attention

import synthetic
from model_goldens import GOLDEN, check_rounding, checked_records, versions, write

REDUCED = {"feed_forward_proj": "gated-gelu", "dropout_rate": 0.1}
CONFIGS = {
    # All heads together are narrower than the model; its own output map; distances beyond the last bucket.
    "t5_reduced": {
        **REDUCED,
        "vocab_size": 61,
        "d_model": 48,
        "d_kv": 8,
        "d_ff": 80,
        "num_layers": 3,
        "num_decoder_layers": 2,
        "num_heads": 4,
        "relative_attention_num_buckets": 8,
        "relative_attention_max_distance": 20,
        "tie_word_embeddings": False,
    },
    # All heads together are wider than the model; the table of tokens is the output map; scaled logits.
    "t5_tied_reduced": {
        **REDUCED,
        "vocab_size": 40,
        "d_model": 32,
        "d_kv": 12,
        "d_ff": 52,
        "num_layers": 2,
        "num_heads": 3,
    },
    "t5_base": {
        **REDUCED,
        "vocab_size": 32128,
        "d_model": 768,
        "d_kv": 64,
        "d_ff": 2048,
        "num_layers": 12,
        "num_heads": 12,
        "tie_word_embeddings": False,
    },
}
LENGTHS = {"t5_base": [21, 6]}
# Otherwise every attention would look at one token only, and roundings would grow too much in twelve layers, since T5
# does not divide its scores by the root of a head's width.
DAMPED = {"SelfAttention.q.weight": 0.25, "EncDecAttention.q.weight": 0.25}
DAMPED_BASE = {name: 0.0625 for name in DAMPED}
N_PROBES = 48


def noise(name: str, n: int, vocab_size: int) -> list[int]:
    return [int(bits % np.uint64(vocab_size - 2)) + 2 for bits in synthetic.bits(name, 0, n)]


def load(name: str, config: dict) -> tuple[T5ForConditionalGeneration, dict, dict]:
    damped = DAMPED_BASE if name == "t5_base" else DAMPED
    own_output = config.get("tie_word_embeddings") is False
    damped = {**damped, "lm_head.weight": 4.0} if own_output else {**damped, "shared.weight": 2.0}
    shapes = {
        key: list(value.shape) for key, value in T5ForConditionalGeneration(T5Config(**config)).state_dict().items()
    }
    kept = {key: shape for key, shape in shapes.items() if "embed_tokens" not in key}
    if config.get("tie_word_embeddings") is not False:
        del kept["lm_head.weight"]
    state = {}
    for key, shape in kept.items():
        values = synthetic.parameter(key, tuple(shape))
        for ending, factor in damped.items():
            if key.endswith(ending):
                values = values * np.float32(factor)
        state[key] = torch.from_numpy(np.asarray(values))
    with tempfile.TemporaryDirectory() as folder:
        T5Config(**config).save_pretrained(folder)
        path = f"{folder}/config.json"
        written = json.load(open(path))
        written.pop("tie_word_embeddings", None)
        if "tie_word_embeddings" in config:
            written["tie_word_embeddings"] = config["tie_word_embeddings"]
        json.dump(written, open(path, "w"))
        save_file(state, f"{folder}/model.safetensors")
        model, info = T5ForConditionalGeneration.from_pretrained(
            folder, attn_implementation="eager", output_loading_info=True, dtype=torch.float32
        )
    assert not info["missing_keys"] and not info["unexpected_keys"], info
    is_own = not torch.equal(model.lm_head.weight, model.shared.weight)
    assert is_own == ("lm_head.weight" in kept)
    assert model.config.scale_decoder_outputs == (config.get("tie_word_embeddings") is not False)
    return model.eval(), kept, damped


def generated(model: T5ForConditionalGeneration, sources: list[list[int]], options: dict) -> list[list[int]]:
    longest = max(map(len, sources))
    ids = torch.tensor([row + [0] * (longest - len(row)) for row in sources])
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in sources])
    early = {"full": True, "unlikely": False}[options["early"]]
    beams = {"early_stopping": early} if options["beams"] > 1 else {}
    with torch.no_grad():
        output = model.generate(
            ids,
            attention_mask=mask,
            num_beams=options["beams"],
            max_new_tokens=options["max_new_tokens"],
            decoder_start_token_id=0,
            pad_token_id=0,
            eos_token_id=options["ends"],
            do_sample=False,
            **beams,
        )
    return [until_end(row[1:], options["ends"]) for row in output.tolist()]


def until_end(row: list[int], ends: list[int]) -> list[int]:
    """Ids up to the end: in beam search with the end token, what follows is padding, which is token 0."""
    places = [place for place, token in enumerate(row) if token in ends]
    return row[: places[0] + 1] if places else row


def taught(model: T5ForConditionalGeneration, sources: list, targets: list) -> dict[str, list[np.ndarray]]:
    taps = {"encoder": [], "logits": []}
    with torch.no_grad():
        for source, target in zip(sources, targets):
            output = model(input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([target]), use_cache=False)
            taps["encoder"].append(output.encoder_last_hidden_state[0].numpy())
            taps["logits"].append(output.logits[0].numpy())
    return taps


def golden(name: str) -> dict:
    config = CONFIGS[name]
    model, tensors, damped = load(name, config)
    vocab_size = config["vocab_size"]
    lengths = LENGTHS.get(name, [1, 2, 6, 13, 34])
    sources = [[*noise(f"source{index}", length - 1, vocab_size), 1] for index, length in enumerate(lengths)]
    targets = [
        [0, *noise(f"target{index}", 11 if vocab_size > 1000 else 27, vocab_size)] for index in range(len(sources))
    ]
    outputs = taught(model, sources, targets)
    check_rounding(name, outputs, taught(model.double(), sources, targets), N_PROBES)
    model.float()
    ends = [1, 7, 20, 31] if vocab_size < 1000 else [1]
    runs = [(1, "full", 24), (5, "full", 24), (5, "unlikely", 24), (3, "unlikely", 9)]
    if vocab_size > 1000:
        runs = [(1, "full", 10), (5, "full", 10)]
    generation = []
    for beams, early, max_new_tokens in runs:
        options = {"beams": beams, "early": early, "penalty": 1.0, "max_new_tokens": max_new_tokens, "ends": ends}
        ids = generated(model, sources, options)
        assert ids == [generated(model, [source], options)[0] for source in sources]
        if vocab_size < 1000:
            assert ids == generated(model.double(), sources, options), "too near a tie"
            model.float()
        print(options, [len(row) for row in ids], ids[-1][:12], flush=True)
        generation.append({**options, "ids": ids})
    taps = checked_records(name, outputs, N_PROBES)
    return {
        "model": name,
        "reference": f"transformers.T5ForConditionalGeneration, {versions('transformers', 'torch')}",
        "config": {"model_type": "t5", "pad_token_id": 0, "eos_token_id": 1, **config},
        "seed": 0,
        "probes": N_PROBES,
        "damped": damped,
        "tensors": tensors,
        "runs": [{"ids": sources, "decoder_ids": targets, "generation": generation, "taps": taps}],
    }


def buckets() -> dict:
    cases = []
    for n_buckets, max_distance in [(32, 128), (16, 128), (8, 20), (4, 20), (2, 16), (64, 256), (16, 32), (20, 81)]:
        distances = -torch.arange(0, 300)
        found = T5Attention._relative_position_bucket(distances, False, n_buckets, max_distance)
        cases.append({"n_buckets": n_buckets, "max_distance": max_distance, "buckets": found.tolist()})
    return {"reference": f"T5Attention._relative_position_bucket, {versions('transformers', 'torch')}", "cases": cases}


if __name__ == "__main__":
    torch.set_num_threads(1)
    if len(sys.argv) == 1:
        (GOLDEN / "models" / "t5_buckets.json").write_text(json.dumps(buckets(), separators=(",", ":")) + "\n")
    for model_name in sys.argv[1:] or CONFIGS:
        write(model_name, golden(model_name))
