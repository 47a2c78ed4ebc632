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


def analysed(features, out, **options):
    """The record of one subject's region, and the matrices of its responses and of the sources."""
    trials, stimuli, _ = study()
    found = ng.similarity({"s": (trials[0], stimuli)}, features, out=out, progress=False, **options)
    load = {name: np.load(found.path / f"dissimilarities/features.{name}.npy") for name in features}
    return found.record["regions"][0], np.load(found.path / "dissimilarities/responses.s.all.npy"), load


def test_every_kind_by_hand(tmp_path):
    own = patterns()
    centred = own - own.mean(axis=1, keepdims=True)
    unit = {
        "correlation": centred / np.linalg.norm(centred, axis=1, keepdims=True),
        "cosine": own / np.linalg.norm(own, axis=1, keepdims=True),
    }
    for kind, rows in unit.items():
        expected = 1 - rows @ rows.T
        np.fill_diagonal(expected, 0)
        _, _, found = analysed({"it": own}, tmp_path / kind, dissimilarity=kind)
        np.testing.assert_allclose(found["it"], expected, atol=1e-12)
    expected = ((own[:, None] - own[None]) ** 2).mean(axis=2)
    _, _, found = analysed({"it": own}, tmp_path / "squared", dissimilarity="squared-euclidean")
    np.testing.assert_allclose(found["it"], expected, atol=1e-12)
    own[5] = 1.0
    with pytest.warns(ng.NeurogaugeWarning, match="has no dissimilarity: 1"):
        _, _, found = analysed({"it": own}, tmp_path / "constant")
    others = np.delete(np.delete(found["it"], 5, 0), 5, 1)
    assert np.isnan(found["it"][5]).all() and np.isfinite(others).all()


def test_comparisons_are_those_of_scipy(tmp_path):
    stats = pytest.importorskip("scipy.stats")
    pairs = np.triu_indices(N_STIMULI, 1)
    comparisons = {
        "spearman": lambda x, y: stats.spearmanr(x, y)[0],
        "pearson": lambda x, y: stats.pearsonr(x, y)[0],
        "kendall-tau-b": lambda x, y: stats.kendalltau(x, y)[0],
        "cosine": lambda x, y: x @ y / np.linalg.norm(x) / np.linalg.norm(y),
    }
    for comparison, of in comparisons.items():
        region, responses, found = analysed({"it": patterns(2)}, tmp_path / comparison, rdm_comparison=comparison)
        similarity = dict(region["sources"][0])["similarity"]["value"]["value"]
        assert similarity == pytest.approx(of(responses[pairs], found["it"][pairs]), abs=1e-12)
    assert set(GOLDEN["comparisons"]) == {*comparisons, "kendall-tau-a", "whitened-cosine"}
    # Linear centred kernel alignment.
    trials, stimuli, _ = study()
    options = {"dissimilarity": "squared-euclidean", "rdm_comparison": "whitened-cosine"}
    region, _, _ = analysed({"it": patterns(2)}, tmp_path / "cka", **options)
    z = ng.align.standardise_within(trials[0], np.zeros(len(stimuli)))
    rows = [np.stack([z[stimuli == one].mean(axis=0) for one in range(N_STIMULI)]), patterns(2)]
    inner = [own @ own.T for own in (each - each.mean(axis=0) for each in rows)]
    cka = (inner[0] * inner[1]).sum() / np.linalg.norm(inner[0]) / np.linalg.norm(inner[1])
    assert dict(region["sources"][0])["similarity"]["value"]["value"] == pytest.approx(cka, abs=1e-12)


def test_similarity_is_over_subjects_and_sources(tmp_path):
    trials, stimuli, features = study()
    responses = {f"s{place}": (own, stimuli) for place, own in enumerate(trials)}
    options = {"dissimilarity": "crossnobis", "out": tmp_path / "out", "progress": False}
    found = ng.similarity(responses, features, **options)
    (region,) = found.record["regions"]
    stats = pytest.importorskip("scipy.stats")
    pairs = np.triu_indices(N_STIMULI, 1)
    of = {file.name: np.load(file)[pairs] for file in (found.path / "dissimilarities").iterdir()}
    for place, own in enumerate(features):
        source = of[f"features.{own}.npy"]
        expected = [stats.spearmanr(of[f"responses.{subject}.all.npy"], source)[0] for subject in responses]
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
    trials, stimuli, features = study()
    own = {"s": (trials[0], stimuli)}
    once = {"s": (trials[0][::2], stimuli[::2])}
    refused = [
        (lambda: ng.similarity(own, features, dissimilarity="euclidean"), ng.UsageError, "euclidean"),
        (lambda: ng.similarity(once, features, dissimilarity="crossnobis"), ng.DataError, "crossnobis needs two"),
        (lambda: ng.similarity(own, {"it": [[1.0, np.inf]] * N_STIMULI}), ng.DataError, "inf"),
    ]
    for call, error, words in refused:
        with pytest.raises(error, match=words):
            call()
