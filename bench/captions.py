"""Times captions by GIT beside transformers on the same processor, and prints the page of benchmarks' table.

    python bench/captions.py [--model git_large_coco] [--batch 8] [--beams 1] [--rounds 3] [--repeats 2] [--tokens 50]
    [--precision bf16]

Needs `cargo build --release --package neurogauge-models --example time_models` (or EXAMPLE=PATH) and what `make
references` installs. Every measurement is a process of its own (2 threads, f32; best of some batches), and the rounds
take turns. Weights are the synthetic checkpoint of reference/models_git.py on both sides, so both must give the same
ids; they rarely end a caption, so every one has all its tokens, which is more than captions of photographs have. Memory
is the process's peak, for transformers without the making of the weights."""

import argparse
import json
import os
import sys
import time
from pathlib import Path

from processes import PRECISIONS, THREADS, measure

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
EXAMPLE = os.environ.get("EXAMPLE", TARGET / "release/examples/time_models")
TARGET_RATIO = 0.9


def configuration(model: str) -> dict:
    return json.loads((ROOT / f"reference/golden/models/{model}.json").read_text())["config"]


def peer(model: str, batch: int, repeats: int, tokens: int, beams: int) -> None:
    """Runs in a process of its own: prints the best wall and processor time of a batch, and the ids."""
    sys.path.insert(0, str(ROOT / "reference"))
    import numpy as np
    import synthetic
    import torch
    from transformers import GitConfig, GitForCausalLM

    torch.set_num_threads(THREADS)
    git = GitForCausalLM(GitConfig(**configuration(model)))
    with torch.no_grad():
        for name, tensor in git.state_dict().items():
            if tensor.is_floating_point():
                tensor.copy_(torch.from_numpy(synthetic.parameter(name, tuple(tensor.shape))))
    git.eval()
    mean = np.array([0.48145466, 0.4578275, 0.40821073], dtype=np.float32)
    std = np.array([0.26862954, 0.26130258, 0.27577711], dtype=np.float32)
    noise = [synthetic.uniform(f"noise{index}", 1, (224, 224, 3)) for index in range(batch)]
    pixels = torch.from_numpy(np.stack([(image - mean) / std for image in noise]))
    pixels = pixels.permute(0, 3, 1, 2).contiguous()
    # The peak that counts is that of captioning, not of making the weights.
    Path("/proc/self/clear_refs").write_text("5")
    wall = processor = float("inf")
    for _ in range(repeats):
        start, used = time.perf_counter(), time.process_time()
        ids = git.generate(pixel_values=pixels, max_new_tokens=tokens, num_beams=beams, do_sample=False)
        wall = min(wall, time.perf_counter() - start)
        processor = min(processor, time.process_time() - used)
    end = git.config.eos_token_id
    rows = [row[1:] for row in ids.tolist()]
    rows = [row[: row.index(end) + 1] if end in row else row for row in rows]
    print(f"{wall:.4f} {processor:.2f}")
    print(json.dumps(rows))


def timed(line: list[str]) -> tuple[float, float, float, list[list[int]]]:
    """Wall and processor seconds of a batch, peak memory in MiB, ids."""
    output, _, peak = measure(line)
    times, ids = output.splitlines()
    wall, processor = map(float, times.split())
    return wall, processor, peak, json.loads(ids)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="git_large_coco")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--beams", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--tokens", type=int, default=50)
    parser.add_argument("--precision", choices=PRECISIONS, default="f32", help="of our side")
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        peer(args.model, args.batch, args.repeats, args.tokens, args.beams)
        return
    numbers = [str(number) for number in (args.batch, args.repeats, args.tokens, args.beams)]
    names = ["--batch", "--repeats", "--tokens", "--beams"]
    options = [part for pair in zip(names, numbers) for part in pair]
    sides = {
        "ours": [
            str(EXAMPLE),
            "captioner",
            json.dumps(configuration(args.model)),
            *numbers,
            PRECISIONS[args.precision],
        ],
        "theirs": [sys.executable, __file__, "--peer", "--model", args.model, *options],
    }
    wall = dict.fromkeys(sides, float("inf"))
    processor, memory, ids = dict(wall), dict.fromkeys(sides, 0.0), {}
    for _ in range(args.rounds):
        for side, line in sides.items():
            seconds, used, peak, ids[side] = timed(line)
            wall[side], processor[side] = min(wall[side], seconds), min(processor[side], used)
            memory[side] = max(memory[side], peak)
        assert args.precision != "f32" or ids["ours"] == ids["theirs"], "the two sides write other captions"
    per_image = {side: seconds / args.batch for side, seconds in wall.items()}
    print("| captions | neurogauge | transformers | ratio | target | processor time, ratio | memory | transformers |")
    print("|---|---|---|---|---|---|---|---|")
    print(
        f"| {args.model}, batch {args.batch}, {args.tokens} tokens, beams {args.beams}, {args.precision} "
        f"| {per_image['ours']:.3f} s/image | {per_image['theirs']:.3f} s/image "
        f"| {per_image['ours'] / per_image['theirs']:.2f} | {TARGET_RATIO} "
        f"| {processor['ours'] / processor['theirs']:.2f} | {memory['ours']:.0f} MiB | {memory['theirs']:.0f} MiB |"
    )


if __name__ == "__main__":
    main()
