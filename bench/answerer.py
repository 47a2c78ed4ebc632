"""Compares the time of Qwen2.5-VL with transformers, and its peak memory with the size of its files, with random
weights of the published shapes.

    python bench/answerer.py [--layers 3] [--blocks 4] [--vocabulary 19008] [--tokens 40]

Needs `cargo build --release --package neurogauge` (or NEUROGAUGE_BINARY=PATH) and scikit-image.

Writes a folder as the model is published (several files and their index; 28 layers, 32 blocks and 152064 rows are the
7B) and lets `neurogauge perceive` describe one photograph with 1 token, three with 1 token, and one with all. Prints
the peak memory of the process, the seconds of a photograph with its first token, and the seconds of each token after
it; and the same for transformers in f32 and in bf16, each in a separate process, without loading. The 7B would need its
own weights and as much memory again. The model's answers mean nothing."""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

import numpy as np

from processes import BINARY, ROOT, THREADS, Measured, measure, peer_line

GOLDENS = ROOT / "reference" / "golden" / "models"
WIDTH, INNER, HEADS, KEY_HEADS = 3584, 18944, 28, 4
VISION = {"depth": 32, "hidden_size": 1280, "intermediate_size": 3420, "num_heads": 16, "out_hidden_size": WIDTH}
LAYERS, VOCABULARY, MAX_TOKENS = 28, 152_064, 512
# For a photograph of 425 px: patches along a side, and the question's tokens around the picture's.
PATCHES, QUESTION = 30, 40


def shapes(layers: int, blocks: int, vocabulary: int) -> dict[str, tuple[int, ...]]:
    width, inner, keys = VISION["hidden_size"], VISION["intermediate_size"], WIDTH // HEADS * KEY_HEADS
    found = {
        "model.embed_tokens.weight": (vocabulary, WIDTH),
        "lm_head.weight": (vocabulary, WIDTH),
        "model.norm.weight": (WIDTH,),
    }
    for layer in range(layers):
        name = f"model.layers.{layer}"
        for part, n_out in [("q", WIDTH), ("k", keys), ("v", keys)]:
            found[f"{name}.self_attn.{part}_proj.weight"] = (n_out, WIDTH)
            found[f"{name}.self_attn.{part}_proj.bias"] = (n_out,)
        found[f"{name}.self_attn.o_proj.weight"] = (WIDTH, WIDTH)
        for part in ["gate", "up"]:
            found[f"{name}.mlp.{part}_proj.weight"] = (INNER, WIDTH)
        found[f"{name}.mlp.down_proj.weight"] = (WIDTH, INNER)
        for norm in ["input_layernorm", "post_attention_layernorm"]:
            found[f"{name}.{norm}.weight"] = (WIDTH,)
    found["visual.patch_embed.proj.weight"] = (width, 3, 2, 14, 14)
    maps = {"attn.qkv": (3 * width, width), "attn.proj": (width, width), "mlp.gate_proj": (inner, width)}
    maps |= {"mlp.up_proj": (inner, width), "mlp.down_proj": (width, inner)}
    names = [(f"visual.blocks.{block}.{name}", shape) for block in range(blocks) for name, shape in maps.items()]
    names += [("visual.merger.mlp.0", (4 * width, 4 * width)), ("visual.merger.mlp.2", (WIDTH, 4 * width))]
    for name, shape in names:
        found |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    norms = [f"visual.blocks.{block}.{norm}" for block in range(blocks) for norm in ("norm1", "norm2")]
    return found | {f"{norm}.weight": (width,) for norm in [*norms, "visual.merger.ln_q"]}


def write_file(path: Path, tensors: dict[str, tuple[int, ...]], rng: np.random.Generator) -> None:
    header, offset = {}, 0
    for name, shape in tensors.items():
        end = offset + 2 * int(np.prod(shape))
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for shape in tensors.values():
            n = int(np.prod(shape))
            scale = 0.02 if len(shape) > 1 else 1.0
            values = rng.standard_normal(min(n, 1 << 20), dtype=np.float32) * np.float32(scale)
            # A million values, repeated: time and memory depend on their number, not on their meaning.
            bits = (values.view(np.uint32) >> 16).astype(np.uint16)
            file.write(np.resize(bits, n).tobytes())


def write_folder(folder: Path, args: argparse.Namespace) -> int:
    golden = json.loads((GOLDENS / "qwen2_5_vl_reduced.json").read_text())
    ids = {key: value for key, value in golden["config"].items() if key.endswith("_id")}
    config = {
        "model_type": "qwen2_5_vl", **ids, "vocab_size": args.vocabulary, "hidden_size": WIDTH, "intermediate_size": INNER,
        "num_hidden_layers": args.layers, "num_attention_heads": HEADS, "num_key_value_heads": KEY_HEADS, "rms_norm_eps": 1e-6,
        "rope_theta": 1e6, "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}, "hidden_act": "silu",
        "max_position_embeddings": 32768, "eos_token_id": args.vocabulary - 1, "vision_config": {**VISION, "depth": args.blocks},
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "preprocessor_config.json").write_text(json.dumps({"min_pixels": 3136, "max_pixels": 12_845_056}))
    tokenizer = json.loads((GOLDENS / "qwen2_5_vl_tokenizer.json").read_text())
    # Every id is a word, so that an answer can be decoded.
    first = 1 + max(token["id"] for token in tokenizer["added_tokens"])
    tokenizer["model"]["vocab"] |= {token["content"]: token["id"] for token in tokenizer["added_tokens"]}
    tokenizer["model"]["vocab"] |= {f"word{index}": index for index in range(first, args.vocabulary)}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    rng, tensors = np.random.default_rng(0), shapes(args.layers, args.blocks, args.vocabulary)
    names, n_files = list(tensors), 3
    places = {}
    for index in range(n_files):
        file = f"model-{index + 1:05}-of-{n_files:05}.safetensors"
        own = {name: tensors[name] for name in names[index::n_files]}
        write_file(folder / file, own, rng)
        places |= dict.fromkeys(own, file)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": places}))
    return sum(path.stat().st_size for path in folder.glob("*.safetensors"))


def run(folder: Path, images: Path, tokens: int) -> Measured:
    index, name = folder / "model.safetensors.index.json", f"{images.name}-{tokens}"
    os.environ["NEUROGAUGE_CACHE"] = str(folder / f"cache-{name}")
    line = [BINARY, "perceive", "--images", images, "--vlm-model", "qwen2.5-vl-7b", "--vlm-asks", "captions"]
    line += ["--set", f"vlm_tokens={tokens}", "--checkpoint", f"qwen2.5-vl-7b={index}", "--out", folder / f"out-{name}"]
    return measure(line)


def run_peer(folder: Path, precision: str, tokens: int) -> None:
    """Prints how many seconds transformers take for a photograph with its first token, and for each further token."""
    import torch
    from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration

    torch.set_num_threads(THREADS)
    config = Qwen2_5_VLConfig.from_pretrained(folder)
    model = Qwen2_5_VLForConditionalGeneration._from_config(
        config, dtype={"f32": torch.float32, "bf16": torch.bfloat16}[precision]
    ).eval()
    n_pads = PATCHES * PATCHES // 4
    ids = torch.tensor([[5] * (QUESTION // 2) + [config.image_token_id] * n_pads + [7] * (QUESTION // 2)])
    inputs = {
        "input_ids": ids, "attention_mask": torch.ones_like(ids), "image_grid_thw": torch.tensor([[1, PATCHES, PATCHES]]),
        "mm_token_type_ids": (ids == config.image_token_id).int(), "pixel_values": torch.rand(PATCHES * PATCHES, 3 * 2 * 14 * 14),
    }  # fmt: skip

    def seconds(n: int) -> float:
        start = time.perf_counter()
        with torch.inference_mode():
            answer = model.generate(**inputs, min_new_tokens=n, max_new_tokens=n, do_sample=False)
        assert answer.shape[1] == ids.shape[1] + n
        return time.perf_counter() - start

    seconds(2)
    first = min(seconds(1) for _ in range(3))
    print(first, (seconds(tokens) - first) / (tokens - 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--vocabulary", type=int, default=19_008)
    parser.add_argument("--tokens", type=int, default=40)
    parser.add_argument("--peer", nargs=2, metavar=("FOLDER", "PRECISION"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        return run_peer(Path(args.peer[0]), args.peer[1], args.tokens)
    import skimage.data
    from PIL import Image

    with tempfile.TemporaryDirectory() as place:
        folder, one, three = (Path(place) / name for name in ("model", "one", "three"))
        for made in (folder, one, three):
            made.mkdir()
        photograph = Image.open(Path(skimage.data.__file__).parent / "astronaut.png")
        for index in range(3):
            window = photograph.crop((index, 0, 425 + index, 425))
            for images in (one, three) if index == 0 else (three,):
                window.save(images / f"{index}.png")
        n_bytes = write_folder(folder, args)
        # Files are hashed and read from the disk at the first run, so its time is not used.
        runs = [run(folder, images, tokens) for images, tokens in ((one, 2), (one, 1), (three, 1), (one, args.tokens))]
        loaded, more, whole = (each.seconds for each in runs[1:])
        first, later = (more - loaded) / 2, (whole - loaded) / (args.tokens - 1)
        print("| | photograph and first token | a token after it |\n|---|---|---|")
        print(f"| neurogauge | {first:.2f} s | {later:.3f} s |", flush=True)
        for precision in ("f32", "bf16"):
            line = peer_line(__file__, folder, precision, "--tokens", args.tokens)
            peer_first, peer_later = (float(word) for word in measure(line).output.split())
            ratios = f"{first / peer_first:.2f}, {later / peer_later:.2f}"
            print(
                f"| transformers, {precision} | {peer_first:.2f} s | {peer_later:.3f} s | ratios {ratios}", flush=True
            )
    peak = max(each.peak_mib for each in runs) * 2**20
    print(f"files {n_bytes / 2**30:.2f} GiB, peak {peak / 2**30:.2f} GiB, {peak / n_bytes:.2f} of the files")
    elements = sum(int(np.prod(shape)) for shape in shapes(LAYERS, VISION["depth"], VOCABULARY).values())
    total = 2 * elements
    # Memory besides the weights does not grow with the number of layers, except for what is kept of each token.
    kept = (LAYERS - args.layers) * 2 * KEY_HEADS * (WIDTH // HEADS) * 4 * MAX_TOKENS
    print(
        f"the 7B: weights {total / 2**30:.2f} GiB, peak about {(total + peak - n_bytes + kept) / 2**30:.2f} GiB after {MAX_TOKENS} tokens"
    )


if __name__ == "__main__":
    main()
