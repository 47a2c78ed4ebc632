"""What the reader of a page already has: images, ratings, finished runs. All are made from the demo's scenes.

Every page has `demo-run/` (written by `neurogauge demo`) and the demo's images under the names that pages use. `PAGES`
lists what else a page has. Tutorials have the folder `journeys`, as in a checkout, and make the rest with its
scripts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
from layouts import survey_answers, torch_file
from other_programs import write as write_files_of_others
from responses import write_responses
from skimage.io import imread, imsave

Runs = Callable[..., None]
Preparation = Callable[[Path, Runs], None]
# The text model that `neurogauge models fetch all-MiniLM-L6-v2` would download; `make test` takes it from a package.
WEIGHTS = os.environ.get("NEUROGAUGE_TEST_WEIGHTS", "")

PIXELS = "pixcorr,ssim,psnr"


def images(here: Path, _: Runs) -> None:
    """Folders of images: stimuli, and the reconstructions of two systems."""
    data = here / "demo-run" / "data"
    for name, made_of in {
        "stimuli": "gt",
        "reconstructions": "recon",
        "decoded": "recon",
        "decoded-by-other": "blurred",
        "recons/a": "recon",
        "recons/b": "blurred",
    }.items():
        shutil.copytree(data / made_of, here / name)
    shutil.copytree(data / "observations", here / "obs")


def runs(here: Path, neurogauge: Runs) -> None:
    """Two finished runs on the same stimuli."""
    data = "demo-run/data"
    scored = ["--observations", f"{data}/observations", "--metrics", f"{PIXELS},object_f1"]
    neurogauge("score", f"{data}/gt", f"{data}/recon", *scored, "--out", "runs/mine")
    for name in ("blurred", "other"):
        neurogauge("score", f"{data}/gt", f"{data}/blurred", "--metrics", PIXELS, "--out", f"runs/{name}")


def other_run(here: Path, neurogauge: Runs) -> None:
    """A finished run of somebody else's system."""
    neurogauge("score", "stimuli", "decoded-by-other", "--metrics", PIXELS, "--out", "runs/other")


def stems(here: Path) -> list[str]:
    return sorted(path.stem for path in (here / "stimuli").glob("*.png"))


def ratings(here: Path, _: Runs) -> None:
    """Five raters' answers to two questions, and two metrics of the reader's own."""
    rng = np.random.default_rng(3)
    items = stems(here)
    truth = rng.uniform(1, 5, (len(items), 1))
    answers = {name: np.clip(np.rint(truth + rng.normal(0, 0.7, (len(items), 5))), 1, 5) for name in ("sem", "perc")}
    header = ["item", *(f"{question}_{rater}" for question in answers for rater in range(1, 6))]
    lines = [
        [item, *(f"{value:.0f}" for question in answers.values() for value in question[row])]
        for row, item in enumerate(items)
    ]
    (here / "ratings-by-question.csv").write_text("".join(",".join(line) + "\n" for line in [header, *lines]))
    long = [
        (item, f"r{rater + 1}", f"{answers['sem'][row, rater]:.0f}")
        for row, item in enumerate(items)
        for rater in range(5)
    ]
    (here / "ratings.csv").write_text("item,rater,rating\n" + "".join(",".join(line) + "\n" for line in long))
    for name in ("mine", "other_metrics"):
        scores = truth[:, 0] / 5 + rng.normal(0, 0.1, len(items))
        rows = "".join(f"{item},{value:.4f}\n" for item, value in zip(items, scores, strict=True))
        (here / f"{name}.csv").write_text(f"item,{'mine' if name == 'mine' else 'vqa'}\n{rows}")


def answers(here: Path, neurogauge: Runs) -> None:
    """The answers of five raters to the page's survey, as files that its pages save."""
    neurogauge(
        "survey", "make", "--gt", "stimuli", "--recon", "A=recons/a", "B=recons/b", "--raters", "5", "--out", "sent"
    )
    survey_answers(here / "sent" / "survey.json", here / "answers")
    shutil.rmtree(here / "sent")


def findings(here: Path, neurogauge: Runs) -> None:
    """A finished meta-evaluation and a finished alignment."""
    neurogauge("meta", "--human", "ratings.csv", "--metrics", "runs/mine", "--out", "meta")
    shutil.copytree(here / "demo-run" / "recovery", here / "aligned")


def tensors(here: Path, _: Runs) -> None:
    """`all_images.pt` and `all_recons.pt` of MindEye's notebooks, made from the demo's scenes."""
    for name, folder in (("all_images", "stimuli"), ("all_recons", "decoded")):
        pictures = [imread(here / folder / f"{stem}.png") for stem in stems(here)]
        torch_file(here / f"{name}.pt", np.stack(pictures).transpose(0, 3, 1, 2).astype(np.float32) / 255)


def unpaired(here: Path, _: Runs) -> None:
    """Reconstructions with other names than their stimuli."""
    for path in (here / "reconstructions").iterdir():
        path.rename(path.with_stem(f"{path.stem}_recon"))


def captions(here: Path, _: Runs) -> None:
    """Captions of both sides in separate files, and boxes by category as in BrainHub."""
    both = [json.loads((here / "obs" / side / "captions.json").read_text()) for side in ("gt", "recon")]
    for names, texts in (("coco.json", "git.json"), both[0]), (("decoded.json", "a.json", "b.json"), both[1]):
        for name in names:
            (here / name).write_text(json.dumps(texts))
    (here / "captions.csv").write_text(
        "item,caption\n" + "".join(f'{stem},"{text}"\n' for stem, text in both[0].items())
    )


def files_of_others(here: Path, _: Runs) -> None:
    """Captions and boxes as other programs write them."""
    write_files_of_others(here / "others")


def seeds_folder(here: Path, _: Runs) -> None:
    """`evaluations/<model>/` as SEED's code writes it."""
    folder = here / "evaluations" / "my_model"
    for side in ("gt", "recon"):
        shutil.copytree(here / "obs" / side / "detections", folder / f"{side}_detection_results" / "preds")
    arrays = folder / "intermediate_results"
    arrays.mkdir()
    for side in ("gt", "recon"):
        texts = json.loads((here / "obs" / side / "captions.json").read_text())
        np.save(
            arrays / f"{side}_captions.npy",
            np.array({f"{stem}.png": text for stem, text in texts.items()}, dtype=object),
        )
    rng = np.random.default_rng(5)
    for name in ("obj_f1", "effnet", "cap_sim"):
        np.save(arrays / f"{name}.npy", rng.uniform(0.2, 0.8, 8))


def scene_graphs(here: Path, _: Runs) -> None:
    """The objects of each caption as its scene graph."""
    for side in ("gt", "recon"):
        texts = json.loads((here / "obs" / side / "captions.json").read_text())
        words = {
            stem: [word for word in text.lower().strip(".").split() if word in THINGS] for stem, text in texts.items()
        }
        graphs = {stem: {"objects": found, "attributes": {}, "relations": []} for stem, found in words.items()}
        (here / "obs" / side / "scene_graphs.json").write_text(json.dumps(graphs))


THINGS = {
    "people",
    "field",
    "cars",
    "street",
    "boat",
    "sea",
    "airplane",
    "couch",
    "room",
    "snow",
    "kite",
    "beach",
    "ball",
    "vase",
}
THINGS |= {"table", "pizzas", "sky", "dog", "car", "person", "pizza", "sheep", "bus", "chair", "donut", "clock", "cat"}


def boxes(here: Path, _: Runs) -> None:
    """Boxes by category, as fractions of the image's size."""
    rng = np.random.default_rng(6)
    at = rng.uniform(0, 0.5, (20, 2))
    for name, moved in (("boxes.json", 0.0), ("decoded-boxes.json", 0.1)):
        corners = np.concatenate([at + moved, at + 0.4], axis=1)
        (here / name).write_text(
            json.dumps({str(place): {"dog": [corner.tolist()]} for place, corner in enumerate(corners)})
        )


def embeddings(here: Path, _: Runs) -> None:
    """Embeddings of 400 images, and noisy decoded ones."""
    rng = np.random.default_rng(4)
    image = rng.normal(size=(400, 64)).astype(np.float32)
    np.save(here / "clip.npy", image)
    np.save(here / "decoded.npy", image + 2 * rng.normal(size=image.shape).astype(np.float32))


def responses(here: Path, _: Runs) -> None:
    """Trials of two subjects who share four dimensions, and a model that has three of them."""
    write_responses(here)


def faulty(here: Path, _: Runs) -> None:
    """Inputs with one fault each, as newcomers might have them."""
    for name in ("constant", "some"):
        shutil.copytree(here / "decoded", here / name)
    _, second, *others = (f"{stem}.png" for stem in stems(here))
    imsave(here / "constant" / second, np.full((256, 256, 3), 128, np.uint8), check_contrast=False)
    for name in others[1:]:
        (here / "some" / name).unlink()
    for name, folder in (("stimuli", "stimuli"), ("decoded-255", "decoded")):
        pictures = np.stack([imread(here / folder / f"{stem}.png") for stem in stems(here)]).astype(np.float32)
        np.save(here / f"{name}.npy", pictures if folder == "decoded" else pictures / 255)


# What the readers of these pages have in addition to images.
HOW_TO = "docs/pages/how-to/"
PAGES: dict[str, list[Preparation]] = {
    "crates/cli/README.md": [other_run],
    "docs/pages/help/troubleshooting.md": [unpaired, faulty],
    f"{HOW_TO}captions-detections-masks.md": [captions, files_of_others, seeds_folder, scene_graphs, boxes],
    f"{HOW_TO}compare.md": [runs],
    f"{HOW_TO}people.md": [runs, ratings, answers],
    f"{HOW_TO}python.md": [runs, ratings],
    f"{HOW_TO}recovery-profiles.md": [responses],
    f"{HOW_TO}report.md": [runs, ratings, findings],
    f"{HOW_TO}your-files.md": [embeddings, tensors, unpaired],
}

TUTORIALS = "docs/pages/tutorials/"
# Pages whose readers have downloaded the text model.
WITH_TEXT_MODEL = {
    f"{TUTORIALS}brainhub.md",
    f"{TUTORIALS}basic.md",
    f"{HOW_TO}captions-detections-masks.md",
    "docs/pages/understand/models.md",
}


def prepare(page: str, here: Path, demo: Path, binary: Path, environment: dict[str, str]) -> None:
    """Prepares in `here` what the reader of a page has before the first command."""

    def neurogauge(*arguments: str) -> None:
        subprocess.run([binary, *arguments], cwd=here, env=environment, check=True, capture_output=True)

    if page in WITH_TEXT_MODEL:
        environment["NEUROGAUGE_WEIGHTS"] = WEIGHTS
    if page.startswith(TUTORIALS):
        (here / "journeys").symlink_to(Path(__file__).parent)
        return
    shutil.copytree(demo, here / "demo-run")
    for preparation in (images, *PAGES.get(page, [])):
        preparation(here, neurogauge)
