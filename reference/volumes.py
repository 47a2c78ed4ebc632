"""Arrays in .npz and HDF5, label volumes in NIfTI-1, and betas in HDF5 as NSD stores them, written and read by NumPy,
h5py and nibabel.

    cd reference && python volumes.py

Writes golden/volumes/ and its expected.json.
"""

import gzip
import json
from pathlib import Path

import h5py
import nibabel
import numpy as np

GOLDEN = Path(__file__).parent / "golden" / "volumes"

# X, Y, Z and trials: as for NSD's files, h5py reads betas as (trials, Z, Y, X), and a region file as (X, Y, Z).
SIZE = (7, 5, 4)
N_TRIALS = 12


def numbers(random, dtype, shape) -> np.ndarray:
    if dtype == np.bool_:
        return random.random(shape) < 0.5
    if np.issubdtype(dtype, np.floating):
        return random.normal(size=shape).astype(dtype)
    limits = np.iinfo(dtype)
    return random.integers(max(limits.min, -(2**40)), min(limits.max, 2**40), size=shape).astype(dtype)


def arrays() -> dict:
    """The values of each array, in C order, as doubles: .npz and HDF5 have the same arrays."""
    random = np.random.default_rng(1)
    names = "bool u1 u2 u4 u8 i1 i2 i4 i8 f2 f4 f8".split()
    values = {name: numbers(random, np.dtype(name).type, (3, 4)) for name in names}
    big = {f"big_{name}": values[name].astype(f">{name}") for name in ["i2", "i4", "f4", "f8"]}
    values |= big | {"scalar": np.float64(2.5), "three": numbers(random, np.float32, (2, 3, 2))}
    np.savez(GOLDEN / "stored.npz", **values, fortran=np.asfortranarray(values["f8"]))
    np.savez_compressed(GOLDEN / "deflated.npz", **values, fortran=np.asfortranarray(values["f8"]))
    np.savez(GOLDEN / "one.npz", trials=values["f4"])
    long = random.normal(size=(50, 6)).astype("f4")
    for name, version in [("arrays.h5", "earliest"), ("latest.hdf5", "latest")]:
        with h5py.File(GOLDEN / name, "w", libver=version) as file:
            for key, value in values.items():
                file[key] = value
            file["group/inner/f4"] = values["f4"]
            file["text"] = "words"
            filters = {"compression": "gzip", "shuffle": True, "fletcher32": True}
            file.create_dataset("deflated", data=long, chunks=(8, 4), **filters)
            file.create_dataset("unwritten", shape=(50, 6), dtype="f4", chunks=(8, 4))
            file["unwritten"][:8] = long[:8]
    with h5py.File(GOLDEN / "one.h5", "w") as file:
        file["trials"] = values["f4"]
    expected = {
        key: [list(value.shape), np.asarray(value, dtype="f8").ravel().tolist()] for key, value in values.items()
    }
    return {"arrays": expected, "deflated": [list(long.shape), long.astype("f8").ravel().tolist()]}


def labels() -> dict:
    random = np.random.default_rng(2)
    expected = {}
    for name in "u1 i1 u2 i2 u4 i4 u8 i8 f4 f8".split():
        codes = random.integers(0, 9, size=SIZE).astype(name)
        image = nibabel.Nifti1Image(codes, np.diag([-1.8, 1.8, 1.8, 1]), dtype=name)
        nibabel.save(image, GOLDEN / f"{name}.nii.gz")
        expected[f"{name}.nii.gz"] = image
    signed = random.integers(-1, 8, size=SIZE).astype("i2")
    # Big-endian, with an extension before the values, and with a scale factor.
    image = nibabel.Nifti1Image(signed, np.eye(4), nibabel.Nifti1Header(endianness=">"))
    image.header.extensions.append(nibabel.nifti1.Nifti1Extension("comment", b"an extension of some length"))
    nibabel.save(image, GOLDEN / "big.nii")
    image = nibabel.Nifti1Image(signed, np.eye(4))
    image.header.set_slope_inter(0.5, -3)
    nibabel.save(image, GOLDEN / "scaled.nii.gz")
    nibabel.save(nibabel.Nifti1Image(signed[..., None], np.eye(4)), GOLDEN / "four_axes.nii.gz")
    nibabel.save(nibabel.Nifti1Image(np.stack([signed] * 2, axis=-1), np.eye(4)), GOLDEN / "two_frames.nii.gz")
    nibabel.save(nibabel.Nifti2Image(signed, np.eye(4)), GOLDEN / "version2.nii")
    nibabel.save(nibabel.MGHImage(signed.astype("i4"), np.eye(4)), GOLDEN / "labels.mgz")
    np.save(GOLDEN / "labels.npy", signed)
    names = [*expected, "big.nii", "scaled.nii.gz", "four_axes.nii.gz", "labels.mgz"]
    # X varies fastest.
    read = {name: nibabel.load(GOLDEN / name).get_fdata().ravel(order="F").tolist() for name in names}
    read["labels.npy"] = signed.astype("f8").ravel(order="F").tolist()
    return read


def betas() -> dict:
    random = np.random.default_rng(3)
    stored = random.integers(-3000, 3000, size=(N_TRIALS, *SIZE[::-1])).astype("i2")
    stored[:, 1, 2, 3] = 0
    layouts = {
        "contiguous": {},
        "by_trial": {"chunks": (1, *SIZE[::-1]), "compression": "gzip"},
        "by_voxel": {"chunks": (N_TRIALS, 1, 1, 1)},
        "in_blocks": {"chunks": (5, 3, 2, 4), "compression": "gzip", "shuffle": True},
    }
    for name, options in layouts.items():
        with h5py.File(GOLDEN / f"betas_{name}.hdf5", "w") as file:
            file.create_dataset("betas", data=stored, **options)
    with h5py.File(GOLDEN / "betas_float.hdf5", "w") as file:
        file["betas"] = (stored / 300).astype("f4")
    region = random.random(SIZE) < 0.3
    with h5py.File(GOLDEN / "betas_contiguous.hdf5") as file:
        volumes = file["betas"][:].T / 300  # (X, Y, Z, trials)
    places = np.flatnonzero(region.ravel(order="F"))
    values = volumes.reshape(-1, N_TRIALS, order="F")[places]
    return {"places": places.tolist(), "values": values.T.ravel().tolist()}


def session() -> dict:
    """A session of 750 trials in a subject's volume of 4 x 3 x 2 voxels, and regions of both hemispheres."""
    random = np.random.default_rng(4)
    size, n_images = (4, 3, 2), 500
    signal = random.normal(size=(n_images, 4)) @ random.normal(size=(4, np.prod(size)))
    trials = signal[np.arange(750) % n_images] * 30 + random.normal(size=(750, np.prod(size))) * 15 + 40
    trials = np.round(trials).astype("i2").reshape(750, *size)
    trials[:, 3, 2, 1] = 0
    folder = GOLDEN / "session"
    folder.mkdir(exist_ok=True)
    with h5py.File(folder / "betas_session01.hdf5", "w") as file:
        stored = trials.transpose(0, 3, 2, 1)
        file.create_dataset(
            "betas", data=stored, chunks=(150, 2, 3, 4), compression="gzip", compression_opts=9, shuffle=True
        )
    x, _, z = np.indices(size)
    for hemisphere, inside in [("lh", x < 2), ("rh", x >= 2)]:
        labels = np.where(inside, z + 1, -1).astype("i2")
        labels[3, 2, 1] = -1
        nibabel.save(nibabel.Nifti1Image(labels, np.eye(4)), folder / f"{hemisphere}.prf-visualrois.nii.gz")
    percent = trials / 300
    scores = (percent - percent.mean(axis=0)) / percent.std(axis=0).clip(1e-8)
    lh = nibabel.load(folder / "lh.prf-visualrois.nii.gz").get_fdata()
    # X varies fastest.
    of_region = {str(code): np.flatnonzero((lh == code).ravel(order="F")) for code in [1, 2]}
    columns = scores.transpose(0, 3, 2, 1).reshape(750, -1)
    return {code: columns[:100, places].tolist() for code, places in of_region.items()}


def study() -> None:
    """Responses of two subjects to 30 stimuli, named 5 to 34, each shown in two sessions, and features."""
    random = np.random.default_rng(5)
    latents = random.normal(size=(30, 4))
    with h5py.File(GOLDEN / "study.h5", "w") as file:
        for subject in "ab":
            order = np.concatenate([random.permutation(30), random.permutation(30)])
            trials = latents[order] @ random.normal(size=(4, 9)) + random.normal(size=(60, 9)) * 0.3
            file[f"{subject}/trials"] = trials.astype("f4")
            file[f"{subject}/stimuli"] = order + 5
            file[f"{subject}/sessions"] = np.repeat([20260101120000, 20260108120000], 30)
        file["features"] = (latents @ random.normal(size=(4, 6))).astype("f4")


def images() -> None:
    """Stacks of images in NSD's format. Value i, in C order, is (7 i + 3) mod 256."""
    folder = GOLDEN / "stimuli"
    folder.mkdir(exist_ok=True)

    def brick(n: int, first: int = 0) -> np.ndarray:
        shape = (n, 4, 6, 3)
        return ((np.arange(np.prod(shape)) + first * 72) * 7 + 3).astype("u1").reshape(shape)

    with h5py.File(folder / "nsd_stimuli.hdf5", "w") as file:
        file.create_dataset("imgBrick", data=brick(5), chunks=(2, 4, 6, 3), compression="gzip")
    with h5py.File(folder / "others.h5", "w") as file:
        file["floats"] = (brick(3) / 255).astype("f4")
        file["channels_first"] = brick(3).transpose(0, 3, 1, 2)
        file["doubles"] = brick(3) / 255
        file["flat"] = brick(3)[..., 0]
    for name, n, first in [("stimuli", 3, 0), ("colorstimuli_subj01", 2, 3)]:
        with h5py.File(folder / f"nsdsynthetic_{name}.hdf5", "w") as file:
            file["imgBrick"] = brick(n, first)


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    expected = {
        **arrays(),
        "labels": labels(),
        "betas": betas(),
        "session": session(),
        "size": SIZE,
        "n_trials": N_TRIALS,
    }
    study()
    images()
    for path in [*GOLDEN.rglob("*.gz"), *GOLDEN.glob("*.mgz")]:
        # gzip's header has the time.
        path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()), mtime=0))
    (GOLDEN / "expected.json").write_text(json.dumps(expected) + "\n")
