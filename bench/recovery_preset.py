"""Runs the recovery paper's study, `neurogauge align --preset nsd-core`, end to end on simulated NSD, to measure its
cost and check that nothing is missing.

    python bench/recovery_preset.py [--binary target/release/neurogauge] [--size whole|small] [--folder DIR] [--
    ARGUMENTS]

NSD is simulated with its layout on disk: the design of 30,000 trials with 515 images that all eight subjects saw three
times, betas of each session on a surface of few vertices in both hemispheres, fourteen regions with `--vertices`
(default 60) vertices each, and images. All sources of the preset exist. Untrained models compute features of the
images; trained models, whose weights are missing, are replaced by simulated features in `examples/recovery-paper.toml`,
which is the preset as a file. `small` uses the preset by name with two subjects, two sessions and one untrained model,
and takes seconds.

Prints wall seconds, processor seconds and peak memory. Exits with 1 if a target unit or a source is missing in
align.json. Other arguments are passed to `neurogauge align`, such as `--null 0`. The whole study takes about six hours
on two threads, by `--dry-run`."""

import argparse
import gzip
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nibabel
import numpy as np
import scipy.io
from PIL import Image

from processes import BINARY, ROOT

TRIALS, N_IMAGES, N_SHARED, N_KEPT = 750, 10_000, 1000, 515
SESSIONS = (40, 40, 32, 30, 40, 32, 40, 30)
N_LATENTS = 12
REGIONS = 7


def order_of(random, n_sessions, n_kept):
    """Which image a subject sees in each trial: the kept ones three times within the fewest sessions."""
    n_trials, fewest = max(n_sessions) * TRIALS, min(n_sessions) * TRIALS
    kept = random.choice(N_SHARED, n_kept, replace=False)
    others = np.setdiff1d(np.arange(N_IMAGES), kept)
    order = np.resize(np.repeat(others[others >= N_SHARED], 3), n_trials)
    # Shared images that are not kept are seen twice.
    rest = np.repeat(others[others < N_SHARED], 2)
    places = random.permutation(fewest)
    order[places[: 3 * n_kept]] = np.repeat(kept, 3)
    rest = rest[: fewest - 3 * n_kept]
    order[places[3 * n_kept : 3 * n_kept + len(rest)]] = rest
    return order


def save_mgh(path, values):
    """(n_vertices, n_frames); NSD's own names end in .mgh, labels in .mgz."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frames = values.astype("f4")[:, None, None, :]
    # An image with a single frame has three axes.
    image = nibabel.MGHImage(frames if frames.shape[3] > 1 else frames[..., 0], np.eye(4))
    data = image.to_bytes()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".mgz" else data)


def simulate(folder, subjects, sessions, n_kept, vertices, seed=22):
    random = np.random.default_rng(seed)
    design = folder / "nsddata/experiments/nsd"
    design.mkdir(parents=True)
    order = order_of(random, sessions, n_kept)
    shared = np.sort(random.choice(72_000, N_SHARED, replace=False)) + 1
    own = np.setdiff1d(np.arange(1, 73_001), shared)
    images = np.stack(
        [np.concatenate([shared, random.choice(own, N_IMAGES - N_SHARED, replace=False)]) for _ in range(8)]
    )
    scipy.io.savemat(
        design / "nsd_expdesign.mat",
        {
            "masterordering": order[None] + 1.0,
            "subjectim": images.astype(float),
            "sharedix": shared[None].astype(float),
        },
    )
    latents = random.normal(size=(N_IMAGES, N_LATENTS)) / np.sqrt(1 + np.arange(N_LATENTS))
    n_vertices = (REGIONS + 1) * vertices
    for hemisphere in ("lh", "rh"):
        labels = np.arange(n_vertices) % (REGIONS + 1)
        save_mgh(folder / f"nsddata/freesurfer/fsaverage/label/{hemisphere}.Kastner2015.mgz", labels[:, None])
        for subject in subjects:
            loadings = random.normal(size=(N_LATENTS, n_vertices))
            for session in range(sessions[subject - 1]):
                shown = latents[order[session * TRIALS : (session + 1) * TRIALS]]
                betas = shown @ loadings + 2 * random.normal(size=(TRIALS, n_vertices))
                name = f"{hemisphere}.betas_session{session + 1:02d}.mgh"
                save_mgh(
                    folder / f"nsddata_betas/ppdata/subj{subject:02d}/fsaverage/betas_fithrf_GLMdenoise_RR/{name}",
                    betas.T,
                )
    kept = np.array([place for place in range(N_SHARED) if np.sum(order[: min(sessions) * TRIALS] == place) >= 3])
    assert len(kept) == n_kept
    # nsdId counts from 0.
    numbers = shared[kept] - 1
    return dict(zip(numbers.tolist(), latents[kept], strict=True))


def write_images(folder, stimuli, random):
    """Images whose colours and stripes follow the latents."""
    folder.mkdir()
    y, x = np.mgrid[:64, :64] / 64
    for number, latent in stimuli.items():
        waves = [np.sin((3 + k) * x * latent[k] + (2 + k) * y * latent[k + 1]) for k in range(3)]
        pixels = 128 + 80 * np.stack(waves, axis=2) + 20 * random.normal(size=(64, 64, 3))
        Image.fromarray(pixels.clip(0, 255).astype("u1")).save(folder / f"{number}.png")


def with_features(text, stimuli, folder, nsd, images, random):
    """Writes the preset as a file in which simulated features replace trained models."""
    folder.mkdir()
    numbers = sorted(stimuli)
    (folder / "ids.json").write_text(json.dumps([str(number) for number in numbers]))
    latents = np.stack([stimuli[number] for number in numbers])
    head, *sources = text.split("\n[[sources]]\n")
    head = head.replace('folder = "nsd"', f"folder = {json.dumps(str(nsd))}")
    written = [head]
    for source in sources:
        model = re.search(r'model = "([^"]+)"', source)[1]
        if "-untrained-" not in model:
            path = folder / f"{model}.npy"
            mixed = latents @ random.normal(size=(N_LATENTS, 1024)) + 0.5 * random.normal(size=(len(numbers), 1024))
            np.save(path, mixed.astype("f4"))
            weights = re.search(r"weights = .*", source)[0]
            source = f'name = "{model}"\narchitecture = "{model}"\nfeatures = [{json.dumps(str(path))}]\n{weights}\n'
        else:
            source = re.sub(r"images = .*", f"images = {json.dumps(str(images))}", source)
        written.append(source)
    return "\n[[sources]]\n".join(written)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, default=BINARY)
    parser.add_argument("--size", choices=["whole", "small"], default="whole")
    parser.add_argument("--vertices", type=int, default=60)
    parser.add_argument(
        "--folder", type=Path, help="where simulated data and the run go; a temporary folder where it is left out"
    )
    parser.add_argument("arguments", nargs="*", help="for neurogauge align, behind --")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        random = np.random.default_rng(23)
        whole = options.size == "whole"
        sessions = SESSIONS if whole else (2,) * 8
        n_kept = N_KEPT if whole else 60
        subjects = range(1, 9) if whole else (1, 2)
        nsd, images, run = folder / "nsd", folder / "images", folder / "run"
        stimuli = simulate(nsd, subjects, sessions, n_kept, options.vertices if whole else 8)
        write_images(images, stimuli, random)
        if whole:
            text = with_features(
                (ROOT / "examples/recovery-paper.toml").read_text(), stimuli, folder / "features", nsd, images, random
            )
            config = folder / "align.toml"
            config.write_text(text)
            what = ["--config", config]
            expected = (8 * 2 * REGIONS, 37)
        else:
            what = [
                "--preset",
                "nsd-core",
                "--nsd",
                nsd,
                "--stimuli",
                images,
                "--subjects",
                "1,2",
                "--sessions",
                "2",
                "--sources",
                "resnet18-untrained-42",
            ]
            expected = (2 * 2 * REGIONS, 1)
        command = [options.binary, "align", *what, "--offline", "--out", run, *options.arguments]
        print(" ".join(map(str, command)), flush=True)
        start = time.monotonic()
        status = subprocess.run(
            list(map(str, command)), env=os.environ | {"NO_COLOR": "1"}, stdout=subprocess.DEVNULL
        ).returncode
        seconds = time.monotonic() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        if status:
            return status
        record = json.loads((run / "align.json").read_text())
        models = [source for source in record["sources"] if source.get("state")]
        found = (len(record["units"]), len(models))
        print(
            f"{found[0]} target units, {found[1]} models: {seconds:.0f} s, {used.ru_utime + used.ru_stime:.0f} processor seconds, {used.ru_maxrss / 1024:.0f} MiB"
        )
        if found != expected:
            print(f"expected {expected[0]} target units and {expected[1]} models", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
