"""What people asked for in public threads, on small files in the layouts in which somebody released them: NSD's betas,
Algonauts' averaged responses, features of THINGS-EEG2, cut-outs on a transparent ground, a stack over
`sorted(os.listdir())`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pages import environment

RELEASES = Path(__file__).parent / "releases"
Program = Callable[..., str]


@pytest.fixture
def neurogauge(binary: Path, tmp_path: Path) -> Program:
    def run(*words: str, code: int = 0) -> str:
        ran = subprocess.run(
            [binary, *words], cwd=tmp_path, env=environment(binary, tmp_path), capture_output=True, text=True
        )
        assert ran.returncode == code, ran.stderr
        return " ".join((ran.stdout + ran.stderr).split())

    return run


def release(name: str, folder: Path) -> None:
    subprocess.run([sys.executable, RELEASES / name], cwd=folder, check=True)


def record(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def scenes(n: int, size: int = 96) -> tuple[np.ndarray, np.ndarray]:
    """Soft discs in colours, and reconstructions that are blurred and noisy."""
    rng = np.random.default_rng(7)
    y, x = np.mgrid[0:size, 0:size] / size
    discs = [
        sum(
            np.exp(-((x - a) ** 2 + (y - b) ** 2) / (0.02 + 0.05 * s))[..., None] * rng.random(3)
            for a, b, s in rng.random((5, 3))
        )
        for _ in range(n)
    ]
    seen = np.stack([255 * disc / disc.max() for disc in discs])
    made = (seen + np.roll(seen, 2, 1) + np.roll(seen, 2, 2)) / 3 + rng.normal(0, 12, seen.shape)
    return tuple(np.clip(images, 0, 255).round().astype(np.uint8) for images in (seen, made))


def test_a_stack_in_the_order_of_text_is_explained(neurogauge: Program, tmp_path: Path) -> None:
    # The size at which the published code compares pixels.
    seen, made = scenes(12, 425)
    (tmp_path / "stimuli").mkdir()
    for place, image in enumerate(seen):
        Image.fromarray(image).save(tmp_path / f"stimuli/img{place}.png")
    np.save(tmp_path / "recon.npy", made[sorted(range(12), key=lambda place: f"img{place}.png")])
    right = np.mean([np.corrcoef(a.ravel(), b.ravel())[0, 1] for a, b in zip(seen, made, strict=True)])
    both = ["stimuli", "recon.npy", "--match", "{number}"]
    # `score` would end with an error until the order is named.
    said = neurogauge("check", *both, "--explain", f"pixcorr={right:.4f}", code=1)
    assert "the files show: the reconstructions are in the order of text (1, 10, 2)" in said
    assert "12 pairs, pixcorr of the publication fits if the reconstructions are in the order of text" in said
    assert "--set stack_order=text" in said


def test_only_the_object_of_cut_outs_counts(neurogauge: Program, tmp_path: Path) -> None:
    seen, made = scenes(8)
    y, x = np.mgrid[0:96, 0:96]
    inside = (y - 48) ** 2 + (x - 48) ** 2 < 900
    for folder in ("stimuli", "recon"):
        (tmp_path / folder).mkdir()
    for place in range(8):
        cut = np.dstack([seen[place], inside * np.uint8(255)])
        Image.fromarray(cut).save(tmp_path / f"stimuli/{place:03}.png")
        Image.fromarray(np.where(inside[..., None], made[place], 255).astype(np.uint8)).save(
            tmp_path / f"recon/{place:03}.png"
        )
    options = ["--metrics", "pixcorr", "--set", "pixel_size=own", "--set", "region=alpha", "--out", "run"]
    said = neurogauge("score", "stimuli", "recon", *options)
    assert "within the opaque part of each stimulus" in said
    lines = (tmp_path / "run/scores.csv").read_text(encoding="utf-8").splitlines()
    place = lines[0].split(",").index("pixcorr")
    found = [float(line.split(",")[place]) for line in lines[1:]]
    expected = [np.corrcoef(a[inside].ravel(), b[inside].ravel())[0, 1] for a, b in zip(seen, made, strict=True)]
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_sets_of_released_features_have_distances(neurogauge: Program, tmp_path: Path) -> None:
    release("things_eeg2.py", tmp_path)
    said = neurogauge(
        "score", "sets", "ViT-H-14_features_test.pt:img_features", "ATM_S_eeg_features_sub-08_test.pt", "--out", "sets"
    )
    assert "KID" in said and "the covariances are not of full rank" in said
    measures = {own["id"]: own for own in record(tmp_path / "sets/run.json")["rows"][0]["measures"]}
    assert measures["fid_if_alike"]["value"] < measures["fid"]["value"]
    # The same features on both sides have a distance of 0.
    neurogauge("score", "sets", *2 * ["ViT-H-14_features_test.pt:img_features"], "--out", "same")
    same = {own["id"]: own for own in record(tmp_path / "same/run.json")["rows"][0]["measures"]}
    assert abs(same["fid"]["value"]) < 1e-6 * measures["fid"]["value"]


NSD = """[nsd]
folder = "nsd"
subjects = [1, 2]
hemispheres = ["lh"]
sessions = [2, 2]
roi_labels = "nsddata/freesurfer/fsaverage/label/{hemisphere}.small.mgh"
rois = { V1 = 1, V2 = 5 }

[[sources]]
name = "model"
features = ["layers.npz:early", "layers.npz:late"]
each_layer = true

[settings]
outer_folds = 4
"""


def test_betas_of_nsd_have_similarities_and_ceilings(neurogauge: Program, tmp_path: Path) -> None:
    release("nsd.py", tmp_path)
    (tmp_path / "nsd.toml").write_text(NSD, encoding="utf-8")
    said = neurogauge("align", "--config", "nsd.toml", "--rsa", "--dissimilarity", "crossnobis", "--out", "rsa")
    assert "lh V1: model late is similar to these brains beyond chance" in said
    said = neurogauge("align", "--config", "nsd.toml", "--readout", "ridge", "--out", "ridge")
    assert "lh V1: model late predicts voxels beyond chance" in said and "Ceilings from repeats (ncsnr)" in said
    region = record(tmp_path / "ridge/encoding.json")["regions"][0]
    reliability = dict(region["sources"][0])["explainable"]["value"]["value"]
    # Signals of four dimensions and noise of 1, the mean of three trials.
    assert 0.8 < reliability < 1


ALGONAUTS = """[[targets]]
subject = "subj01"
hemisphere = "lh"
roi = "V1"
trials = "subj01/training_split/training_fmri/lh_training_fmri.npy"
stimuli = "subj01/training_split/images.csv:image"
mask = "subj01/roi_masks/lh.prf-visualrois_challenge_space.npy"
labels = [1, 2]

[[sources]]
name = "alexnet"
features = "alexnet.npy"

[settings]
outer_folds = 4
"""


def test_averaged_responses_of_algonauts_have_given_ceilings(neurogauge: Program, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    n_images, n_vertices = 120, 30
    seen = rng.normal(size=(n_images, 4))
    noise = rng.uniform(0.5, 2, size=n_vertices)
    weights = rng.normal(size=(4, n_vertices))
    signal = seen @ (weights / np.linalg.norm(weights, axis=0))
    responses = signal + noise * rng.normal(size=signal.shape)
    split = tmp_path / "subj01/training_split"
    (split / "training_fmri").mkdir(parents=True)
    (tmp_path / "subj01/roi_masks").mkdir()
    np.save(split / "training_fmri/lh_training_fmri.npy", responses.astype(np.float32))
    names = [f"train-{place + 1:04}_nsd-{place * 13 + 2:05}" for place in range(n_images)]
    (split / "images.csv").write_text("\n".join(["image", *names]) + "\n", encoding="utf-8")
    labels = np.arange(n_vertices) % 3
    np.save(tmp_path / "subj01/roi_masks/lh.prf-visualrois_challenge_space.npy", labels)
    # The released ceilings: the share of variance that a perfect model explains.
    ceiling = 1 / (1 + noise**2)
    np.save(tmp_path / "lh_noise_ceiling.npy", ceiling)
    np.save(tmp_path / "alexnet.npy", seen @ rng.normal(size=(4, 10)))
    (tmp_path / "ids.json").write_text(json.dumps(names), encoding="utf-8")
    (tmp_path / "algonauts.toml").write_text(ALGONAUTS, encoding="utf-8")
    given = ["--readout", "ridge", "--ceiling", "{hemisphere}_noise_ceiling.npy"]
    said = neurogauge("align", "--config", "algonauts.toml", *given, "--out", "ridge")
    assert "lh V1: alexnet predicts voxels beyond chance" in said and "taken as exact" in said
    region = dict(record(tmp_path / "ridge/encoding.json")["regions"][0]["sources"][0])
    assert region["explainable"]["value"]["value"] == pytest.approx(ceiling[labels > 0].mean())
    # The features know the whole signal.
    assert region["explained_relative"]["value"]["value"] == pytest.approx(1, abs=0.15)
