"""A miniature of the Natural Scenes Dataset with the original file names: two subjects, two sessions of 750 trials, 40
vertices.

    python journeys/releases/nsd.py      # it needs NumPy and SciPy

36 images are shared by the subjects and shown three times each. It also writes `layers.npz`, two layers of a model for
these images: `late` has three of the four dimensions along which the subjects respond, `early` only noise."""

import struct
from pathlib import Path

import numpy as np
from scipy.io import savemat

N_VERTICES, N_TRIALS, N_IMAGES, N_SHARED = 40, 750, 500, 36

rng = np.random.default_rng(0)
folder = Path("nsd")


def write_mgh(path: Path, frames: np.ndarray) -> None:
    """Writes a surface file of FreeSurfer: (n_frames, n_vertices) numbers."""
    path.parent.mkdir(parents=True, exist_ok=True)
    header = struct.pack(">7ih", 1, frames.shape[1], 1, 1, len(frames), 3, 0, 0)
    path.write_bytes(header.ljust(284, b"\0") + frames.astype(">f4").tobytes())


# The image at each position of a subject's list, from 1; every thirteenth is shared.
shared_at = np.arange(N_SHARED) * 13
images = np.stack([1000 * (subject + 1) + np.arange(N_IMAGES) for subject in range(2)])
images[:, shared_at] = 70_000 - shared_at
design = folder / "nsddata/experiments/nsd/nsd_expdesign.mat"
design.parent.mkdir(parents=True)
order = np.arange(2 * N_TRIALS) % N_IMAGES
savemat(
    design,
    {
        "masterordering": order[None] + 1.0,
        "subjectim": images.astype(float),
        "sharedix": images[:1, shared_at].astype(float),
    },
)

seen = rng.normal(size=(N_IMAGES, 4))
for subject in (1, 2):
    responses = seen @ rng.normal(size=(4, N_VERTICES))
    for session in (1, 2):
        trials = responses[order[(session - 1) * N_TRIALS : session * N_TRIALS]]
        name = f"nsddata_betas/ppdata/subj{subject:02}/fsaverage/betas_fithrf_GLMdenoise_RR/lh.betas_session{session:02}.mgh"
        write_mgh(folder / name, trials + rng.normal(size=trials.shape) + session)
# Regions: every fourth vertex is V1 (1), every fourth V2 (5).
write_mgh(
    folder / "nsddata/freesurfer/fsaverage/label/lh.small.mgh",
    np.array([[0, 5, 0, 1]] * (N_VERTICES // 4)).reshape(1, -1),
)

# Rows in ascending order of the images' numbers.
of_shared = seen[shared_at[::-1]]
late = of_shared[:, :3] @ rng.normal(size=(3, 30)) + 0.3 * rng.normal(size=(N_SHARED, 30))
np.savez("layers.npz", early=rng.normal(size=(N_SHARED, 30)), late=late)
