"""CLIP-S and RefCLIP-S of captions in words (Hessel et al. 2021), by transformers' text tower with synthetic weights.

The tower is that of models_clip_text.py (clip_text_reduced); a small tokenizer splits words into letters. "A photo
depicts " precedes every caption, also those by people, as in the authors' code. Images are random embeddings. The
scores are the paper's equations in float64.

Writes golden/clip_score.json: the tokenizer, embeddings of the images, captions, references, and both scores.

Run from `reference/`.
"""

import json
from string import ascii_lowercase

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import CLIPTextConfig, CLIPTextModelWithProjection

import synthetic
from model_goldens import GOLDEN, f32, fill, versions
from models_clip_text import HUGGING_FACE

NAME = "clip_text_reduced"
N_TOKENS = HUGGING_FACE[NAME]["vocab_size"]
START, END = N_TOKENS - 2, N_TOKENS - 1
PREFIX = "A photo depicts "
CAPTIONS = {"1": "a puppy playing outside", "2": "A red car", "10": "a bottle of wine"}
REFERENCES = {"1": ["a dog runs", "an animal on grass"], "2": ["a red car"], "10": ["a cup"]}


def tokenizer() -> dict:
    """A tokenizer that is built like CLIP's in transformers, but splits every word into letters."""
    vocabulary = [*ascii_lowercase, *(f"{letter}</w>" for letter in ascii_lowercase)]
    vocabulary += [f"<{number}>" for number in range(N_TOKENS - 2 - len(vocabulary))]
    vocabulary += ["<|startoftext|>", "<|endoftext|>"]
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    pattern = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Removed", "invert": True}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    blanks = {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}
    ends = {"sep": ["<|endoftext|>", END], "cls": ["<|startoftext|>", START]}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": index, "content": vocabulary[index], **plain} for index in (START, END)],
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, blanks, {"type": "Lowercase"}]},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, byte_level]},
        "post_processor": {"type": "RobertaProcessing", **ends, "trim_offsets": False, "add_prefix_space": False},
        "decoder": None,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": "<|endoftext|>",
            "continuing_subword_prefix": "",
            "end_of_word_suffix": "</w>",
            "fuse_unk": False,
            "byte_fallback": False,
            "vocab": {token: index for index, token in enumerate(vocabulary)},
            "merges": [],
        },
    }


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


if __name__ == "__main__":
    torch.set_num_threads(1)
    config = CLIPTextConfig(
        **HUGGING_FACE[NAME], max_position_embeddings=77, hidden_act="quick_gelu", bos_token_id=START, eos_token_id=END
    )
    tower = CLIPTextModelWithProjection(config)
    fill(tower)
    own = tokenizer()
    words = Tokenizer.from_str(json.dumps(own))

    def embed(text: str) -> np.ndarray:
        ids = words.encode(PREFIX + text).ids
        assert ids[0] == START and ids[-1] == END and len(ids) <= 77
        with torch.no_grad():
            return tower(torch.tensor([ids])).text_embeds[0].double().numpy()

    images, clip_s, ref_clip_s = {}, {}, {}
    for stem, caption in CAPTIONS.items():
        # Near the caption, so that the cosine is not clipped at 0; the last is far from it.
        noise = synthetic.uniform(f"image {stem}", 0, (HUGGING_FACE[NAME]["projection_dim"],)) - np.float32(0.5)
        sign = -1 if stem == "10" else 1
        image = np.float32(sign * embed(caption) / np.linalg.norm(embed(caption))) + np.float32(0.4) * noise
        images[stem] = [f32(value) for value in image]
        score = 2.5 * max(cosine(image.astype(np.float64), embed(caption)), 0)
        nearest = max(max(cosine(embed(text), embed(caption)), 0) for text in REFERENCES[stem])
        clip_s[stem] = score
        ref_clip_s[stem] = 2 * score * nearest / (score + nearest) if score + nearest > 0 else 0.0
    print(clip_s, ref_clip_s)
    golden = {
        "reference": f"transformers.CLIPTextModelWithProjection, {versions('transformers', 'tokenizers', 'torch')}",
        "tokenizer": own,
        "images": images,
        "captions": CAPTIONS,
        "references": REFERENCES,
        "clip_s": clip_s,
        "ref_clip_s": ref_clip_s,
    }
    path = GOLDEN / "clip_score.json"
    path.write_text(json.dumps(golden, separators=(",", ":")) + "\n")
    print(f"{path.name}: {path.stat().st_size} bytes")
