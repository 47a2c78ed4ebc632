"""Goldens of CLIP's tokenizer and of its text towers under synthetic checkpoints.

References, float32, eval mode, one thread, attention written out ("eager"):
  clip_tokenizer     open_clip's SimpleTokenizer (OpenAI's tokenizer: ftfy, HTML unescaped twice, blanks
                     joined, lower case, byte pairs) and, from the same vocabulary, transformers'
                     CLIPTokenizer, which leaves out ftfy and HTML. `ids` are the former's with its
                     start and end, cut to 77 with the end kept; `hugging_face` only where it differs.
  clip_text_*        transformers' CLIPTextModelWithProjection: the names of the Hugging Face files
  clip_openai_text_* open_clip's text tower: the names of OpenAI's own .pt files

A text's vector is taken at its end token. transformers has two rules for it: the place of the largest id
when the configuration says eos_token_id 2 (the published files do; OpenAI's code does the same) and the
first place of eos_token_id otherwise. With CLIP's vocabulary, whose end token has the largest id, they are
the same; both are run here and must agree.

Texts run padded with zeros to 77; padding comes after the end token and the attention is causal, so it
cannot matter, and records of per-token taps hold the rows of the text's own ids only. Each run has `ids`
instead of an input size. See model_goldens.py for the records.

Run from `reference/`, all models or those named as arguments. Writes golden/models/<model>.json and
golden/models/clip_tokenizer.json.
"""

import hashlib
import json
import sys
import unicodedata
from pathlib import Path

import numpy as np
import open_clip
import torch
from open_clip.tokenizer import SimpleTokenizer, default_bpe
from transformers import CLIPTextConfig, CLIPTextModelWithProjection, CLIPTokenizer

import synthetic
from model_goldens import GOLDEN, checked_records, fill, line, run_taps, versions, write

TEXTS = [
    "",
    " ",
    "a",
    "a photo of a cat",
    "A Photo Of A CAT.",
    "Two giraffes standing next to each other in a field.",
    "A plate of food with broccoli, rice, and chicken on it.",
    "a man riding a wave on top of a surfboard",
    "a black-and-white photo of a train on the tracks",
    "dog dog dog dog dog dog dog dog",
    "the dog's bone, the dogs' bones, we've seen it; I'm sure they'll say he'd won't can't",
    "DON'T SHOUT, IT'S LOUD",
    "3 cats, 12 dogs and 1,000,000 ants at 10:45 (50% off!) for $9.99",
    "x" * 150,
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
    "tabs\tand\nnewlines\r\nand   many    spaces",
    "non\u00a0breaking\u2009thin\u3000wide spaces and zero\u200bwidth",
    "caf\u00e9 cr\u00e8me br\u00fbl\u00e9e \u00e0 la carte, na\u00efve fa\u00e7ade, Z\u00fcrich",
    "e\u0301 combining versus \u00e9 composed",
    "Stra\u00dfe, \u0130stanbul, \u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2",
    "\u0427\u0435\u043b\u043e\u0432\u0435\u043a \u0435\u0434\u0435\u0442 \u043d\u0430 \u0432\u0435\u043b\u043e\u0441\u0438\u043f\u0435\u0434\u0435.",
    "\u4e00\u53ea\u732b\u5750\u5728\u7ea2\u8272\u7684\u6c99\u53d1\u4e0a\u3002",
    "\u732b\u304c\u8d64\u3044\u30bd\u30d5\u30a1\u306b\u5ea7\u3063\u3066\u3044\u308b",
    "\u0631\u062c\u0644 \u064a\u0631\u0643\u0628 \u062f\u0631\u0627\u062c\u0629",
    "\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e",
    "\U0001f408 on a \U0001f6cb\ufe0f, \U0001f468\u200d\U0001f469\u200d\U0001f467 smiling \U0001f642",
    "salt &amp; pepper, &lt;b&gt;bold&lt;/b&gt; and &amp;amp; twice",
    "mojibake: cafÃ© and itâ€™s",
    "\u201cquoted\u201d \u2018single\u2019 \u2013 dashes \u2014 and \u2026 dots",
    "\ufb01ne ligature, \u00bd fraction, \u00b2 superscript, \u212b angstrom, \uff26\uff35\uff2c\uff2c width",
    "a_snake_case_name and a/path\\name and an@email.address #hashtag",
    "<|startoftext|> literal <|endoftext|> markers",
    "(((nested))) [brackets] {braces} <angles> !!! ??? ...",
    "1st 2nd 3rd 4th 1990s 90's b2b mp3 h2o",
    "\u0661\u0662\u0663 \u2167 \u2460 numerals",
    "e.g. i.e. u.s.a. a.m. p.m. etc.",
    "ab" * 40,
    "a group of people sitting around a wooden dining table with plates of food, glasses of wine and a "
    "birthday cake with lit candles in the middle while a small dog looks up at them from below",
    " ".join(["the"] * 75),  # just fits
    " ".join(["the"] * 76),  # one too many
    " ".join(["a red boat on a calm lake near the mountains"] * 12),  # far too long
    "line one\u2028line two\u0085line three\u000bline four",
    "A group of people walking across a snow covered field.",
]

# Indices into TEXTS for the towers: empty, short, long, cut.
TOWER_TEXTS = [0, 3, 12, 40]
N_PROBES = 32
N_POSITIONS = 77
START, END = 49406, 49407

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


def token_ids(tokenizer: SimpleTokenizer, text: str) -> list[int]:
    row = tokenizer(text)[0].tolist()
    return row[: row.index(END) + 1]


def hugging_face_tokenizer(tokenizer: SimpleTokenizer) -> CLIPTokenizer:
    vocabulary = {
        {START: "<|startoftext|>", END: "<|endoftext|>"}.get(index, token): index
        for token, index in tokenizer.encoder.items()
    }
    return CLIPTokenizer(vocab=vocabulary, merges=list(tokenizer.bpe_ranks), model_max_length=N_POSITIONS)


def tokenizer_golden() -> None:
    tokenizer = SimpleTokenizer()
    peer = hugging_face_tokenizer(tokenizer)
    cases = []
    for text in TEXTS:
        ids = token_ids(tokenizer, text)
        other = peer(text, truncation=True)["input_ids"]
        case = {"text": text, "ids": ids, "decoded": tokenizer.decode(ids[1:-1])}
        if other != ids:
            case["hugging_face"] = other
            print(f"tokenizers differ: {text!r}\n  {ids}\n  {other}")
        cases.append(case)
    head = {
        "reference": f"open_clip.SimpleTokenizer, transformers.CLIPTokenizer, "
        f"{versions('open_clip_torch', 'ftfy', 'transformers')}, Unicode {unicodedata.unidata_version}",
        "vocabulary_sha256": hashlib.sha256(Path(default_bpe()).read_bytes()).hexdigest(),
    }
    path = GOLDEN / "models" / "clip_tokenizer.json"
    path.write_text(line(head)[:-1] + ',"cases":[\n' + ",\n".join(map(line, cases)) + "]}\n")
    assert json.loads(path.read_text()) == {**head, "cases": cases}
    print(f"{path.name}: {path.stat().st_size} bytes, {len(cases)} texts")


def tower_ids(vocab_size: int) -> list[list[int]]:
    """Real texts for the real vocabulary; for a small one noise of the same lengths."""
    tokenizer = SimpleTokenizer()
    rows = [token_ids(tokenizer, TEXTS[index]) for index in TOWER_TEXTS]
    if vocab_size == tokenizer.vocab_size:
        return rows
    noise = [
        synthetic.bits(f"ids{index}", 0, len(row) - 2) % np.uint64(vocab_size - 2)
        for index, row in enumerate(rows)
    ]
    return [[vocab_size - 2, *row.tolist(), vocab_size - 1] for row in noise]


def padded(ids: list[list[int]]) -> torch.Tensor:
    return torch.tensor([row + [0] * (N_POSITIONS - len(row)) for row in ids])


def own_rows(outputs: dict[str, np.ndarray], ids: list[list[int]]) -> dict[str, list[np.ndarray]]:
    return {
        tap: [row[: len(own)] if row.ndim == 2 else row for row, own in zip(rows, ids)]
        for tap, rows in outputs.items()
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
    for model_name in sys.argv[1:] or ["clip_tokenizer", *HUGGING_FACE, *OPENAI]:
        if model_name == "clip_tokenizer":
            tokenizer_golden()
        else:
            write(model_name, hugging_face(model_name) if model_name in HUGGING_FACE else openai(model_name))
