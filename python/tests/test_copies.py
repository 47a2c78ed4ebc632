"""Identification of stimuli that are shown several times, and the data behind its intervals and differences."""

from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt
import pytest

import neurogauge as ng


def shown(n_stimuli: int, n_times: int) -> npt.NDArray[np.float32]:
    rows = np.random.default_rng(0).normal(size=(n_stimuli, 20)).astype(np.float32)
    return np.repeat(rows, n_times, axis=0)


def test_a_stimulus_is_not_told_from_its_copies() -> None:
    rows = shown(50, 4)
    with pytest.warns(ng.NeurogaugeWarning, match="200 pairs show 50 different stimuli"):
        found = ng.metrics.two_way_identification(rows, rows)
    assert found.mean == 1
    assert found.interval is not None
    # The exact bound of 50 of 50.
    assert found.interval == pytest.approx((0.025 ** (1 / 50), 1.0))
    with pytest.warns(ng.NeurogaugeWarning, match="copies tie"):
        kept = ng.metrics.two_way_identification(rows, rows, copies="keep")
        low = ng.metrics.two_way_identification(rows, rows, copies="keep", subtract_own=True)
    assert kept.per_pair == pytest.approx(np.full(200, 196 / 199))
    assert low.per_pair == pytest.approx(np.full(200, 195 / 199))


def test_the_subtraction_of_the_own_one_lowers_value_interval_and_chance_alike() -> None:
    rows = shown(12, 1)
    noisy = rows * 0.2 + np.random.default_rng(3).normal(size=rows.shape).astype(np.float32)
    for decoded in (rows, noisy):
        usual = ng.metrics.two_way_identification(rows, decoded)
        low = ng.metrics.two_way_identification(rows, decoded, subtract_own=True)
        assert usual.interval is not None
        assert low.mean == pytest.approx(usual.mean - 1 / 11)
        assert low.interval == pytest.approx(tuple(end - 1 / 11 for end in usual.interval))
        assert low.chance == pytest.approx(0.5 - 1 / 11)
    alone = ng.metrics.two_way_identification(rows[:1], rows[:1], subtract_own=True)
    assert alone.n_undefined == 1


def test_stimuli_can_be_named() -> None:
    rows = shown(6, 1)
    names = ["a", "a", "b", "c", "d", "e"]
    with pytest.warns(ng.NeurogaugeWarning, match="6 pairs show 5 different stimuli"):
        named = ng.metrics.two_way_identification(rows, rows[::-1], stimuli=names)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        told = ng.metrics.two_way_identification(rows, rows[::-1])
    similarity = np.corrcoef(rows, rows[::-1])[:6, 6:]
    for pair in range(6):
        others = [other for other in range(6) if names[other] != names[pair]]
        beaten = similarity[others, pair] < similarity[pair, pair]
        assert named.per_pair[pair] == pytest.approx(beaten.mean())
    assert told.per_pair.shape == (6,)
    with pytest.raises(ng.UsageError, match="stimuli has 2 names; expected one for each of 6 pairs"):
        ng.metrics.two_way_identification(rows, rows, stimuli=["a", "b"])


def test_intervals_are_wider_than_those_of_pairs_that_share_no_distractors() -> None:
    """A decoder that knows one of three categories of very different frequency, and nothing else."""
    rng = np.random.default_rng(1)
    category = np.repeat([0, 1, 2], [50, 30, 20])
    centres = 3 * rng.normal(size=(3, 30))
    stimuli, decoded = (centres[category] + rng.normal(size=(100, 30)) for _ in range(2))
    found = ng.metrics.two_way_identification(stimuli, decoded)
    assert found.interval is not None
    low, high = found.interval
    assert low < found.mean < high
    spread = found.per_pair.std(ddof=1) / 10
    assert high - low > 1.2 * 2 * 1.98 * spread
