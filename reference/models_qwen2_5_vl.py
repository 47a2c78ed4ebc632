"""Goldens of Qwen2.5-VL (from a picture and a question, an answer) with synthetic checkpoints.

Reference: transformers' Qwen2_5_VLForConditionalGeneration, float32, eval mode, one thread, attention written out
("eager"), its state dict loaded strictly; Qwen2_5_VLProcessor with the image processor that resizes with Pillow, as
in transformers when the model was published (the one on torchvision differs by one of 256 levels in a few values of a
thousand, which is printed). `qwen2_5_vl_reduced` has the configuration in transformers 5's form, and its own output
map; `qwen2_5_vl_tied` has the hub's form with all fields on one level, and its output map is the table of tokens.

A golden (golden/models/<model>.json) has, besides what model_goldens.py describes:
  preprocessor   preprocessor_config.json as published, with other limits
  question       the question; prompts have the published template for a chat, with the picture first
  runs           one for every picture: {picture, height, width: the central window of a photograph, size: after
                 resizing, ids: of the prompt, ends, generated: [{penalty, end, ids}], taps}; logits are those of the
                 last id of the prompt and of every id but the last of the first `generated`, computed without a cache
Blocks of the tower are in the order of its windows; "visual" is the language model's input.

Also writes golden/models/qwen2_5_vl_sizes.json, [[height, width, height, width after resizing] ...] for the
default limits, and qwen2_5_vl_tokenizer.json: that of models_qwen3.py without a token after texts, but with the tokens
of pictures.

With near ties, rounding would decide about ids; the script refuses these, and also runs everything in float64.

Run from `reference/`, all models or those named as arguments.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from tokenizers import AddedToken, processors
from transformers import (
    PreTrainedTokenizerFast,
    Qwen2_5_VLConfig,
    Qwen2_5_VLForConditionalGeneration,
    Qwen2_5_VLProcessor,
    Qwen2VLImageProcessor,
    Qwen2VLVideoProcessor,
)
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil, smart_resize

import models_qwen3
from model_goldens import (
    CLIP,
    GOLDEN,
    check_rounding,
    checked_records,
    fill,
    photograph,
    run_taps,
    versions,
    window,
    write,
)

TOKENS = ["<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"]
# The parts of the published template for a question about one picture.
TEMPLATE = (
    "{% for message in messages %}{% if loop.first %}<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n{% endif %}"
    "<|im_start|>{{ message['role'] }}\n{% for content in message['content'] %}{% if content['type'] == 'image' %}"
    "<|vision_start|><|image_pad|><|vision_end|>{% elif 'text' in content %}{{ content['text'] }}{% endif %}{% endfor %}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
QUESTION = "What is in the red boat on the lake, the dog and the man?"
PREPROCESSOR = {
    "min_pixels": 4 * 28 * 28,
    "max_pixels": 60 * 28 * 28,
    "patch_size": 14,
    "temporal_patch_size": 2,
    "merge_size": 2,
    "image_mean": CLIP["mean"],
    "image_std": CLIP["std"],
}
# Ragged windows below and on the right; even ones; one column of tokens; too small; too large.
PICTURES = [
    ("astronaut", 130, 225),
    ("coffee", 112, 224),
    ("astronaut", 300, 30),
    ("coffee", 30, 47),
    ("astronaut", 400, 509),
]
NEW_TOKENS = 12
PENALTIES = [1.05, 1.0, 1.5]
N_PROBES = 32
# Relative to the largest logit: twice the difference that the Rust side may have.
MARGIN = 2e-4


def tokenizer() -> PreTrainedTokenizerFast:
    made = models_qwen3.tokenizer()
    made.add_special_tokens([AddedToken(token, normalized=False, special=True) for token in TOKENS])
    made.post_processor = processors.ByteLevel(add_prefix_space=False, trim_offsets=False, use_regex=False)
    return PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>")


def configs(ids: dict[str, int], vocab_size: int) -> dict[str, dict]:
    text = {
        "vocab_size": vocab_size, "hidden_size": 60, "intermediate_size": 90, "num_hidden_layers": 3, "num_attention_heads": 6,
        "num_key_value_heads": 2, "hidden_act": "silu", "max_position_embeddings": 512, "rms_norm_eps": 1e-6,
        "use_sliding_window": False, "bos_token_id": ids["<|endoftext|>"], "eos_token_id": ids["<|im_end|>"],
    }  # fmt: skip
    vision = {
        "depth": 4, "hidden_size": 48, "hidden_act": "silu", "intermediate_size": 50, "num_heads": 4, "patch_size": 14,
        "spatial_merge_size": 2, "temporal_patch_size": 2, "window_size": 112, "out_hidden_size": 60, "fullatt_block_indexes": [1, 3],
    }  # fmt: skip
    own = {
        "model_type": "qwen2_5_vl",
        "image_token_id": ids["<|image_pad|>"],
        "video_token_id": ids["<|video_pad|>"],
        "vision_start_token_id": ids["<|vision_start|>"],
        "vision_end_token_id": ids["<|vision_end|>"],
    }
    rope = {"rope_type": "default", "mrope_section": [1, 2, 2]}
    nested = {**text, "model_type": "qwen2_5_vl_text", "rope_parameters": {**rope, "rope_theta": 1e6}}
    flat = {
        **text,
        "hidden_size": 64,
        "intermediate_size": 96,
        "num_attention_heads": 4,
        "num_key_value_heads": 4,
        "rope_theta": 1e6,
    }
    flat["rope_scaling"] = {"type": "mrope", "mrope_section": [2, 3, 3]}
    return {
        "qwen2_5_vl_reduced": {
            **own,
            "text_config": nested,
            "vision_config": {**vision, "model_type": "qwen2_5_vl_vision"},
            "tie_word_embeddings": False,
        },
        "qwen2_5_vl_tied": {
            **own,
            **flat,
            "vision_config": {
                **vision, "model_type": "qwen2_5_vl", "out_hidden_size": 64, "window_size": 56, "fullatt_block_indexes": [2],
                "in_chans": 3, "spatial_patch_size": 14, "tokens_per_second": 2,
            },
            "tie_word_embeddings": True,
        },
    }  # fmt: skip


def picture(name: str, height: int, width: int) -> Image.Image:
    return Image.fromarray(window(photograph(name), height, width))


def processor(words: PreTrainedTokenizerFast) -> Qwen2_5_VLProcessor:
    # Replaces the image processor on torchvision, the only one that a processor accepts when it is made.
    made = Qwen2_5_VLProcessor(Qwen2VLImageProcessor(), words, Qwen2VLVideoProcessor(), chat_template=TEMPLATE)
    options = {key: value for key, value in PREPROCESSOR.items() if key not in ("min_pixels", "max_pixels")}
    size = {"shortest_edge": PREPROCESSOR["min_pixels"], "longest_edge": PREPROCESSOR["max_pixels"]}
    made.image_processor = Qwen2VLImageProcessorPil(size=size, **options)
    other = Qwen2VLImageProcessor(size=size, **options)
    for which in PICTURES:
        image = picture(*which)
        ours = made.image_processor(images=[image], return_tensors="np")["pixel_values"]
        theirs = other(images=[image], return_tensors="pt")["pixel_values"].numpy()
        levels = np.abs(ours - theirs) * np.array(CLIP["std"]).repeat(2 * 14 * 14) * 255
        print(
            f"{which}: Pillow and torchvision differ by up to {levels.max():.2g} levels, in {(levels > 0.5).mean():.2%}"
        )
    return made


def inputs_of(made: Qwen2_5_VLProcessor, which: tuple[str, int, int]) -> dict:
    content = [{"type": "image"}, {"type": "text", "text": QUESTION}]
    prompt = made.apply_chat_template([{"role": "user", "content": content}], add_generation_prompt=True)
    inputs = made(text=[prompt], images=[picture(*which)], return_tensors="pt")
    return {
        key: inputs[key]
        for key in ("input_ids", "attention_mask", "pixel_values", "image_grid_thw", "mm_token_type_ids")
    }


def run_of(model: Qwen2_5_VLForConditionalGeneration, inputs: dict) -> dict[str, np.ndarray]:
    vision, text = model.config.vision_config, model.config.text_config
    modules = [
        "model.visual.patch_embed",
        *(f"model.visual.blocks.{index}" for index in range(vision.depth)),
        *(f"model.language_model.layers.{index}" for index in range(text.num_hidden_layers)),
        "model.language_model.norm",
    ]
    outputs = run_taps(model, modules, lambda: model(**inputs, use_cache=False))
    features = model.model.get_image_features(inputs["pixel_values"], inputs["image_grid_thw"]).pooler_output
    (features,) = features
    kept = {"input": inputs["pixel_values"].numpy(), "visual": features.detach().numpy()}
    for name, output in outputs.items():
        kept[name.removeprefix("model.")] = output[0] if name.startswith("model.language_model") else output
    return kept


def generated(model: Qwen2_5_VLForConditionalGeneration, inputs: dict, end: int, penalty: float) -> list[int]:
    ids = model.generate(
        **inputs,
        max_new_tokens=NEW_TOKENS,
        do_sample=False,
        repetition_penalty=penalty,
        eos_token_id=end,
        pad_token_id=0,
    )
    return ids[0, inputs["input_ids"].shape[1] :].tolist()


def step_logits(model: Qwen2_5_VLForConditionalGeneration, inputs: dict, ids: list[int]) -> np.ndarray:
    """The logits by which every id was chosen, (step, vocabulary)."""
    rest = torch.tensor([ids[:-1]], dtype=torch.long)
    longer = {
        **inputs,
        "input_ids": torch.cat([inputs["input_ids"], rest], 1),
        "attention_mask": torch.ones(1, inputs["input_ids"].shape[1] + rest.shape[1], dtype=torch.long),
        "mm_token_type_ids": torch.cat([inputs["mm_token_type_ids"], torch.zeros_like(rest)], 1),
    }
    return model(**longer, use_cache=False).logits[0, -len(ids) :].detach().numpy()


def penalised(logits: np.ndarray, seen: list[int], penalty: float) -> np.ndarray:
    logits, seen = logits.copy(), sorted(set(seen))
    logits[seen] = np.where(logits[seen] < 0, logits[seen] * penalty, logits[seen] / penalty)
    return logits


def check_gaps(name: str, logits: np.ndarray, prompt: list[int], ids: list[int], penalty: float) -> None:
    """Checks that the ids follow from the penalised logits, and that no choice is near a tie."""
    gaps = []
    for step, (row, token) in enumerate(zip(logits, ids)):
        row = penalised(row, prompt + ids[:step], penalty)
        best = np.sort(row)
        assert int(row.argmax()) == token, f"{name}: generation has other logits than the whole sequence"
        gaps.append((best[-1] - best[-2]) / np.abs(row).max())
    print(f"{name}: smallest gap {min(gaps):.4g} of the largest logit, ids {ids}", flush=True)
    assert min(gaps) > MARGIN


def golden(name: str, config: dict, made: Qwen2_5_VLProcessor) -> dict:
    model = Qwen2_5_VLForConditionalGeneration(Qwen2_5_VLConfig(**json.loads(json.dumps(config))))
    model.set_attn_implementation("eager")
    listing = fill(model)
    own_end = made.tokenizer.convert_tokens_to_ids("<|im_end|>")
    runs = []
    for which in PICTURES:
        inputs = inputs_of(made, which)
        label = f"{name} {which[0]} {which[1]} x {which[2]}"
        prompt = inputs["input_ids"][0].tolist()
        with torch.no_grad():
            outputs = run_of(model, inputs)
            answers = [
                {"penalty": penalty, "end": own_end, "ids": generated(model, inputs, own_end, penalty)}
                for penalty in PENALTIES
            ]
            # An id that occurs later in the first answer ends it early.
            first = answers[0]["ids"]
            end = next((token for place, token in enumerate(first) if place >= 3 and token not in first[:place]), None)
            if end is not None:
                answers.append(
                    {"penalty": PENALTIES[0], "end": end, "ids": generated(model, inputs, end, PENALTIES[0])}
                )
            logits = step_logits(model, inputs, first)
            for answer in answers:
                check_gaps(label, step_logits(model, inputs, answer["ids"]), prompt, answer["ids"], answer["penalty"])
            model.double()
            wide = {key: value.double() if key == "pixel_values" else value for key, value in inputs.items()}
            truth = run_of(model, wide)
            for answer in answers:
                assert generated(model, wide, answer["end"], answer["penalty"]) == answer["ids"], (
                    "rounding decides an id"
                )
            exact = step_logits(model, wide, first)
            model.float()
        outputs["logits"], truth["logits"] = logits, exact
        one = {tap: [value] for tap, value in outputs.items()}
        check_rounding(label, one, {tap: [value] for tap, value in truth.items()}, N_PROBES)
        _, rows, columns = inputs["image_grid_thw"][0].tolist()
        runs.append(
            {
                "picture": which[0],
                "height": which[1],
                "width": which[2],
                "size": [14 * rows, 14 * columns],
                "ids": prompt,
                "generated": answers,
                "taps": checked_records(label, one, N_PROBES),
            }
        )
    answers = made.tokenizer.batch_decode([run["generated"][0]["ids"] for run in runs], skip_special_tokens=True)
    assert len({json.dumps(run["generated"][0]["ids"]) for run in runs}) > 2, "the picture does not matter"
    return {
        "model": name,
        "reference": f"transformers.Qwen2_5_VLForConditionalGeneration, {versions('transformers', 'tokenizers', 'torch', 'pillow')}",
        "config": config,
        "preprocessor": PREPROCESSOR,
        "question": QUESTION,
        "max_new_tokens": NEW_TOKENS,
        "answers": answers,
        "probes": N_PROBES,
        **listing,
        "runs": runs,
    }


def sizes() -> list[list[int]]:
    """Halves of 28 px, which are rounded to even, and sides that are too small or too large."""
    sides = [
        1,
        13,
        14,
        15,
        27,
        28,
        41,
        42,
        43,
        56,
        69,
        70,
        71,
        98,
        126,
        200,
        256,
        420,
        425,
        512,
        1000,
        1001,
        1600,
        4001,
    ]
    pairs = [(height, width) for height in sides for width in sides if max(height, width) <= 200 * min(height, width)]
    return [[height, width, *smart_resize(height, width, 28, 56 * 56, 28 * 28 * 1280)] for height, width in pairs]


if __name__ == "__main__":
    torch.set_num_threads(1)
    words = tokenizer()
    models = GOLDEN / "models"
    with tempfile.TemporaryDirectory() as folder:
        words.save_pretrained(folder)
        text = json.dumps(
            json.loads((Path(folder) / "tokenizer.json").read_text()), ensure_ascii=False, separators=(",", ":")
        )
    (models / "qwen2_5_vl_tokenizer.json").write_text(text + "\n")
    (models / "qwen2_5_vl_sizes.json").write_text(json.dumps(sizes(), separators=(",", ":")) + "\n")
    all_tokens = words.get_vocab()
    # A table with more vectors than tokens, as published.
    all_configs = configs(all_tokens, len(all_tokens) + 5)
    whole = processor(words)
    for model_name in sys.argv[1:] or all_configs:
        write(model_name, golden(model_name, all_configs[model_name], whole))
