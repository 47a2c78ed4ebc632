"""Makes the board of BrainHub's decoded captions and boxes: downloads them, scores every file, writes a card for each,
and writes the site.

    python examples/brainhub_board.py --out brainhub-board --wordnet /usr/share/wordnet

The files come from `neurogauge board fetch brainhub` (MIT; 17 files of captions and 8 of boxes, for 982 stimuli and up
to four subjects), or with `--brainhub DIR` from a copy of the repository https://github.com/weihaox/BrainHub. Cards
have the values that BrainHub's README prints."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any

OF_CAPTIONS = ["bleu_1", "bleu_4", "rouge_l", "cider", "rouge_1", "rouge_2", "rouge_l_f1"]
OF_BOXES = ["object_f1", "grounding_accuracy", "grounding_iou"]
# Folders of the repository, and the names of their systems here. The README's rows "UMBRAE" belong to version 1.4.
NAMES = {
    "umbrae-v-1-4": "UMBRAE 1.4",
    "umbrae": "UMBRAE",
    "braincap": "BrainCap",
    "onellm": "OneLLM",
    "sdrecon": "SDRecon",
}
# BLEU-1, BLEU-4, METEOR, ROUGE, CIDEr, SPICE, CLIP-S and RefCLIP-S in the README, in percent.
CAPTIONS = {
    ("umbrae-v-1-4", "01"): (59.44, 19.03, 19.45, 43.71, 61.06, 12.79, 67.78, 73.54),
    ("umbrae-v-1-4", "02"): (59.37, 18.41, 19.17, 43.86, 55.93, 12.08, 66.46, 72.36),
    ("umbrae-v-1-4", "05"): (60.36, 19.03, 20.04, 44.81, 61.32, 13.19, 68.39, 74.11),
    ("umbrae-v-1-4", "07"): (57.20, 17.13, 18.29, 42.16, 52.73, 11.63, 65.90, 71.83),
    ("braincap", "01"): (55.96, 14.51, 16.68, 40.69, 41.30, 9.06, 64.31, 69.90),
    ("braincap", "02"): (53.80, 13.03, 15.90, 39.96, 35.60, 8.47, 62.48, 68.19),
    ("braincap", "05"): (55.28, 14.62, 16.45, 40.87, 41.05, 9.24, 63.89, 69.64),
    ("braincap", "07"): (54.25, 14.00, 15.94, 40.02, 37.49, 8.57, 62.52, 68.48),
    ("onellm", "01"): (47.04, 9.51, 13.55, 35.05, 22.99, 6.26, 54.80, 61.28),
    ("sdrecon", "01"): (36.21, 3.43, 10.03, 25.13, 13.83, 5.02, 61.07, 66.36),
    ("sdrecon", "02"): (34.71, 3.02, 9.60, 24.22, 13.38, 4.58, 59.52, 65.30),
    ("sdrecon", "05"): (34.96, 3.49, 9.93, 24.77, 13.85, 5.19, 60.83, 66.30),
    ("sdrecon", "07"): (34.99, 3.26, 9.54, 24.33, 13.01, 4.74, 58.68, 64.59),
}
# Accuracy and IoU over all categories.
BOXES = {
    ("umbrae-v-1-4", "01"): (18.93, 21.28),
    ("umbrae-v-1-4", "02"): (18.27, 20.77),
    ("umbrae-v-1-4", "05"): (18.19, 20.85),
    ("umbrae-v-1-4", "07"): (16.74, 19.63),
}


def card(system: str, subject: str, is_of_boxes: bool) -> str:
    lines = {
        "system": NAMES.get(system, system),
        "subject": f"subj{subject}",
        "protocol": "nsd-982",
        "data": "https://github.com/weihaox/BrainHub",
        "licence": "MIT (decoded), CC BY 4.0 (COCO's references)",
        "printed_in": "README of BrainHub",
    }
    text = "".join(f'{name} = "{value}"\n' for name, value in lines.items())
    if is_of_boxes and (system, subject) in BOXES:
        accuracy, iou = (value / 100 for value in BOXES[system, subject])
        text += f"[printed]\ngrounding_accuracy = {accuracy:.4f}\ngrounding_iou = {iou:.4f}\n"
    if not is_of_boxes and (system, subject) in CAPTIONS:
        bleu_1, bleu_4, meteor, rouge, cider, spice, clip_s, ref_clip_s = (
            value / 100 for value in CAPTIONS[system, subject]
        )
        text += f"[printed]\nbleu_1 = {bleu_1:.4f}\nbleu_4 = {bleu_4:.4f}\nrouge_l = {rouge:.4f}\ncider = {cider:.4f}\n"
        text += f'meteor = {{ value = {meteor:.4f}, by = "METEOR 1.5 (Java)" }}\n'
        text += f'[printed_only]\nSPICE = {spice:.4f}\n"CLIP-S" = {clip_s:.4f}\n"RefCLIP-S" = {ref_clip_s:.4f}\n'
    return text


def neurogauge(*words: Any) -> None:
    subprocess.run(["neurogauge", "--quiet", *map(str, words)], check=True, stdout=subprocess.DEVNULL)


def board(out: Path, site: Path, name: str, title: str, about: str) -> None:
    text = f'title = "{title}"\nabout = "{about}"\nentries = ["entries/{name}"]\n'
    (out / f"{name}.toml").write_text(text, encoding="utf-8")
    neurogauge("board", "make", out / f"{name}.toml", "--out", site / name, "--overwrite")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brainhub", type=Path, help="a copy of the repository; without it the files are fetched")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--site", type=Path, help="folder of the sites, by default OUT/site")
    parser.add_argument("--wordnet", type=Path, help="folder of WordNet 3.0; without it METEOR is left out")
    parser.add_argument(
        "--further", default="", help="further metrics of captions, such as cap_sim,basic_h (their models are fetched)"
    )
    parser.add_argument("--options", default="", help="further options of `neurogauge score`, in one text")
    args = parser.parse_args()
    brainhub = args.brainhub or args.out / "BrainHub"
    if args.brainhub is None:
        neurogauge("board", "fetch", "brainhub", "--out", brainhub)
    metrics = [*OF_CAPTIONS, *(["meteor"] if args.wordnet else []), *filter(None, args.further.split(","))]
    words = [*(["--wordnet", args.wordnet] if args.wordnet else []), *args.options.split()]
    decoded = sorted(brainhub.glob("caption/comparison/*/sub*_decoded_caption.json"))
    decoded += sorted(brainhub.glob("bbox/*/sub*_decoded_bbox.json"))
    if not decoded:
        sys.exit(
            f"{brainhub}: no decoded captions or boxes; expected the folders caption and bbox of BrainHub's repository"
        )
    for path in decoded:
        system, subject = path.parent.name, path.name[3:5]
        is_of_boxes = "bbox" in path.name
        entry = args.out / "entries" / ("boxes" if is_of_boxes else "captions") / f"{system}-subj{subject}"
        if is_of_boxes:
            sides = [
                "--gt",
                f"detections={brainhub / 'bbox' / 'coco_bbox_categorized.json'}",
                "--recon",
                f"detections={path}",
            ]
            neurogauge("score", *sides, "--labels", "coco", "--metrics", ",".join(OF_BOXES), "--out", entry)
        else:
            sides = ["--gt", f"captions={brainhub / 'caption' / 'fmri_cococap.json'}", "--recon", f"captions={path}"]
            neurogauge("score", *sides, "--metrics", ",".join(metrics), *words, "--out", entry)
        (entry / "card.toml").write_text(card(system, subject, is_of_boxes), encoding="utf-8")
    of = "decoded from fMRI, of 982 stimuli"
    site = args.site or args.out / "site"
    captions = f"Captions {of}, against five captions that people wrote of each."
    board(args.out, site, "captions", "BrainHub: captions decoded from brains", captions)
    board(args.out, site, "boxes", "BrainHub: boxes decoded from brains", f"Boxes {of}, against COCO's boxes.")


if __name__ == "__main__":
    main()
