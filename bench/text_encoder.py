"""Times all-MiniLM-L6-v2 beside PyTorch and ONNX Runtime on the same processor and captions, and prints the page of
benchmarks' table.

    python bench/text_encoder.py --weights DIR [--shared ../shared/data] [--rounds 3] [--repeats 4]

Needs `cargo build --release --package neurogauge-models --example time_models` and what `make references` installs.
Every measurement is a separate process (2 threads, f32; best of some passes over all captions), and the sides
alternate. All sides split the captions into tokens and put them into batches by length (the peers as
sentence-transformers does, 128 at a time); loading is not counted. Sums of vectors must agree within 1e-4."""

import argparse
import contextlib
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from processes import EXAMPLE, ROOT, THREADS, best_of, head, in_turns, row

BATCH = 128
MOST_TOKENS = 256


def exported(model, folder: str) -> Callable:
    """The same network in ONNX Runtime, for batches of any size."""
    import onnxruntime
    import torch

    class Hidden(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, input_ids, attention_mask):
            return self.model(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state

    inputs = (torch.ones(2, 8, dtype=torch.int64), torch.ones(2, 8, dtype=torch.int64))
    axes = {0: "texts", 1: "tokens"}
    names = ["input_ids", "attention_mask"]
    with contextlib.redirect_stdout(sys.stderr):
        torch.onnx.export(
            Hidden(),
            inputs,
            f"{folder}/model.onnx",
            input_names=names,
            dynamic_axes=dict.fromkeys(names, axes),
            dynamo=False,
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    session = onnxruntime.InferenceSession(f"{folder}/model.onnx", options, providers=["CPUExecutionProvider"])

    def run(ids, mask):
        return session.run(None, {"input_ids": ids.numpy(), "attention_mask": mask.numpy()})[0]

    return run


def peer(side: str, weights: Path, captions: Path, repeats: int) -> None:
    """Runs in a separate process: prints the best wall time of a pass, and the sums of the first vectors."""
    import numpy as np
    import torch
    from transformers import AutoModel, AutoTokenizer

    torch.set_num_threads(THREADS)
    torch.set_grad_enabled(False)
    texts = json.loads(captions.read_text())
    tokenizer, model = AutoTokenizer.from_pretrained(weights), AutoModel.from_pretrained(weights).eval()
    with tempfile.TemporaryDirectory() as folder:
        if side == "onnx":
            run = exported(model, folder)
        else:

            def run(ids, mask):
                return model(input_ids=ids, attention_mask=mask).last_hidden_state.numpy()

        def encode():
            order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
            vectors = np.empty((len(texts), 384), dtype=np.float32)
            for first in range(0, len(order), BATCH):
                places = order[first : first + BATCH]
                batch = [texts[place] for place in places]
                tokens = tokenizer(batch, padding=True, truncation=True, max_length=MOST_TOKENS, return_tensors="pt")
                hidden = run(tokens["input_ids"], tokens["attention_mask"])
                mask = tokens["attention_mask"].numpy()[:, :, None].astype(np.float32)
                mean = (hidden * mask).sum(axis=1) / mask.sum(axis=1)
                vectors[places] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
            return vectors

        best, _, vectors = best_of([encode] * repeats)
    print(f"{best:.4f}")
    print(json.dumps(vectors[:8].astype(float).sum(axis=1).tolist()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=4)
    parser.add_argument("--peer", nargs=2, metavar=("SIDE", "CAPTIONS"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        peer(args.peer[0], args.weights, Path(args.peer[1]), args.repeats)
        return
    found = [args.shared / "brainhub" / "captions" / f"{name}-subj01.json" for name in ("umbrae", "sdrecon")]
    if not all(path.exists() for path in found):
        print(f"| all-MiniLM-L6-v2 | skipped: {found[0]} is absent | | | | |")
        return
    texts = [text for path in found for text in json.loads(path.read_text()).values()]
    with tempfile.TemporaryDirectory() as folder:
        captions = Path(folder) / "captions.json"
        captions.write_text(json.dumps(texts))
        line = [sys.executable, __file__, "--weights", args.weights, "--repeats", args.repeats, "--peer"]
        sides = {
            "ours": [EXAMPLE, "text_encoder", args.weights, captions, args.repeats],
            "eager": [*line, "eager", captions],
            "onnx": [*line, "onnx", captions],
        }
        found = in_turns(sides, args.rounds)
    sums = {side: json.loads(measured.said) for side, measured in found.items()}
    for side in ("eager", "onnx"):
        apart = max(abs(a - b) for a, b in zip(sums["ours"], sums[side], strict=True))
        assert apart < 1e-4, f"{side} gives other vectors"
    ours, eager, onnx = (found[side].times[0] for side in sides)
    memory = (f"{found[side].peak_mib:.0f} MiB" for side in ("ours", "eager"))
    head("model | neurogauge | PyTorch | ratio | ONNX Runtime | ratio | memory | PyTorch")
    case, beside_eager = f"all-MiniLM-L6-v2, {len(texts)} captions", f"{ours / eager:.2f}"
    row(case, f"{ours:.3f} s", f"{eager:.3f} s", beside_eager, f"{onnx:.3f} s", f"{ours / onnx:.2f}", *memory)


if __name__ == "__main__":
    main()
