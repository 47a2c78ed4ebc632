"""Distances of sets: the golden of torch-fidelity, and bad input."""

import json
import math
import runpy
from pathlib import Path

import neurogauge as ng
import numpy as np
import pytest

GOLDEN = Path(__file__).parents[2] / "reference" / "golden" / "set_distances.json"
ROWS = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 2.0], [4.0, 1.0], [0.0, 5.0]])


def test_distances_are_those_of_torch_fidelity():
    uniform = runpy.run_path(str(GOLDEN.parents[1] / "synthetic.py"))["uniform"]
    for case in json.loads(GOLDEN.read_text())["cases"]:
        n, d = case["n"], case["d"]
        gt, noise = (uniform(f"{side} {n}", 0, (n, d)).astype(np.float64) for side in ("gt", "noise"))
        found = ng.metrics.set_distances(gt, 0.6 * gt + 0.5 * noise + 0.1)
        assert found.kid.published == pytest.approx(case["kid"], rel=1e-10)
        assert found.kid.unbiased == pytest.approx(found.kid.pseudo_values.mean(), rel=1e-10)
        assert found.cmmd.published == pytest.approx(case["cmmd"], abs=1e-9)
        assert found.fid.of_all == pytest.approx(case["fid"], rel=1e-7)
        assert (found.precision, found.recall) == pytest.approx((case["precision"], case["recall"]), abs=1e-6)


def test_equal_and_undefined_and_refused_sets():
    same = ng.metrics.set_distances(ROWS, ROWS)
    assert same.kid.unbiased == 0 and same.kid.p_value == 1 and same.precision == 1
    bad = ROWS.copy()
    bad[1, 1] = np.nan
    found = ng.metrics.set_distances(ROWS, bad)
    assert math.isnan(found.kid.unbiased) and math.isnan(found.fid.of_all) and math.isnan(found.recall)
    assert found.kid.reason == found.fid.reason == "non-finite value in the reconstruction"
    zero = ng.metrics.set_distances(np.vstack([ROWS[:4], [[0, 0]]]), ROWS)
    assert zero.cmmd.reason == "empty stimulus" and zero.kid.reason is None
    for wrong in (ROWS[:, :1], ROWS[:4]):
        with pytest.raises(ng.DataError, match="expected the same"):
            ng.metrics.set_distances(ROWS, wrong)
    with pytest.raises(ng.DataError, match="4 to 4096 pairs, and these are 3"):
        ng.metrics.set_distances(ROWS[:3], ROWS[:3])
