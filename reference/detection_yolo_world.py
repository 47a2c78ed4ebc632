"""Goldens for the steps before and after YOLO-World's network, as mmyolo describes them: OpenCV resizes images, which
are padded with grey to squares, and torchvision's batched_nms removes overlapping objects from the head's outputs.

Run from `reference/` with the packages of requirements.txt. Writes golden/detection_yolo_world.json.
"""

import json
from pathlib import Path

import cv2
import numpy as np
import torch
import torchvision

import synthetic
from model_goldens import photograph, window

# Width and height of a window of a photograph, and the side of the square: reduced by a whole factor and by others,
# unchanged, enlarged.
CASES = [
    ("coffee", 400, 320, 200),
    ("coffee", 600, 300, 200),
    ("coffee", 425, 300, 64),
    ("coffee", 333, 397, 160),
    ("astronaut", 160, 100, 160),
    ("astronaut", 101, 60, 160),
    ("astronaut", 37, 90, 128),
]
N_PROBES = 400


def square(pixels: np.ndarray, side: int) -> np.ndarray:
    height, width = pixels.shape[:2]
    scale = min(side / max(height, width), side / min(height, width))
    if scale != 1:
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        pixels = cv2.resize(pixels, (int(width * scale), int(height * scale)), interpolation=how)
    height, width = pixels.shape[:2]
    top, left = int(round((side - height) // 2 - 0.1)), int(round((side - width) // 2 - 0.1))
    sides = (top, side - height - top, left, side - width - left)
    return cv2.copyMakeBorder(pixels, *sides, cv2.BORDER_CONSTANT, value=(114, 114, 114))


# Case, number of names, size of the image, and how many objects are kept: a wide image, a high one, few objects.
OUTPUTS = [("wide", 3, (200, 90), 300), ("high", 2, (50, 70), 300), ("few", 4, (64, 64), 5)]
SIDE = 64


def objects(name: str, n_names: int, original: tuple[int, int], most: int) -> dict:
    maps = [(SIDE // stride, stride) for stride in (8, 16, 32)]
    points = torch.cat(
        [
            torch.tensor(
                [[(column + 0.5) * stride, (row + 0.5) * stride, stride] for row in range(n) for column in range(n)]
            )
            for n, stride in maps
        ]
    )
    logits = torch.from_numpy(synthetic.uniform(f"{name} logits", 0, (len(points), n_names))) * 12 - 9
    sides = torch.from_numpy(synthetic.uniform(f"{name} sides", 0, (len(points), 4))) * 3
    x, y, stride = points.float().unbind(dim=1)
    left, up, right, down = (sides * stride[:, None]).unbind(dim=1)
    boxes = torch.stack([x - left, y - up, x + right, y + down], dim=1)
    scores, at = logits.sigmoid().flatten().sort(descending=True, stable=True)
    n_above = int((scores > 0.001).sum())
    assert 0 < n_above < len(scores)
    scores, at = scores[:n_above][:30000], at[:n_above][:30000]
    boxes, labels = boxes[at // n_names], at % n_names
    width, height = original
    ratio = min(SIDE / max(original), SIDE / min(original))
    resized = int(width * ratio), int(height * ratio)
    beside = [int(round((SIDE - side) // 2 - 0.1)) for side in resized]
    boxes = boxes - torch.tensor([*beside, *beside])
    boxes = boxes / torch.tensor([resized[0] / width, resized[1] / height] * 2, dtype=torch.float32)
    kept = torchvision.ops.batched_nms(boxes, scores, labels, 0.7)
    assert len(kept) < n_above  # some overlap
    kept = kept[:most]
    boxes = boxes[kept]
    boxes[:, 0::2].clamp_(0, width)
    boxes[:, 1::2].clamp_(0, height)
    return {
        "name": name,
        "n_names": n_names,
        "side": SIDE,
        "original": original,
        "most": most,
        "labels": labels[kept].tolist(),
        "scores": scores[kept].tolist(),
        "boxes": boxes.tolist(),
    }


def main() -> None:
    cases = []
    for name, width, height, side in CASES:
        found = square(np.ascontiguousarray(window(photograph(name), height, width)), side)
        assert found.shape == (side, side, 3)
        at = synthetic.bits("probe", 0, N_PROBES) % np.uint64(found.size)
        values = found.reshape(-1)[at.astype(np.int64)]
        total = int(found.astype(np.int64).sum())
        cases.append(
            {"image": name, "width": width, "height": height, "side": side, "sum": total, "values": values.tolist()}
        )
    outputs = [objects(*case) for case in OUTPUTS]
    made = {"opencv": cv2.__version__, "torchvision": torchvision.__version__}
    golden = {**made, "cases": cases, "outputs": outputs}
    Path("golden/detection_yolo_world.json").write_text(json.dumps(golden) + "\n")


if __name__ == "__main__":
    main()
