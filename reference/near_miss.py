"""Goldens for the semantic near-miss rate of the SEED paper (section 5.4), with sets of names.

Boxes are those of objects.py. Run from `reference/` with numpy as pinned in requirements.txt. Writes
golden/near_miss.json.
"""

import json
from fractions import Fraction
from pathlib import Path

from objects import box_pairs

SUPERCATEGORIES = """
person: person, man, woman
vehicle: bicycle, car, motorcycle, airplane, bus, train, truck, boat
outdoor: traffic light, fire hydrant, stop sign, parking meter, bench
animal: bird, cat, dog, horse, sheep, cow, elephant, bear, zebra, giraffe
accessory: backpack, umbrella, handbag, tie, suitcase
sports: frisbee, skis, snowboard, sports ball, kite, baseball bat, baseball glove, skateboard, surfboard, tennis racket
kitchen: bottle, wine glass, cup, fork, knife, spoon, bowl
food: banana, apple, sandwich, orange, broccoli, carrot, hot dog, pizza, donut, cake
furniture: chair, couch, potted plant, bed, dining table, toilet
electronic: tv, laptop, mouse, remote, keyboard, cell phone
appliance: microwave, oven, toaster, sink, refrigerator
indoor: book, clock, vase, scissors, teddy bear, hair drier, toothbrush
"""
SUPERCATEGORY_OF = {
    name: line.split(": ")[0]
    for line in SUPERCATEGORIES.strip().splitlines()
    for name in line.split(": ")[1].split(", ")
}
# The groups in this order, which is also the detector's label order.
LABELS = list(SUPERCATEGORY_OF)
SALIENT = """person, man, woman, bird, cat, dog, horse, sheep, cow, elephant, bear, zebra, giraffe, \
bicycle, car, motorcycle, airplane, bus, train, truck, boat, bench, chair, couch, bed, \
dining table, toilet, sink, refrigerator, clock""".split(", ")

NEAR_MISS_SETS = [
    dict(threshold=0.3, categories="salient", recon_categories="same", min_area_px2=50.0),
    dict(threshold=0.3, categories="salient", recon_categories="all", min_area_px2=50.0),
    dict(threshold=0.3, categories="all", recon_categories="same", min_area_px2=0.0),
    dict(threshold=0.6, categories="all", recon_categories="all", min_area_px2=50.0),
]


def near_miss(gt, recon, options):
    """[recall, relaxed recall, rate] of sets of names."""

    def present(boxes, only_salient):
        names = {
            LABELS[label]
            for label, score, x0, y0, x1, y1 in boxes
            if score >= options["threshold"] and (x1 - x0) * (y1 - y0) >= options["min_area_px2"]
        }
        return names & set(SALIENT) if only_salient else names

    salient = options["categories"] == "salient"
    in_gt = present(gt, salient)
    in_recon = present(recon, salient and options["recon_categories"] == "same")
    if not in_gt:
        return [{"no_categories": "gt"}] * 3
    kinds = {SUPERCATEGORY_OF[name] for name in in_recon}
    recall = Fraction(len(in_gt & in_recon), len(in_gt))
    relaxed = Fraction(len([n for n in in_gt if SUPERCATEGORY_OF[n] in kinds]), len(in_gt))
    return [float(recall), float(relaxed), float(relaxed - recall)]


def main():
    pairs = box_pairs()
    golden = {
        "labels": LABELS,
        "option_sets": NEAR_MISS_SETS,
        "scores": [[near_miss(gt, recon, o) for gt, recon in pairs] for o in NEAR_MISS_SETS],
    }
    path = Path(__file__).parent / "golden" / "near_miss.json"
    path.write_text(json.dumps(golden) + "\n")


if __name__ == "__main__":
    main()
