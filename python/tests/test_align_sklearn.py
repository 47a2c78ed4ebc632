"""scikit-learn's own checks of estimators, where it is installed."""

from __future__ import annotations

import numpy as np
import pytest

import neurogauge as ng

pytest.importorskip("sklearn")

# Checks that do not apply, with the reasons.
TAKES_RESPONSES = {
    "check_fit_score_takes_y": "fit takes trials and stimulus_ids, by the field's names",
    "check_dtype_object": "objects that are no numbers raise DataError, as everywhere in the package",
}
NOT_APPLICABLE = {
    "check_fit_score_takes_y": "fit takes source and target, by the field's names; score takes a reference",
    "check_pipeline_consistency": "score takes a reference, not X and y",
    "check_n_features_in_after_fitting": "score takes a reference, so it has no features to count",
    "check_estimators_unfitted": "the exception is UsageError, as everywhere in the package; scikit-learn is no dependency",
    "check_dtype_object": "objects that are no numbers raise DataError, as everywhere in the package",
}


@pytest.mark.parametrize(
    ("estimator", "not_applicable"),
    [
        (ng.align.RecoveryProfile(), NOT_APPLICABLE),
        # The checks pass classes with three members as stimuli, too few for five folds.
        (ng.align.TargetReference(n_splits=2, n_inner_folds=2, progress=False), TAKES_RESPONSES),
    ],
)
def test_estimators_pass_the_estimator_checks(estimator, not_applicable):
    from sklearn.utils.estimator_checks import check_estimator

    found = check_estimator(estimator, on_skip=None, on_fail=None, expected_failed_checks=not_applicable)
    for one in found:
        print(one["status"], one["check_name"], repr(one["exception"])[:200])
    expected = {one["check_name"] for one in found if one["status"] == "xfail"}
    assert expected == set(not_applicable)
    # One check needs a setting of SciPy's environment that the package does not use.
    skipped = {one["check_name"] for one in found if one["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}
    failed = {one["check_name"]: repr(one["exception"]) for one in found if one["status"] == "failed"}
    assert failed == {}


@pytest.mark.parametrize("estimator", [ng.align.TargetReference(n_splits=3), ng.align.RecoveryProfile(max_rank=2)])
def test_clones_are_unfitted_and_alike(estimator):
    from sklearn.base import clone
    from sklearn.utils.estimator_checks import check_no_attributes_set_in_init

    copy = clone(estimator)
    assert copy is not estimator and copy.get_params() == estimator.get_params()
    check_no_attributes_set_in_init(type(estimator).__name__, type(estimator)())


def test_it_ends_a_pipeline():
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(0)
    source = rng.normal(size=(40, 6))
    target = source @ rng.normal(size=(6, 3))
    whole = make_pipeline(StandardScaler(), ng.align.RecoveryProfile()).fit(source, target)
    alone = ng.align.RecoveryProfile().fit(source, target)
    np.testing.assert_allclose(whole.predict(source), alone.predict(source), atol=1e-9)
