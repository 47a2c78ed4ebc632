"""Metrics against NumPy, SciPy, scikit-image, and other packages where they are installed."""

from __future__ import annotations

import itertools
import json
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.spatial.distance
import scipy.stats
from skimage.color import rgb2gray
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

import neurogauge as ng


def test_pixcorr_is_numpys_corrcoef(stimuli: Any, reconstructions: Any) -> None:
    found = ng.pixcorr(stimuli, reconstructions, pixel_size=None)
    for place in range(4):
        expected = np.corrcoef(stimuli[place].ravel() / 255, reconstructions[place].ravel() / 255)[0, 1]
        assert found.per_pair[place] == pytest.approx(expected, abs=1e-6)
    assert found.undefined == {4: "constant reconstruction", 5: "constant reconstruction"}
    assert np.isnan(found.per_pair[4:]).all()


def test_pixcorr_of_floats_is_numpys_to_rounding() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.random((2, 5, 20, 20, 3), dtype=np.float32)
    found = ng.pixcorr(x, y, pixel_size=None).per_pair
    expected = [np.corrcoef(a.ravel().astype(float), b.ravel().astype(float))[0, 1] for a, b in zip(x, y, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_ssim_is_scikit_images(stimuli: Any, reconstructions: Any) -> None:
    found = ng.ssim(stimuli, reconstructions, pixel_size=None)
    for place in range(6):
        grey = [rgb2gray(images[place] / 255) for images in (stimuli, reconstructions)]
        expected = structural_similarity(
            *grey, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=1.0
        )
        assert found.per_pair[place] == pytest.approx(expected, abs=1e-6)


def test_psnr_is_scikit_images(stimuli: Any, reconstructions: Any) -> None:
    found = ng.metrics.psnr(stimuli, reconstructions, pixel_size=None)
    for place in range(6):
        pair = (np.float32(images[place] / np.float32(255)) for images in (stimuli, reconstructions))
        expected = peak_signal_noise_ratio(*(image.astype(np.float64) for image in pair), data_range=1)
        assert found.per_pair[place] == pytest.approx(expected, abs=1e-10)
    assert ng.metrics.psnr(stimuli, stimuli).undefined[0] == "identical images"


def test_features_are_scipys() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(8, 50)).astype(np.float32)
    y = (x + rng.normal(size=x.shape)).astype(np.float32)
    distance = [scipy.spatial.distance.correlation(*map(np.float64, pair)) for pair in zip(x, y, strict=True)]
    correlation = [scipy.stats.pearsonr(*map(np.float64, pair))[0] for pair in zip(x, y, strict=True)]
    np.testing.assert_allclose(ng.metrics.correlation_distance(x, y).per_pair, distance, rtol=0, atol=1e-12)
    np.testing.assert_allclose(ng.metrics.feature_correlation(x, y).per_pair, correlation, rtol=0, atol=1e-12)


def test_accuracy_of_decoded_features_is_bdpys() -> None:
    reference = Path(__file__).parents[2] / "reference"
    uniform = runpy.run_path(str(reference / "synthetic.py"))["uniform"]
    golden = json.loads((reference / "golden" / "audit.json").read_text(encoding="utf-8"))
    train, test, noise = (
        uniform(name, 11, (n, 30)).astype(float) - 0.5 for name, n in (("train", 60), ("test", 25), ("decoded", 25))
    )
    decoded = 0.4 * test + 0.3 * train[:25] + 0.3 * noise
    train, test, decoded = (rows.astype(np.float32) for rows in (train, test, decoded))
    found = ng.metrics.profile_correlation(test, decoded)
    assert found.mean == pytest.approx(golden["profile"], abs=1e-12)
    assert found.per_pair.shape == (30,) and found.n == 25
    low, high = found.interval or (1, 0)
    assert low < found.mean < high
    trained = train.astype(float)
    found = ng.metrics.pattern_correlation(test, decoded, mean=trained.mean(0), sd=trained.std(0, ddof=1))
    np.testing.assert_allclose(found.per_pair, golden["pattern"], rtol=0, atol=1e-12)
    plain = ng.metrics.pattern_correlation(test, decoded).per_pair
    np.testing.assert_allclose(plain, ng.metrics.feature_correlation(test, decoded).per_pair, rtol=0, atol=1e-12)
    assert ng.two_way_identification(test, decoded).mean == pytest.approx(golden["two_way"], abs=1e-12)
    with pytest.raises(ng.UsageError, match="mean was given alone"):
        ng.metrics.pattern_correlation(test, decoded, mean=trained.mean(0))
    with pytest.raises(ng.UsageError, match="sd has 3 values; expected 30"):
        ng.metrics.pattern_correlation(test, decoded, mean=trained.mean(0), sd=[1, 1, 1])


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


def test_n_ways_are_hypergeometric() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(20, 12)).astype(np.float32)
    y = (x + 2 * rng.normal(size=x.shape)).astype(np.float32)
    table = np.corrcoef(x.astype(np.float64), y.astype(np.float64))[:20, 20:]
    better = (table > np.diag(table)).sum(axis=0)
    expected = scipy.stats.hypergeom.cdf(1, 19, better, 4)
    found = ng.two_way_identification(x, y, n_way=5, top_k=2)
    np.testing.assert_allclose(found.per_pair, expected, rtol=0, atol=1e-12)


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
    """Is the own one among the top_k most similar of those drawn?"""
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
    # Whole numbers and duplicated rows, so that there are exact ties.
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
    # Each draw is one of the 70, and their mean comes near to that of all of them.
    shares = [np.mean([found_among(table, own, drawn, top_k, ties) for own in drawn]) for drawn in draws]
    assert np.isin(found.draws.shares.round(12), np.round(shares, 12)).all()
    assert abs(found.draws.mean - np.mean(expected)) < 5 * np.std(shares) / np.sqrt(4000) + 1e-12
    assert found.draws.mean == pytest.approx(found.draws.shares.mean(), abs=1e-12)
    assert found.draws.sd == pytest.approx(found.draws.shares.std(), abs=1e-12)
    everything = ng.metrics.retrieval(image, brain, candidates=8, repeats=2, **options)
    whole = np.mean([found_among(table, own, range(8), top_k, ties) for own in range(8)])
    np.testing.assert_allclose(everything.draws.shares, [whole] * 2, rtol=0, atol=1e-12)


def test_retrieval_among_many_is_hypergeometric_and_its_interval_normal() -> None:
    rng = np.random.default_rng(12)
    image = rng.normal(size=(400, 20)).astype(np.float32)
    brain = (image + 2 * rng.normal(size=image.shape)).astype(np.float32)
    unit = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (brain.astype(float), image.astype(float))]
    table = unit[0] @ unit[1].T
    for direction, axis in (("forward", 1), ("backward", 0)):
        better = (table > np.diag(table)[:, None]).sum(1) if axis else (table > np.diag(table)).sum(0)
        expected = scipy.stats.hypergeom.cdf(0, 399, better, 299)
        found = ng.metrics.retrieval(image, brain, direction=direction)  # type: ignore[arg-type]
        np.testing.assert_allclose(found.per_pair, expected, rtol=0, atol=1e-12)
        shares = found.draws.shares
        interval = scipy.stats.norm.interval(0.95, loc=shares.mean(), scale=shares.std() / np.sqrt(30))
        assert found.draws.interval == pytest.approx(interval, abs=1e-12)


@pytest.mark.parametrize("n", [2, 3, 10, 200])
@pytest.mark.parametrize("ties", [False, True])
def test_rank_correlations_are_scipys(n: int, ties: bool) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=(2, n))
    if ties:
        x, y = np.round(x), np.round(y) + np.arange(n) % 2
        x[0] = x.max() + 1
    for name, expected in (
        ("kendall_tau_b", scipy.stats.kendalltau(x, y)[0]),
        ("kendall_tau_c", scipy.stats.kendalltau(x, y, variant="c")[0]),
        ("spearman", scipy.stats.spearmanr(x, y)[0]),
        ("pearson", scipy.stats.pearsonr(x, y)[0]),
    ):
        assert getattr(ng.stats, name)(x, y) == pytest.approx(expected, abs=1e-12)


def test_pairwise_accuracy_counts_pairs() -> None:
    rng = np.random.default_rng(4)
    metric, human = rng.normal(size=40).round(1), rng.integers(1, 6, 40)
    for epsilon in (0.0, 0.15, 0.55):
        right = total = 0
        for i in range(40):
            for j in range(i):
                apart = metric[i] - metric[j]
                sign = 0 if abs(apart) <= epsilon else np.sign(apart)
                right += sign == np.sign(human[i] - human[j])
                total += 1
        assert ng.stats.pairwise_accuracy(metric, human, epsilon=epsilon) == right / total


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


def test_cap_sim_is_sentence_transformers() -> None:
    util = pytest.importorskip("sentence_transformers.util")
    x, y = np.random.default_rng(6).normal(size=(2, 7, 30)).astype(np.float32)
    expected = np.diag(util.cos_sim(x, y).numpy())
    np.testing.assert_allclose(ng.cap_sim(x, y).per_pair, expected, atol=1e-6)


def test_cosine_of_embeddings_is_numpys() -> None:
    x, y = np.random.default_rng(7).normal(size=(2, 7, 30)).astype(np.float32)
    x64, y64 = x.astype(np.float64), y.astype(np.float64)
    expected = (x64 * y64).sum(1) / np.linalg.norm(x64, axis=1) / np.linalg.norm(y64, axis=1)
    np.testing.assert_allclose(ng.cap_sim(x, y).per_pair, expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(ng.metrics.clip_s(x, y).per_pair, 2.5 * np.maximum(expected, 0), rtol=0, atol=1e-12)


def test_torch_tensors_are_read_as_channels_first() -> None:
    torch = pytest.importorskip("torch")
    drawn = torch.rand(2, 3, 3, 12, 3, generator=torch.Generator().manual_seed(8))
    x, y = drawn.requires_grad_().unbind(0)
    found = ng.pixcorr(x, y, pixel_size=None)
    arrays = (tensor.detach().numpy() for tensor in (x, y))
    assert_same = ng.pixcorr(*arrays, pixel_size=None, layout="NCHW")
    np.testing.assert_array_equal(found.per_pair, assert_same.per_pair)


def test_psnr_is_torchmetrics() -> None:
    torch = pytest.importorskip("torch")
    image = pytest.importorskip("torchmetrics.image")
    x, y = torch.rand(2, 4, 3, 20, 20, generator=torch.Generator().manual_seed(9))
    expected = [image.PeakSignalNoiseRatio(data_range=1.0)(a[None], b[None]).item() for a, b in zip(x, y, strict=True)]
    np.testing.assert_allclose(ng.metrics.psnr(x, y, pixel_size=None).per_pair, expected, atol=1e-4)


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
