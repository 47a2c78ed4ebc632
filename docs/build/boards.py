"""Puts the boards of the documentation into .docs/site/boards: BrainHub's captions and boxes, and Brain-Diffuser's public pictures.

    python docs/build/boards.py NEUROGAUGE RELEASED WORDNET WEIGHTS

RELEASED is a folder of what `neurogauge board fetch` downloads (a folder for each recipe); what is there already is only checked.
"""

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
        run("neurogauge", "--quiet", "score", pictures / "gt", pictures / subject, "--metrics", "pixcorr,ssim,ms_ssim,psnr", "--out", entry)
        card = {
            "system": f"Brain-Diffuser, {subject}",
            "subject": "side by side",
            "paper": "Ozcelik and VanRullen (2023), Natural scene reconstruction from fMRI signals using generative latent diffusion",
            "code": "https://github.com/ozcelikfu/brain-diffuser",
            "licence": "MIT (repository)",
        }
        (entry / "card.toml").write_text("".join(f'{name} = "{value}"\n' for name, value in card.items()), encoding="utf-8")
    board = OUT / "brain-diffuser.toml"
    about = "Six stimuli of the figure in Brain-Diffuser's repository, with metrics that need no weights. Six pairs decide nothing."
    board.write_text(f'title = "Brain-Diffuser: public pictures"\nabout = "{about}"\nentries = ["entries/brain-diffuser"]\n', encoding="utf-8")
    run("neurogauge", "--quiet", "board", "make", board, "--out", SITE / "brain-diffuser", "--overwrite")


def main() -> None:
    binary, released, wordnet, weights = (Path(word).absolute() for word in sys.argv[1:])
    os.environ["PATH"] = f"{binary.parent}{os.pathsep}{os.environ['PATH']}"
    for recipe in ("brainhub", "brain-diffuser"):
        run("neurogauge", "--quiet", "board", "fetch", recipe, "--out", released / recipe)
    options = f"--weights {weights}" if weights.exists() else ""
    further = ["--further", "cap_sim", "--options", options] if options else []
    example = [sys.executable, ROOT / "examples" / "brainhub_board.py", "--brainhub", released / "brainhub", "--wordnet", wordnet]
    run(*example, *further, "--out", OUT, "--site", SITE)
    brain_diffuser(released / "brain-diffuser")
    print(*(path.relative_to(ROOT) for path in sorted(SITE.glob("*/index.html"))), sep="\n")


if __name__ == "__main__":
    main()
