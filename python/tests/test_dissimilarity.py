"""Dissimilarities and representational similarity: rsatoolbox's numbers, the command line's, and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import neurogauge as ng

GOLDEN = json.loads((Path(__file__).resolve().parents[2] / "reference/golden/rsa.json").read_text(encoding="utf-8"))
N_STIMULI = 20


def patterns(seed=0, n=N_STIMULI, n_channels=7):
    return np.random.default_rng(seed).normal(size=(n, n_channels))


def study():
    """Trials of three subjects, stimulus by stimulus, and features of two models; the second sees nothing."""
    rng = np.random.default_rng(3)
    seen = patterns()
    stimuli = np.repeat(np.arange(N_STIMULI), 2)
    trials = [seen[stimuli] + 0.8 * rng.normal(size=(len(stimuli), 7)) for _ in range(3)]
    return trials, stimuli, {"it": seen, "noise": patterns(9)}


def test_every_kind_by_hand():
    own = patterns()
    centred = own - own.mean(axis=1, keepdims=True)
    unit = {
        "correlation": centred / np.linalg.norm(centred, axis=1, keepdims=True),
        "cosine": own / np.linalg.norm(own, axis=1, keepdims=True),
    }
    for kind, rows in unit.items():
        expected = 1 - rows @ rows.T
        np.fill_diagonal(expected, 0)
        np.testing.assert_allclose(ng.align.dissimilarities(own, kind), expected, atol=1e-12)
    expected = ((own[:, None] - own[None]) ** 2).mean(axis=2)
    np.testing.assert_allclose(ng.align.dissimilarities(own, "squared-euclidean"), expected, atol=1e-12)
    own[4] = np.nan
    own[5] = 1.0
    found = ng.align.dissimilarities(own)
    assert np.isnan(found[[4, 5]]).all() and np.isfinite(np.delete(np.delete(found, [4, 5], 0), [4, 5], 1)).all()


def test_comparisons_are_those_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    one, other = (ng.align.dissimilarities(patterns(seed)) for seed in (1, 2))
    pairs = np.triu_indices(N_STIMULI, 1)
    x, y = one[pairs], other[pairs]
    expected = {
        "spearman": stats.spearmanr(x, y)[0],
        "pearson": stats.pearsonr(x, y)[0],
        "kendall-tau-b": stats.kendalltau(x, y)[0],
        "cosine": x @ y / np.linalg.norm(x) / np.linalg.norm(y),
    }
    for comparison, value in expected.items():
        assert ng.align.compare_dissimilarities(one, other, comparison) == pytest.approx(value, abs=1e-12)
    assert set(GOLDEN["comparisons"]) == {*expected, "kendall-tau-a", "whitened-cosine"}
    # Linear centred kernel alignment.
    squared = [ng.align.dissimilarities(patterns(seed), "squared-euclidean") for seed in (1, 2)]
    centred = [patterns(seed) - patterns(seed).mean(axis=0) for seed in (1, 2)]
    inner = [rows @ rows.T for rows in centred]
    cka = (inner[0] * inner[1]).sum() / np.linalg.norm(inner[0]) / np.linalg.norm(inner[1])
    found = ng.align.compare_dissimilarities(*squared, "whitened-cosine")
    assert found == pytest.approx(cka, abs=1e-12)
    with pytest.warns(ng.UndefinedWarning, match="all dissimilarities are equal"):
        assert np.isnan(ng.align.compare_dissimilarities(np.ones((4, 4)), np.ones((4, 4))))


def test_similarity_has_the_numbers_of_its_parts(tmp_path):
    trials, stimuli, features = study()
    responses = {f"s{place}": (own, stimuli) for place, own in enumerate(trials)}
    options = {"dissimilarity": "crossnobis", "out": tmp_path / "out", "progress": False}
    found = ng.similarity(responses, features, **options)
    (region,) = found.record["regions"]
    z = [ng.align.standardise_within(own, np.zeros(len(own))) for own in trials]
    subjects = [ng.align.dissimilarities(own, "crossnobis", stimuli) for own in z]
    for place, own in enumerate(features.values()):
        source = ng.align.dissimilarities(own, "squared-euclidean")
        expected = [ng.align.compare_dissimilarities(subject, source) for subject in subjects]
        similarity = dict(region["sources"][place])["similarity"]
        np.testing.assert_allclose([own["value"] for own in similarity["subjects"]], expected, atol=1e-12)
        assert similarity["value"]["value"] == pytest.approx(np.mean(expected))
    pandas = pytest.importorskip("pandas")
    table = found.to_pandas()
    assert isinstance(table, pandas.DataFrame)
    assert table.loc[("all", "it", "similarity"), "p_corrected"] < 0.05 < table.loc[("all", "noise", "similarity"), "p"]
    assert found.path == tmp_path / "out" and "lower ceiling" in repr(found)


def test_encoding_is_over_ceilings_from_repeats_or_given(tmp_path):
    rng = np.random.default_rng(5)
    seen = rng.normal(size=(80, 4))
    weights = rng.normal(size=(4, 6))
    responses = {"s1": (seen @ weights)[:, None] + 2 * rng.normal(size=(80, 3, 6))}
    own = {"settings": {"outer_folds": 4}, "progress": False}
    found = dict(ng.encoding(responses, {"model": seen}, **own).record["regions"][0]["sources"][0])
    # Of the mean of three trials, σ²_s / (σ²_s + 4 / 3) can be explained; z-scores keep the share.
    signal = (weights**2).sum(axis=0)
    assert found["explainable"]["value"]["value"] == pytest.approx((signal / (signal + 4 / 3)).mean(), abs=0.05)
    np.save(tmp_path / "ceiling.npy", np.full(6, 0.5))
    given = ng.encoding(responses, {"model": seen}, ceiling=tmp_path / "ceiling.npy", **own)
    half = dict(given.record["regions"][0]["sources"][0])
    assert half["explained"] == found["explained"] and half["explainable"]["value"]["value"] == 0.5
    assert half["explained_relative"]["value"]["value"] == pytest.approx(2 * half["explained"]["value"]["value"])
    with pytest.raises(ng.DataError, match="nowhere"):
        ng.encoding(responses, {"model": seen}, ceiling="nowhere", **own)
    with pytest.raises(ng.UsageError, match="needs sources"):
        ng.encoding(responses, **own)


def test_refusals():
    own = ng.align.dissimilarities(patterns())
    refused = [
        (
            lambda: ng.align.dissimilarities(patterns(), "euclidean"),
            ng.UsageError,
            'expected "correlation", "cosine"',
        ),
        (lambda: ng.align.dissimilarities(patterns(), "crossnobis"), ng.UsageError, "takes trials with repeats"),
        (lambda: ng.align.dissimilarities(np.zeros(3)), ng.DataError, "expected two axes"),
        (lambda: ng.align.dissimilarities([[1.0, np.inf]]), ng.DataError, "stimulus 0 is inf in channel 1"),
        (lambda: ng.align.compare_dissimilarities(own, own[:4, :4]), ng.DataError, "20 and of 4 stimuli"),
        (lambda: ng.align.compare_dissimilarities(own, own[:4]), ng.DataError, "expected a square"),
    ]
    for call, error, words in refused:
        with pytest.raises(error, match=words):
            call()
