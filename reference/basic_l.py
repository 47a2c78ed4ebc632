"""BASIC-L's levels by pycocotools and SciPy, written from the paper's text and docs/pages/conventions/masks.md.

Scenes are ellipses with names of objects, parts and background, drawn with NumPy and stored as text of run lengths;
each side has its own categorisation. pycocotools computes unions and overlaps, COCOeval average precision, and SciPy
the assignment. The Rust code shares nothing with this.

Run from `reference/` with the packages of requirements.txt. Writes golden/basic_l.json.
"""

import contextlib
import io
import json
from pathlib import Path

import numpy as np
from pycocotools import mask as mask_utils
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from scipy.optimize import linear_sum_assignment

HEIGHT, WIDTH = 36, 44
LEVELS = ["salient", "binary", "semantic", "instance", "part"]
DEFAULT = {
    "categories": "both",
    "matching": "optimal",
    "instances": "objects",
    "background": "elements",
    "empty": "undefined",
    "min_score": 0.25,
    "iou_thresholds": None,
}
VARIANTS = [
    {},
    {"categories": "reference"},
    {"matching": "greedy"},
    {"instances": "all", "background": "complement"},
    {"empty": "zero"},
    {"min_score": 0.6, "iou_thresholds": [0.1, 0.3, 0.5]},
]


def ellipse(random: np.random.Generator) -> np.ndarray:
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    cy, cx = random.random(2) * [HEIGHT, WIDTH]
    ry, rx = random.random(2) * [HEIGHT, WIDTH] * 0.35 + 2
    return (((y - cy) / ry) ** 2 + ((x - cx) / rx) ** 2 <= 1).astype(np.uint8)


def scene(random: np.random.Generator, like: list | None) -> tuple[list, dict]:
    objects = ["dog", "cat", "Fire_Hydrant"]
    parts = ["head", "leg"]
    background = ["sky", "tree"]
    masks = []
    for old in like or []:
        if random.random() < 0.75:
            moved = np.roll(old["pixels"], random.integers(-4, 5, 2), (0, 1))
            name = old["name"] if random.random() < 0.85 else str(random.choice(objects))
            masks.append({"name": name, "pixels": moved, "score": round(float(random.random()), 2)})
    for names, most in ((objects, 5), (parts, 4), (background, 3)):
        for _ in range(int(random.integers(0, most)) // (2 if like else 1)):
            masks.append(
                {
                    "name": str(random.choice(names)),
                    "pixels": ellipse(random),
                    "score": round(float(random.random()) * 0.8 + 0.2, 2),
                }
            )
    kept = [name for name in objects if random.random() < 0.8]
    categories = {
        "foreground_objects": [
            {
                "object": name.lower().replace("_", " "),
                "semantic_category": "thing",
                "parts": [part for part in parts if random.random() < 0.7],
            }
            for name in kept
        ],
        "background_elements": [
            {"element": name, "semantic_category": "stuff"} for name in background if random.random() < 0.8
        ],
    }
    return masks, categories


def plain(name: str) -> str:
    return name.replace("_", " ").lower()


def roles(gt: dict, recon: dict, source: str) -> dict[str, set]:
    def of(categories: dict) -> dict[str, set]:
        found: dict[str, set] = {}
        for entry in categories["foreground_objects"]:
            found.setdefault(entry["object"], set()).add("object")
            for part in entry["parts"]:
                found.setdefault(part, set()).add("part")
        for entry in categories["background_elements"]:
            if "object" not in found.get(entry["element"], set()):
                found.setdefault(entry["element"], set()).add("background")
        return found

    return of(gt) if source == "reference" else {**of(recon), **of(gt)}


def level_masks(masks: list, role: dict, level: str, options: dict) -> list:
    """(category, pixels, score) of everything that counts at the level."""
    items = [
        (plain(m["name"]), m["pixels"], m["score"])
        for m in masks
        if m["score"] >= options["min_score"] and m["pixels"].any() and plain(m["name"]) in role
    ]

    def united(category) -> list:
        groups: dict[str, list] = {}
        for name, pixels, score in items:
            key = category(name)
            if key:
                groups.setdefault(key, []).append((pixels, score))
        return [
            (key, np.maximum.reduce([p for p, _ in group]), max(s for _, s in group)) for key, group in groups.items()
        ]

    if level == "salient":
        return united(lambda name: "foreground" if "object" in role[name] else None)
    if level == "binary":
        foreground = united(lambda name: "foreground" if "object" in role[name] else None)
        if options["background"] == "complement":
            return foreground + [("background", 1 - p, s) for _, p, s in foreground if not p.all()]
        return united(
            lambda name: (
                "foreground" if "object" in role[name] else "background" if "background" in role[name] else None
            )
        )
    if level == "semantic":
        return united(lambda name: name if role[name] & {"object", "background"} else None)
    if level == "part":
        return united(lambda name: name if "part" in role[name] else None)
    wanted = {"object", "background"} if options["instances"] == "all" else {"object"}
    return [item for item in items if role[item[0]] & wanted]


def encode(pixels: np.ndarray) -> dict:
    return mask_utils.encode(np.asfortranarray(pixels))


def ious(gt: list, recon: list) -> np.ndarray:
    table = mask_utils.iou([encode(g[1]) for g in gt], [encode(r[1]) for r in recon], [0] * len(recon))
    return np.asarray(table)


def overlap(gt: list, recon: list, level: str, options: dict) -> float:
    categories = sorted({item[0] for item in gt + recon})
    if level != "instance":
        values = []
        for category in categories:
            g = [item for item in gt if item[0] == category]
            r = [item for item in recon if item[0] == category]
            values.append(float(ious(g, r)[0, 0]) if g and r else 0.0)
        return float(np.mean(values))
    total, things = 0.0, 0
    for category in categories:
        g = [item for item in gt if item[0] == category]
        r = [item for item in recon if item[0] == category]
        pairs = []
        if g and r:
            table = ious(g, r)
            if options["matching"] == "optimal":
                pairs = [table[i, j] for i, j in zip(*linear_sum_assignment(table, maximize=True))]
            else:
                left = table.copy()
                for _ in range(min(table.shape)):
                    i, j = np.unravel_index(np.argmax(left), left.shape)
                    pairs.append(table[i, j])
                    left[i, :] = -1
                    left[:, j] = -1
        pairs = [value for value in pairs if value > 0]
        total += sum(pairs)
        things += len(g) + len(r) - len(pairs)
    return float(total / things)


def average_precision(gt: list, recon: list, thresholds: list | None) -> float:
    names = {name: k + 1 for k, name in enumerate(sorted({item[0] for item in gt + recon}))}
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO()
        truth.dataset = {
            "images": [{"id": 1, "height": HEIGHT, "width": WIDTH}],
            "categories": [{"id": k, "name": name} for name, k in names.items()],
            "annotations": [
                {
                    "id": k + 1,
                    "image_id": 1,
                    "category_id": names[name],
                    "iscrowd": 0,
                    "area": float(pixels.sum()),
                    "segmentation": encode(pixels),
                }
                for k, (name, pixels, _) in enumerate(gt)
            ],
        }
        truth.createIndex()
        results = truth.loadRes(
            [
                {"image_id": 1, "category_id": names[name], "segmentation": encode(pixels), "score": score}
                for name, pixels, score in recon
            ]
        )
        evaluation = COCOeval(truth, results, "segm")
        if thresholds:
            evaluation.params.iouThrs = np.array(thresholds)
        evaluation.evaluate()
        evaluation.accumulate()
        precision = evaluation.eval["precision"][:, :, :, 0, 2]
    return float(np.mean(precision[precision > -1]))


def scores(gt: tuple, recon: tuple, options: dict) -> dict:
    role = roles(gt[1], recon[1], options["categories"])
    values = {}
    for level in LEVELS:
        g = level_masks(gt[0], role, level, options)
        r = level_masks(recon[0], role, level, options)
        if g and r:
            values[f"{level}_iou"] = overlap(g, r, level, options)
            values[f"{level}_ap"] = average_precision(g, r, options["iou_thresholds"])
        else:
            nothing = 0.0 if options["empty"] == "zero" and (g or r) else None
            values[f"{level}_iou"] = values[f"{level}_ap"] = nothing
    return values


def main() -> None:
    cases = []
    for seed in range(16):
        random = np.random.default_rng(seed)
        gt = scene(random, None)
        recon = scene(random, gt[0])
        sides = [
            {
                "annotations": [
                    {
                        "class_name": mask["name"],
                        "segmentation": {"size": [HEIGHT, WIDTH], "counts": encode(mask["pixels"])["counts"].decode()},
                        "score": mask["score"],
                    }
                    for mask in masks
                ],
                "img_width": WIDTH,
                "img_height": HEIGHT,
            }
            for masks, _ in (gt, recon)
        ]
        variants = [scores(gt, recon, {**DEFAULT, **variant}) for variant in VARIANTS]
        cases.append({"masks": sides, "categories": [gt[1], recon[1]], "scores": variants})
    variants = [{k: v for k, v in variant.items() if v is not None} for variant in VARIANTS]
    golden = {"variants": variants, "cases": cases}
    Path("golden/basic_l.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
