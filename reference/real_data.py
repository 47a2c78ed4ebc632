"""Scores of the shared data's images, captions and boxes by the field's own tools.

PixCorr and SSIM: Pillow, torchvision Resize(425, bilinear), NumPy corrcoef, scikit-image structural_similarity.
Cap-Sim: sentence-transformers, mean over the reference captions. Object F1: plain Python (objects.py). Only the numbers
are stored, not the data.
"""

import json
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from sentence_transformers import SentenceTransformer
from skimage.color import rgb2gray
from skimage.metrics import structural_similarity
from torchvision import transforms

from objects import official_object_f1
from places import minilm, shared_data

HERE = Path(__file__).resolve().parent
GOLDEN = HERE / "golden" / "real_data"


def pixels(folder: Path) -> dict:
    resize = transforms.Resize(425, interpolation=transforms.InterpolationMode.BILINEAR, antialias=False)

    def load(path: Path) -> torch.Tensor:
        return resize(transforms.functional.to_tensor(Image.open(path).convert("RGB"))[None])[0]

    scores: dict = {}
    for system in ["subj01", "subj02", "subj05", "subj07", "subavg"]:
        rows = []
        for gt_path in sorted((folder / "gt").glob("*.png")):
            gt, recon = load(gt_path), load(folder / system / gt_path.name)
            pixcorr = np.corrcoef(gt.reshape(1, -1).numpy(), recon.reshape(1, -1).numpy())[0, 1]
            grey = [rgb2gray(image.permute(1, 2, 0).numpy()) for image in (gt, recon)]
            ssim = structural_similarity(
                *grey, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=1.0
            )
            rows.append({"stem": gt_path.stem, "pixcorr": float(pixcorr), "ssim": float(ssim)})
        scores[system] = rows
    return scores


def captions(folder: Path) -> None:
    model = SentenceTransformer(str(minilm()), device="cpu")

    def encode(texts: list[str]) -> np.ndarray:
        return model.encode(texts, batch_size=128, normalize_embeddings=True, show_progress_bar=False)

    references = json.loads((folder / "reference_coco.json").read_text())
    stems = sorted(references, key=int)
    flat = encode([text for stem in stems for text in references[stem]])
    counts = [len(references[stem]) for stem in stems]
    starts = np.concatenate([[0], np.cumsum(counts)])
    methods = sorted(path.stem for path in folder.glob("*.json") if path.stem != "reference_coco")
    table = np.zeros((len(methods), len(stems)), dtype=np.float32)
    for row, method in enumerate(methods):
        decoded = json.loads((folder / f"{method}.json").read_text())
        embedded = encode([decoded[stem] for stem in stems])
        for column in range(len(stems)):
            similarities = flat[starts[column] : starts[column + 1]] @ embedded[column]
            table[row, column] = similarities.mean()
    np.save(GOLDEN / "cap_sim.npy", table)
    (GOLDEN / "cap_sim_methods.json").write_text(json.dumps(methods) + "\n")


def boxes(folder: Path) -> list[float]:
    sides = [json.loads((folder / name).read_text()) for name in ("reference_coco.json", "umbrae-subj01.json")]

    def detections(objects: dict) -> dict:
        record: dict = {"labels": [], "scores": [], "bboxes": []}
        for name, found in objects.items():
            for box in found:
                box = box[0] if isinstance(box[0], list) else box
                record["labels"].append(name)
                record["scores"].append(1.0)
                record["bboxes"].append([425 * value for value in box])
        return record

    return [official_object_f1(*(detections(side[stem]) for side in sides)) for stem in sorted(sides[0], key=int)]


def main() -> None:
    GOLDEN.mkdir(parents=True, exist_ok=True)
    if folder := shared_data("brain-diffuser", "real_data/pixels.json"):
        (GOLDEN / "pixels.json").write_text(json.dumps(pixels(folder), indent=1) + "\n")
    if folder := shared_data("brainhub", "real_data/{object_f1,cap_sim,cap_sim_methods}"):
        (GOLDEN / "object_f1.json").write_text(json.dumps(boxes(folder / "boxes")) + "\n")
        captions(folder / "captions")


if __name__ == "__main__":
    main()
