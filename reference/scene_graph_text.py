"""Goldens of the scene-graph parser around its T5: prompts, cutting, decoding, graph texts.

Reference: FactualSceneGraph 0.7.3 with transformers 5.23.0 (the method as_target_tokenizer, which transformers 5
removed and which did nothing for T5, is restored), the synthetic checkpoint of models_t5.py "t5_reduced", and a Unigram
tokenizer made here with transformers' T5Tokenizer.

Writes golden/scene_graph_text.json
  texts      generated texts; `tidy` by space_out_symbols_in_graph and clean_graph_string; `objects`, `attributes`,
             `quantities`, `relations` by graph_string_to_object of the tidy text and, under `raw`, of the text as it
             is. Names of no letters are left out, and with them what is said of them.
  tokenizer  tokenizer.json of the synthetic parser
  sentences  for the synthetic parser
  prompts    their ids, whole
  parsed     for several batch sizes and limits the graph texts that the package's parser returns

Run from `reference/`; the package's wheel must be importable (pip install --no-deps FactualSceneGraph==0.7.3).
"""

import contextlib
import json
import tempfile
import types
from pathlib import Path

import torch
from factual_scene_graph.parser.scene_graph_parser import SceneGraphParser
from factual_scene_graph.utils import clean_graph_string, space_out_symbols_in_graph
from transformers import T5Tokenizer

from model_goldens import versions
from models_t5 import CONFIGS, load

GOLDEN = Path(__file__).parent / "golden" / "scene_graph_text.json"

TEXTS = [
    "( boat , is , large ) , ( boat , dock at , dock )",
    "(boat, is, large), (boat, dock at, dock), (boat, is, large)",
    "( boat , is , 2 ) , ( boat , is , 12 ) , ( dock , is , two )",
    "( horse , is , brown ) , ( horse , stand in , field ) , ( field , is , gre",
    "( horse , is , brown ) , ( horse , stand in",
    "( horse , is",
    "horse",
    "( horse )",
    "( horse , big )",
    "( a , b , c , d )",
    "( a , b , c , d ) , ( e , f , g )",
    "( a , b ) , ( e , f , g )",
    "",
    "   ",
    "()",
    "( , , )",
    "( , is , red ) , ( ball , is , red )",
    "( ball , is , ) , ( ball , is , red )",
    "( ball , , red ) , ( ball , is , red )",
    "Generate Scene Graph: ( cat , on , mat )",
    "( ( cat , on , mat ) )",
    "( cat , on , mat ) ( dog , is , wet )",
    "( cat , on , mat ) , , ( dog , is , wet )",
    "( cat , IS , wet ) , ( cat , is , Wet ) , ( Cat , is , wet )",
    "( man , hold , man 's hat ) , ( man's hat , is , blue )",
    "( top of hill , is , top of ) , ( hill , has , top of hill )",
    "(cat,on,mat),(cat,on,mat)",
    "( cat ,\ton , mat )\n, ( dog , is\u00a0, wet )",
    "( zebra , is , striped ) , ( Aal , is , lang ) , ( \u00e9clair , is , sweet )",
    ") , ( cat , on , mat )",
    "( cat , on , mat ) ,",
    "( cat , on , mat ) , (",
    "( 3 , is , 3 ) , ( 3 , near , 4 )",
]

PIECES = [
    "<pad>",
    "</s>",
    "<unk>",
    "\u2581",
    "\u2581(",
    "\u2581,",
    "\u2581)",
    "\u2581is",
    "\u2581boat",
    "\u2581dock",
    "\u2581large",
    "\u2581a",
    "\u2581the",
    "s",
    "ing",
    "ed",
    "\u2581on",
    "\u2581in",
    "\u2581man",
    "\u2581hold",
    "\u2581red",
    "\u2581's",
    "\u25812",
    "\u2581Generate",
    "\u2581Scene",
    "\u2581Graph",
    ":",
    ".",
    ",",
    "\u2581.",
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "g",
    "h",
    "i",
    "l",
    "m",
    "n",
    "o",
    "p",
    "r",
    "t",
    "u",
    "w",
    "y",
    "G",
    "S",
    "(",
    ")",
    "1",
    "3",
    "'",
]
SENTENCES = [
    "A large boat is docked at the dock.",
    "the man is holding a red hat",
    " the man is holding a red hat ",
    "Two men.",
    "a",
    "A man \u2014 the large one \u2014 is on a boat in the dock, holding a red thing that a man in the boat is holding on to.",
    "the dock is in the boat. the boat is on the dock.",
]


def tokenizer() -> T5Tokenizer:
    scores = [
        (piece, 0.0 if index < 3 else -2.0 - 0.125 * (index % 7) - 3.0 * (len(piece) == 1))
        for index, piece in enumerate(PIECES)
    ]
    return T5Tokenizer(vocab=scores, extra_ids=0)


def graph(parser: SceneGraphParser, text: str) -> dict:
    found = parser.graph_string_to_object(text)
    heads = [entity["head"] for entity in found["entities"]]
    relations = [[heads[r["subject"]], r["relation"], heads[r["object"]]] for r in found["relations"]]
    attributes = {e["head"]: sorted(a for a in e["attributes"] if a) for e in found["entities"] if e["head"]}
    kept = [relation for relation in relations if all(relation)]
    broken = [relation for relation in relations if not all(relation)]
    return {
        # The package keeps an object that only broken facts name; ours does not.
        "objects": [head for head in heads if head],
        "unsure": sorted(
            {name for relation in broken for name in (relation[0], relation[2]) if name}
            | {e["head"] for e in found["entities"] if "" in e["attributes"]}
        ),
        "attributes": {head: values for head, values in attributes.items() if values},
        "quantities": {e["head"]: e["quantity"] for e in found["entities"] if e["quantity"] and e["head"]},
        "relations": kept,
    }


def main() -> None:
    torch.set_num_threads(1)
    bare = SceneGraphParser.__new__(SceneGraphParser)
    texts = []
    for text in TEXTS:
        tidy = clean_graph_string(space_out_symbols_in_graph(text.replace("Generate Scene Graph:", "").strip()))
        texts.append({"text": text, "tidy": tidy, **graph(bare, tidy), "raw": graph(bare, text)})

    model, _, _ = load("t5_reduced", CONFIGS["t5_reduced"])
    with tempfile.TemporaryDirectory() as folder:
        tokenizer().save_pretrained(folder)
        model.save_pretrained(folder)
        parser = SceneGraphParser(folder, device="cpu")
        written = json.loads((Path(folder) / "tokenizer.json").read_text())
    assert parser.model.config.scale_decoder_outputs is False
    parser.tokenizer.as_target_tokenizer = types.MethodType(lambda _: contextlib.nullcontext(), parser.tokenizer)
    prompts = [parser.tokenizer("Generate Scene Graph: " + sentence.strip())["input_ids"] for sentence in SENTENCES]
    parsed = []
    for batch_size, limit, beams, length in [
        (32, 64, 5, 40),
        (1, 64, 5, 40),
        (3, 64, 5, 30),
        (2, 12, 1, 20),
        (32, 20, 3, 128),
    ]:
        graphs = parser.parse(
            SENTENCES,
            max_input_len=limit,
            max_output_len=length,
            beam_size=beams,
            return_text=True,
            batch_size=batch_size,
        )
        parsed.append({"batch": batch_size, "limit": limit, "beams": beams, "length": length, "texts": graphs})
        print(parsed[-1], flush=True)
    golden = {
        "reference": versions("transformers", "torch"),
        "texts": texts,
        "tokenizer": written,
        "sentences": SENTENCES,
        "prompts": prompts,
        "parsed": parsed,
    }
    parts = []
    for key, value in golden.items():
        if key in ("texts", "parsed"):
            parts.append(f'"{key}":[\n' + ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in value) + "]")
        else:
            parts.append(f'"{key}":{json.dumps(value, separators=(",", ":"))}')
    GOLDEN.write_text("{" + ",\n".join(parts) + "}\n")
    print(GOLDEN.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
