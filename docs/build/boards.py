"""Puts the boards of the documentation into .docs/site/boards: BrainHub's captions and boxes, and Brain-Diffuser's
public pictures.

    python docs/build/boards.py NEUROGAUGE RELEASED WORDNET WEIGHTS [--further basic_h]

RELEASED is the folder into which `neurogauge board fetch` downloads (a folder for each recipe); existing files are only
checked. `--further` adds metrics of captions whose models must be downloaded, such as FACTUAL's parser for basic_h,
whose authors name no licence."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
OUT = ROOT / ".docs" / "boards"
SITE = ROOT / ".docs" / "site" / "boards"
SUBJECTS = ["average", "subj01", "subj02", "subj05", "subj07"]


def run(*words: object) -> None:
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)


def brain_diffuser(released: Path) -> None:
    pictures = released / "Reconstructions"
    for subject in SUBJECTS:
        entry = OUT / "entries" / "brain-diffuser" / subject
        run(
            "neurogauge",
            "--quiet",
            "score",
            pictures / "gt",
            pictures / subject,
            "--metrics",
            "pixcorr,ssim,ms_ssim,psnr",
            "--out",
            entry,
        )
        card = {
            "system": f"Brain-Diffuser, {subject}",
            "subject": "side by side",
            "paper": "Ozcelik and VanRullen (2023), Natural scene reconstruction from fMRI signals using generative latent diffusion",
            "code": "https://github.com/ozcelikfu/brain-diffuser",
            "licence": "MIT (repository)",
        }
        (entry / "card.toml").write_text(
            "".join(f'{name} = "{value}"\n' for name, value in card.items()), encoding="utf-8"
        )
    board = OUT / "brain-diffuser.toml"
    about = "Six stimuli of the figure in Brain-Diffuser's repository, with metrics that need no weights. Six pairs decide nothing."
    board.write_text(
        f'title = "Brain-Diffuser: public pictures"\nabout = "{about}"\nentries = ["entries/brain-diffuser"]\n',
        encoding="utf-8",
    )
    run("neurogauge", "--quiet", "board", "make", board, "--out", SITE / "brain-diffuser", "--overwrite")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("binary", "released", "wordnet", "weights"):
        parser.add_argument(name, type=lambda word: Path(word).absolute())
    parser.add_argument("--further", default="")
    args = parser.parse_args()
    binary, released, wordnet, weights = args.binary, args.released, args.wordnet, args.weights
    os.environ["PATH"] = f"{binary.parent}{os.pathsep}{os.environ['PATH']}"
    for recipe in ("brainhub", "brain-diffuser"):
        run("neurogauge", "--quiet", "board", "fetch", recipe, "--out", released / recipe)
    metrics = [metric for metric in ("cap_sim" if weights.exists() else "", args.further) if metric]
    options = " ".join(
        [*(["--weights", str(weights)] if weights.exists() else []), *(["--yes"] if args.further else [])]
    )
    further = ["--further", ",".join(metrics), "--options", options] if metrics else []
    example = [
        sys.executable,
        ROOT / "examples" / "brainhub_board.py",
        "--brainhub",
        released / "brainhub",
        "--wordnet",
        wordnet,
    ]
    run(*example, *further, "--out", OUT, "--site", SITE)
    brain_diffuser(released / "brain-diffuser")
    print(*(path.relative_to(ROOT) for path in sorted(SITE.glob("*/index.html"))), sep="\n")


if __name__ == "__main__":
    main()
