"""Target references and recovery profiles: the command line's numbers to the bit."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import neurogauge as ng
from neurogauge import _command

N_STIMULI, N_VOXELS, N_FEATURES, N_SPLITS = 60, 10, 16, 3


def study(seed=0):
    """Trials, stimuli and sessions of a target that shares latents with a source; one voxel is constant."""
    rng = np.random.default_rng(seed)
    latents = rng.normal(size=(N_STIMULI, 4)) * [1.0, 0.8, 0.6, 0.5]
    repeats = np.where(np.arange(N_STIMULI) % 3 == 0, 2, 3)
    stimuli = rng.permutation(np.repeat(np.arange(N_STIMULI), repeats))
    signal = latents @ rng.normal(size=(4, N_VOXELS))
    trials = signal[stimuli] + 0.8 * rng.normal(size=(len(stimuli), N_VOXELS))
    trials[:, 7] = 2.5
    sessions = np.arange(len(stimuli)) * 3 // len(stimuli)
    trials = trials * (1 + sessions[:, None]) + sessions[:, None]
    features = latents @ rng.normal(size=(4, N_FEATURES)) + 0.5 * rng.normal(size=(N_STIMULI, N_FEATURES))
    # The command line keeps features in single precision.
    return trials, stimuli, sessions, features.astype(np.float32)


def aligned(folder, trials, stimuli, sessions, features):
    """The command line's results for this study: the plan, and everything about the target unit."""
    for name, values in [("trials", trials), ("stimuli", stimuli), ("sessions", sessions), ("features", features)]:
        np.save(folder / f"{name}.npy", values)
    (folder / "study.toml").write_text(
        '[[targets]]\nsubject = "s"\nhemisphere = "lh"\nroi = "V1v"\ntrials = "trials.npy"\nstimuli = "stimuli.npy"\n'
        'sessions = "sessions.npy"\n\n[[sources]]\nname = "model"\nfeatures = ["features.npy"]\n\n'
        f"[settings]\npartitions = {N_SPLITS}\nnull = 0\ncontrols = []\n"
    )
    out = folder / "out"
    arguments = ["align", "--config", str(folder / "study.toml"), "--out", str(out), "--no-figures"]
    assert _command.main(arguments) == 0
    (unit,) = out.glob("units/*/*.json")
    return json.loads((out / "plan.json").read_text()), json.loads(unit.read_text())


def labels_of(inner, n):
    labels = np.zeros(n, int)
    for fold, positions in enumerate(inner):
        labels[positions] = fold
    return labels


def test_every_number_of_the_command_line_to_the_bit(tmp_path):
    trials, stimuli, sessions, features = study()
    plan, unit = aligned(tmp_path, trials, stimuli, sessions, features)
    z = ng.align.standardise_within(trials, sessions)
    responses = np.array([z[stimuli == stimulus].mean(axis=0) for stimulus in range(N_STIMULI)])
    splits = np.array([[int(digit) for digit in text] for text in plan["partitions"]["s lh V1v"]], np.uint8)
    np.testing.assert_array_equal(splits, ng.align.split_halves(stimuli, N_SPLITS))
    (source,) = unit["sources"]
    folds = ng.align.outer_folds(N_STIMULI)
    for place, fold in enumerate(folds):
        drawn = plan["folds"]["folds"][place]
        assert fold.training.tolist() == drawn["training"]["stimuli"]
        assert fold.reserved.tolist() == drawn["reserved"] and fold.test.tolist() == drawn["test"]["stimuli"]
        assert fold.inner_folds.tolist() == labels_of(drawn["training"]["inner"], len(fold.training)).tolist()

        shown = np.isin(stimuli, fold.test)
        reference = ng.align.TargetReference(progress=False).fit(
            z[shown], stimuli[shown], splits=splits[:, shown], inner_folds=fold.reference_inner_folds
        )
        expected = unit["references"][place]
        assert reference.weights_.tolist() == expected["weights"]
        assert reference.effective_rank_ == expected["effective_rank"]
        assert reference.consensus_rank_ == expected["consensus_rank"]

        found = ng.align.RecoveryProfile().fit(
            features[fold.training], responses[fold.training], inner_folds=fold.inner_folds
        )
        expected = source["fits"][place]
        assert (found.selected_rank_, found.alpha_) == (expected["selection"]["rank"], expected["selection"]["alpha"])
        assert (found.cv_score_, found.best_cv_score_, found.standard_error_) == tuple(
            expected["selection"][name] for name in ("score", "best_score", "standard_error")
        )
        assert (found.rank_, found.readout_alpha_) == (expected["rank"], expected["readout_alpha"])
        assert found.effective_rank_ == expected["effective_rank"]
        profile = expected["profile"]["value"]
        score = found.score(reference)
        assert found.profile_.tolist() == profile["top_k"]
        assert found.directional_coverage_.tolist() == profile["directional"]
        assert found.full_coverage_ == profile["full"]
        assert score == ng.align.profile_mean(found.profile_, k=10)
        accuracy = found.accuracy(features[fold.test], responses[fold.test])
        assert accuracy == pytest.approx(expected["accuracy"], abs=1e-9)


def test_estimators_are_scikit_learns_without_it():
    estimator = ng.align.RecoveryProfile(max_rank=3, alphas=[1.0, 10.0])
    assert estimator.get_params()["alphas"] == [1.0, 10.0]
    assert estimator.set_params(max_rank=4) is estimator and estimator.max_rank == 4
    assert repr(estimator) == "RecoveryProfile(max_rank=4, alphas=[1.0, 10.0])"
    with pytest.raises(ng.UsageError, match="max_rank"):
        estimator.set_params(rang=4)
    _, _, _, features = study()
    for call in (lambda: estimator.predict(features), lambda: estimator.score(ng.align.TargetReference())):
        with pytest.raises(ng.UsageError, match="not fitted"):
            call()
    fitted = estimator.fit(features, features[:, :4])
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.predict(features), fitted.predict(features))
    with pytest.raises(ng.UsageError, match="fitted TargetReference"):
        fitted.score(ng.align.TargetReference())


def test_a_target_without_variance_has_no_profile():
    ids = np.repeat(np.arange(20), 2)
    reference = ng.align.TargetReference(n_splits=2).fit(np.ones((40, 3)), ids)
    assert reference.weights_.size == 0 and np.isnan(reference.effective_rank_)
    rng = np.random.default_rng(1)
    found = ng.align.RecoveryProfile().fit(rng.normal(size=(30, 4)), rng.normal(size=(30, 3)))
    with pytest.warns(ng.UndefinedWarning, match="target reference"):
        assert np.isnan(found.score(reference))
    assert np.isnan(found.profile_).all() and np.isnan(found.full_coverage_)
    flat = ng.align.RecoveryProfile().fit(rng.normal(size=(30, 4)), np.full((30, 3), 7.0))
    assert flat.rank_ == 0 and np.isnan(flat.effective_rank_)
    np.testing.assert_array_equal(flat.predict(rng.normal(size=(2, 4))), np.full((2, 3), 7.0))


def test_curves_beside_those_of_donors():
    donors = [[0.9, 0.6, 0.3], [0.9, 0.6, 0.3]]
    assert ng.align.brain_reference_score([0.45, 0.3, 0.15], donors, k=3) == pytest.approx(0.5)
    assert ng.align.shape_distance([0.45, 0.3, 0.15], donors, k=3) == pytest.approx(0, abs=1e-15)
    assert ng.align.shape_distance([0.6, 0.6, 0.6], donors, k=3) == pytest.approx((0.5 / 3) ** 0.5)
    with pytest.warns(ng.UndefinedWarning):
        assert np.isnan(ng.align.brain_reference_score([0.5], [[0.0]], k=1))
    for error, call in [
        (ng.UsageError, lambda: ng.align.profile_mean([0.5], k=0)),
        (ng.DataError, lambda: ng.align.profile_mean([])),
        (ng.DataError, lambda: ng.align.brain_reference_score([0.5], [])),
        (ng.DataError, lambda: ng.align.shape_distance([0.5], [[0.5], [0.5, 0.4]])),
    ]:
        with pytest.raises((error, ng.UsageError) if error is ng.DataError else error):
            call()


def test_faults_say_where():
    trials, stimuli, _, features = study()
    fit = ng.align.TargetReference(n_splits=2, progress=False).fit
    holed = trials.copy()
    holed[4, 2] = np.nan
    once = np.arange(len(trials))
    for match, call in [
        (r"NaN \(first at \[4, 2\]\)", lambda: fit(holed, stimuli)),
        (r"NaN \(first at \[4, 2\]\), in 1 of \d+ rows", lambda: ng.align.standardise_within(holed, once)),
        ("y is None", lambda: fit(trials, None)),
        ("expected one for each", lambda: fit(trials, stimuli[1:])),
        ("at least two of each", lambda: fit(trials, once)),
        ("splits: shape", lambda: fit(trials, stimuli, splits=np.zeros((2, 3)))),
        ("expected 0 or 1", lambda: fit(trials, stimuli, splits=np.full((2, len(trials)), 2))),
        ("no repeat of stimulus", lambda: fit(trials, stimuli, splits=np.zeros((2, len(trials))))),
        ("inner_folds: shape", lambda: fit(trials, stimuli, inner_folds=[0, 1])),
        ("every one must be|divided|folds", lambda: fit(trials, stimuli, inner_folds=np.zeros(N_STIMULI))),
    ]:
        with pytest.raises(ng.DataError, match=match):
            call()
    profile = ng.align.RecoveryProfile
    targets = features[:, :4]
    for match, call in [
        ("target 59", lambda: profile().fit(features, targets[1:])),
        ("features, but RecoveryProfile", lambda: profile().fit(features, targets).predict(features[:, :3])),
        ("Reshape your data", lambda: profile().fit(features[:, 0], targets)),
        ("n_samples=1", lambda: profile().fit(features[:1], targets[:1])),
        ("0 feature", lambda: profile().fit(features[:, :0], targets)),
        ("infinity", lambda: profile().fit(np.where(features == features[0, 0], np.inf, features), targets)),
        ("voxels", lambda: profile().fit(features, targets).score(fit(trials, stimuli))),
    ]:
        with pytest.raises(ng.DataError, match=match):
            call()
    for call in [
        lambda: profile(max_rank=0).fit(features, targets),
        lambda: profile(alphas=[10.0, 1.0]).fit(features, targets),
        lambda: ng.align.outer_folds(10, n_folds=2),
        lambda: ng.align.split_halves(stimuli, n_splits=0),
    ]:
        with pytest.raises((ng.UsageError, ng.DataError)):
            call()


def test_trials_without_a_stimulus_are_refused():
    pandas = pytest.importorskip("pandas")
    trials, stimuli, _, _ = study()
    holed = stimuli.astype(float)
    holed[[3, 8]] = np.nan
    words = [f"image {stimulus}" for stimulus in stimuli]
    for ids in [
        holed,
        [*words[:3], float("nan"), *words[4:]],
        [*words[:3], None, *words[4:]],
        pandas.Series(holed).astype("Int64"),
        pandas.Series(words).where(np.arange(len(words)) != 3),
        np.ma.masked_array(stimuli, np.arange(len(stimuli)) == 3),
    ]:
        for call in (
            ng.align.split_halves,
            lambda ids: ng.align.TargetReference(n_splits=2, progress=False).fit(trials, ids),
        ):
            with pytest.raises(
                ng.DataError, match=r"stimulus_ids: trial 3 has no stimulus \(.+\); leave such trials out"
            ):
                call(ids)
    expected = ng.align.split_halves(stimuli)
    for ids in (pandas.Series(stimuli), np.ma.masked_array(stimuli), stimuli.tolist()):
        np.testing.assert_array_equal(ng.align.split_halves(ids), expected)


def test_another_fit_replaces_all_or_nothing():
    trials, stimuli, _, features = study()
    reference = ng.align.TargetReference(n_splits=2, progress=False).fit(trials, stimuli)
    targets = features @ np.random.default_rng(1).normal(size=(N_FEATURES, N_VOXELS))
    found = ng.align.RecoveryProfile().fit(features, targets)
    found.score(reference)
    profile = found.profile_
    with pytest.raises(ng.DataError, match="same stimuli"):
        found.fit(features, targets[1:, 0])
    assert found.predict(features).shape == targets.shape and found.profile_ is profile
    found.fit(features[::-1], targets)
    assert not any(hasattr(found, name) for name in ("profile_", "directional_coverage_", "full_coverage_"))
    with pytest.raises(ng.UsageError, match="no profile yet"):
        found.plot()


def test_an_undefined_profile_names_the_callers_line():
    ids = np.repeat(np.arange(20), 2)
    reference = ng.align.TargetReference(n_splits=2, progress=False).fit(np.ones((40, 3)), ids)
    rng = np.random.default_rng(1)
    found = ng.align.RecoveryProfile().fit(rng.normal(size=(30, 4)), rng.normal(size=(30, 3)))
    for call in (lambda: found.score(reference), lambda: ng.align.brain_reference_score([0.5], [[0.0]], k=1)):
        with pytest.warns(ng.UndefinedWarning) as warned:
            call()
        assert (warned[0].filename, warned[0].lineno) == (__file__, call.__code__.co_firstlineno)


def test_ranks_are_at_least_one():
    trials, stimuli, _, features = study()
    for rank in (0, -1, 1.5, True):
        for name, estimator in (("rank", ng.align.RecoveryProfile), ("max_rank", ng.align.RecoveryProfile)):
            with pytest.raises(ng.UsageError, match=f"{name} is {rank}; expected a whole number, at least 1"):
                estimator(**{name: rank}).fit(features, features[:, :4])
        for name in ("fixed_rank", "max_rank"):
            with pytest.raises(ng.UsageError, match=f"{name} is {rank}; expected a whole number, at least 1"):
                ng.align.TargetReference(n_splits=2, progress=False, **{name: rank}).fit(trials, stimuli)
    with pytest.raises(ng.UsageError, match="stimulus_ids: shape"):
        ng.align.split_halves(np.zeros((2, 2)))
    with pytest.raises(ng.UsageError, match="trials: shape"):
        ng.align.standardise_within(np.zeros(3), [1, 1, 1])


def test_features_layers_and_the_other_way_round_are_read_back(tmp_path):
    pandas = pytest.importorskip("pandas")
    trials, stimuli, _, features = study()
    for name, values in [
        ("trials", trials[:, :7]),
        ("stimuli", stimuli),
        ("one", features[:, :6]),
        ("two", features[:, 6:]),
    ]:
        np.save(tmp_path / f"{name}.npy", values)
    (tmp_path / "study.toml").write_text(
        '[[targets]]\nsubject = "s"\nroi = "V1"\ntrials = "trials.npy"\nstimuli = "stimuli.npy"\n\n'
        '[[sources]]\nname = "model"\nfeatures = ["one.npy", "two.npy"]\n\n'
        '[settings]\npartitions = 2\nnull = 0\nouter_folds = 3\ninner_folds = 3\ncontrols = ["attribution", "block-ablation"]\n'
    )
    arguments = ["align", "--config", str(tmp_path / "study.toml"), "--no-figures", "--out"]
    assert _command.main([*arguments, str(tmp_path / "out")]) == 0
    found = ng.recovery(tmp_path / "out")
    assert found.differences().empty and found.human_references().empty  # one source, one subject
    assert found.to_pandas()["p_corrected"].isna().all()
    layers = found.contributions()
    assert layers.index.tolist() == [("model", "one"), ("model", "two")]
    assert layers["shapley"].sum() == pytest.approx(layers["whole"].iloc[0], abs=1e-12)
    assert layers["null_loss"].isna().all()
    carried = found.attribution()
    assert set(carried["target_roi"]) == {"V1"} and carried["direction"].min() == 1
    sums = carried.groupby(["source", "fold", "direction"])["share"].sum()
    assert len(sums) > 0 and np.allclose(sums, 1.0)
    assert isinstance(carried, pandas.DataFrame) and carried["feature"].max() == N_FEATURES - 1

    assert _command.main([*arguments, str(tmp_path / "reverse"), "--reverse"]) == 0
    unit = next((tmp_path / "out" / "units").rglob("*.json"))
    unit.write_bytes(unit.read_bytes() + b" ")
    with pytest.raises(ng.DataError, match=f"{unit.name}: its SHA-256 is"):
        ng.recovery(tmp_path / "out")
    unit.unlink()
    with pytest.raises(ng.DataError, match=unit.name):
        ng.recovery(tmp_path / "out")

    reverse = ng.recovery(tmp_path / "reverse")
    assert reverse.sources == ("s V1",)
    assert reverse.record["units"][0][0] == {"subject": "model", "hemisphere": "", "roi": "features"}
    with pytest.raises(ng.UsageError, match="block-ablation"):
        reverse.contributions()
    assert set(reverse.attribution()["target_subject"]) == {"model"}


def test_arrays_are_aligned_as_files_are(tmp_path):
    trials, stimuli, _, features = study()
    settings = {"partitions": 2, "null": 0, "controls": [], "outer_folds": 3, "inner_folds": 3}
    by_ids = ng.recovery(
        {"s": (trials, stimuli)}, {"model": features}, settings=settings, out=tmp_path / "kept", progress=False
    )
    # The same as an array of stimuli by repeats; a third repeat that was not shown is NaN.
    cube = np.full((N_STIMULI, 3, N_VOXELS), np.nan)
    for stimulus in range(N_STIMULI):
        own = trials[stimuli == stimulus]
        cube[stimulus, : len(own)] = own
    order = np.argsort(stimuli, kind="stable")
    ordered = ng.recovery(
        {"s": (trials[order], stimuli[order])}, {"model": features}, settings=settings, progress=False
    )
    found = ng.recovery({"s": cube}, {"model": features}, settings=settings, progress=False)
    assert found.sources == ("model",) == by_ids.sources
    np.testing.assert_array_equal(found.curves["model"], ordered.curves["model"])
    assert by_ids.headline.startswith("Chance is unknown") and by_ids.headline in by_ids._repr_html_()
    assert ng.recovery(tmp_path / "kept").record == by_ids.record
    (tmp_path / "kept.arrays").joinpath("align.toml").replace(tmp_path / "kept.arrays" / "copy.toml")
    again = ng.recovery(tmp_path / "kept.arrays" / "copy.toml", progress=False)
    np.testing.assert_array_equal(again.curves["model"], by_ids.curves["model"])
    for error, match, arguments in [
        (ng.DataError, r"responses\['s'\]: shape \(4, 2\); expected", ({"s": np.ones((4, 2))}, {})),
        (ng.UsageError, "go with responses as arrays", (tmp_path / "copy.toml", {"model": features})),
        (ng.UsageError, "config", ()),
    ]:
        with pytest.raises(error, match=match):
            ng.recovery(*arguments, progress=False)
    folder = found.path
    del found
    assert not folder.exists()
