"""Distances of point clouds against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial import KDTree, distance

import neurogauge as ng


def test_both_equal_scipy_and_scale_as_they_say():
    rng = np.random.default_rng(3)
    gt, recon = rng.normal(size=(2, 4, 30, 3))
    squared = [(KDTree(q).query(p)[0] ** 2).mean() + (KDTree(p).query(q)[0] ** 2).mean() for p, q in zip(gt, recon)]
    np.testing.assert_allclose(ng.metrics.chamfer_distance(gt, recon).per_pair, squared, rtol=1e-12)
    costs = [distance.cdist(p, q) for p, q in zip(gt, recon)]
    moved = [cost[linear_sum_assignment(cost)].mean() for cost in costs]
    np.testing.assert_allclose(ng.metrics.earth_movers_distance(gt, recon).per_pair, moved, rtol=1e-12)
    moved_away = [5 + 3 * cloud for cloud in gt]
    found = ng.metrics.chamfer_distance(gt, moved_away, scale="unit_sphere", form="euclidean")
    np.testing.assert_allclose(found.per_pair, 0, atol=1e-15)


def test_clouds_that_do_not_fit_are_refused_or_undefined():
    cloud = np.zeros((2, 3))
    unequal = ng.metrics.earth_movers_distance([cloud], [cloud[:1]])
    assert np.isnan(unequal.per_pair).all() and "unequally many" in str(unequal.undefined)
    with pytest.raises(ng.DataError, match=r"reference\[0\]: shape \(2, 2\)"):
        ng.metrics.chamfer_distance([cloud[:, :2]], [cloud])
    with pytest.raises(ng.DataError):
        ng.metrics.chamfer_distance([cloud, cloud], [cloud])
    with pytest.raises(ng.UsageError, match="round"):
        ng.metrics.chamfer_distance([cloud], [cloud], form="round")
