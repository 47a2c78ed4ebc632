"""Goldens of greedy and beam search.

Reference: `generate` of transformers 5.23.0 (torch 2.15.0), with a model whose logits are rows of a table: the next row
depends on the previous row and the written token, so that two texts of one length continue differently. Also torch.topk
on lists with many equal values, whose order is not documented, but decides between equally likely texts.

Tables: synthetic.uniform("table <name>", 0, (n_states, vocab_size)) times `scale`, in float32; with `levels` rounded
down to integers first, so that there are ties; then `end_bias` is added to every end token. State of a text: 0 before
its first token, then (31 * state + token + 7) % n_states for each token.

Run from `reference/`. Writes golden/generation.json: cases with the ids of every input, end token included,
padding and first token left out, and the score of the best text.
"""

import json
from pathlib import Path

import numpy as np
import torch
from transformers import GenerationConfig, GenerationMixin, PreTrainedConfig, PreTrainedModel
from transformers.modeling_outputs import CausalLMOutput

import synthetic
from model_goldens import versions

GOLDEN = Path(__file__).parent / "golden" / "generation.json"

TABLES = {
    "distinct": {"n_states": 97, "vocab_size": 23, "scale": 6.0, "levels": None, "end_bias": 0.5, "ends": [1]},
    "flat": {"n_states": 101, "vocab_size": 11, "scale": 1.5, "levels": None, "end_bias": -0.5, "ends": [2]},
    "ties": {"n_states": 61, "vocab_size": 17, "scale": 1.0, "levels": 3, "end_bias": 0.0, "ends": [1]},
    "all equal": {"n_states": 1, "vocab_size": 29, "scale": 0.0, "levels": None, "end_bias": 0.0, "ends": [3]},
    "two ends": {"n_states": 43, "vocab_size": 13, "scale": 4.0, "levels": None, "end_bias": 0.25, "ends": [1, 5]},
    "few tokens": {"n_states": 19, "vocab_size": 3, "scale": 3.0, "levels": None, "end_bias": 0.0, "ends": [1]},
    "many tokens": {"n_states": 53, "vocab_size": 997, "scale": 9.0, "levels": None, "end_bias": 3.0, "ends": [1]},
    "many ties": {"n_states": 53, "vocab_size": 997, "scale": 1.0, "levels": 5, "end_bias": 1.0, "ends": [1]},
}
EARLY = {"full": True, "unlikely": False, "never": "never"}
FIRST = [0, 4, 2, 6, 8, 9, 10]
TOP_K = [
    (5, 2, 2),
    (10, 5, 3),
    (15, 5, 4),
    (20, 10, 3),
    (40, 33, 5),
    (64, 1, 2),
    (200, 40, 4),
    (300, 150, 6),
    (640, 10, 3),
    (641, 10, 3),
    (2000, 30, 7),
    (5000, 10, 4),
    (100, 100, 9),
    (3, 3, 2),
    (1, 1, 1),
]


def table(name: str) -> np.ndarray:
    options = TABLES[name]
    shape = (options["n_states"], options["vocab_size"])
    values = synthetic.uniform(f"table {name}", 0, shape)
    if options["levels"]:
        values = np.floor(values * np.float32(options["levels"]))
    values = values * np.float32(options["scale"])
    values[:, options["ends"]] += np.float32(options["end_bias"])
    return values


class TableConfig(PreTrainedConfig):
    model_type = "table"


class TableModel(PreTrainedModel, GenerationMixin):
    config_class = TableConfig

    def __init__(self, values: np.ndarray):
        super().__init__(TableConfig(vocab_size=values.shape[1], num_hidden_layers=1))
        self.values = torch.nn.Parameter(torch.from_numpy(values))

    def forward(self, input_ids=None, **_):
        state = torch.zeros(input_ids.shape[0], dtype=torch.long)
        for token in input_ids.T:
            state = (31 * state + token + 7) % len(self.values)
        return CausalLMOutput(logits=self.values[state][:, None])

    def prepare_inputs_for_generation(self, input_ids, **_):
        return {"input_ids": input_ids}


def run(name: str, n_beams: int, early: str, penalty: float, max_new_tokens: int) -> dict:
    options = TABLES[name]
    first = [token % options["vocab_size"] for token in FIRST]
    pad = options["vocab_size"] + 5
    config = {"num_beams": n_beams, "length_penalty": penalty, "early_stopping": EARLY[early]} if n_beams > 1 else {}
    model = TableModel(table(name)).eval()
    output = model.generate(
        torch.tensor(first)[:, None],
        generation_config=GenerationConfig(
            **config,
            max_new_tokens=max_new_tokens,
            eos_token_id=options["ends"],
            pad_token_id=pad,
            do_sample=False,
            use_cache=False,
            return_dict_in_generate=True,
            output_scores=True,
        ),
    )
    ids = [[token for token in row[1:] if token != pad] for row in output.sequences.tolist()]
    scores = output.sequences_scores.tolist() if n_beams > 1 else []
    return {
        "table": name,
        "beams": n_beams,
        "early": early,
        "penalty": penalty,
        "max_new_tokens": max_new_tokens,
        "first": first,
        "ids": ids,
        "scores": [float(f"{score:.7g}") for score in scores],
    }


def cases() -> list[dict]:
    found = []
    for name in TABLES:
        found.append(run(name, 1, "full", 1.0, 15))
        for n_beams in (2, 3, 5):
            for early in EARLY:
                found.append(run(name, n_beams, early, 1.0, 12))
    for penalty in (0.0, 2.0, -1.0, 0.6):
        for early in EARLY:
            found.append(run("flat", 3, early, penalty, 14))
    for n_beams in (8, 12, 20):
        found.append(run("ties", n_beams, "unlikely", 1.0, 10))
    found.append(run("distinct", 4, "full", 1.0, 1))
    return found


def top_k() -> list[dict]:
    found = []
    for n, k, levels in TOP_K:
        values = np.floor(synthetic.uniform(f"top_k {n} {k}", 0, (n,)) * np.float32(levels))
        places = torch.topk(torch.from_numpy(values), k)[1].tolist()
        found.append({"n": n, "k": k, "levels": levels, "places": places})
    return found


if __name__ == "__main__":
    torch.set_num_threads(1)
    golden = {"reference": versions("transformers", "torch"), "tables": TABLES, "cases": cases(), "top_k": top_k()}
    lines = [f'"{key}":{json.dumps(golden[key])}' for key in ("reference", "tables")]
    lines += [
        f'"{key}":[\n' + ",\n".join(json.dumps(case, separators=(",", ":")) for case in golden[key]) + "]"
        for key in ("cases", "top_k")
    ]
    GOLDEN.write_text("{" + ",\n".join(lines) + "}\n")
    lengths = sorted({len(ids) for case in golden["cases"] for ids in case["ids"]})
    print(f"{len(golden['cases'])} cases, texts of {lengths} tokens, {GOLDEN.stat().st_size} bytes")
