"""Goldens of BLIP-2 (from an image, a caption) with synthetic checkpoints.

Reference: transformers' Blip2ForConditionalGeneration with OPT, float32, eval mode, one thread, attention written out
("eager"), its state dict loaded strictly, no prompt. models_git.py describes the goldens; `own_end` is the end id of
the configuration. `blip2_reduced` has sizes without common divisors, its own output map and a Q-Former that attends to
the image in every second layer; `blip2_tied` has OPT's tied output map, and attends in every third.

Also writes golden/models/blip2_text.json, {tokenizer, cases}: a small tokenizer like OPT's (bytes, with merges) as a
tokenizer.json, and the stripped results of `batch_decode(skip_special_tokens=True)`. Its tokenizer_config.json would
have `clean_up_tokenization_spaces`, which transformers ignores for such tokenizers.

Run from `reference/`, all models or those named as arguments. Writes golden/models/<model>.json.
"""

import json
import sys

import numpy as np
import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors
from transformers import Blip2Config, Blip2ForConditionalGeneration, PreTrainedTokenizerFast

from model_goldens import CLIP, GOLDEN, IMAGES, fill, image_run, images, record, versions, write
from models_git import MARGIN, N_BEAMS, early_end

REDUCED = {
    "vision_config": {
        "hidden_size": 66,
        "num_hidden_layers": 2,
        "num_attention_heads": 3,
        "intermediate_size": 150,
        "patch_size": 14,
        "image_size": 70,
    },
    "qformer_config": {
        "hidden_size": 60,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "intermediate_size": 100,
        "cross_attention_frequency": 2,
    },
    "text_config": {
        "model_type": "opt",
        "vocab_size": 151,
        "hidden_size": 72,
        "num_hidden_layers": 2,
        "num_attention_heads": 3,
        "ffn_dim": 200,
        "max_position_embeddings": 45,
        "word_embed_proj_dim": 72,
        "tie_word_embeddings": False,
        "pad_token_id": 1,
        "bos_token_id": 2,
        "eos_token_id": 118,
    },
    "num_query_tokens": 5,
    "image_token_index": 150,
}
TIED = {
    **REDUCED,
    "qformer_config": {**REDUCED["qformer_config"], "cross_attention_frequency": 3, "num_hidden_layers": 4},
    "text_config": {**REDUCED["text_config"], "tie_word_embeddings": True, "vocab_size": 97, "eos_token_id": 2},
    "num_query_tokens": 8,
    "image_token_index": 96,
}
MODELS = {"blip2_reduced": REDUCED, "blip2_tied": TIED}
NEW_TOKENS = 24
N_PROBES = 32


def prompt(model: Blip2ForConditionalGeneration) -> list[int]:
    """The ids with which `generate` begins a caption without a prompt."""
    config = model.config
    return [config.image_token_index] * config.num_query_tokens + [config.text_config.bos_token_id]


def generated(model: Blip2ForConditionalGeneration, pixels: torch.Tensor, n_beams: int) -> list[list[int]]:
    end = model.language_model.generation_config.eos_token_id
    options = {"max_new_tokens": NEW_TOKENS, "num_beams": n_beams, "do_sample": False}
    start = prompt(model)
    rows = []
    for row in model.generate(pixel_values=pixels, **options).tolist():
        assert row[: len(start)] == start
        row = row[len(start) - 1 :]
        ends = [place for place, token in enumerate(row) if place > 0 and token == end]
        rows.append(row[: ends[0] + 1] if ends else row)
    for row, pixel in zip(rows, pixels):
        alone = model.generate(pixel_values=pixel[None], **options)
        assert alone[0].tolist()[len(start) - 1 :] == row, "the batch changes a caption"
    return rows


def step_logits(model: Blip2ForConditionalGeneration, pixels: torch.Tensor, ids: list[int]) -> np.ndarray:
    """The logits after every id but the last, (step, vocabulary)."""
    text = torch.tensor([prompt(model) + ids[1:-1]])
    logits = model(input_ids=text, pixel_values=pixels[None], use_cache=False).logits
    return logits[0, model.config.num_query_tokens :].numpy()


def end_with(model: Blip2ForConditionalGeneration, end: int) -> None:
    model.language_model.generation_config.eos_token_id = end


def golden(name: str) -> dict:
    options = MODELS[name]
    config = Blip2Config(**options)
    model = Blip2ForConditionalGeneration(config)
    model.set_attn_implementation("eager")
    listing = fill(model)
    size = config.vision_config.image_size
    vision, queries = config.vision_config, config.qformer_config
    taps = [
        "vision_model.embeddings",
        *(f"vision_model.encoder.layers.{layer}" for layer in range(vision.num_hidden_layers)),
        *(f"qformer.encoder.layer.{layer}" for layer in range(queries.num_hidden_layers)),
        "language_projection",
    ]
    start = torch.tensor([prompt(model)] * len(IMAGES))
    run = image_run(name, model, lambda batch: model(input_ids=start, pixel_values=batch), size, CLIP, taps, N_PROBES)
    pixels = images(size, CLIP)
    own_end = config.text_config.eos_token_id
    with torch.no_grad():
        end_with(model, -1)
        ends = [early_end(generated(model, pixels, 1))]
        end_with(model, ends[0])
        ends.append(early_end(generated(model, pixels, N_BEAMS)))
        generations = []
        for end in ends:
            end_with(model, end)
            for n_beams in (1, N_BEAMS):
                ids = generated(model, pixels, n_beams)
                print(f"{name}: end {end}, {n_beams} beams: {ids}", flush=True)
                generations.append({"end": end, "n_beams": n_beams, "ids": ids})
        greedy = generations[0]["ids"]
        logits = [step_logits(model, pixel, ids) for pixel, ids in zip(pixels, greedy)]
        model.double()
        wide = [step_logits(model, pixel.double(), ids) for pixel, ids in zip(pixels, greedy)]
        for generation in generations:
            end_with(model, generation["end"])
            exact = generated(model, pixels.double(), generation["n_beams"])
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
        "reference": f"transformers.Blip2ForConditionalGeneration, {versions('transformers', 'torch')}",
        "config": options,
        "seed": 0,
        "probes": N_PROBES,
        **listing,
        "own_end": own_end,
        "max_new_tokens": NEW_TOKENS,
        "generated": generations,
        "logits": [[record(step, N_PROBES) for step in row] for row in logits],
        "runs": [run],
    }


def text_golden() -> dict:
    """OPT's special tokens first, then bytes, merges, the line break that ends a caption, and last the image's
    token."""
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    merges = [("Ġ", "a"), ("d", "o"), ("do", "g"), ("Ġ", "dog"), ("i", "t"), ("'", "s"), ("Ġ", "."), ("Ã", "©")]
    words = [*special, *sorted(pre_tokenizers.ByteLevel.alphabet()), *(a + b for a, b in merges)]
    vocabulary = {word: index for index, word in enumerate(words)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(word, special=True, normalized=False) for word in [*special, "<image>"]])
    start = ("</s>", vocabulary["</s>"])
    tokenizer.post_processor = processors.TemplateProcessing(single="</s> $A", special_tokens=[start])
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, clean_up_tokenization_spaces=True)
    image = fast.convert_tokens_to_ids("<image>")
    texts = [
        " a dog\n",
        "a dog .\n",
        " it's , a dog ! \n\n",
        "\x1c\x1f café \x85\n",
        "\u3000日本\u200b\n",
        "",
        "</s>a<pad>",
    ]
    cases = [[image] * 3 + fast(text)["input_ids"] for text in texts]
    newline, space = (fast.convert_tokens_to_ids(word) for word in ("Ċ", "Ġ"))
    # Half a character, an empty text, an id beyond the tokenizer's.
    cases += [[2, fast.convert_tokens_to_ids("Ã"), newline], [2, newline, space, 2], [2, image + 5, 70]]
    decoded = fast.batch_decode(cases, skip_special_tokens=True)
    return {
        "reference": f"PreTrainedTokenizerFast.batch_decode, {versions('transformers', 'tokenizers')}",
        "tokenizer": json.loads(tokenizer.to_str()),
        "cases": [{"ids": ids, "text": text.strip()} for ids, text in zip(cases, decoded)],
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    for model_name in sys.argv[1:] or MODELS:
        write(model_name, golden(model_name))
    path = GOLDEN / "models" / "blip2_text.json"
    path.write_text(json.dumps(text_golden(), separators=(",", ":")) + "\n")
