"""Small files of single-trial responses in the layouts of THINGS-fMRI and BOLD5000, written by pandas, PyTables,
nibabel and SciPy, and their contents according to plain NumPy.

    cd reference && python target_layouts.py

THINGS-fMRI (Hebart et al. 2023, table format): `sub-01_ResponseData.h5` is a data frame of voxels by trials that pandas
stored, with `sub-01_VoxelMetadata.csv` and `sub-01_StimulusMetadata.csv`. BOLD5000 (Chang et al. 2019): matrices of
regions in `CSI1_ROIs_TR34.mat` with a list of images, and in release 2 an image of betas for each session with masks of
regions.

Writes golden/target_layouts/ and its expected.json.
"""

import gzip
import json
from pathlib import Path

import h5py
import nibabel
import numpy as np
import pandas
import scipy.io
import scipy.stats

GOLDEN = Path(__file__).parent / "golden" / "target_layouts"

CONCEPTS = ["dog", "mango", "spatula", "candelabra", "panda", "zebra"]
N_VOXELS = 9
SIZE = (4, 3, 2)
SESSIONS = 3
TEST_REPEATS = 4


def noisy(random: np.random.Generator, loadings: np.ndarray, latents: np.ndarray) -> np.ndarray:
    """(n_trials, n_voxels)"""
    found = latents @ loadings
    return found + 0.4 * random.normal(size=found.shape)


def z_scored(values: np.ndarray, sessions: np.ndarray) -> np.ndarray:
    found = np.empty_like(values)
    for session in np.unique(sessions):
        own = sessions == session
        found[own] = scipy.stats.zscore(values[own], axis=0)
    return found


def kept(values: np.ndarray, sessions: np.ndarray, names: np.ndarray, chosen: list[str]) -> dict:
    """Responses z-scored in each session over all its trials, then the trials of the chosen stimuli, in order."""
    scores = z_scored(values, sessions)
    rows = np.isin(names, chosen)
    return {"stimuli": names[rows].tolist(), "responses": scores[rows].tolist()}


def things(random: np.random.Generator) -> dict:
    """Test images are shown in every run of every session, train images once."""
    folder = GOLDEN / "things"
    folder.mkdir(parents=True, exist_ok=True)
    images = [f"{concept}_{number:02d}s.jpg" for concept in CONCEPTS for number in (12, 13, 14, 15)]
    test = images[::2]
    train = images[1::2]
    latents = {image: random.normal(size=3) for image in images}
    expected = {}
    for subject in ("01", "02"):
        loadings = random.normal(size=(3, N_VOXELS))
        rows = []
        for session in range(1, SESSIONS + 1):
            for run in range(1, TEST_REPEATS // 2 + 1):
                shown = [(image, "test") for image in test] + [
                    (image, "train") for image in train[session - 1 :: SESSIONS] if run == 1
                ]
                for place in random.permutation(len(shown)):
                    image, kind = shown[place]
                    rows.append((kind, session, run, int(subject), len(rows), image, image[:-8]))
        trials = pandas.DataFrame(rows, columns="trial_type session run subject_id trial_id stimulus concept".split())
        trials.to_csv(folder / f"sub-{subject}_StimulusMetadata.csv", index=False)
        responses = noisy(random, loadings, np.stack([latents[name] for name in trials["stimulus"]]))
        frame = pandas.DataFrame(responses.T, columns=range(len(trials)))
        frame.insert(0, "voxel_id", np.arange(N_VOXELS))
        file = folder / f"sub-{subject}_ResponseData.h5"
        # Compressed, since pandas would otherwise write two megabytes for the names of columns.
        frame.to_hdf(file, key="ResponseData", mode="w", complevel=9)
        assert pandas.read_hdf(file).equals(frame)
        regions = {"V1": [0, 2, 3, 7], "LO1 (prf)": [1, 4], "lFFA": [5, 8], "rFFA": [6]}
        voxels = pandas.DataFrame(
            {"voxel_id": range(N_VOXELS), "voxel_x": range(N_VOXELS), "nc_testset": random.random(N_VOXELS) * 40}
        )
        for region, places in regions.items():
            voxels[region] = np.isin(np.arange(N_VOXELS), places).astype(int)
        voxels["glasser-p9-\n46v"] = 0
        voxels.to_csv(folder / f"sub-{subject}_VoxelMetadata.csv", index=False)
        # The same numbers for builds that cannot read HDF5.
        np.save(folder / f"sub-{subject}_ResponseData.npy", responses.T)
        names = trials["stimulus"].str.removesuffix(".jpg").to_numpy()
        chosen = [name.removesuffix(".jpg") for name in test]
        data = pandas.read_hdf(file).drop(columns="voxel_id").to_numpy().T
        for region in ("V1", "lFFA"):
            mask = pandas.read_csv(folder / f"sub-{subject}_VoxelMetadata.csv")[region].to_numpy() == 1
            expected[f"{subject} {region}"] = kept(data[:, mask], trials["session"].to_numpy(), names, chosen) | {
                "runs": (trials["session"] * 100 + trials["run"])[np.isin(names, chosen)].tolist()
            }
        with h5py.File(file) as stored:
            block = stored["ResponseData/block0_values"]
            assert block.shape == (N_VOXELS, len(trials)) and np.array_equal(block[()], responses.T)
    return expected


def bold5000(random: np.random.Generator) -> dict:
    """Some images are repeated; in release 1 a repeat is called rep_NAME."""
    folder = GOLDEN / "bold5000"
    folder.mkdir(parents=True, exist_ok=True)
    repeated = [f"COCO_train2014_{17 * number:012d}.jpg" for number in range(1, 7)]
    repeated += [f"n0{1930112 + number}_{number}.JPEG" for number in range(6)]
    (folder / "repeated_stimuli_113_list.txt").write_text("".join(f"{name}\n" for name in repeated))
    latents = {name: random.normal(size=3) for name in repeated}
    expected = {}
    masks = {"LHPPA": [0, 5, 7, 20], "RHPPA": [3, 11, 12]}
    for subject in ("CSI1", "CSI2"):
        names, plain, sessions = [], [], []
        for session in range(SESSIONS):
            once = [f"kitchen{subject[-1]}{session}{number}.jpg" for number in range(3)]
            for place in random.permutation(len(repeated) + 3):
                name = (repeated + once)[place]
                latents.setdefault(name, random.normal(size=3))
                names.append(f"rep_{name}" if name in plain else name)
                plain.append(name)
                sessions.append(session)
        (folder / f"{subject}_stim_lists.txt").write_text("".join(f"{name}\n" for name in names))
        (folder / f"{subject}_imgnames.txt").write_text("".join(f"{name}\n" for name in plain))
        loadings = random.normal(size=(3, int(np.prod(SIZE))))
        values = noisy(random, loadings, np.stack([latents[name] for name in plain])).astype("f4")
        sessions = np.array(sessions)
        for session in range(SESSIONS):
            frames = values[sessions == session].T.reshape(*SIZE, -1, order="F")
            image = nibabel.Nifti1Image(frames, np.eye(4))
            name = f"{subject}_GLMbetas-TYPED-FITHRF-GLMDENOISE-RR_ses-{session + 1:02d}.nii"
            (folder / f"{name}.gz").write_bytes(gzip.compress(image.to_bytes(), mtime=0))
        stems = np.array([name.rsplit(".", 1)[0] for name in plain])
        chosen = [name.rsplit(".", 1)[0] for name in repeated]
        matrices = {}
        for region, places in masks.items():
            mask = np.zeros(np.prod(SIZE), dtype="u1")
            mask[places] = 1
            image = nibabel.Nifti1Image(mask.reshape(SIZE, order="F"), np.eye(4))
            (folder / f"sub-{subject}_mask-{region}.nii.gz").write_bytes(gzip.compress(image.to_bytes(), mtime=0))
            read = [
                nibabel.load(
                    folder / f"{subject}_GLMbetas-TYPED-FITHRF-GLMDENOISE-RR_ses-{session + 1:02d}.nii.gz"
                ).get_fdata()
                for session in range(SESSIONS)
            ]
            chosen_voxels = nibabel.load(folder / f"sub-{subject}_mask-{region}.nii.gz").get_fdata() != 0
            # Positions in the order of the file, whose first axis varies fastest.
            betas = np.concatenate(
                [np.stack([frame.T[chosen_voxels.T] for frame in np.moveaxis(part, 3, 0)]) for part in read]
            )
            expected[f"release 2 {subject} {region}"] = kept(betas, sessions, stems, chosen)
            matrices[region] = betas
            expected[f"release 1 {subject} {region}"] = kept(betas, np.zeros(len(betas)), stems, chosen)
        scipy.io.savemat(folder / f"{subject}_ROIs_TR34.mat", matrices)
    return expected


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(22)
    expected = {"things": things(random), "bold5000": bold5000(random)}
    (GOLDEN / "expected.json").write_text(json.dumps(expected) + "\n")
