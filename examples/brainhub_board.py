"""A board of BrainHub's decoded captions: scores every file, writes a card for each, and makes the site.

    python examples/brainhub_board.py BRAINHUB --out brainhub-board --wordnet /usr/share/wordnet

BRAINHUB holds reference_coco.json (five captions of each of the 982 stimuli) and decoded captions called SYSTEM-SUBJECT.json, such as
umbrae-subj01.json; rename those of https://github.com/weihaox/BrainHub (MIT) so. Cards have what BrainHub's README prints, where we
know it to be of these very files.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

METRICS = ["meteor", "rouge_1", "rouge_2", "rouge_l_f1", "rouge_l", "cider"]
NAMES = {"umbrae": "UMBRAE", "sdrecon": "SDRecon", "braincap": "BrainCap", "onellm": "OneLLM"}
# ROUGE-L and CIDEr in BrainHub's README, by 100. Its rows of UMBRAE are of other files than those it holds.
PRINTED = {
    "braincap-subj01": (0.4069, 0.4130),
    "braincap-subj02": (0.3996, 0.3560),
    "onellm-subj01": (0.3505, 0.2299),
    "sdrecon-subj01": (0.2513, 0.1383),
    "sdrecon-subj02": (0.2422, 0.1338),
}


def card(stem: str) -> str:
    system, subject = stem.rsplit("-", 1)
    lines = {
        "system": NAMES.get(system, system),
        "subject": subject,
        "protocol": "nsd-982",
        "data": "https://github.com/weihaox/BrainHub",
        "licence": "MIT (captions), CC BY 4.0 (COCO's reference captions)",
    }
    text = "".join(f'{name} = "{value}"\n' for name, value in lines.items())
    if stem in PRINTED:
        rouge_l, cider = PRINTED[stem]
        text += f'printed_in = "README of BrainHub"\n[printed]\nrouge_l = {rouge_l}\ncider = {cider}\n'
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("brainhub", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--wordnet", type=Path, help="folder of WordNet 3.0; without it METEOR is left out")
    parser.add_argument("--further", default="", help="further metrics, such as cap_sim,basic_h (their models are fetched)")
    args = parser.parse_args()
    metrics = METRICS[0 if args.wordnet else 1 :] + [name for name in args.further.split(",") if name]
    wordnet = ["--wordnet", args.wordnet] if args.wordnet else []
    decoded = sorted(path for path in args.brainhub.glob("*-subj*.json"))
    if not decoded:
        sys.exit(f"{args.brainhub}: no file is called SYSTEM-SUBJECT.json, such as umbrae-subj01.json")
    for path in decoded:
        entry = args.out / "entries" / path.stem
        captions = ["--gt-captions", args.brainhub / "reference_coco.json", "--recon-captions", path]
        command = ["neurogauge", "--quiet", "score", *captions, "--metrics", ",".join(metrics), *wordnet, "--out", entry]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        (entry / "card.toml").write_text(card(path.stem), encoding="utf-8")
    board = args.out / "board.toml"
    about = "Captions decoded from fMRI, against five captions that people wrote of each of 982 stimuli."
    board.write_text(f'title = "BrainHub: captions decoded from brains"\nabout = "{about}"\nentries = ["entries"]\n', encoding="utf-8")
    subprocess.run(["neurogauge", "board", "make", board, "--out", args.out / "site", "--overwrite"], check=True)


if __name__ == "__main__":
    main()
