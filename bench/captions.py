"""Times captions by GIT beside transformers on the same processor, and prints the page of benchmarks' table.

    python bench/captions.py [--model git_large_coco] [--batch 8] [--beams 1] [--rounds 3] [--repeats 2] [--tokens 50]
    [--precision bf16]

Needs `cargo build --release --package neurogauge-models --example time_models` (or EXAMPLE=PATH) and what `make
references` installs. Every measurement is a separate process (2 threads, f32; best of some batches), and the sides
alternate. Both sides use the synthetic checkpoint of reference/models_git.py, so both must give the same ids; it rarely
ends a caption, so captions have all their tokens, which is more than captions of photographs have. Memory is the
process's peak, for transformers without creating the weights."""

import argparse
import json
import sys

from processes import EXAMPLE, PRECISIONS, ROOT, THREADS, beside, best_of, forget_peak, head, in_turns, peer_line, row

TARGET_RATIO = 0.9


def configuration(model: str) -> dict:
    return json.loads((ROOT / f"reference/golden/models/{model}.json").read_text())["config"]


def peer(model: str, batch: int, repeats: int, tokens: int, beams: int) -> None:
    """Runs in a separate process: prints the best wall and processor time of a batch, and the ids."""
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
    forget_peak()
    limits = {"max_new_tokens": tokens, "num_beams": beams, "do_sample": False}
    wall, processor, ids = best_of([lambda: git.generate(pixel_values=pixels, **limits)] * repeats)
    end = git.config.eos_token_id
    rows = [row[1:] for row in ids.tolist()]
    rows = [row[: row.index(end) + 1] if end in row else row for row in rows]
    print(f"{wall:.4f} {processor:.2f}")
    print(json.dumps(rows))


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
    numbers = [args.batch, args.repeats, args.tokens, args.beams]
    options = [word for pair in zip(["--batch", "--repeats", "--tokens", "--beams"], numbers) for word in pair]
    config = json.dumps(configuration(args.model))
    lines = {
        "ours": [EXAMPLE, "captioner", config, *numbers, PRECISIONS[args.precision]],
        "theirs": peer_line(__file__, "--model", args.model, *options),
    }
    sides = in_turns(lines, args.rounds)
    ours, theirs = (json.loads(side.said) for side in sides.values())
    assert args.precision != "f32" or ours == theirs, "the two sides write other captions"
    head("captions | neurogauge | transformers | ratio | target | processor time, ratio | memory | transformers")
    case = f"{args.model}, batch {args.batch}, {args.tokens} tokens, beams {args.beams}, {args.precision}"
    row(*beside(case, sides, TARGET_RATIO, args.batch))


if __name__ == "__main__":
    main()
