"""Small files in NSD's formats, written by nibabel (.mgh, .mgz) and SciPy (.mat), and their contents.

    cd reference && python nsd_formats.py

Writes golden/nsd/: volumes of every type that MGH knows, an experiment design with 3 subjects, 40 images each of which
10 are shared, 2 sessions of 750 trials, plain and compressed, and expected.json."""

import gzip
import json
from pathlib import Path

import nibabel
import numpy as np
import scipy.io

GOLDEN = Path(__file__).parent / "golden" / "nsd"


def without_date(path: Path) -> None:
    """The same file on every day: MATLAB's header has the date, and gzip's the time."""
    if path.suffix == ".mgz":
        path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()), mtime=0))
    else:
        path.write_bytes(b"MATLAB 5.0 MAT-file".ljust(116) + path.read_bytes()[116:])


def volumes() -> dict:
    random = np.random.default_rng(3)
    expected = {}
    for name, dtype in [("u8", np.uint8), ("i16", np.int16), ("i32", np.int32), ("f32", np.float32)]:
        shape = (7, 2, 3, 4)
        values = (random.normal(size=shape) * 40 + (100 if name == "u8" else 0)).astype(dtype)
        for ending in ["mgh", "mgz"]:
            nibabel.save(nibabel.MGHImage(values, np.eye(4)), GOLDEN / f"{name}.{ending}")
        read = np.asarray(nibabel.load(GOLDEN / f"{name}.mgz").dataobj, dtype=np.float64)
        # One row for each frame; the first axis varies fastest.
        expected[name] = [read[..., frame].ravel(order="F").tolist() for frame in range(shape[3])]
    return expected


def design() -> dict:
    random = np.random.default_rng(4)
    n_subjects, n_images, n_shared, n_trials = 3, 700, 10, 1500
    shared = np.sort(random.choice(73000, n_shared, replace=False)) + 1
    others = np.setdiff1d(np.arange(1, 73001), shared)
    subjectim = np.stack(
        [np.concatenate([shared, random.choice(others, n_images - n_shared, replace=False)]) for _ in range(n_subjects)]
    )
    masterordering = random.permutation(np.tile(np.arange(n_images), 3))[:n_trials][None, :] + 1
    variables = {
        "masterordering": masterordering.astype(np.float64),
        "subjectim": subjectim.astype(np.uint32),
        "sharedix": shared[None, :].astype(np.float64),
    }
    scipy.io.savemat(GOLDEN / "design.mat", variables)
    scipy.io.savemat(GOLDEN / "design_compressed.mat", variables, do_compression=True)
    loaded = scipy.io.loadmat(GOLDEN / "design_compressed.mat")
    order, images = loaded["masterordering"].ravel().astype(int) - 1, loaded["subjectim"].astype(int) - 1
    trials = images[:, order]
    sessions = [2, 1, 2]
    counts = np.array(
        [
            [np.sum(trials[s][: 750 * n] == image) for image in np.sort(loaded["sharedix"].ravel().astype(int) - 1)]
            for s, n in enumerate(sessions)
        ]
    )
    seen = {
        str(k): (np.sort(loaded["sharedix"].ravel().astype(int) - 1)[counts.min(axis=0) >= k]).tolist()
        for k in range(4)
    }
    synthetic = random.integers(1, 285, size=(1, 744))
    scipy.io.savemat(GOLDEN / "synthetic.mat", {"masterordering": synthetic.astype(np.uint16)})
    return {
        "first_trials": trials[:, :5].tolist(),
        "last_trials": trials[:, -5:].tolist(),
        "sessions": sessions,
        "shared_seen": seen,
        "synthetic_first": (synthetic[0, :5] - 1).tolist(),
    }


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    expected = {"volumes": volumes(), "design": design()}
    for path in [*GOLDEN.glob("*.mgz"), *GOLDEN.glob("*.mat")]:
        without_date(path)
    (GOLDEN / "expected.json").write_text(json.dumps(expected) + "\n")
