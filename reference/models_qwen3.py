"""Goldens of Qwen3 Embedding with synthetic checkpoints.

Reference, float32, eval mode, one thread, attention written out ("eager"): transformers' Qwen3Model, its state dict
loaded strictly; for texts, sentence-transformers with that model, last-token pooling and normalisation, padding on the
left as published (and on the right, whose result must be equal).

Each run of golden/models/<model>.json: `ids` (each alone) and taps: "embed_tokens", every "layers.N", and "norm". See
model_goldens.py for the records. qwen3_reduced.json also has `texts`: their ids by the tokenizer of
golden/models/qwen3_tokenizer.json, cut at `max_seq_length`, and the vectors of all in one padded batch; `instructed`:
vectors of the first texts after sentence-transformers' prompt for `instruction`; `rounded`: vectors of the first texts,
computed in float32 with all weights rounded by torch to bfloat16 and to float16.

The tokenizer is made here in the published form: byte-level byte pairs, Unicode NFC, Qwen2's pattern of words, and a
template that adds <|endoftext|> to every text.

Run from `reference/`, both models or those named as arguments.
"""

import json
import sys
import tempfile
from pathlib import Path

import torch
from safetensors.torch import save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import Qwen3Config, Qwen3Model
from transformers.models.qwen2.tokenization_qwen2 import PRETOKENIZE_REGEX

import synthetic
from model_goldens import GOLDEN, check_rounding, checked_records, fill, run_taps, versions, write

END = "<|endoftext|>"
SPECIAL = [END, "<|im_start|>", "<|im_end|>"]
# "\u0120" is a blank before a word.
MERGES = """
a n|an d|t h|th e|\u0120 a|\u0120 the|\u0120 d|\u0120d o|\u0120do g|i n|in g|\u0120 in|o n|\u0120 on|e r|e d|r e|re d|\u0120 red|o r
\u0120 c|a t|\u0120c at|\u0120 and|\u0120 b|\u0120b o|\u0120bo at|l a|la k|lak e|\u0120 lake|i s|\u0120 is|m an|\u0120 man|Q u|Qu er|Quer y
' s|\u00c3 \u00a9|c a|ca f|0 0|! !|\u010a \u010a
"""
MAX_SEQ_LENGTH = 24
TEXTS = [
    "a dog",
    "A Small RED boat, on the lake!!",
    "the man is riding a horse near the old mountain",
    "zebra-crossing? 7 cats... 2026 and 1000",
    "",
    "caf\u00e9 cafe\u0301 na\u00efve \u00c5ngstr\u00f6m",
    "a dog \u72d7 and a bird \U0001f426",
    "the <|endoftext|> token <|im_start|> named <|im_end|>",
    "   two   blanks\tand\n\n lines \n",
    "the dog's tail, THE DOG'S TAIL, it'll, the dog'\u017f",
    "a dog and a cat and a dog and a cat and a dog and a cat and a dog",
    "a dog and a cat and a dog and a cat and a dog and a cat and a dog and a cat and a dog and a cat and the lake",
    " a dog",
    "a bird",
]
INSTRUCTION = "Retrieve semantically similar text"
N_INSTRUCTED = 4
N_ROUNDED = 5

SMALL = {"rms_norm_eps": 1e-6, "rope_parameters": {"rope_type": "default", "rope_theta": 1e6}}
CONFIGS = {
    # All heads together are wider than the model; three heads of queries for each of keys.
    "qwen3_reduced": {
        **SMALL, "hidden_size": 48, "intermediate_size": 100, "num_hidden_layers": 3, "num_attention_heads": 6,
        "num_key_value_heads": 2, "head_dim": 10, "max_position_embeddings": 512,
    },
    # Three of the 28 layers of Qwen3-Embedding-0.6B.
    "qwen3_wide": {
        **SMALL, "vocab_size": 1000, "hidden_size": 1024, "intermediate_size": 3072, "num_hidden_layers": 3,
        "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128, "max_position_embeddings": 32768,
    },
}  # fmt: skip
LENGTHS = {"qwen3_reduced": [1, 2, 17, 188, 40], "qwen3_wide": [300, 21]}
N_PROBES = 32


def tokenizer() -> Tokenizer:
    merges = [tuple(merge.split(" ")) for line in MERGES.split("\n") for merge in line.split("|") if merge]
    vocabulary = [*sorted(pre_tokenizers.ByteLevel.alphabet()), *("".join(merge) for merge in merges)]
    assert len(set(vocabulary)) == len(vocabulary)
    made = Tokenizer(models.BPE(vocab={token: index for index, token in enumerate(vocabulary)}, merges=merges))
    made.normalizer = normalizers.NFC()
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PRETOKENIZE_REGEX), behavior="isolated", invert=False),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(token, normalized=False, special=True) for token in SPECIAL])
    made.post_processor = processors.Sequence(
        [
            processors.ByteLevel(add_prefix_space=False, trim_offsets=False, use_regex=False),
            processors.TemplateProcessing(
                single=f"$A {END}", pair=f"$A {END} $B:1 {END}:1", special_tokens=[(END, made.token_to_id(END))]
            ),
        ]
    )
    return made


def ids_of(index: int, length: int, vocab_size: int) -> list[int]:
    return [int(bits % vocab_size) for bits in synthetic.bits(f"ids{index}", 0, length).tolist()]


def taps_of(model: Qwen3Model, sequences: list[list[int]]) -> dict:
    modules = ["embed_tokens", *(f"layers.{index}" for index in range(model.config.num_hidden_layers)), "norm"]
    outputs = {module: [] for module in modules}
    for ids in sequences:
        seen = run_taps(model, modules, lambda: model(input_ids=torch.tensor([ids])))
        for module in modules:
            outputs[module].append(seen[module][0])
    return outputs


def numbers(vector: object) -> list[float]:
    return [float(f"{value:.8g}") for value in vector]


def texts_of(model: Qwen3Model) -> dict:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        made = tokenizer()
        text = made.to_str() + "\n"
        (GOLDEN / "models" / "qwen3_tokenizer.json").write_text(text)
        (folder / "tokenizer.json").write_text(text)
        named = {"tokenizer_class": "Qwen2Tokenizer", "eos_token": "<|im_end|>", "pad_token": END}
        (folder / "tokenizer_config.json").write_text(json.dumps({**named, "padding_side": "left"}))
        model.config.save_pretrained(folder)
        save_file(dict(model.state_dict()), folder / "model.safetensors")

        def encoder_of(side: str) -> SentenceTransformer:
            transformer = Transformer(str(folder), max_seq_length=MAX_SEQ_LENGTH)
            transformer.tokenizer.padding_side = side
            pooling = Pooling(model.config.hidden_size, pooling_mode="lasttoken")
            return SentenceTransformer(modules=[transformer, pooling, Normalize()], device="cpu")

        encoder = encoder_of("left")
        together = encoder.encode(TEXTS, batch_size=len(TEXTS))
        for other in [
            encoder.encode(TEXTS, batch_size=1),
            encoder_of("right").encode(TEXTS, batch_size=len(TEXTS)),
        ]:
            assert abs(together - other).max() < 1e-6, abs(together - other).max()
        ids = []
        for text in TEXTS:
            features = encoder.preprocess([text])
            row = features["input_ids"][0][features["attention_mask"][0] == 1].tolist()
            assert row[-1] == made.token_to_id(END), row
            assert len(row) == MAX_SEQ_LENGTH or row == made.encode(text).ids, (row, made.encode(text).ids)
            ids.append(row)
        prompt = f"Instruct: {INSTRUCTION}\nQuery:"
        encoder.max_seq_length = 512
        instructed = encoder.encode(TEXTS[:N_INSTRUCTED], prompt=prompt)
        encoder.max_seq_length = MAX_SEQ_LENGTH
        rounded = {}
        for name, dtype in [("bf16", torch.bfloat16), ("f16", torch.float16)]:
            halves = encoder_of("left")
            # The tensors of the checkpoint, since .to(dtype) would round the frequencies of the angles too.
            halves.load_state_dict({key: value.to(dtype).float() for key, value in halves.state_dict().items()})
            vectors = halves.encode(TEXTS[:N_ROUNDED])
            print(f"{name}: changes vectors by up to {abs(vectors - together[:N_ROUNDED]).max():.2g}")
            rounded[name] = [numbers(vector) for vector in vectors]
    assert max(map(len, ids)) == MAX_SEQ_LENGTH and len(ids[4]) == 1
    print([len(row) for row in ids])
    return {
        "max_seq_length": MAX_SEQ_LENGTH,
        "texts": [
            {"text": text, "ids": row, "vector": numbers(vector)} for text, row, vector in zip(TEXTS, ids, together)
        ],
        "instruction": INSTRUCTION,
        "instructed": [numbers(vector) for vector in instructed],
        "rounded": rounded,
    }


def golden(name: str) -> dict:
    config = {"vocab_size": tokenizer().get_vocab_size(), **CONFIGS[name]}
    model = Qwen3Model(Qwen3Config(**config, attn_implementation="eager"))
    listing = fill(model)
    sequences = [ids_of(index, length, config["vocab_size"]) for index, length in enumerate(LENGTHS[name])]
    outputs = taps_of(model, sequences)
    texts = texts_of(model) if name == "qwen3_reduced" else {}
    check_rounding(name, outputs, taps_of(model.double(), sequences), N_PROBES)
    return {
        "model": name,
        "reference": f"transformers.Qwen3Model, {versions('transformers', 'sentence-transformers', 'tokenizers', 'torch')}",
        "config": {"model_type": "qwen3", "hidden_act": "silu", **config},
        "probes": N_PROBES,
        **listing,
        **texts,
        "runs": [{"ids": sequences, "taps": checked_records(name, outputs, N_PROBES)}],
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    for model_name in sys.argv[1:] or CONFIGS:
        write(model_name, golden(model_name))
