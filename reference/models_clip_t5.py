"""Goldens of CLIP-FlanT5 (from a picture and a statement, the probability of "Yes") with a synthetic checkpoint.

Reference: parts of transformers, float32, eval mode, one thread, attention written out ("eager"), every part's tensors
loaded strictly: CLIPVisionModel, whose last hidden state but one is used without the class token; Linear, GELU, Linear
of torch; models_t5.py's T5ForConditionalGeneration, whose encoder gets vectors, with the answer as labels. The score is
that of the released code (t2v_metrics 3.0): exp(-loss), the geometric mean of the probabilities of the answer's tokens,
after the output map is cut to the number of the tokenizer's tokens; the model has five more rows. The released code
cuts with resize_token_embeddings of transformers 4; that of transformers 5 would also make the table of tokens the
output map, so this script cuts by itself. Pictures are padded to a square as in the released code, then prepared by
CLIP's processor (the one on Pillow). The prompt is split at the picture, and each part gets its own end token.

golden/models/clip_t5_reduced.json has, besides what model_goldens.py describes:
  config    config.json with the fields that the released code writes
  tower     config.json of the image tower, as in CLIP's repositories
  question, answer, n_tokens (of the tokenizer)
  runs      one for every picture: {picture, height, width: the central window of a photograph, caption, before, behind:
            ids around the picture, answer: ids, log_probabilities: of the answer's tokens, t2v, first_token, taps};
            "logits" are of all rows
golden/models/clip_t5_tokenizer.json is the tokenizer.

The golden must be able to show mistakes: the script stops unless the score would differ without the first end token,
with all rows of the table of tokens, with an arithmetic mean, with the class token instead of the first patch, and with
the last hidden state.

Run from `reference/`.
"""

import json
import math
import tempfile
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from transformers import CLIPVisionConfig, CLIPVisionModel, T5Tokenizer
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

import models_t5
import synthetic
from model_goldens import CLIP, GOLDEN, check_rounding, checked_records, photograph, versions, window, write

NAME = "clip_t5_reduced"
SYSTEM = (
    "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, detailed, and polite answers "
    "to the user's questions."
)
PROMPT = SYSTEM + " USER: <image>\n{} ASSISTANT: "
QUESTION = 'Does this figure show "{}"? Please answer yes or no.'
ANSWER = "Yes"
# A square, a wide and a high one whose paddings are odd, and one smaller than the tower's images.
RUNS = [
    ("astronaut", 300, 300, "a woman in an orange suit"),
    ("coffee", 200, 331, "a cup of coffee."),
    ("astronaut", 211, 90, "two dogs, and a \u201cred\u201d boat"),
    ("coffee", 31, 40, "a"),
]
TOWER = {
    "hidden_size": 128, "intermediate_size": 300, "num_hidden_layers": 3, "num_attention_heads": 2, "image_size": 70, "patch_size": 14,
    "hidden_act": "quick_gelu", "layer_norm_eps": 1e-5,
}  # fmt: skip
TEXT = {
    "feed_forward_proj": "gated-gelu", "dropout_rate": 0.1, "d_model": 48, "d_kv": 8, "d_ff": 80, "num_layers": 3,
    "num_decoder_layers": 2, "num_heads": 4, "relative_attention_num_buckets": 8, "relative_attention_max_distance": 40,
    "decoder_start_token_id": 0, "tie_word_embeddings": False,
}  # fmt: skip
TOWER_NAME = "openai/clip-vit-large-patch14-336"
IN_FILE = "vision_tower.vision_tower.vision_model."
N_SPARE_ROWS = 5
FLATTER = 0.125
N_PROBES = 32
# The least difference that a wrong score must have.
TELLING = 1e-3


def tokenizer() -> T5Tokenizer:
    words = sorted(set((SYSTEM + " USER: " + QUESTION + " ASSISTANT: Yes").replace('"{}"?', "").split()))
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)] + list('"?.,') + ["\u201c", "\u201d"]
    pieces = ["<pad>", "</s>", "<unk>", "\u2581", *("\u2581" + word for word in words), *letters]
    scores = [(piece, 0.0 if index < 3 else -2.0 - 3.0 * (len(piece) == 1)) for index, piece in enumerate(pieces)]
    return T5Tokenizer(vocab=scores, extra_ids=0)


def synthetic_part(module: torch.nn.Module, name_of) -> dict[str, list[int]]:
    """Loads a part's tensors by their published names, and returns these with the shapes."""
    state, listing = {}, {}
    for name, tensor in module.state_dict().items():
        if tensor.is_floating_point():
            listing[name_of(name)] = list(tensor.shape)
            state[name] = torch.from_numpy(np.asarray(synthetic.parameter(name_of(name), tuple(tensor.shape))))
        else:
            state[name] = tensor
    module.load_state_dict(state, strict=True)
    module.eval()
    return listing


def padded(picture: Image.Image) -> Image.Image:
    side = max(picture.size)
    square = Image.new("RGB", (side, side), tuple(int(mean * 255) for mean in CLIP["mean"]))
    square.paste(picture, tuple((side - length) // 2 for length in picture.size))
    return square


def prepared(picture: Image.Image) -> torch.Tensor:
    side = TOWER["image_size"]
    processor = CLIPImageProcessorPil(
        size={"shortest_edge": side},
        crop_size={"height": side, "width": side},
        resample=3,
        image_mean=CLIP["mean"],
        image_std=CLIP["std"],
    )
    return processor(images=[padded(picture)], return_tensors="pt")["pixel_values"].float()


class Whole:
    def __init__(self, words: T5Tokenizer):
        self.words = words
        self.tower = CLIPVisionModel(CLIPVisionConfig(**TOWER, attn_implementation="eager"))
        width = TEXT["d_model"]
        self.projector = torch.nn.Sequential(
            torch.nn.Linear(TOWER["hidden_size"], width), torch.nn.GELU(), torch.nn.Linear(width, width)
        )
        self.text_config = {**TEXT, "vocab_size": len(words) + N_SPARE_ROWS}
        self.text, texts, self.damped = models_t5.load(NAME, self.text_config)
        # Otherwise one token would have nearly all of the probability.
        self.text.lm_head.weight.mul_(FLATTER)
        self.damped["lm_head.weight"] *= FLATTER
        towers = synthetic_part(self.tower, lambda name: IN_FILE + name.removeprefix("vision_model."))
        projectors = synthetic_part(self.projector, lambda name: f"mm_projector.{name}")
        self.tensors = {**towers, **projectors, **texts}

    def to(self, dtype: torch.dtype) -> None:
        for part in (self.tower, self.projector, self.text):
            part.to(dtype)

    def ids(self, text: str) -> list[list[int]]:
        return [self.words(part).input_ids for part in text.split("<image>")]

    def run(
        self, pixels: torch.Tensor, before: list[int], behind: list[int], answer: list[int], which: str = ""
    ) -> dict:
        states = self.tower(pixels, output_hidden_states=True).hidden_states
        tokens = states[-1 if which == "last state" else -2]
        tokens = tokens[:, :-1] if which == "class token" else tokens[:, 1:]
        projected = self.projector(tokens)
        embed = self.text.get_input_embeddings()
        vectors = torch.cat([embed(torch.tensor([before])), projected, embed(torch.tensor([behind]))], 1)
        mask = torch.ones(vectors.shape[:2], dtype=torch.long)
        output = self.text(inputs_embeds=vectors, attention_mask=mask, labels=torch.tensor([answer]), use_cache=False)
        return {
            "loss": output.loss,
            "taps": {
                "input": pixels[0].permute(1, 2, 0),
                "tower": tokens[0],
                "projected": projected[0],
                "encoder": output.encoder_last_hidden_state[0],
                "logits": output.logits[0],
            },
        }


def taps_of(whole: Whole, inputs: list[tuple]) -> dict[str, list[np.ndarray]]:
    runs = [whole.run(*each)["taps"] for each in inputs]
    return {tap: [run[tap].numpy() for run in runs] for tap in runs[0]}


def main() -> None:
    words = tokenizer()
    whole = Whole(words)
    inputs, runs = [], []
    for name, height, width, caption in RUNS:
        picture = Image.fromarray(window(photograph(name), height, width))
        before, behind = whole.ids(PROMPT.format(QUESTION.format(caption)))
        (answer,) = whole.ids(ANSWER)
        assert len(answer) == 2 and before[-1] == behind[-1] == answer[-1] == words.eos_token_id
        assert words.unk_token_id not in before + behind + answer
        inputs.append((prepared(picture), before, behind, answer))
        ids = {"before": before, "behind": behind, "answer": answer}
        runs.append({"picture": name, "height": height, "width": width, "caption": caption, **ids})

    outputs = taps_of(whole, inputs)
    with_all_rows = [math.exp(-whole.run(*each)["loss"].item()) for each in inputs]
    whole.to(torch.float64)
    wide = [(pixels.double(), *rest) for pixels, *rest in inputs]
    check_rounding(NAME, outputs, taps_of(whole, wide), N_PROBES)
    records = checked_records(NAME, outputs, N_PROBES)

    # Scores in float64, with only the tokenizer's tokens.
    head = whole.text.lm_head.weight
    whole.text.lm_head.weight = torch.nn.Parameter(head[: len(words)].clone())
    for index, (each, run) in enumerate(zip(wide, runs)):
        output = whole.run(*each)
        logits = output["taps"]["logits"]
        assert logits.shape == (2, len(words))
        logs = torch.log_softmax(logits, -1)[torch.arange(2), torch.tensor(each[3])].tolist()
        score = math.exp(-output["loss"].item())
        assert abs(score - math.exp(sum(logs) / 2)) < 1e-6
        pixels, before, behind, answer = each
        wrong = {
            "all rows": with_all_rows[index],
            "no end before the picture": math.exp(-whole.run(pixels, before[:-1], behind, answer)["loss"].item()),
            "arithmetic mean": (math.exp(logs[0]) + math.exp(logs[1])) / 2,
            "class token": math.exp(-whole.run(*each, which="class token")["loss"].item()),
            "last state": math.exp(-whole.run(*each, which="last state")["loss"].item()),
        }
        print(run["picture"], score, math.exp(logs[0]), wrong, flush=True)
        assert all(abs(other - score) > TELLING * score for other in wrong.values())
        run |= {"log_probabilities": logs, "t2v": math.exp(sum(logs) / 2), "first_token": math.exp(logs[0])}
        run["taps"] = {tap: [each[index]] for tap, each in records.items()}

    config = {
        "model_type": "clip_t5", "architectures": ["CLIPT5ForConditionalGeneration"], "pad_token_id": 0, "eos_token_id": 1,
        **whole.text_config, "mm_vision_tower": TOWER_NAME, "mm_vision_select_layer": -2,
        "mm_vision_select_feature": "patch", "mm_projector_type": "mlp2x_gelu", "mm_hidden_size": TOWER["hidden_size"],
        "mm_use_im_start_end": False, "mm_use_im_patch_token": False,
    }  # fmt: skip
    packages = versions("transformers", "tokenizers", "torch", "pillow")
    write(NAME, {
        "model": NAME,
        "reference": f"transformers' CLIPVisionModel and T5ForConditionalGeneration, {packages}",
        "config": config,
        "tower": {"model_type": "clip", "vision_config": TOWER},
        "question": QUESTION,
        "answer": ANSWER,
        "n_tokens": len(words),
        "seed": 0,
        "probes": N_PROBES,
        "damped": whole.damped,
        "tensors": whole.tensors,
        "runs": runs,
    })  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        words.save_pretrained(folder)
        text = json.dumps(
            json.loads((Path(folder) / "tokenizer.json").read_text()), ensure_ascii=False, separators=(",", ":")
        )
    (GOLDEN / "models" / "clip_t5_tokenizer.json").write_text(text + "\n")


if __name__ == "__main__":
    torch.set_num_threads(1)
    with torch.no_grad():
        main()
