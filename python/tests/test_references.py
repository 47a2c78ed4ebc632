"""Metrics against NumPy, SciPy, and other packages where they are installed, where Rust's goldens do not have it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.stats

import neurogauge as ng


def test_pixcorr_is_numpys_corrcoef(stimuli: Any, reconstructions: Any) -> None:
    found = ng.pixcorr(stimuli, reconstructions, pixel_size=None)
    for place in range(4):
        expected = np.corrcoef(stimuli[place].ravel() / 255, reconstructions[place].ravel() / 255)[0, 1]
        assert found.per_pair[place] == pytest.approx(expected, abs=1e-6)
    assert found.undefined == {4: "constant reconstruction", 5: "constant reconstruction"}
    assert np.isnan(found.per_pair[4:]).all()


def test_patterns_of_decoded_features_are_rows_or_normalised_by_those_of_training() -> None:
    test, decoded = np.random.default_rng(1).normal(size=(2, 25, 30)).astype(np.float32)
    profile = ng.metrics.profile_correlation(test, decoded)
    assert profile.per_pair.shape == (30,) and profile.n == 25
    plain = ng.metrics.pattern_correlation(test, decoded).per_pair
    np.testing.assert_allclose(plain, ng.metrics.feature_correlation(test, decoded).per_pair, rtol=0, atol=1e-12)
    normalised = ng.metrics.pattern_correlation(test, decoded, mean=[1.0] * 30, sd=[2.0] * 30).per_pair
    rows = ((test - 1.0) / 2.0, (decoded - 1.0) / 2.0)
    np.testing.assert_allclose(normalised, ng.metrics.feature_correlation(*rows).per_pair, rtol=0, atol=1e-6)
    with pytest.raises(ng.UsageError, match="mean was given alone"):
        ng.metrics.pattern_correlation(test, decoded, mean=[1.0] * 30)
    with pytest.raises(ng.UsageError, match="sd has 3 values; expected 30"):
        ng.metrics.pattern_correlation(test, decoded, mean=[1.0] * 30, sd=[1, 1, 1])


@pytest.mark.parametrize("direction", ["reconstruction", "stimulus"])
def test_identification_counts_as_numpy_does(direction: Any) -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(30, 16)).astype(np.float32)
    y = (x + 2 * rng.normal(size=x.shape)).astype(np.float32)
    table = np.corrcoef(x.astype(np.float64), y.astype(np.float64))[:30, 30:]
    table = table if direction == "reconstruction" else table.T
    expected = (table < np.diag(table)).sum(axis=0) / 29
    found = ng.two_way_identification(x, y, direction=direction)
    np.testing.assert_array_equal(found.per_pair, expected)
    assert found.mean == pytest.approx(expected.mean(), abs=1e-15)


def similar(image: Any, brain: Any, similarity: str) -> Any:
    """Similarity of each brain embedding (row) with each image embedding, one pair at a time."""
    table = np.zeros((len(brain), len(image)))
    for i, b in enumerate(brain.astype(np.float64)):
        for j, v in enumerate(image.astype(np.float64)):
            if similarity == "correlation":
                b, v = b - b.mean(), v - v.mean()
            table[i, j] = b @ v / np.sqrt((b @ b) * (v @ v))
    return table


def found_among(table: Any, own: int, drawn: Any, top_k: int, ties: str) -> float:
    """Is the item's own embedding among the top_k most similar of those drawn?"""
    better = sum(table[own, other] > table[own, own] for other in drawn if other != own)
    equal = sum(table[own, other] == table[own, own] for other in drawn if other != own)
    if ties == "half":
        return float(np.mean([better + before < top_k for before in range(equal + 1)]))
    return float(better + (equal if ties == "lose" else 0) < top_k)


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("similarity", ["cosine", "correlation"])
@pytest.mark.parametrize("ties", ["lose", "half", "win"])
@pytest.mark.parametrize("top_k", [1, 2])
def test_retrieval_is_a_loop_over_every_draw(direction: Any, similarity: Any, ties: Any, top_k: int) -> None:
    rng = np.random.default_rng(11)
    # Integers and duplicated rows, so that there are exact ties.
    image = rng.integers(-2, 3, (8, 4)).astype(np.float32) + np.float32(0.5)
    brain = image + rng.integers(-1, 2, image.shape).astype(np.float32)
    image[5], brain[6] = image[2], brain[1]
    table = similar(image, brain, similarity)
    table[:, 5], table[6] = table[:, 2], table[1]
    table = table if direction == "forward" else table.T
    draws = list(itertools.combinations(range(8), 4))
    expected = [
        np.mean([found_among(table, own, drawn, top_k, ties) for drawn in draws if own in drawn]) for own in range(8)
    ]
    # Copies are distractors, too: they are what ties.
    options = {"direction": direction, "similarity": similarity, "ties": ties, "top_k": top_k, "copies": "keep"}
    found = ng.metrics.retrieval(image, brain, candidates=4, repeats=4000, resamples=10, **options)
    np.testing.assert_allclose(found.per_pair, expected, rtol=0, atol=1e-12)
    assert found.mean == pytest.approx(np.mean(expected), abs=1e-12) and found.chance == top_k / 4
    # Each draw is one of the 70 possible ones, and their mean approaches the mean of all.
    shares = [np.mean([found_among(table, own, drawn, top_k, ties) for own in drawn]) for drawn in draws]
    assert np.isin(found.draws.shares.round(12), np.round(shares, 12)).all()
    assert abs(found.draws.mean - np.mean(expected)) < 5 * np.std(shares) / np.sqrt(4000) + 1e-12
    assert found.draws.mean == pytest.approx(found.draws.shares.mean(), abs=1e-12)
    assert found.draws.sd == pytest.approx(found.draws.shares.std(), abs=1e-12)
    everything = ng.metrics.retrieval(image, brain, candidates=8, repeats=2, **options)
    whole = np.mean([found_among(table, own, range(8), top_k, ties) for own in range(8)])
    np.testing.assert_allclose(everything.draws.shares, [whole] * 2, rtol=0, atol=1e-12)


def test_icc_of_shrout_and_fleiss() -> None:
    judges = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    found = ng.stats.icc(judges)
    assert [round(found[form].value, 2) for form in found] == [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]
    assert found["ICC(3,1)"].p_value == pytest.approx(scipy.stats.f.sf(found["ICC(3,1)"].f, 5, 15), abs=1e-12)


def test_bootstrap_of_a_mean_is_that_of_a_mean_of_ones_own() -> None:
    values = np.random.default_rng(5).normal(size=25)
    ours = ng.stats.bootstrap(values, resamples=300, interval="percentile")
    own = ng.stats.bootstrap(values, statistic=np.mean, resamples=300)
    assert ours.value == pytest.approx(own.value, abs=1e-15)
    assert ours.interval == pytest.approx(own.interval, abs=1e-12)
    assert ng.pixcorr(np.zeros((0, 2, 2, 3)), np.zeros((0, 2, 2, 3))).interval is None


def test_bootstrap_passes_on_what_the_statistic_raises() -> None:
    def broken(_: Any) -> float:
        raise KeyError("broken")

    with pytest.raises(KeyError, match="broken"):
        ng.stats.bootstrap([1.0, 2.0], statistic=broken, resamples=10)


def test_torch_tensors_are_read_as_channels_first() -> None:
    torch = pytest.importorskip("torch")
    drawn = torch.rand(2, 3, 3, 12, 3, generator=torch.Generator().manual_seed(8))
    x, y = drawn.requires_grad_().unbind(0)
    found = ng.pixcorr(x, y, pixel_size=None)
    arrays = (tensor.detach().numpy() for tensor in (x, y))
    assert_same = ng.pixcorr(*arrays, pixel_size=None, layout="NCHW")
    np.testing.assert_array_equal(found.per_pair, assert_same.per_pair)


def test_ssim_of_grey_images_is_torchmetrics() -> None:
    """Theirs compares colours one by one and ours the grey image, and theirs averages what the window shows of mirrored
    borders too: they are equal where there is but grey, and within the borders."""
    torch = pytest.importorskip("torch")
    functional = pytest.importorskip("torchmetrics.functional.image")
    x, y = torch.rand(2, 4, 1, 24, 31, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    y = (x + 0.3 * y).clip(0, 1)
    options = {"sigma": 1.5, "kernel_size": 11, "data_range": 1.0, "gaussian_kernel": True}
    _, places = functional.structural_similarity_index_measure(x, y, **options, return_full_image=True)
    expected = places[..., 5:-5, 5:-5].mean(dim=(1, 2, 3))
    found = ng.ssim(x.expand(-1, 3, -1, -1), y.expand(-1, 3, -1, -1), pixel_size=None)
    np.testing.assert_allclose(found.per_pair, expected, rtol=0, atol=1e-6)


def test_psnr_is_torchmetrics() -> None:
    torch = pytest.importorskip("torch")
    image = pytest.importorskip("torchmetrics.image")
    x, y = torch.rand(2, 4, 3, 20, 20, generator=torch.Generator().manual_seed(9))
    expected = [image.PeakSignalNoiseRatio(data_range=1.0)(a[None], b[None]).item() for a, b in zip(x, y, strict=True)]
    np.testing.assert_allclose(ng.metrics.psnr(x, y, pixel_size=None).per_pair, expected, atol=1e-4)


def test_retrieval_among_all_is_torchmetrics_hit_rate() -> None:
    torch = pytest.importorskip("torch")
    functional = pytest.importorskip("torchmetrics.functional.retrieval")
    rng = np.random.default_rng(13)
    image = rng.normal(size=(30, 8)).astype(np.float32)
    brain = (image + 1.5 * rng.normal(size=image.shape)).astype(np.float32)
    table = (
        torch.nn.functional.normalize(torch.from_numpy(brain))
        @ torch.nn.functional.normalize(torch.from_numpy(image)).T
    )
    for top_k in (1, 5):
        own = [torch.arange(30) == item for item in range(30)]
        expected = [functional.retrieval_hit_rate(table[item], own[item], top_k=top_k).item() for item in range(30)]
        found = ng.metrics.retrieval(image, brain, candidates=30, top_k=top_k, repeats=1)
        assert found.per_pair.tolist() == expected
