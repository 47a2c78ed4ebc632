"""Goldens for representational similarity analysis: dissimilarities, comparisons, ceilings and the two-factor variance.

The references are rsatoolbox (calc_rdm, prec_from_residuals, compare, eval_fixed, _dual_bootstrap) and SciPy (pdist for
cosines). A resample of stimuli is an RDM with the drawn stimuli, in which pairs of copies are NaN, as rsatoolbox makes it.

Run from `reference/` with the packages of requirements.txt. Writes golden/rsa.json. Inputs are arrays of synthetic.py:
`patterns(name)` here is the twin of `patterns` in crates/alignment/tests/alignment/rsa.rs.
"""

import json
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np
import synthetic
from rsatoolbox.data import Dataset
from rsatoolbox.data.noise import prec_from_residuals
from rsatoolbox.inference import eval_fixed
from rsatoolbox.model import ModelFixed
from rsatoolbox.rdm import RDMs, calc_rdm, compare
from rsatoolbox.util.inference_util import _dual_bootstrap
from scipy.spatial.distance import pdist

N_STIMULI, N_CHANNELS, N_REPEATS = 12, 9, 3
METHODS = {
    "spearman": "spearman",
    "kendall-tau-a": "tau-a",
    "kendall-tau-b": "tau-b",
    "pearson": "corr",
    "cosine": "cosine",
    "whitened-cosine": "cosine_cov",
}


def noise(name: str, shape: tuple[int, int]) -> np.ndarray:
    return synthetic.uniform(name, 0, shape).astype(np.float64) - 0.5


def patterns(name: str) -> np.ndarray:
    """Patterns that share a part with those of every other name."""
    return noise("shared", (N_STIMULI, N_CHANNELS)) + noise(name, (N_STIMULI, N_CHANNELS))


def trials(name: str) -> np.ndarray:
    """(n_repeats, n_stimuli, n_channels), with noise that channels share."""
    rows = N_REPEATS * N_STIMULI
    own = noise(f"{name} noise", (rows, N_CHANNELS)) + noise(f"{name} common", (rows, 1))
    return patterns(name)[None] + 0.7 * own.reshape(N_REPEATS, N_STIMULI, N_CHANNELS)


def crossnobis(name: str) -> np.ndarray:
    measured = trials(name)
    residuals = (measured - measured.mean(axis=0)).reshape(-1, N_CHANNELS)
    precision = prec_from_residuals(residuals, dof=(N_REPEATS - 1) * N_STIMULI, method="shrinkage_diag")
    labels = {
        "stimulus": np.tile(np.arange(N_STIMULI), N_REPEATS),
        "repeat": np.repeat(np.arange(N_REPEATS), N_STIMULI),
    }
    data = Dataset(measured.reshape(-1, N_CHANNELS), obs_descriptors=labels)
    found = calc_rdm(data, method="crossnobis", descriptor="stimulus", noise=precision, cv_descriptor="repeat")
    return found.dissimilarities[0]


def distances(name: str, method: str) -> np.ndarray:
    return calc_rdm(Dataset(patterns(name)), method=method).dissimilarities[0]


def resampled(vector: np.ndarray, drawn: list[int]) -> RDMs:
    square = np.zeros((N_STIMULI, N_STIMULI))
    square[np.triu_indices(N_STIMULI, 1)] = vector
    square = (square + square.T)[np.ix_(drawn, drawn)]
    copies = np.equal.outer(drawn, drawn) & ~np.eye(len(drawn), dtype=bool)
    square[copies] = np.nan
    return RDMs(square[np.triu_indices(len(drawn), 1)][None])


def missing(vector: np.ndarray, absent: list[int]) -> RDMs:
    present = [stimulus for stimulus in range(N_STIMULI) if stimulus not in absent]
    return resampled(vector, present)


# Name, numbers of subjects and stimuli, and how much subjects, stimuli and both together vary.
VARIANCES = [
    ("all", 8, 40, 0.3, 0.3, 0.5),
    ("subjects", 6, 50, 1.0, 0.1, 1.5),
    ("stimuli", 20, 30, 0.02, 1.0, 2.5),
]


def variance(name: str, n_subjects: int, n_stimuli: int, subjects: float, stimuli: float, both: float) -> dict:
    """The variance of the mean of `observed` over subjects, from 30 resamples of stimuli; those of subjects are exact."""
    observed = subjects * noise(f"{name} subjects", (1, n_subjects))
    drawn = observed + stimuli * noise(f"{name} stimuli", (30, 1)) + both * noise(f"{name} both", (30, n_subjects))
    of_subjects = observed.var() / n_subjects
    of_stimuli = drawn.mean(axis=1).var(ddof=1)
    of_both = of_stimuli + (drawn.var(axis=1) / n_subjects).mean()
    found = _dual_bootstrap(np.array([[of_both], [of_subjects], [of_stimuli]]), n_subjects, n_stimuli)[0]
    # Its upper bound differs from ours.
    assert found < of_both
    return {
        "observed": observed[0].tolist(),
        "drawn": drawn.tolist(),
        "n_stimuli": n_stimuli,
        "variance": float(found),
    }


def compared(sources: dict[str, np.ndarray], method: str, make: Callable[[np.ndarray], RDMs]) -> dict[str, float]:
    """The similarity of the first source to the others, as RDMs that `make` makes of their dissimilarities."""
    one = make(sources["one"])
    return {name: float(compare(one, make(sources[name]), method)[0, 0]) for name in ["two", "tied"]}


def main() -> None:
    warnings.simplefilter("ignore")
    sources = {name: distances(name, "correlation") for name in ["one", "two"]}
    # Ties, as of a model with few levels.
    sources["tied"] = np.round(2 * sources["two"])
    subjects = np.array([distances(f"subject {place}", "correlation") for place in range(4)])
    drawn = [0, 0, 0, 2, 3, 3, 5, 6, 8, 9, 10, 11]
    golden = {
        "rsatoolbox": version("rsatoolbox"),
        "dissimilarities": {
            "correlation": distances("one", "correlation").tolist(),
            "squared-euclidean": distances("one", "euclidean").tolist(),
            "cosine": pdist(patterns("one"), "cosine").tolist(),
            "crossnobis": crossnobis("one").tolist(),
        },
        "drawn": drawn,
        "absent": [4, 7],
        "comparisons": {},
        "evaluations": {},
    }
    for ours, theirs in METHODS.items():
        golden["comparisons"][ours] = {
            "all": compared(sources, theirs, lambda vector: RDMs(vector[None])),
            "drawn": compared(sources, theirs, lambda vector: resampled(vector, drawn)),
            "absent": compared(sources, theirs, lambda vector: missing(vector, golden["absent"])),
        }
        models = [ModelFixed(name, vector) for name, vector in sources.items()]
        found = eval_fixed(models, RDMs(subjects), method=theirs)
        golden["evaluations"][ours] = {
            "subjects": found.evaluations[0].tolist(),
            "ceiling": [float(bound) for bound in found.noise_ceiling],
        }
    golden["variances"] = [variance(name, *sizes) for name, *sizes in VARIANCES]
    Path("golden/rsa.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
