"""Times SAM 2's image encoder, and whole images, beside transformers on the same processor, and prints the page of
benchmarks' table.

    python bench/masks_from_pixels.py [--models sam2.1_hiera_tiny ...] [--boxes 8] [--rounds 2] [--repeats 2]

Needs `cargo build --release --package neurogauge-models --example time_models` (or EXAMPLE=PATH) and what `make
references` installs. Every measurement is a separate process (2 threads, f32, one image at a time; best of some
images), and the sides alternate. Both sides use the same synthetic weights, to the bit, so the maps must agree. PyTorch
runs eagerly. Memory is the process's peak, for transformers without creating the weights."""

import argparse
import sys
import time

from processes import EXAMPLE, ROOT, THREADS, beside, forget_peak, head, in_turns, peer_line, row

TARGET_RATIO = 0.8
SIDE_PX = 1024


def peer(model: str, n_boxes: int, repeats: int) -> None:
    """Runs in a separate process: prints the best wall and processor time of the encoder, the time of an image, and the
    map's size."""
    sys.path.insert(0, str(ROOT / "reference"))
    import torch
    import synthetic
    from models_sam2 import PUBLISHED, PUBLISHED_DAMPED, loaded

    torch.set_num_threads(THREADS)
    segmenter, _ = loaded(PUBLISHED[model.replace("sam2.1", "sam2")], PUBLISHED_DAMPED, original=False)
    corners = [[10.0 * index, 10.0 * index, 10.0 * index + 200.0, 10.0 * index + 150.0] for index in range(n_boxes)]
    boxes = torch.tensor([corners]) / 425 * SIDE_PX
    forget_peak()
    encoder = processor = whole = float("inf")
    for repeat in range(repeats):
        noise = 4.0 * synthetic.uniform("noise", 1 + repeat, (SIDE_PX, SIDE_PX, 3)) - 2.0
        pixels = torch.from_numpy(noise).permute(2, 0, 1)[None].contiguous()
        start, used = time.perf_counter(), time.process_time()
        maps = segmenter.get_image_embeddings(pixels)
        encoder = min(encoder, time.perf_counter() - start)
        processor = min(processor, time.process_time() - used)
        start = time.perf_counter()
        with torch.no_grad():
            masks = segmenter(pixel_values=pixels, input_boxes=boxes, multimask_output=False).pred_masks[0]
            torch.nn.functional.interpolate(masks, (425, 425), mode="bilinear", align_corners=False) > 0
        whole = min(whole, time.perf_counter() - start)
    print(f"{encoder:.4f} {processor:.2f} {whole:.4f}")
    print(maps[-1].double().abs().mean().item())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", default=["sam2.1_hiera_tiny", "sam2.1_hiera_large"])
    parser.add_argument("--boxes", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        peer(args.models[0], args.boxes, args.repeats)
        return
    head(
        "masks | neurogauge | transformers | ratio | target | processor time, ratio | with boxes, ratio | memory | transformers"
    )
    for model in args.models:
        counts = ["--boxes", args.boxes, "--repeats", args.repeats]
        lines = {
            "ours": [EXAMPLE, "segmenter", model, args.boxes, args.repeats],
            "theirs": peer_line(__file__, "--models", model, *counts),
        }
        sides = in_turns(lines, args.rounds)
        ours, theirs = sides["ours"], sides["theirs"]
        assert abs(float(ours.said) / float(theirs.said) - 1) < 1e-3, f"the two sides see otherwise: {sides}"
        *cells, memory, peer_memory = beside(f"{model}, image encoder", sides, TARGET_RATIO)
        row(*cells, f"{ours.times[2] / theirs.times[2]:.2f} ({args.boxes})", memory, peer_memory)


if __name__ == "__main__":
    main()
