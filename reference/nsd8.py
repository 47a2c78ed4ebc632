"""Goldens of the eight NSD metrics from images: golden/nsd8.json.

The protocol of MindEye2's final evaluation (its notebook, as torch 2.1 and torchvision 0.16 ran it: no antialiasing),
on six pairs of images with synthetic weights: all images are resized to 256 x 256 first; then to every model's own
size, bilinearly; ImageNet's or CLIP's statistics; identification by np.corrcoef over flattened features, EffNet and
SwAV as scipy's correlation distance, PixCorr and SSIM at 425 px. The results are per pair, not averaged.

    python nsd8.py            writes the golden (half a minute; CLIP ViT-L/14 needs 2 GB)
"""

import json
from pathlib import Path

import numpy as np
import torch
import torchvision
from scipy.spatial.distance import correlation
from skimage.color import rgb2gray
from skimage.metrics import structural_similarity
from torchvision.transforms import Resize
from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection

from model_goldens import CLIP, GOLDEN, IMAGENET, fill, photograph, run_taps

SIZE = 256
# Photograph, left, top of each stimulus's window.
WINDOWS = [
    ("astronaut", 0, 0),
    ("astronaut", 256, 0),
    ("astronaut", 100, 256),
    ("coffee", 0, 0),
    ("coffee", 344, 10),
    ("coffee", 150, 144),
]
DAMPED = {
    "efficientnet_b1": {"fc1.weight": 0.125, "fc2.weight": 0.125},
    "swav_resnet50": {"bn3.weight": 0.25},
}


def pairs() -> tuple[np.ndarray, np.ndarray]:
    """Stimuli, and reconstructions: the mean of the stimulus and the two after it."""
    gt = np.stack([photograph(name)[top : top + SIZE, left : left + SIZE] for name, left, top in WINDOWS])
    wide = gt.astype(np.uint16)
    return gt, ((wide + np.roll(wide, -1, 0) + np.roll(wide, -2, 0)) // 3).astype(np.uint8)


def resized(images: torch.Tensor, size: int) -> torch.Tensor:
    return Resize(size, antialias=False)(Resize((SIZE, SIZE), antialias=False)(images))


def features(images: torch.Tensor, size: int, statistics: dict, model: torch.nn.Module, tap: str) -> np.ndarray:
    mean, std = (torch.tensor(statistics[key]).reshape(3, 1, 1) for key in ("mean", "std"))
    x = (resized(images, size) - mean) / std
    rows = run_taps(model, [tap], lambda: model(x))[tap] if tap else model(pixel_values=x).image_embeds.numpy()
    return np.asarray(rows).reshape(len(rows), -1)


def identification(real: np.ndarray, recon: np.ndarray) -> list[float]:
    """For each reconstruction, the share of other stimuli that are less similar to it than its own."""
    n = len(real)
    r = np.corrcoef(real, recon)[:n, n:]
    return [float(sum(r[i, j] < r[j, j] for i in range(n) if i != j) / (n - 1)) for j in range(n)]


def distance(real: np.ndarray, recon: np.ndarray) -> list[float]:
    return [float(correlation(a.astype(np.float64), b.astype(np.float64))) for a, b in zip(real, recon)]


def pixels(gt: torch.Tensor, recon: torch.Tensor) -> dict[str, list[float]]:
    a, b = (resized(side, 425).permute(0, 2, 3, 1).numpy() for side in (gt, recon))
    return {
        "pixcorr": [float(np.corrcoef(x.ravel(), y.ravel())[0, 1]) for x, y in zip(a, b)],
        "ssim": [
            float(
                structural_similarity(
                    rgb2gray(y),
                    rgb2gray(x),
                    gaussian_weights=True,
                    sigma=1.5,
                    use_sample_covariance=False,
                    data_range=1.0,
                )
            )
            for x, y in zip(a, b)
        ],
    }


def main() -> None:
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    gt, recon = (torch.from_numpy(side).permute(0, 3, 1, 2).float() / 255 for side in pairs())
    models, scores = {}, pixels(gt, recon)

    def add(model_id: str, model: torch.nn.Module, size: int, statistics: dict, taps: dict) -> None:
        models[model_id] = fill(model, DAMPED.get(model_id))
        for metric, (tap, compare) in taps.items():
            sides = [features(side, size, statistics, model, tap) for side in (gt, recon)]
            scores[metric] = compare(*sides)
            print(metric, scores[metric], flush=True)

    vision = torchvision.models
    taps = {"alexnet2": ("features.4", identification), "alexnet5": ("features.11", identification)}
    add("alexnet", vision.alexnet(), 256, IMAGENET, taps)
    inception = vision.inception_v3(init_weights=False, transform_input=True)
    add("inception_v3", inception, 342, IMAGENET, {"inception": ("avgpool", identification)})
    large = CLIPVisionConfig(
        hidden_size=1024,
        intermediate_size=4096,
        num_hidden_layers=24,
        num_attention_heads=16,
        patch_size=14,
        image_size=224,
        projection_dim=768,
    )
    add("clip_vit_l_14", CLIPVisionModelWithProjection(large), 224, CLIP, {"clip": ("", identification)})
    add("efficientnet_b1", vision.efficientnet_b1(), 255, IMAGENET, {"effnet": ("avgpool", distance)})
    add("swav_resnet50", vision.resnet50(), 224, IMAGENET, {"swav": ("avgpool", distance)})
    listing = {
        name: {key: listed[key] for key in ("damped", "tensors") if key in listed} for name, listed in models.items()
    }
    golden = {"windows": WINDOWS, "size": SIZE, "models": listing, "scores": scores}
    Path(GOLDEN / "nsd8.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
