"""Dissimilarities and representational similarity: rsatoolbox's numbers, the command line's, and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import neurogauge as ng
from neurogauge import _command

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


def test_the_command_line_has_the_same_numbers(tmp_path):
    trials, stimuli, features = study()
    lines = []
    for place, own in enumerate(trials):
        np.save(tmp_path / f"{place}.npy", own)
        np.save(tmp_path / f"stimuli{place}.npy", stimuli)
        lines += [
            f'[[targets]]\nsubject = "s{place}"\nroi = "V1"\ntrials = "{place}.npy"',
            f'stimuli = "stimuli{place}.npy"',
        ]
    for name, own in features.items():
        np.save(tmp_path / f"{name}.npy", own)
        lines += [f'[[sources]]\nname = "{name}"\nfeatures = "{name}.npy"']
    (tmp_path / "a.toml").write_text("\n".join(lines), encoding="utf-8")
    arguments = ["align", "--config", str(tmp_path / "a.toml"), "--rsa", "--dissimilarity", "crossnobis"]
    assert _command.main([*arguments, "--out", str(tmp_path / "out")]) == 0
    (region,) = json.loads((tmp_path / "out/rsa.json").read_text(encoding="utf-8"))["regions"]

    z = [ng.align.standardise_within(own, np.zeros(len(own))) for own in trials]
    subjects = [ng.align.dissimilarities(own, "crossnobis", stimuli) for own in z]
    sources = {name: ng.align.dissimilarities(own, "squared-euclidean") for name, own in features.items()}
    found = ng.align.representational_similarity(subjects, sources, crossvalidated=True)
    for place, name in enumerate(features):
        for key in ("value", "interval", "p", "p_corrected"):
            expected = region["sources"][place][key]
            expected = expected["value"] if key == "value" else expected
            assert found["sources"][name][key] == expected, (name, key)
    assert found["lower_ceiling"]["value"] == region["lower_ceiling"]["value"]["value"]
    difference = found["differences"]["it", "noise"]
    assert difference["value"] == pytest.approx(found["sources"]["it"]["value"] - found["sources"]["noise"]["value"])
    assert difference["p"] < 0.05 < found["sources"]["noise"]["p"]


def test_refusals():
    own = ng.align.dissimilarities(patterns())
    refused = [
        (
            lambda: ng.align.dissimilarities(patterns(), "euclidean"),
            ng.UsageError,
            "expected one of correlation, cosine",
        ),
        (lambda: ng.align.dissimilarities(patterns(), "crossnobis"), ng.UsageError, "takes trials with repeats"),
        (lambda: ng.align.dissimilarities(np.zeros(3)), ng.DataError, "expected two axes"),
        (lambda: ng.align.dissimilarities([[1.0, np.inf]]), ng.DataError, "stimulus 0 is inf in channel 1"),
        (lambda: ng.align.compare_dissimilarities(own, own[:4, :4]), ng.DataError, "20 and of 4 stimuli"),
        (lambda: ng.align.compare_dissimilarities(own, own[:4]), ng.DataError, "expected a square"),
        (lambda: ng.align.representational_similarity([], {"a": own}), ng.DataError, "subjects: none"),
        (lambda: ng.align.representational_similarity([own], {}), ng.DataError, "no subject or source"),
        (lambda: ng.align.representational_similarity([own], [own]), ng.UsageError, "dict of square matrices"),
        (lambda: ng.align.representational_similarity([own], {"a": own}, level=2.0), ng.UsageError, "level is 2"),
    ]
    for call, error, words in refused:
        with pytest.raises(error, match=words):
            call()
