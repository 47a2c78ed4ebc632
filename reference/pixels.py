"""Goldens for the metrics of pixels, of feature vectors and of caption embeddings.

The references are numpy (PixCorr), scikit-image (SSIM, PSNR), scipy (correlation distance) and
sentence-transformers (Cap-Sim), each called as the field's evaluation code calls it. Inputs are made
here and, identically, in crates/metrics/tests/pixels.rs: noise, ramps, and ramps under noise. The
arithmetic is such that both languages round alike.

Run from `reference/` with the packages of requirements.txt. Writes golden/pixels.json.
"""

import json
from pathlib import Path

import numpy as np
from scipy.spatial.distance import correlation
from sentence_transformers import util
from skimage.color import rgb2gray
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

import synthetic

SIZES = [(11, 11), (12, 37), (37, 12), (64, 48), (425, 425)]
N_FEATURES = [3, 384, 2048, 5000]
N_EMBEDDING = 384


def noise(name: str, width: int, height: int) -> np.ndarray:
    return synthetic.uniform(name, 0, (height, width, 3))


def ramps(step_x: int, step_y: int, width: int, height: int) -> np.ndarray:
    """Triangle waves of period 512 in whole steps, over 255: smooth and free of rounding."""
    y, x, channel = np.mgrid[0:height, 0:width, 0:3]
    phase = (x * step_x * (channel + 1) + y * step_y + 40 * channel) % 512
    return np.minimum(phase, 511 - phase).astype(np.float32) / np.float32(255)


def image_pairs(width: int, height: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    gt = ramps(2, 1, width, height)
    veil = noise("veil", width, height)
    return {
        "noise": (noise("gt", width, height), noise("recon", width, height)),
        "ramps": (gt, ramps(1, 3, width, height)),
        "veiled": (gt, np.float32(0.75) * gt + np.float32(0.25) * veil),
        "flat": (np.full_like(gt, 0.75), np.full_like(gt, 0.6875)),
    }


def ssim(gt: np.ndarray, recon: np.ndarray) -> float:
    return structural_similarity(
        rgb2gray(gt),
        rgb2gray(recon),
        gaussian_weights=True,
        sigma=1.5,
        use_sample_covariance=False,
        data_range=1.0,
    )


def image_cases() -> list[dict]:
    cases = []
    for width, height in SIZES:
        for kind, (gt, recon) in image_pairs(width, height).items():
            assert gt.dtype == recon.dtype == rgb2gray(gt).dtype == np.float32
            flat = kind == "flat"
            cases.append(
                {
                    "kind": kind,
                    "width_px": width,
                    "height_px": height,
                    "pixcorr": None
                    if flat
                    else float(np.corrcoef(gt.reshape(1, -1), recon.reshape(1, -1))[0, 1]),
                    "ssim": float(ssim(gt, recon)),
                    "ssim_f64": float(ssim(gt.astype(np.float64), recon.astype(np.float64))),
                    "psnr": float(peak_signal_noise_ratio(gt, recon, data_range=1)),
                }
            )
    return cases


def feature_cases() -> list[dict]:
    cases = []
    for n in N_FEATURES:
        gt = synthetic.uniform("features.gt", 0, (n,))
        for weight in [0.0, 0.5, 0.9375]:
            other = synthetic.uniform("features.recon", 0, (n,))
            recon = np.float32(weight) * gt + np.float32(1 - weight) * other
            distance = float(correlation(gt, recon))
            cases.append({"n_features": n, "weight": weight, "distance": distance})
    return cases


def caption_case() -> dict:
    """Vectors around zero that are not of unit length; the second reference is near the caption."""
    caption = synthetic.uniform("caption", 0, (N_EMBEDDING,)) - np.float32(0.5)
    references = synthetic.uniform("references", 0, (3, N_EMBEDDING)) - np.float32(0.5)
    references[1] += caption
    similarities = util.cos_sim(references, caption).numpy()[:, 0].astype(np.float64)
    return {
        "n_features": N_EMBEDDING,
        "mean": float(similarities.mean()),
        "max": float(similarities.max()),
        "first": float(similarities[0]),
    }


def main() -> None:
    golden = {"images": image_cases(), "features": feature_cases(), "captions": caption_case()}
    path = Path(__file__).parent / "golden" / "pixels.json"
    path.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
