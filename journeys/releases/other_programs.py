"""Captions and boxes of 20 images in ten files as other programs write them: tables, JSON Lines, Flickr8k, COCO, mmdetection,
YOLO, transformers.

python journeys/releases/other_programs.py      # it needs NumPy
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np

WIDTH, HEIGHT = 160, 120
# COCO's ids of categories, and the positions of their names in COCO's list of 80.
CATEGORIES = {"bird": (16, 14), "cat": (17, 15), "dog": (18, 16)}
NAMES = list(CATEGORIES)


def write(folder: Path) -> None:
    rng = np.random.default_rng(7)
    folder.mkdir()
    seen = [str(rng.choice(NAMES)) for _ in range(20)]
    decoded = [name if rng.random() < 0.7 else str(rng.choice(NAMES)) for name in seen]
    write_captions(folder, seen, decoded)
    write_boxes(folder, seen, decoded, rng.uniform(0, 60, (20, 2)).round(1))


def write_captions(folder: Path, seen: list[str], decoded: list[str]) -> None:
    references = [f"a {name} on a beach|one {name} in the sand".split("|") for name in seen]
    texts = [f"a {name} on a beach" for name in decoded]
    captions_val = {
        "info": {"year": 2014},
        "images": [{"id": n, "file_name": f"{n}.jpg"} for n in range(20)],
        "annotations": [
            {"id": 2 * n + place, "image_id": n, "caption": text}
            for n, pair in enumerate(references)
            for place, text in enumerate(pair)
        ],
    }
    (folder / "captions_val.json").write_text(json.dumps(captions_val))
    (folder / "Flickr8k.token.txt").write_text(
        "".join(f"{n}.jpg#{place}\t{text}\n" for n, pair in enumerate(references) for place, text in enumerate(pair))
    )
    results = [{"image_id": n, "caption": text} for n, text in enumerate(texts)]
    (folder / "results.json").write_text(json.dumps(results))
    with (folder / "captions.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("image", "caption"), *((f"{n}.png", text) for n, text in enumerate(texts))])
    lines = [json.dumps({"image": f"{n}.png", "text": text}) for n, text in enumerate(texts)]
    (folder / "lines.jsonl").write_text("\n".join(lines) + "\n")


def write_boxes(folder: Path, seen: list[str], decoded: list[str], corners: np.ndarray) -> None:
    boxes = [[float(x), float(y), 80.0, 50.0] for x, y in corners]
    instances = {
        "images": [{"id": n, "file_name": f"{n}.jpg", "width": WIDTH, "height": HEIGHT} for n in range(20)],
        "categories": [{"id": number, "name": name} for name, (number, _) in CATEGORIES.items()],
        "annotations": [
            {"id": n + 1, "image_id": n, "category_id": CATEGORIES[name][0], "bbox": box, "area": 4000.0, "iscrowd": 0}
            for n, (name, box) in enumerate(zip(seen, boxes, strict=True))
        ],
    }
    (folder / "instances.json").write_text(json.dumps(instances))
    results = [
        {"image_id": n, "category_id": CATEGORIES[name][0], "bbox": box, "score": 0.9}
        for n, (name, box) in enumerate(zip(decoded, boxes, strict=True))
    ]
    (folder / "boxes.json").write_text(json.dumps(results))
    for name in ("mmdetection", "pipeline", "yolo/labels"):
        (folder / name).mkdir(parents=True)
    for n, (name, (x, y, width, height)) in enumerate(zip(decoded, boxes, strict=True)):
        found = {"labels": [CATEGORIES[name][1]], "scores": [0.9], "bboxes": [[x, y, x + width, y + height]]}
        sample = {"img_id": n, "ori_shape": [HEIGHT, WIDTH], "pred_instances": found}
        (folder / "mmdetection" / f"{n}.json").write_text(json.dumps(sample))
        box = {"xmin": x, "ymin": y, "xmax": x + width, "ymax": y + height}
        (folder / "pipeline" / f"{n}.json").write_text(json.dumps([{"score": 0.9, "label": name, "box": box}]))
        centre = ((x + width / 2) / WIDTH, (y + height / 2) / HEIGHT, width / WIDTH, height / HEIGHT)
        line = " ".join([str(NAMES.index(name)), *(f"{share:.6f}" for share in centre), "0.9"])
        (folder / "yolo" / "labels" / f"{n}.txt").write_text(line + "\n")
    (folder / "yolo" / "labels" / "classes.txt").write_text("\n".join(NAMES) + "\n")


if __name__ == "__main__":
    write(Path("others"))
