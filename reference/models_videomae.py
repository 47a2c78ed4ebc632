"""Goldens of VideoMAE, fine-tuned on Kinetics-400, with synthetic checkpoints.

Reference: transformers' VideoMAEForVideoClassification with its default configuration (ViT-B/16, tubelets of two
frames) and 400 classes, float32, eval mode, one thread. Every tensor has the size of the published model; only the
number of blocks is cut to two. As in the released evaluations of clips, the model is built for the number of its
frames.

transformers_videomae_vit_b_16: from a file with the names that save_pretrained writes, which are those of the published
file; clips of 2, 6 and 16 frames. videomae_vit_b_16_5: the names of transformers' modules since version 5; clips of 2
frames. `inputs` are the images of model_goldens.py: frame k of clip j is image (j + k) modulo 3. It also describes the
records.

Run from `reference/`. Writes golden/models/{transformers_videomae_vit_b_16,videomae_vit_b_16_5}.json.
"""

import torch
import transformers

import models_layouts
from model_goldens import IMAGENET, IMAGES, check_rounding, checked_records, fill, images, run_taps, versions, write

N_PROBES = 32
N_BLOCKS = 2
KIND = "VideoMAEForVideoClassification"
TAPS = [
    "videomae.embeddings.patch_embeddings",
    "videomae.embeddings",
    *(f"videomae.encoder.layer.{index}" for index in range(N_BLOCKS)),
    "fc_norm",
    "classifier",
]


def config(n_frames: int, n_blocks: int = N_BLOCKS) -> transformers.VideoMAEConfig:
    return transformers.VideoMAEConfig(num_frames=n_frames, num_hidden_layers=n_blocks, num_labels=400)


def clips(n_frames: int) -> torch.Tensor:
    """The batch (3, n_frames, 3, 224, 224)."""
    of_images = images(224, IMAGENET)
    return torch.stack([torch.stack([of_images[(j + k) % 3] for k in range(n_frames)]) for j in range(3)])


def clip_run(name: str, model: torch.nn.Module, n_frames: int) -> dict:
    batch = clips(n_frames)
    outputs = run_taps(model, TAPS, lambda: model(batch))
    wide = model.double()
    check_rounding(name, outputs, run_taps(wide, TAPS, lambda: wide(batch.double())), N_PROBES)
    model.float()
    return {
        "size": 224,
        "frames": n_frames,
        **IMAGENET,
        "inputs": IMAGES,
        "taps": checked_records(name, {"input": batch.numpy(), **outputs}, N_PROBES),
    }


def golden(name: str, listing: dict, runs: list[dict]) -> dict:
    with torch.device("meta"):
        whole = getattr(transformers, KIND)(config(16, n_blocks=12))
    published = {"parameters": sum(p.numel() for p in whole.parameters()), "blocks": 12}
    return {
        "model": name,
        "reference": f"transformers.{KIND}, {versions('transformers', 'torch')}",
        "published": published,
        "seed": 0,
        "probes": N_PROBES,
        **listing,
        "runs": runs,
    }


def main() -> None:
    torch.set_num_threads(1)
    name = "transformers_videomae_vit_b_16"
    runs = []
    for n_frames in (2, 6, 16):
        models_layouts.TRANSFORMERS[name] = (KIND, config(n_frames))
        model, listing = models_layouts.of_transformers(name)
        runs.append(clip_run(name, model, n_frames))
    write(name, golden(name, listing, runs))
    name = "videomae_vit_b_16_5"
    model = getattr(transformers, KIND)(config(2))
    listing = fill(model)
    write(name, golden(name, listing, [clip_run(name, model, 2)]))


if __name__ == "__main__":
    main()
