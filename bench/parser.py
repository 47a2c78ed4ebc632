"""Seconds of processor time: the scene-graph parser beside FactualSceneGraph 0.7.3 (transformers), on one thread.

Both have a synthetic flan-t5-base and a tokenizer of few pieces, and must return the same texts. A synthetic
model does not end its texts, so every one goes on to the last token: the longest case there is. What loading takes is
taken off.

    python bench/parser.py [--sentences 8] [--tokens 32]

Needs `cargo build --release --package neurogauge-models --examples` and the wheel of FactualSceneGraph.
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

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "reference"))

from factual_scene_graph.parser.scene_graph_parser import SceneGraphParser  # noqa: E402
from models_t5 import CONFIGS, load  # noqa: E402
from scene_graph_text import SENTENCES, tokenizer  # noqa: E402


def child_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(program: Path, folder: str, tokens: int, sentences: list[str]) -> tuple[float, list[str]]:
    start = child_seconds()
    command = [program, f"{folder}/model.safetensors", str(tokens)]
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
    found = subprocess.run(command, input=json.dumps(sentences), capture_output=True, text=True, check=True, env=environment)
    return child_seconds() - start, json.loads(found.stdout)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sentences", type=int, default=8)
    options.add_argument("--tokens", type=int, default=32)
    options.add_argument("--program", type=Path, default=ROOT / "target/release/examples/time_scene_graph_parser")
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
        start = time.process_time()
        texts = parser.parse(sentences, max_output_len=asked.tokens + 1, return_text=True)
        theirs = time.process_time() - start
        loading, _ = run(asked.program, folder, asked.tokens, [])
        whole, own_texts = run(asked.program, folder, asked.tokens, sentences)
    ours = whole - loading
    print(f"{len(sentences)} sentences, {asked.tokens} tokens: FactualSceneGraph {theirs:.1f} s, "
          f"Neurogauge {ours:.1f} s of processor time, ratio {ours / theirs:.2f}")
    print("texts are equal" if own_texts == texts else "TEXTS DIFFER")


if __name__ == "__main__":
    main()
