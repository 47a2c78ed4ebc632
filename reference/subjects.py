"""Goldens for means over subjects with missing cells, and for McNemar's exact test.

The references are statsmodels (MixedLM with crossed effects of subjects and stimuli, by REML; OLS of subjects with
errors clustered by stimulus) and scipy (binomtest). A mean over subjects is that of the subjects' means, so its
variance under the model is w'Vw with the components from REML.

Run from `reference/` with the packages of requirements.txt. Writes golden/subjects.json.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy.stats import binomtest, t

import synthetic


def table(name: str, n_subjects: int, n_stimuli: int, missing: float) -> np.ndarray:
    """Subject + stimulus + rest; NaN where a cell is missing."""

    def of(what: str, shape: tuple[int, ...], spread: float) -> np.ndarray:
        return spread * (synthetic.uniform(f"{name}.{what}", 0, shape).astype(np.float64) - 0.5)

    subjects = of("subject", (n_subjects, 1), 0.4)
    values = 0.5 + subjects + of("stimulus", (1, n_stimuli), 0.5) + of("rest", (n_subjects, n_stimuli), 0.5)
    values[synthetic.uniform(f"{name}.missing", 0, (n_subjects, n_stimuli)) < missing] = np.nan
    return values


def cells(values: np.ndarray) -> pd.DataFrame:
    subject, stimulus = np.nonzero(np.isfinite(values))
    return pd.DataFrame({"y": values[subject, stimulus], "subject": subject, "stimulus": stimulus})


def by_subject(frame: pd.DataFrame) -> np.ndarray:
    """The weight of each cell in the mean over subjects."""
    counts = frame.groupby("subject")["y"].transform("count").to_numpy()
    return 1 / (counts * frame["subject"].nunique())


def nested(values: np.ndarray) -> list[list[float | None]]:
    return [[None if np.isnan(value) else float(value) for value in row] for row in values]


def new_case(name: str, n_subjects: int, n_stimuli: int, missing: float) -> dict:
    values = table(name, n_subjects, n_stimuli, missing)
    frame = cells(values)
    effects = {"subject": "0 + C(subject)", "stimulus": "0 + C(stimulus)"}
    model = smf.mixedlm("y ~ 1", frame, groups=np.ones(len(frame)), vc_formula=effects)
    found = model.fit(reml=True)
    components = dict(zip(model.exog_vc.names, found.vcomp))
    weights = by_subject(frame)
    variance = found.scale * np.sum(weights**2)
    for what in effects:
        variance += components[what] * np.sum(np.bincount(frame[what], weights) ** 2)
    return {"table": nested(values), "mean": float(weights @ frame["y"]), "standard_error": float(np.sqrt(variance))}


def these_case() -> dict:
    """Every subject lacks a different one of five stimuli: all have equally many cells, so the small-sample factor
    equals that of one subject."""
    values = table("these", 3, 5, 0)
    values[[0, 1, 2], [4, 0, 2]] = np.nan
    frame = cells(values)
    subjects = pd.get_dummies(frame["subject"]).to_numpy(dtype=float)
    clusters = {"groups": frame["stimulus"], "use_correction": False}
    found = sm.OLS(frame["y"].to_numpy(), subjects).fit(cov_type="cluster", cov_kwds=clusters)
    weights = np.full(3, 1 / 3)
    error = np.sqrt(weights @ found.cov_params() @ weights * 4 / 3)
    reach = float(t.ppf(0.975, 4) * error)
    return {"table": nested(values), "mean": float(weights @ found.params), "reach": reach}


def main() -> None:
    counts = [(0, 1), (0, 6), (3, 3), (2, 9), (40, 61), (400, 300)]
    golden = {
        "new": [new_case("balanced", 6, 40, 0.0), new_case("gaps", 8, 60, 0.15)],
        "these": these_case(),
        "mcnemar": [[b, c, binomtest(b, b + c).pvalue] for b, c in counts],
    }
    path = Path(__file__).parent / "golden" / "subjects.json"
    path.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
