"""Trials and their averages, against NumPy."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import neurogauge as ng

N_IMAGES, N_REPEATS, N_FEATURES = 14, 3, 8
Array = npt.NDArray[np.float64]


def recorded() -> tuple[Array, Array]:
    """Features of images, and of three noisy trials of each: (n_images, n_repeats, n_features)."""
    rng = np.random.default_rng(3)
    images = rng.normal(size=(N_IMAGES, N_FEATURES))
    return images, images[:, None] + 2 * rng.normal(size=(N_IMAGES, N_REPEATS, N_FEATURES))


def two_way(images: Array, rows: Array, shown: npt.NDArray[np.int_]) -> Array:
    """The share of other images that are less correlated with each row than its own."""
    to_images = np.corrcoef(rows, images)[: len(rows), len(rows) :]
    own = to_images[np.arange(len(rows)), shown]
    return np.asarray((to_images < own[:, None]).sum(axis=1) / (len(images) - 1))


def first(images: Array, rows: Array, shown: npt.NDArray[np.int_]) -> Array:
    """Is the own image the most similar of all by cosine?"""
    unit = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in (rows, images)]
    return np.asarray((unit[0] @ unit[1].T).argmax(axis=1) == shown, dtype=float)


def test_each_trial_is_identified_among_other_images() -> None:
    images, trials = recorded()
    shown = np.repeat(np.arange(N_IMAGES), N_REPEATS)
    flat = trials.reshape(-1, N_FEATURES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = ng.two_way_identification(images, trials, trials="repeats")
        order = np.random.default_rng(5).permutation(len(flat))
        listed = ng.two_way_identification(images, flat[order], trials=shown[order].tolist())
    # An image is among the distractors once for each of its trials, which changes no share.
    np.testing.assert_allclose(found.per_pair, two_way(images, flat, shown), atol=1e-12)
    np.testing.assert_array_equal(listed.per_pair, found.per_pair[order])
    assert listed.interval == pytest.approx(found.interval, abs=1e-12)
    # Trials of an image are no further images.
    assert found.interval is not None
    alone = ng.two_way_identification(images, trials[:, 0])
    assert alone.interval is not None
    copies = ng.two_way_identification(images, np.repeat(trials[:, :1], N_REPEATS, axis=1), trials="repeats")
    assert copies.interval == pytest.approx(alone.interval, abs=1e-9)


def test_means_of_trials_are_identified_and_retrieved() -> None:
    images, trials = recorded()
    places = np.arange(N_IMAGES)
    means = trials.mean(axis=1)
    found = ng.two_way_identification(images, trials, trials="repeats", averaged=N_REPEATS)
    np.testing.assert_allclose(found.per_pair, two_way(images, means, places), atol=1e-12)
    given = ng.two_way_identification(images, means)
    assert found.interval == pytest.approx(given.interval, abs=1e-9)
    retrieved = ng.metrics.retrieval(images, trials, candidates=N_IMAGES, trials="repeats", averaged=N_REPEATS)
    np.testing.assert_array_equal(retrieved.per_pair, first(images, means, places))
    assert retrieved.draws.mean == pytest.approx(retrieved.mean, abs=1e-12)
    # One of three trials: the mean over twenty draws is near that over all three.
    one = ng.two_way_identification(images, trials, trials="repeats", averaged=1)
    each = np.mean([two_way(images, trials[:, repeat], places) for repeat in range(N_REPEATS)])
    assert abs(one.mean - each) < 0.05
    assert one.mean < found.mean


def test_images_with_fewer_trials_have_no_mean_of_more() -> None:
    images, trials = recorded()
    flat = trials.reshape(-1, N_FEATURES)[:-1]
    shown = np.repeat(np.arange(N_IMAGES), N_REPEATS)[:-1].tolist()
    found = ng.two_way_identification(images, flat, trials=shown, averaged=N_REPEATS)
    assert found.undefined == {N_IMAGES - 1: "fewer trials than are averaged"}
    left = two_way(images[:-1], trials[:-1].mean(axis=1), np.arange(N_IMAGES - 1))
    np.testing.assert_allclose(found.per_pair[:-1], left, atol=1e-12)


def test_the_command_gives_the_same(tmp_path: Path) -> None:
    images, trials = recorded()
    shown = np.random.default_rng(7).permutation(np.repeat(np.arange(N_IMAGES), N_REPEATS))
    places = np.zeros(len(shown), dtype=int)
    for image in range(N_IMAGES):
        places[shown == image] = np.arange(N_REPEATS)
    flat = trials[shown, places]
    for side, ids, rows in (
        ("gt", [f"img{image}" for image in range(N_IMAGES)], images),
        ("recon", [f"t{trial}" for trial in range(len(flat))], flat),
    ):
        (tmp_path / side).mkdir()
        np.save(tmp_path / side / "clip.npy", rows)
        (tmp_path / side / "ids.json").write_text(json.dumps(ids), encoding="utf-8")
    table = "".join(f"t{trial},img{image}\n" for trial, image in enumerate(shown))
    (tmp_path / "trials.csv").write_text(f"trial,image\n{table}", encoding="utf-8")
    options: dict[str, Any] = {"gt_features": tmp_path / "gt", "recon_features": tmp_path / "recon", "metrics": "clip"}
    run = ng.score(trials=tmp_path / "trials.csv", averaged=[1, 3], progress=False, **options)
    per_image = two_way(images, flat, shown)
    expected = [per_image[shown == image].mean() for image in range(N_IMAGES)]
    by_stem = dict(zip(run["clip"].pairs, run["clip"].per_pair, strict=True))
    np.testing.assert_allclose([by_stem[f"img{image}"] for image in range(N_IMAGES)], expected, atol=1e-12)
    point = run.record["averaged"][1]
    found = ng.two_way_identification(images, flat, trials=shown.tolist(), averaged=N_REPEATS)
    assert (point["n_trials"], point["n_images"]) == (3, N_IMAGES)
    assert point["value"] == pytest.approx(found.mean, abs=1e-12)
    assert point["interval"] == pytest.approx(found.interval, abs=1e-9)


def test_what_does_not_fit_is_named() -> None:
    images, trials = recorded()
    for arguments, words in (
        ({"averaged": 2}, "averaged needs trials"),
        ({"trials": "images"}, "expected 'repeats'"),
        ({"trials": [0, 1]}, "a whole number for each of 14 rows"),
        ({"trials": [99] * N_IMAGES}, "row 99 of reference, which has 14"),
        ({"trials": "repeats", "averaged": 4}, "averaged"),
    ):
        with pytest.raises((ng.DataError, ng.UsageError), match=words):
            ng.two_way_identification(images, trials, **arguments)
    with pytest.raises(ng.DataError, match="n_images, n_repeats, n_features"):
        ng.two_way_identification(images, images, trials="repeats")
