"""Masks by pycocotools: run lengths as text, area, box, union, intersection, overlap, polygons, and COCO's evaluation.

Random masks are made here and, equally, in crates/facade/tests/masks_golden.rs: pixel (x, y) of mask `seed` is inside
if byte 8 + 4096 (x // step) + y // step of the synthetic array "mask" is below a share; size, step and share are its
first bytes. Polygons and small data sets are drawn with NumPy and stored. For the shared data, twelve numbers and
hashes of all masks are stored.

Run from `reference/` with the packages of requirements.txt. Writes golden/masks.json.
"""

import contextlib
import copy
import hashlib
import io
import json
from pathlib import Path

import numpy as np
from pycocotools import mask as mask_utils
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from places import shared_data

GOLDEN = Path("golden/masks.json")


def bytes_at(seed: int, indices: np.ndarray) -> np.ndarray:
    """Values of the synthetic array at some positions, without computing all before them."""
    key = 0xCBF29CE484222325
    for byte in b"mask":
        key = ((key ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    with np.errstate(over="ignore"):
        step = np.uint64(0x9E3779B97F4A7C15)
        z = np.uint64(key ^ seed) + (indices.astype(np.uint64) + np.uint64(1)) * step
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return ((z ^ (z >> np.uint64(31))) >> np.uint64(56)).astype(np.int64)


def drawn(seed: int, size: tuple[int, int] | None = None) -> np.ndarray:
    first = bytes_at(seed, np.arange(4))
    height, width = size or (1 + int(first[0]) % 60, 1 + int(first[1]) % 60)
    step, share = 1 + int(first[2]) % 8, int(first[3])
    y, x = np.mgrid[:height, :width]
    inside = bytes_at(seed, 8 + 4096 * (x // step) + y // step) < share
    return np.asfortranarray(inside.astype(np.uint8))


def text(rle: dict) -> str:
    return rle["counts"].decode()


def single_masks() -> list:
    cases = []
    for seed in range(60):
        rle = mask_utils.encode(drawn(seed))
        cases.append(
            {
                "size": [int(side) for side in rle["size"]],
                "counts": text(rle),
                "area": int(mask_utils.area(rle)),
                "bbox": mask_utils.toBbox(rle).tolist(),
            }
        )
    return cases


def groups() -> list:
    cases = []
    for group in range(8):
        size = (24 + group, 31 - group)
        masks = [mask_utils.encode(drawn(1000 * (group + 1) + place, size)) for place in range(9)]
        predicted, truth = masks[:5], masks[5:]
        crowd = [0, 1, 0, 1]
        cases.append(
            {
                "size": size,
                "union": text(mask_utils.merge(masks)),
                "intersection": text(mask_utils.merge(masks[:3], intersect=True)),
                "iou": mask_utils.iou(predicted, truth, [0] * 4).tolist(),
                "iou_crowd": mask_utils.iou(predicted, truth, crowd).tolist(),
            }
        )
    return cases


def polygons() -> list:
    random = np.random.default_rng(7)
    cases = []
    explicit = [
        (5, 5, [[1, 1, 3, 1, 3, 3, 1, 3]]),
        (5, 5, [[0, 0, 5, 0, 5, 5, 0, 5]]),
        (5, 5, [[-3, -3, 9, -3, 9, 9, -3, 9]]),
        (5, 5, [[2, 2, 2, 2, 2, 2]]),
        (5, 5, [[1, 1, 1, 1, 4, 1, 4, 4, 4, 4]]),
        (4, 6, [[0.5, 0.5, 3.5, 0.5, 3.5, 2.5], [2, 1, 5, 1, 5, 3]]),
        (7, 3, [[10, 10, 12, 10, 12, 12]]),
        (1, 1, [[0, 0, 1, 0, 1, 1, 0, 1]]),
        (6, 6, [[1, 1, 5, 5, 5, 1, 1, 5]]),
        (6, 6, [[0, 3, 6, 3, 0, 3]]),
    ]
    for height, width, shapes in explicit:
        cases.append((height, width, shapes))
    for case in range(60):
        height, width = int(random.integers(1, 50)), int(random.integers(1, 50))
        shapes = []
        for _ in range(int(random.integers(1, 4))):
            n = int(random.integers(3, 12))
            reach = np.array([width, height]) * (1.0 if case % 3 else 1.6)
            points = random.random((n, 2)) * reach - (0 if case % 3 else 0.3 * reach)
            points = [points.round(2), points.round(0), (points * 5).round(0) / 5 + 0.1][case % 3]
            shapes.append(points.ravel().tolist())
        cases.append((height, width, shapes))
    found = []
    for height, width, shapes in cases:
        parts = mask_utils.frPyObjects(shapes, height, width)
        found.append(
            {
                "size": [height, width],
                "polygons": shapes,
                "parts": [text(part) for part in parts],
                "counts": text(mask_utils.merge(parts)),
            }
        )
    return found


def evaluate(truth: dict, results: list, kind: str = "segm") -> list[float]:
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO()
        coco.dataset = truth
        coco.createIndex()
        evaluation = COCOeval(coco, coco.loadRes(copy.deepcopy(results)), kind)
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return evaluation.stats.tolist()


def blob(random: np.random.Generator, height: int, width: int) -> np.ndarray:
    y, x = np.mgrid[:height, :width]
    cy, cx = random.random(2) * [height, width]
    ry, rx = random.random(2) * [height, width] * 0.4 + 1
    inside = ((y - cy) / ry) ** 2 + ((x - cx) / rx) ** 2 <= 1
    return np.asfortranarray(inside.astype(np.uint8))


def data_set(seed: int) -> dict:
    """Images with blobs, including crowds, and results: blobs that are moved slightly, with the right or another
    category."""
    random = np.random.default_rng(seed)
    truth = {"images": [], "annotations": [], "categories": [{"id": 3 * k + 2, "name": f"c{k}"} for k in range(4)]}
    results = []
    for image in range(10):
        height, width = int(random.integers(20, 130)), int(random.integers(20, 130))
        truth["images"].append({"id": 7 * image + 1, "height": height, "width": width, "file_name": f"{image}.png"})
        for _ in range(int(random.integers(0, 6))):
            mask = blob(random, height, width)
            rle = mask_utils.encode(mask)
            category = int(random.integers(0, 3)) * 3 + 2
            crowd = int(random.random() < 0.15)
            counts = text(rle)
            if crowd:
                runs = np.diff(np.flatnonzero(np.diff(np.concatenate([[2], mask.ravel("F"), [2]]))))
                counts = ([0] if mask.ravel("F")[0] else []) + runs.tolist()
            truth["annotations"].append(
                {
                    "id": len(truth["annotations"]) + 1,
                    "image_id": 7 * image + 1,
                    "category_id": category,
                    "iscrowd": crowd,
                    "area": float(mask_utils.area(rle)) * (1.0 if random.random() < 0.8 else 1.31),
                    "bbox": mask_utils.toBbox(rle).tolist(),
                    "segmentation": {"size": [height, width], "counts": counts},
                }
            )
            for _ in range(int(random.integers(0, 3))):
                moved = np.roll(mask, random.integers(-3, 4, 2), (0, 1))
                results.append(
                    {
                        "image_id": 7 * image + 1,
                        "category_id": category if random.random() < 0.8 else 3 * int(random.integers(0, 4)) + 2,
                        "segmentation": mask_utils.encode(np.asfortranarray(moved)),
                        "score": float(random.integers(1, 20)) / 20,
                    }
                )
    for result in results:
        result["segmentation"]["counts"] = text(result["segmentation"])
    stored = json.loads(json.dumps([truth, results]))
    return {
        "truth": stored[0],
        "results": stored[1],
        "stats": evaluate(truth, results),
        "stats_of_boxes": evaluate(truth, results, "bbox"),
    }


def val2014() -> dict:
    """Twelve numbers, and a hash over a line for each mask and for each overlap."""
    folder = shared_data("coco-masks", 'masks.json: "shared_data"')
    if folder is None:
        return json.loads(GOLDEN.read_text())["shared_data"]
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO(folder / "instances_val2014_100.json")
        found = coco.loadRes(str(folder / "fakesegm100_results.json"))
    lines = hashlib.sha256()
    for source in (coco, found):
        for annotation in source.dataset["annotations"]:
            rle = mask_utils.encode(mask_utils.decode(source.annToRLE(annotation)))
            box = [int(side) for side in mask_utils.toBbox(rle)]
            lines.update(f"{int(mask_utils.area(rle))} {box} {text(rle)}\n".encode())
    overlaps = hashlib.sha256()
    for image in sorted(coco.getImgIds()):
        truth = coco.loadAnns(coco.getAnnIds(image))
        results = found.loadAnns(found.getAnnIds(image))
        ious = mask_utils.iou(
            [found.annToRLE(a) for a in results], [coco.annToRLE(a) for a in truth], [a["iscrowd"] for a in truth]
        )
        overlaps.update(np.asarray(ious, dtype="<f8").tobytes())
    truth = json.loads((folder / "instances_val2014_100.json").read_text())
    results = json.loads((folder / "fakesegm100_results.json").read_text())
    return {
        "stats": evaluate(truth, results),
        "stats_of_boxes": evaluate(truth, results, "bbox"),
        "masks_sha256": lines.hexdigest(),
        "overlaps_sha256": overlaps.hexdigest(),
    }


def main() -> None:
    golden = {
        "masks": single_masks(),
        "groups": groups(),
        "polygons": polygons(),
        "data_sets": [data_set(seed) for seed in (1, 2)],
        "shared_data": val2014(),
    }
    GOLDEN.write_text(json.dumps(golden, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
