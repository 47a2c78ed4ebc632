"""Goldens of MPNet with synthetic checkpoints.

Reference, float32, eval mode, one thread, attention written out ("eager"): transformers' MPNetModel, its state dict
loaded strictly; for texts, sentence-transformers with that model, mean pooling and normalisation.

Each run of golden/models/<model>.json: `ids` (each alone; one has the padding token, which has its own position) and
taps: "embeddings" and every "encoder.layer.N". See model_goldens.py for the records. mpnet_reduced.json also has
`texts`: their ids by the tokenizer of golden/models/mpnet_tokenizer.json, cut at `max_seq_length`, and the vectors of
all in one padded batch. The tokenizer is MPNetTokenizer with its own small vocabulary, saved with truncation and
padding, which published files have from training.

Run from `reference/`, both models or those named as arguments.
"""

import json
import string
import sys
import tempfile
from pathlib import Path

import torch
from safetensors.torch import save_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
from transformers import MPNetConfig, MPNetModel, MPNetTokenizer

import synthetic
from model_goldens import GOLDEN, check_rounding, checked_records, fill, run_taps, versions, write

WORDS = (
    "an the of on in at with and to under near red blue green small large old dog cat horse bird man woman boy girl "
    "boat beach lake table chair cake plate street car train sky field snow mountain tree ride sit stand walk jump fly "
    "##ing ##ed ##er ##ly"
)
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "[UNK]"]
VOCABULARY = [
    *SPECIAL,
    *string.ascii_lowercase,
    *(f"##{letter}" for letter in string.ascii_lowercase),
    *string.digits,
    *".,!?'-",
    *WORDS.split(),
    "<mask>",
]
assert len(set(VOCABULARY)) == len(VOCABULARY)
MAX_SEQ_LENGTH = 24
TEXTS = [
    "a dog",
    "",
    "A Small RED boat, on the lake!",
    "the man is riding a horse near the old mountain",
    "zebra-crossing? 7 cats...",
    "caf\u00e9 na\u00efve \u00c5ngstr\u00f6m",
    "a dog \u72d7 and a bird",
    "the <pad> token <mask> named </s> in a text",
    "   two   blanks\tand\nlines ",
    "a dog and a cat and a horse and a bird and a man and a woman in",
    "a dog and a cat and a horse and a bird and a man and a woman in a",
    "a dog and a cat and a horse and a bird and a man and a woman in a green field under the sky",
    "supercalifragilistic",
    "a bird",
]

CONFIGS = {
    # Has distances beyond the last bucket.
    "mpnet_reduced": {
        "vocab_size": len(VOCABULARY), "hidden_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4,
        "intermediate_size": 100, "max_position_embeddings": 190, "layer_norm_eps": 1e-5,
    },
    "mpnet_base": {
        "vocab_size": 30527, "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
        "intermediate_size": 3072, "max_position_embeddings": 514, "layer_norm_eps": 1e-5,
    },
}  # fmt: skip
LENGTHS = {"mpnet_reduced": [2, 3, 17, 188, 40], "mpnet_base": [384, 21]}
DAMPED = {"attn.q.weight": 0.5}
N_PROBES = 32


def ids_of(index: int, length: int, vocab_size: int) -> list[int]:
    words = [int(bits % (vocab_size - 3)) + 3 for bits in synthetic.bits(f"ids{index}", 0, length - 2).tolist()]
    if length == 17:
        words[6] = 1
    return [0, *words, 2]


def taps_of(model: MPNetModel, name: str, sequences: list[list[int]]) -> dict:
    modules = ["embeddings", *(f"encoder.layer.{index}" for index in range(model.config.num_hidden_layers))]
    outputs = {module: [] for module in modules}
    for ids in sequences:
        seen = run_taps(model, modules, lambda: model(input_ids=torch.tensor([ids])))
        for module in modules:
            outputs[module].append(seen[module][0])
    return outputs


def write_tokenizer(folder: Path) -> None:
    tokenizer = MPNetTokenizer(vocab={token: index for index, token in enumerate(VOCABULARY)}, unk_token="[UNK]")
    assert len(tokenizer) == len(VOCABULARY)
    tokenizer.save_pretrained(folder)
    path = folder / "tokenizer.json"
    saved = json.loads(path.read_text())
    saved["truncation"] = {"direction": "Right", "max_length": 10, "strategy": "LongestFirst", "stride": 0}
    saved["padding"] = {
        "strategy": {"Fixed": 10}, "direction": "Right", "pad_to_multiple_of": None,
        "pad_id": 1, "pad_type_id": 0, "pad_token": "<pad>",
    }  # fmt: skip
    text = json.dumps(saved, ensure_ascii=True, separators=(",", ":")) + "\n"
    path.write_text(text)
    (GOLDEN / "models" / "mpnet_tokenizer.json").write_text(text)


def texts_of(model: MPNetModel) -> dict:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_tokenizer(folder)
        model.config.save_pretrained(folder)
        save_file(dict(model.state_dict()), folder / "model.safetensors")
        (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": MAX_SEQ_LENGTH}))
        transformer = Transformer(str(folder), max_seq_length=MAX_SEQ_LENGTH)
        pooling = Pooling(model.config.hidden_size, pooling_mode="mean")
        encoder = SentenceTransformer(modules=[transformer, pooling, Normalize()], device="cpu")
        together = encoder.encode(TEXTS, batch_size=len(TEXTS))
        alone = encoder.encode(TEXTS, batch_size=1)
        assert abs(together - alone).max() < 1e-6, abs(together - alone).max()
        ids = []
        for text in TEXTS:
            features = encoder.preprocess([text])
            ids.append(features["input_ids"][0][features["attention_mask"][0] == 1].tolist())
    assert max(map(len, ids)) == MAX_SEQ_LENGTH and len(ids[9]) < MAX_SEQ_LENGTH
    print([len(row) for row in ids])
    return {
        "max_seq_length": MAX_SEQ_LENGTH,
        "texts": [
            {"text": text, "ids": row, "vector": [float(f"{value:.8g}") for value in vector]}
            for text, row, vector in zip(TEXTS, ids, together)
        ],
    }


def golden(name: str) -> dict:
    config = CONFIGS[name]
    model = MPNetModel(MPNetConfig(**config, attn_implementation="eager"), add_pooling_layer=False)
    listing = fill(model, DAMPED)
    sequences = [ids_of(index, length, config["vocab_size"]) for index, length in enumerate(LENGTHS[name])]
    outputs = taps_of(model, name, sequences)
    texts = texts_of(model) if name == "mpnet_reduced" else {}
    check_rounding(name, outputs, taps_of(model.double(), name, sequences), N_PROBES)
    return {
        "model": name,
        "reference": f"transformers.MPNetModel, {versions('transformers', 'sentence-transformers', 'tokenizers', 'torch')}",
        "config": {"model_type": "mpnet", "hidden_act": "gelu", "relative_attention_num_buckets": 32, **config},
        "probes": N_PROBES,
        **listing,
        **texts,
        "runs": [{"ids": sequences, "taps": checked_records(name, outputs, N_PROBES)}],
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    for model_name in sys.argv[1:] or CONFIGS:
        write(model_name, golden(model_name))
