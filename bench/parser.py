"""Seconds of processor time: the scene-graph parser beside FactualSceneGraph 0.7.3 (transformers), on one thread.

Both have a synthetic flan-t5-base and a tokenizer of few pieces, and must return the same texts. A synthetic model does
not end its texts, so every text has the maximum number of tokens, which is the slowest case. Loading is subtracted on
both sides; the sides alternate, and the smallest time of each side counts. ratio = neurogauge / peer.

    python bench/parser.py [--sentences 8] [--tokens 32] [--rounds 2]

Needs `cargo build --release --package neurogauge-models --examples` and the wheel of FactualSceneGraph; 2 GB of
temporary files.
"""

import argparse
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import types
from pathlib import Path

import torch

from processes import EXAMPLE, ROOT

sys.path.insert(0, str(ROOT / "reference"))

from factual_scene_graph.parser.scene_graph_parser import SceneGraphParser  # noqa: E402
from models_t5 import CONFIGS, load  # noqa: E402
from scene_graph_text import SENTENCES, tokenizer  # noqa: E402


def child_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(program: Path, folder: str, tokens: int, sentences: list[str]) -> tuple[float, list[str]]:
    start = child_seconds()
    command = [program, "scene_graph_parser", f"{folder}/model.safetensors", str(tokens)]
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
    found = subprocess.run(
        command, input=json.dumps(sentences), capture_output=True, text=True, check=True, env=environment
    )
    return child_seconds() - start, json.loads(found.stdout)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sentences", type=int, default=8)
    options.add_argument("--tokens", type=int, default=32)
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--program", type=Path, default=EXAMPLE)
    asked = options.parse_args()
    torch.set_num_threads(1)
    sentences = [f"{SENTENCES[i % len(SENTENCES)]} {i}" for i in range(asked.sentences)]
    model, _, _ = load("t5_base", CONFIGS["t5_base"])
    with tempfile.TemporaryDirectory() as folder:
        tokenizer().save_pretrained(folder)
        model.save_pretrained(folder)
        del model
        parser = SceneGraphParser(folder, device="cpu")
        parser.tokenizer.as_target_tokenizer = types.MethodType(lambda _: contextlib.nullcontext(), parser.tokenizer)
        loading = min(run(asked.program, folder, asked.tokens, [])[0] for _ in range(asked.rounds))
        theirs = whole = float("inf")
        for _ in range(asked.rounds):
            seconds, own_texts = run(asked.program, folder, asked.tokens, sentences)
            whole = min(whole, seconds)
            start = time.process_time()
            texts = parser.parse(sentences, max_output_len=asked.tokens + 1, return_text=True)
            theirs = min(theirs, time.process_time() - start)
            if own_texts != texts:
                sys.exit(f"the texts differ:\n{own_texts}\n{texts}")
    ours = whole - loading
    print(
        f"{len(sentences)} sentences, {asked.tokens} tokens: FactualSceneGraph {theirs:.1f} s, neurogauge {ours:.1f} s "
        f"of processor time (loading: {loading:.1f} s), ratio {ours / theirs:.2f}; texts are equal"
    )


if __name__ == "__main__":
    main()
