"""Responses of trials in images of the brain (NIfTI, CIFTI-2, GIfTI, MGH) and in MATLAB's files, written and read by
nibabel, SciPy and h5py.

    cd reference && python brain_images.py

Writes golden/brain_images/ and its expected.json.
"""

import json
from pathlib import Path

import h5py
import nibabel
import numpy as np
import scipy.io
from nibabel import cifti2, gifti

GOLDEN = Path(__file__).parent / "golden" / "brain_images"

SIZE = (4, 3, 2)
N_TRIALS = 5
N_VERTICES = 11


def volumes(random: np.random.Generator) -> dict[str, np.ndarray]:
    """Each file's array of trials by voxels; the first spatial axis varies fastest."""
    whole = random.integers(-3000, 3000, size=(*SIZE, N_TRIALS)).astype("i2")
    scaled = nibabel.Nifti1Image(whole, np.eye(4))
    scaled.header.set_slope_inter(1 / 256, -3)
    nibabel.save(scaled, GOLDEN / "scaled.nii.gz")
    decimal = random.normal(size=(*SIZE, N_TRIALS)).astype("f4")
    nibabel.save(nibabel.Nifti2Image(decimal, np.eye(4)), GOLDEN / "version2.nii")
    big = nibabel.Nifti2Image(decimal, np.eye(4), nibabel.Nifti2Header(endianness=">"))
    big.header.extensions.append(nibabel.nifti1.Nifti1Extension("comment", b"an extension of some length"))
    nibabel.save(big, GOLDEN / "big_version2.nii.gz")
    nibabel.save(nibabel.MGHImage(decimal, np.eye(4)), GOLDEN / "trials.mgz")
    labels = random.integers(0, 4, size=SIZE).astype("u1")
    nibabel.save(nibabel.Nifti1Image(labels, np.eye(4)), GOLDEN / "labels.nii.gz")
    names = ["scaled.nii.gz", "version2.nii", "big_version2.nii.gz", "trials.mgz"]
    return {name: nibabel.load(GOLDEN / name).get_fdata().reshape(-1, N_TRIALS, order="F").T for name in names}


def surfaces(random: np.random.Generator) -> dict[str, np.ndarray]:
    values = random.normal(size=(N_TRIALS, N_VERTICES)).astype("f4")
    points = random.normal(size=(N_VERTICES, 3)).astype("f4")
    encodings = {"gzip": "B64GZ", "base64": "B64BIN", "text": "ASCII"}
    found = {}
    for name, encoding in encodings.items():
        arrays = [
            gifti.GiftiDataArray(
                points,
                intent="NIFTI_INTENT_POINTSET",
                datatype="NIFTI_TYPE_FLOAT32",
                encoding=f"GIFTI_ENCODING_{encoding}",
            )
        ]
        arrays += [
            gifti.GiftiDataArray(
                row,
                intent="NIFTI_INTENT_TIME_SERIES",
                datatype="NIFTI_TYPE_FLOAT32",
                encoding=f"GIFTI_ENCODING_{encoding}",
            )
            for row in values
        ]
        arrays[1].endian = "big"
        nibabel.save(gifti.GiftiImage(darrays=arrays), GOLDEN / f"{name}.func.gii")
        read = nibabel.load(GOLDEN / f"{name}.func.gii")
        found[f"{name}.func.gii"] = np.stack([array.data for array in read.darrays[1:]])
    # All trials as columns of one array, in either memory order.
    for name, order in [("rows", "RowMajorOrder"), ("columns", "ColumnMajorOrder")]:
        array = gifti.GiftiDataArray(
            values.T.copy(), intent="NIFTI_INTENT_NONE", datatype="NIFTI_TYPE_FLOAT32", ordering=order
        )
        nibabel.save(gifti.GiftiImage(darrays=[array]), GOLDEN / f"{name}.func.gii")
        found[f"{name}.func.gii"] = nibabel.load(GOLDEN / f"{name}.func.gii").darrays[0].data.T
    labels = random.integers(0, 3, size=N_VERTICES).astype("i4")
    array = gifti.GiftiDataArray(labels, intent="NIFTI_INTENT_LABEL", datatype="NIFTI_TYPE_INT32")
    nibabel.save(gifti.GiftiImage(darrays=[array]), GOLDEN / "labels.label.gii")
    return found


def grayordinates(random: np.random.Generator) -> dict[str, np.ndarray]:
    left = np.zeros(8, dtype=bool)
    left[[0, 2, 3, 7]] = True
    right = np.zeros(9, dtype=bool)
    right[[1, 4, 5]] = True
    voxels = np.zeros(SIZE, dtype=bool)
    voxels[1:3, 1, 0] = True
    brain = cifti2.BrainModelAxis.from_mask(left, "CortexLeft")
    brain += cifti2.BrainModelAxis.from_mask(right, "CortexRight")
    brain += cifti2.BrainModelAxis.from_mask(voxels, "ThalamusLeft", affine=np.eye(4))
    values = random.normal(size=(N_TRIALS, len(brain))).astype("f4")
    series = cifti2.SeriesAxis(0, 1.6, N_TRIALS)
    nibabel.save(cifti2.Cifti2Image(values, (series, brain)), GOLDEN / "trials.dtseries.nii")
    scalars = cifti2.ScalarAxis([f"trial {trial}" for trial in range(N_TRIALS)])
    nibabel.save(cifti2.Cifti2Image(values, (scalars, brain)), GOLDEN / "trials.dscalar.nii")
    areas = np.arange(len(brain)) % 3
    label = cifti2.LabelAxis(["areas"], {0: ("none", (0, 0, 0, 0)), 1: ("V1", (1, 0, 0, 1)), 2: ("V2", (0, 1, 0, 1))})
    nibabel.save(cifti2.Cifti2Image(areas[None].astype("f4"), (label, brain)), GOLDEN / "areas.dlabel.nii")
    return {name: nibabel.load(GOLDEN / name).get_fdata() for name in ["trials.dtseries.nii", "trials.dscalar.nii"]}


def matlab(random: np.random.Generator) -> dict[str, list]:
    """Variables with the axes that MATLAB shows, in row-major order."""
    variables = {
        "betas": random.normal(size=(N_TRIALS, 3)),
        "single": random.normal(size=(2, 4)).astype("f4"),
        "counts": random.integers(-100, 100, size=(3, 2)).astype("i2"),
        "cube": random.integers(0, 200, size=(2, 3, 4)).astype("u1"),
        "whole": np.arange(6.0).reshape(2, 3),
        "inside": random.random((2, 3)) < 0.5,
        "order": np.arange(1.0, 5.0)[None],
    }
    others = {"about": "words", "cells": np.array([1, "a"], dtype=object), "settings": {"a": 1.0}}
    for name, compressed in [("plain", False), ("compressed", True)]:
        scipy.io.savemat(GOLDEN / f"{name}.mat", {**variables, **others}, do_compression=compressed)
    scipy.io.savemat(GOLDEN / "one.mat", {"betas": variables["betas"]})
    with h5py.File(GOLDEN / "version73.mat", "w", userblock_size=512) as file:
        for name, value in variables.items():
            file[name] = np.asarray(value).T
    with open(GOLDEN / "version73.mat", "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, written by h5py".ljust(124) + b"\x00\x02IM")
    read = scipy.io.loadmat(GOLDEN / "plain.mat")
    return {name: [list(read[name].shape), read[name].astype("f8").ravel().tolist()] for name in variables}


def main() -> None:
    GOLDEN.mkdir(exist_ok=True)
    random = np.random.default_rng(22)
    images = volumes(random) | surfaces(random) | grayordinates(random)
    labels = nibabel.load(GOLDEN / "labels.nii.gz").get_fdata().ravel(order="F")
    expected = {
        "trials": {name: np.asarray(values, dtype="f8").tolist() for name, values in images.items()},
        "labels": {
            "labels.nii.gz": labels.tolist(),
            "labels.label.gii": nibabel.load(GOLDEN / "labels.label.gii").agg_data().astype("f8").tolist(),
            "areas.dlabel.nii": nibabel.load(GOLDEN / "areas.dlabel.nii").get_fdata()[0].tolist(),
        },
        "matlab": matlab(random),
    }
    (GOLDEN / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
