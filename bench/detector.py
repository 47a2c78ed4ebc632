"""Times detection by MM-Grounding-DINO beside transformers, or by YOLO-World beside PyTorch, on the same processor, and
prints the page of benchmarks' table.

    python bench/detector.py [--model mm_grounding_dino_tiny] [--width 800] [--height 800] [--rounds 3] [--repeats 3]
    [--phrases 82]

Needs `cargo build --release --package neurogauge-models --example time_models` (or EXAMPLE=PATH) and what `make
references` installs. Every measurement is a separate process (2 threads, f32, one image at a time; best of some
images), and the sides alternate. Both sides use the same synthetic weights, to the bit, so logits and boxes must agree.
Both sides read the prompt again for every image, though ours would normally keep it; YOLO-World's names are read once
on both sides. YOLO-World's peer is the network of reference/models_yolo_world.py, since no library with suitable terms
has one. Memory is the process's peak, for the peer without creating the weights."""

import argparse
import json
import sys

from processes import EXAMPLE, PRECISIONS, ROOT, THREADS, beside, best_of, forget_peak, head, in_turns, peer_line, row

TARGET_RATIO = 1.0
YOLO_TARGET_RATIO = 0.6
SWIN_T = {"embed_dim": 96, "depths": [2, 2, 6, 2], "num_heads": [3, 6, 12, 24], "window_size": 7}
SWIN_L = {"embed_dim": 192, "depths": [2, 2, 18, 2], "num_heads": [6, 12, 24, 48], "window_size": 12}
OWN_HEADS = {"decoder_bbox_embed_share": False, "decoder_cls_embed_share": False}
MODELS = {
    "mm_grounding_dino_tiny": {
        "model_type": "mm-grounding-dino",
        "backbone_config": {"model_type": "swin", **SWIN_T, "out_indices": [2, 3, 4]},
        **OWN_HEADS,
    },
    "mm_grounding_dino_large": {
        "model_type": "mm-grounding-dino",
        "backbone_config": {"model_type": "swin", **SWIN_L, "out_indices": [1, 2, 3, 4]},
        "num_feature_levels": 5,
        **OWN_HEADS,
    },
    "grounding_dino_tiny": {
        "model_type": "grounding-dino",
        "backbone_config": {"model_type": "swin", **SWIN_T, "out_indices": [2, 3, 4]},
        **OWN_HEADS,
    },
}
# Channels and depths of the stages.
YOLO_WORLD = {
    "yolo_world_v2_s": ([32, 64, 128, 256, 512], [1, 2, 2, 1]),
    "yolo_world_v2_m": ([48, 96, 192, 384, 576], [2, 4, 4, 2]),
    "yolo_world_v2_l": ([64, 128, 256, 512, 512], [3, 6, 6, 3]),
    "yolo_world_v2_x": ([80, 160, 320, 640, 640], [3, 6, 6, 3]),
}
CLIP_VIT_B_32 = {
    "vocab_size": 49408,
    "hidden_size": 512,
    "intermediate_size": 2048,
    "projection_dim": 512,
    "num_hidden_layers": 12,
    "num_attention_heads": 8,
    "max_position_embeddings": 77,
    "bos_token_id": 49406,
    "eos_token_id": 49407,
    "pad_token_id": 49407,
    "hidden_act": "quick_gelu",
}


def prompt(n_phrases: int) -> list[int]:
    """[CLS], phrases of one, one and then one or two tokens, each followed by a full stop, [SEP]: 82 phrases have 206
    tokens."""
    ids = [101]
    for index in range(n_phrases):
        ids += [3000 + index] + ([5000 + index] if index > 1 and index % 2 else []) + [1012]
    return [*ids, 102]


def names(n_names: int) -> list[list[int]]:
    """Names of one and two tokens in turn, with the tokens around them."""
    return [[49406, 320 + index, *([1000 + index] if index % 2 else []), 49407] for index in range(n_names)]


def yolo_world(model: str):
    """The peer's network, before its weights are set."""
    sys.path.insert(0, str(ROOT / "reference"))
    from models_yolo_world import YoloWorld

    return YoloWorld(*YOLO_WORLD[model], CLIP_VIT_B_32).eval()


def configuration(model: str) -> dict:
    """The example's input: a configuration, or the names and shapes of tensors."""
    if model in MODELS:
        return MODELS[model]
    tensors = {
        name: list(tensor.shape)
        for name, tensor in yolo_world(model).state_dict().items()
        if tensor.is_floating_point()
    }
    return {"model_type": "yolo-world", "tensors": tensors}


def peer_of_names(model: str, n_names: int):
    """A function from pixels to logits and distances; the names have been read already."""
    network = yolo_world(model)
    import synthetic
    import torch

    with torch.no_grad():
        for name, tensor in network.state_dict().items():
            if tensor.is_floating_point():
                tensor.copy_(torch.tensor(synthetic.parameter(name, tuple(tensor.shape))))
        texts = network.backbone.text_model(names(n_names))

    def detect(pixels, _repeat):
        maps = network.neck(network.backbone.image_model(pixels), texts)
        return network.bbox_head.head_module(maps, texts)

    return detect


def peer_of_prompts(model: str, n_phrases: int):
    """A function from pixels and the number of the repeat to logits and boxes; it reads the prompt."""
    sys.path.insert(0, str(ROOT / "reference"))
    import synthetic
    import torch
    from models_grounding_dino import loaded

    detector, _ = loaded(MODELS[model], synthetic.parameter)
    first = prompt(n_phrases)
    second = first.copy()
    second[1], second[3] = first[3], first[1]

    def detect(pixels, repeat):
        outputs = detector(pixel_values=pixels, input_ids=torch.tensor([second if repeat % 2 else first]))
        return outputs.logits[0, :, : len(first)], outputs.pred_boxes

    return detect


def peer(model: str, width: int, height: int, repeats: int, phrases: int) -> None:
    """Runs in a separate process: prints the best wall and processor time of an image, and means of the outputs."""
    import torch

    torch.set_num_threads(THREADS)
    detect = (peer_of_prompts if model in MODELS else peer_of_names)(model, phrases)
    import synthetic

    noise = [4.0 * synthetic.uniform("noise", 1 + repeat, (height, width, 3)) - 2.0 for repeat in range(repeats)]
    pixels = [torch.from_numpy(image).permute(2, 0, 1)[None].contiguous() for image in noise]
    forget_peak()
    with torch.no_grad():
        wall, processor, outputs = best_of([lambda n=n: detect(pixels[n], n) for n in range(repeats)])
    print(f"{wall:.4f} {processor:.2f}")
    print(*(output.double().mean().item() for output in outputs))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="mm_grounding_dino_tiny", choices=[*MODELS, *YOLO_WORLD])
    parser.add_argument("--width", type=int, default=800, help="640 for YOLO-World")
    parser.add_argument("--height", type=int, default=800)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--phrases", type=int, default=82)
    parser.add_argument("--precision", choices=PRECISIONS, default="f32", help="of our side")
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        peer(args.model, args.width, args.height, args.repeats, args.phrases)
        return
    sizes = [args.width, args.height, args.repeats]
    options = [word for pair in zip(["--width", "--height", "--repeats"], sizes) for word in pair]
    prompts = args.model in MODELS
    ids = prompt(args.phrases) if prompts else names(args.phrases)
    config = json.dumps(configuration(args.model))
    lines = {
        "ours": [EXAMPLE, "detector", config, *sizes, json.dumps(ids), PRECISIONS[args.precision]],
        "theirs": peer_line(__file__, "--model", args.model, "--phrases", args.phrases, *options),
    }
    sides = in_turns(lines, args.rounds)
    means = [[float(word) for word in side.said.split()] for side in sides.values()]
    apart = [abs(ours - theirs) / abs(theirs) for ours, theirs in zip(*means)]
    assert args.precision != "f32" or max(apart) < 1e-2, f"the two sides detect otherwise: {means}"
    head("detections | neurogauge | peer | ratio | target | processor time, ratio | memory | peer's")
    n_read = f"{len(ids)} {'tokens' if prompts else 'names'}"
    case = f"{args.model}, {args.width} x {args.height} px, {n_read}, {args.precision}"
    row(*beside(case, sides, TARGET_RATIO if prompts else YOLO_TARGET_RATIO))


if __name__ == "__main__":
    main()
