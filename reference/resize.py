"""Resized images by torchvision (float tensors) and Pillow (8-bit): golden/resize.json.

References: torchvision 0.29.2 on torch 2.15.0 (on a CPU with AVX2 or AVX-512: the last bits of its
weights depend on fused multiply-add), Pillow 13.0.0. Each size pair is resized from noise and from
a smooth image; a large output is stored as a sample and a mean (float) or as a SHA-256 (8-bit).
"""

import hashlib
import json
from pathlib import Path

import numpy as np
import PIL.Image
import torch
from torchvision.transforms import InterpolationMode
from torchvision.transforms import functional as F

import synthetic

# width, height -> width, height
SIZES = [
    ((256, 256), (425, 425)),
    ((425, 425), (256, 256)),
    ((425, 640), (255, 384)),
    ((640, 425), (224, 224)),
    ((64, 64), (224, 224)),
    ((7, 5), (5, 7)),
    ((5, 7), (13, 3)),
    ((1, 9), (4, 6)),
    ((9, 1), (3, 2)),
    ((33, 20), (1, 1)),
    ((10, 4), (1, 6)),
    ((8, 12), (1, 12)),
    ((300, 100), (100, 33)),
    ((300, 100), (100, 100)),
    ((500, 375), (17, 11)),
    ((31, 47), (47, 31)),
    ((12, 90), (24, 10)),
    ((20, 40), (17, 34)),
    ((20, 40), (17, 33)),
    ((40, 30), (40, 21)),
    ((40, 30), (59, 30)),
    ((16, 16), (16, 16)),
    ((2, 2), (97, 3)),
]
# width, height, shorter side
SHORTER_SIDES = [
    (425, 640, 255),
    (640, 425, 255),
    (425, 425, 256),
    (500, 375, 224),
    (1, 7, 3),
    (333, 1000, 299),
    (1023, 767, 224),
    (3, 2, 1),
]
KEPT = 60
PILLOW = {
    "bilinear": PIL.Image.Resampling.BILINEAR,
    "bicubic": PIL.Image.Resampling.BICUBIC,
    "lanczos": PIL.Image.Resampling.LANCZOS,
}


def smooth(width: int, height: int) -> np.ndarray:
    """Ramps along x, y and x * y, in integers."""
    y, x = np.mgrid[:height, :width]
    ramps = [255 * x // width, 255 * y // height, 255 * x * y // (width * height)]
    return np.stack(ramps, axis=-1).astype(np.uint8)


def torchvision_resize(image: np.ndarray, size: tuple[int, int], filter: str, antialias: bool) -> np.ndarray:
    """Resizes (height, width, 3) float32."""
    width, height = size
    # With antialias, this torch repeats the first row in every row of an image that it resizes to one column. It
    # resizes one row correctly, so such an image is transposed first.
    on_its_side = antialias and width == 1 and height not in (1, image.shape[0])
    if on_its_side:
        image, width, height = image.transpose(1, 0, 2), height, width
    tensor = torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1)))
    resized = F.resize(tensor, [height, width], InterpolationMode(filter), antialias=antialias)
    resized = resized.numpy().transpose(1, 2, 0)
    return resized.transpose(1, 0, 2) if on_its_side else resized


def float_summary(resized: np.ndarray) -> dict:
    values = np.ascontiguousarray(resized).ravel()
    step = 1 if values.size <= KEPT else -(-values.size // KEPT)
    step += step > 1 and step % 3 == 0  # A step that is not a multiple of 3 visits every channel.
    return {
        "step": step,
        "sample": [float(f"{v:.9g}") for v in values[::step]],
        "mean": float(values.astype(np.float64).mean()),
    }


def u8_summary(resized: np.ndarray) -> dict:
    values = np.ascontiguousarray(resized)
    if values.size <= KEPT:
        return {"values": values.ravel().tolist()}
    return {"sha256": hashlib.sha256(values.tobytes()).hexdigest()}


def main() -> None:
    torch.set_num_threads(1)
    floats, bytes_ = [], []
    for seed, (source, target) in enumerate(SIZES):
        width, height = source
        shape = (height, width, 3)
        for name in ("noise", "smooth"):
            case = {"image": name, "seed": seed, "source": source, "target": target}
            is_noise = name == "noise"
            levels = synthetic.bytes_("resize", seed, shape) if is_noise else smooth(*source)
            unit = levels.astype(np.float32) / np.float32(256)
            if is_noise:
                unit = synthetic.uniform("resize", seed, shape)
            for filter in ("bilinear", "bicubic"):
                for antialias in (False, True):
                    resized = torchvision_resize(unit, target, filter, antialias)
                    mode = {"filter": filter, "antialias": antialias}
                    floats.append({**case, **mode, **float_summary(resized)})
            for filter, resample in PILLOW.items():
                resized = np.asarray(PIL.Image.fromarray(levels).resize(target, resample))
                bytes_.append({**case, "filter": filter, **u8_summary(resized)})
    shorter_side = []
    for width, height, side in SHORTER_SIDES:
        new_height, new_width = F._compute_resized_output_size((height, width), [side])
        size = {"source": [width, height], "side": side, "target": [new_width, new_height]}
        shorter_side.append(size)
    golden = {"float": floats, "u8": bytes_, "shorter_side": shorter_side}
    lines = [f'"{key}": [\n' + ",\n".join(json.dumps(case) for case in cases) + "\n]" for key, cases in golden.items()]
    path = Path(__file__).parent / "golden" / "resize.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
