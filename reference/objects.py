"""Goldens for Object Recall, Precision and F1.

The reference is a brute-force restatement of the definitions, threshold by threshold and box by box:

- `official`: what the SEED authors' released code (Concarne2/SEED, seed/metrics.py) computes, in
  f64 with plain left-to-right sums (as Python's own `sum` adds floats before 3.12);
- `paper`: the SEED paper's text (section 4.1, appendix C.1), in rational arithmetic;
- `exact`: the integral of Eq. 3 in rational arithmetic, from its value in the middle of every
  interval between consecutive scores.

Run from `reference/` with numpy as pinned in requirements.txt. Writes golden/objects.json.
`official_object_f1` alone is the plain Python version for comparisons of speed.
"""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np

import synthetic

OFFICIAL_THRESHOLDS = [float(t) for t in np.arange(0.05, 0.95, 0.05)]
N_PAIRS = 72
IMAGE_SIZE = {"gt": (425.0, 425.0), "recon": (425.0, 320.0)}


def official_object_f1(gt: dict, recon: dict) -> float:
    """Object F1 of one pair from two mmdetection results (labels, scores, bboxes)."""

    def categories(result, threshold):
        found = []
        for label, score, (x0, y0, x1, y1) in zip(result["labels"], result["scores"], result["bboxes"]):
            if score < threshold:
                break
            if (x1 - x0) * (y1 - y0) >= 50 and label not in found:
                found.append(label)
        return found

    recalls, precisions = [], []
    for threshold in OFFICIAL_THRESHOLDS:
        in_gt, in_recon = categories(gt, threshold), categories(recon, threshold)
        if not in_gt and not in_recon:
            break
        n_shared = len([label for label in in_gt if label in in_recon])
        if in_gt:
            recalls.append(n_shared / len(in_gt))
        if in_recon:
            precisions.append(n_shared / len(in_recon))
    recall = plain_mean(recalls) if recalls else 1
    precision = plain_mean(precisions) if precisions else 1
    if recall == 0 and precision == 0:
        return 0.0
    return 2 * (precision * recall) / (precision + recall)


def plain_mean(values):
    total = 0
    for value in values:
        total = total + value
    return total / len(values)


# A box is (category, score, x0, y0, x1, y1).


def read(boxes, threshold, options):
    """The boxes of one file that count at a threshold, in file order."""
    found = []
    for box in boxes:
        _, score, x0, y0, x1, y1 = box
        if score < threshold:
            if options["stop_at_first_below"]:
                break
            continue
        if (x1 - x0) * (y1 - y0) >= options["min_area_px2"]:
            found.append(box)
    return found


def reach(boxes, options):
    """(highest threshold at which it counts, box) for every box that counts at any threshold."""
    reached = []
    for index, box in enumerate(boxes):
        scores = [b[1] for b in boxes[: index + 1]] if options["stop_at_first_below"] else [box[1]]
        if box in read(boxes, min(scores), options):
            reached.append((min(scores), box))
    return reached


def box_weight(box, variant, image_size, number):
    _, _, x0, y0, x1, y1 = (number(value) for value in box)
    width, height = (number(value) for value in image_size)
    if variant == "size":
        across = max(min(x1, width) - max(x0, 0), 0)
        down = max(min(y1, height) - max(y0, 0), 0)
        return 1 + across * down / (width * height)
    if variant == "location":
        off_x = abs((x0 + x1) / 2 - width / 2) / (width / 2)
        off_y = abs((y0 + y1) / 2 - height / 2) / (height / 2)
        return min(max(2 - max(off_x, off_y), number(1)), number(2))
    return number(1)


def category_weights(boxes, variant, image_size, options, number):
    """Each category's weight is that of its highest-scoring box; of equal scores the larger weight."""
    best = {}
    for highest, box in reach(boxes, options):
        candidate = (highest, box_weight(box, variant, image_size, number))
        best[box[0]] = max(best.get(box[0], candidate), candidate)
    return {category: weight for category, (_, weight) in best.items()}


def share_at(own, other, threshold, weights, options, number):
    """Eq. 1 or Eq. 2, weighted; None where `own` has no category."""
    own_labels = [box[0] for box in read(own, threshold, options)]
    other_labels = [box[0] for box in read(other, threshold, options)]
    whole, found = number(0), number(0)
    for category in sorted(set(own_labels)):
        whole += weights[category]
        if category in other_labels:
            credit = weights[category]
            if options["variant"] == "number":
                counts = own_labels.count(category), other_labels.count(category)
                credit = number(min(counts)) / number(max(counts))
            found += credit
    return found / whole if own_labels else None


def average(own, other, side, options):
    """Recall (`own` is the stimulus) or precision, or the reason why there is none."""
    preset, variant = options["preset"], options["variant"]
    number = float if preset == "official" else Fraction
    weights = category_weights(own, variant, IMAGE_SIZE[side], options, number)

    def share(threshold):
        return share_at(own, other, threshold, weights, options, number)

    if preset == "official":
        shares = [s for s in map(share, OFFICIAL_THRESHOLDS) if s is not None]
        return plain_mean(shares) if shares else 1.0
    own_reach = [highest for highest, _ in reach(own, options)]
    if not own_reach or (preset == "exact" and max(own_reach) == 0):
        return {"no_categories": side}
    if preset == "paper":
        thresholds = [i / 100 for i in range(101) if i / 100 <= max(own_reach)]
        return plain_mean([share(t) for t in thresholds])
    t_valid = Fraction(max(own_reach))
    edges = {Fraction(h) for h, _ in reach(own, options) + reach(other, options)}
    edges = sorted({edge for edge in edges if edge < t_valid} | {Fraction(0), t_valid})
    area = Fraction(0)
    for low, high in zip(edges, edges[1:]):
        area += (high - low) * share((low + high) / 2)
    return area / t_valid


def object_scores(gt, recon, options):
    """[recall, precision, F1]."""
    recall = average(gt, recon, "gt", options)
    precision = average(recon, gt, "recon", options)
    undefined = [value for value in (recall, precision) if isinstance(value, dict)]
    if undefined:
        f1 = undefined[0]
    elif recall == 0 and precision == 0:
        f1 = 0.0
    else:
        f1 = 2 * (precision * recall) / (precision + recall)
    return [v if isinstance(v, dict) else float(v) for v in (recall, precision, f1)]


TIES = [0.05 * k for k in range(21)]
TIES += [0.01 * k for k in (29, 35, 57, 58)] + [k / 100 for k in (29, 35, 57, 58)]
TIES += [0.3, 0.15, 0.35, 0.45, 1.0]


def boxes_of(side, pair):
    """Twin of `boxes_of` in crates/metrics/tests/decoding/objects/boxes.rs."""
    u = [float(v) for v in synthetic.uniform(f"objects/{side}", pair, (241,))]
    kind, is_gt = pair % 8, side == "gt"
    empty = (kind == 2 and (is_gt or pair % 16 == 10)) or (kind == 3 and not is_gt)
    n_boxes = 0 if empty else int(u[0] * 40)
    n_labels = (6, 24, 82)[pair % 3]
    boxes = []
    for label, score, x0, y0, width, height in zip(*[iter(u[1 : 1 + 6 * n_boxes])] * 6):
        x0, y0 = x0 * 480 - 30, y0 * 480 - 30
        scale = 12 if kind == 4 else 300 * width
        if kind == 5 and (is_gt or pair % 16 == 5):
            score = 0.0
        elif kind >= 6:
            score = TIES[int(score * len(TIES))]
        boxes.append((int(label * n_labels), score, x0, y0, x0 + scale * width, y0 + scale * height))
    if kind not in (1, 7):
        boxes.sort(key=lambda box: -box[1])
    return boxes


def box_pairs():
    return [(boxes_of("gt", pair), boxes_of("recon", pair)) for pair in range(N_PAIRS)]


def option_sets():
    for preset in ("official", "paper", "exact"):
        for variant in ("existence", "size", "location", "number"):
            yield dict(preset=preset, variant=variant)
    yield dict(preset="official", variant="existence", min_area_px2=0.0, stop_at_first_below=False)
    yield dict(preset="official", variant="number", stop_at_first_below=False)
    yield dict(preset="paper", variant="existence", min_area_px2=50.0, stop_at_first_below=True)
    yield dict(preset="exact", variant="size", min_area_px2=2000.0, stop_at_first_below=True)


def as_result(boxes):
    return {
        "labels": [box[0] for box in boxes],
        "scores": [box[1] for box in boxes],
        "bboxes": [list(box[2:]) for box in boxes],
    }


def main():
    pairs = box_pairs()
    sets, scores = list(option_sets()), []
    for options in sets:
        official = options["preset"] == "official"
        preset = dict(min_area_px2=50.0 if official else 0.0, stop_at_first_below=official)
        scores.append([object_scores(gt, recon, preset | options) for gt, recon in pairs])
    for (gt, recon), (_, _, f1) in zip(pairs, scores[0]):
        assert official_object_f1(as_result(gt), as_result(recon)) == f1

    golden = Path(__file__).parent / "golden"
    golden.mkdir(exist_ok=True)
    objects = {"thresholds": OFFICIAL_THRESHOLDS, "option_sets": sets, "scores": scores}
    (golden / "objects.json").write_text(json.dumps(objects) + "\n")


if __name__ == "__main__":
    main()
