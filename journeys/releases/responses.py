"""Responses of two subjects to 60 pictures and two layers of a model, as NumPy arrays.

    python journeys/releases/responses.py      # it needs NumPy

Both subjects respond along the same four dimensions of the pictures. The model's second layer has three of them, its
first layer only noise."""

from pathlib import Path

import numpy as np

N_STIMULI, N_REPEATS, N_VOXELS = 60, 3, 40


def write_responses(folder: Path) -> None:
    """Writes `s1_trials.npy`, `s1_stimuli.npy`, the same for s2, `features.npy` (the second layer) and `layers.npz`
    (both)."""
    rng = np.random.default_rng(0)
    shared = rng.normal(size=(N_STIMULI, 4))
    for subject in ("s1", "s2"):
        voxels = shared @ rng.normal(size=(4, N_VOXELS))
        stimuli = np.tile(np.arange(N_STIMULI), N_REPEATS)
        np.save(folder / f"{subject}_trials.npy", voxels[stimuli] + 2 * rng.normal(size=(len(stimuli), N_VOXELS)))
        np.save(folder / f"{subject}_stimuli.npy", stimuli)
    late = shared[:, :3] @ rng.normal(size=(3, 30)) + 0.5 * rng.normal(size=(N_STIMULI, 30))
    np.save(folder / "features.npy", late)
    np.savez(folder / "layers.npz", early=rng.normal(size=(N_STIMULI, 30)), late=late)


if __name__ == "__main__":
    write_responses(Path())
