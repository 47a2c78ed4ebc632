"""Metrics given a batch at a time have the same bits as one call, and behave like torchmetrics'."""

from __future__ import annotations

import copy
import os
import pickle
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import neurogauge as ng
from neurogauge.metrics import _from_registry, classes
from neurogauge.metrics._classes_from_registry import __all__ as OF_IMAGES

RNG = np.random.default_rng(0)
IMAGES = RNG.integers(0, 256, (2, 7, 20, 24, 3), dtype=np.uint8)
LARGE = RNG.integers(0, 256, (2, 7, 64, 64, 3), dtype=np.uint8)
ROWS = RNG.normal(size=(2, 7, 60)).astype(np.float32)
SEEN = ["a red dog", "two boats on a lake", "a cat", "some trees", "a man with skis", "an old train", "zebras"]
CAPTIONS = ([[text, text + " outside"] for text in SEEN], [text.replace("a ", "one ") for text in SEEN[::-1]])

# Name of the class: its options, and its inputs.
CASES: dict[str, tuple[dict[str, Any], Any]] = {
    **{name: ({"pixel_size": 200}, LARGE) for name in OF_IMAGES},
    "Pixcorr": ({"pixel_size": 16}, IMAGES),
    "Ssim": ({"pixel_size": None, "level": 0.8, "seed": 3}, IMAGES),
    "Psnr": ({"pixel_size": 16, "resamples": 100}, IMAGES),
    "Lpips": ({"heads": "placeholder", "pixel_size": None}, LARGE),
    "CorrelationDistance": ({"interval": "bca"}, ROWS),
    "ClipS": ({}, ROWS),
    "Dreamsim": ({"form": "dino"}, ROWS),
    "Effnet": ({}, ROWS),
    "Swav": ({}, ROWS),
    "FeatureCorrelation": ({}, ROWS),
    "Meteor": ({"wordnet": os.environ["NEUROGAUGE_TEST_WORDNET"]}, CAPTIONS),
    "Rouge": ({"n": 2, "stemming": True}, CAPTIONS),
    "RougeL": ({"level": 0.8}, CAPTIONS),
    "TwoWayIdentification": ({"n_way": 3, "draws": 4}, ROWS),
    "NWayAccuracy": ({"n_way": 10, "draws": 5}, ROWS),
    "Retrieval": ({"candidates": 4, "repeats": 3, "direction": "backward"}, ROWS),
}
BATCHES = (slice(0, 3), slice(3, 4), slice(4, 7))


def computed(metric: Any) -> ng.Result:
    """The result of all batches, whose mean `compute` gives."""
    mean = float(metric.compute())
    assert mean == metric.result.mean
    return metric.result  # type: ignore[no-any-return]


def made(name: str) -> tuple[Any, Callable[[], ng.Result], Any]:
    """The metric, the result of one call, and the compared values."""
    options, (x, y) = CASES[name]
    metric = getattr(classes, name)(**options)
    function = metric.function
    quiet = {"progress": False} if name in (*OF_IMAGES, "Lpips") else {}
    return metric, lambda: function(x, y, **options, **quiet), (x, y)


def test_every_metric_of_images_and_features_has_a_class() -> None:
    assert set(classes.__all__) == {*CASES, "Metric"}
    of_functions = {"".join(part.capitalize() for part in name.split("_")) for name in ng.metrics.__all__}
    assert set(CASES) <= of_functions and set(OF_IMAGES) <= set(CASES)
    assert [getattr(classes, name).function.__name__ for name in OF_IMAGES] == _from_registry.__all__


@pytest.mark.parametrize("name", CASES)
def test_batches_give_the_bits_of_one_call(name: str) -> None:
    metric, call, (x, y) = made(name)
    for batch in BATCHES:
        metric.update(x[batch], y[batch])
    found, whole = computed(metric), call()
    assert found.to_dict() == whole.to_dict() and found.per_pair.tobytes() == whole.per_pair.tobytes()
    assert found.stand_in == (name == "Lpips") and metric.higher_is_better == (whole.direction == "higher")
    assert computed(metric).mean == found.mean


@pytest.mark.parametrize("name", CASES)
def test_states_merge_travel_and_are_forgotten(name: str) -> None:
    metric, call, (x, y) = made(name)
    first, second = metric.clone(), copy.copy(metric).clone()
    first.update(x[:3], y[:3])
    second.update(x[3:], y[3:])
    arrived = pickle.loads(pickle.dumps(second))
    first.merge_state(arrived)
    assert computed(first).to_dict() == call().to_dict()
    assert len(metric.batches) == 0 and len(second.batches) == 1
    first.reset()
    with pytest.raises(ng.UsageError, match="has seen no batch"):
        first.compute()
    first.update(x, y)
    assert computed(first).to_dict() == call().to_dict()


def test_calling_one_gives_the_batch_and_keeps_it() -> None:
    metric, call, (x, y) = made("Ssim")
    options = CASES["Ssim"][0]
    value, one = metric(x[:3], y[:3]), metric.result
    assert float(value) == one.mean
    two = (metric.forward(x[3:], y[3:]), metric.result)[1]
    assert one.to_dict() == ng.metrics.ssim(x[:3], y[:3], progress=False, **options).to_dict()
    assert two.to_dict() == ng.metrics.ssim(x[3:], y[3:], progress=False, **options).to_dict()
    assert computed(metric).to_dict() == call().to_dict()


def test_features_may_be_overwritten_after_an_update() -> None:
    metric, call, (x, y) = made("TwoWayIdentification")
    memory = np.empty((2, 7, 60), np.float32)
    for batch in BATCHES:
        n = batch.stop - batch.start
        memory[:, :n] = x[batch], y[batch]
        metric.update(memory[0, :n], memory[1, :n])
    assert computed(metric).to_dict() == call().to_dict()


def test_undefined_pairs_stay_where_they_are() -> None:
    metric = classes.Pixcorr(pixel_size=None)
    x, y = IMAGES[0], IMAGES[1].copy()
    y[4] = 7
    for batch in BATCHES:
        metric.update(x[batch], y[batch])
    found = computed(metric)
    assert found.undefined == {4: "constant reconstruction"} and found.n == 6


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ng.UsageError, match="Ssim has no option 'size'; it has pixel_size"):
        classes.Ssim(size=3)
    metric = classes.Ssim(pixel_size=None)
    with pytest.raises(ng.UsageError, match="a Psnr cannot be merged into a Ssim"):
        metric.merge_state(classes.Psnr())
    with pytest.raises(ng.UsageError, match=r"Ssim\(pixel_size=8\) cannot be merged into Ssim\(pixel_size=None\)"):
        metric.merge_state(classes.Ssim(pixel_size=8))
    with pytest.raises(ng.DataError):
        metric.update(IMAGES[0], IMAGES[1][:2])
    assert metric.batches == []
    rows = classes.TwoWayIdentification()
    with pytest.raises(ng.DataError, match=r"reference has shape \(7, 60\) and reconstruction \(2, 60\)"):
        rows.update(ROWS[0], ROWS[1][:2])
    rows.update(*ROWS)
    with pytest.raises(ng.DataError, match="rows of 5 features; those of the batches before have 60"):
        rows.update(ROWS[0][:, :5], ROWS[1][:, :5])


def test_processes_are_gathered_where_torch_is_distributed(monkeypatch: Any) -> None:
    metric, call, (x, y) = made("Pixcorr")
    if hasattr(metric, "dist_sync_fn"):
        pytest.skip("torchmetrics gathers them: test_torchmetrics.py")
    other = metric.clone()
    metric.update(x[:3], y[:3])
    other.update(x[3:], y[3:])

    def all_gather_object(states: list[Any], own: Any) -> None:
        states[:] = [pickle.loads(pickle.dumps(own)), pickle.loads(pickle.dumps(other.batches))]

    distributed = SimpleNamespace(
        is_available=lambda: True,
        is_initialized=lambda: True,
        get_world_size=lambda: 2,
        all_gather_object=all_gather_object,
    )
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(distributed=distributed, Tensor=type(None)))
    assert computed(metric).to_dict() == call().to_dict()
    alone = classes.Pixcorr(sync_on_compute=False, pixel_size=16)
    alone.update(x[:3], y[:3])
    assert len(computed(alone)) == 3


class Loop:
    """A loop like a Lightning module's validation epoch."""

    def __init__(self, metric: Any) -> None:
        self.metric = metric
        self.logged: list[float] = []

    def validation_epoch(self, batches: Any) -> None:
        for batch in batches:
            self.metric.update(*batch)
        self.logged.append(float(self.metric.compute()))
        self.metric.reset()


def test_an_epoch_does_not_know_of_the_one_before() -> None:
    x, y = IMAGES
    loop = Loop(classes.Psnr(pixel_size=None))
    loop.validation_epoch([(x[:3], y[:3]), (x[3:], y[3:])])
    loop.validation_epoch([(x[:3], x[:3].copy() // 2), (x[3:], y[3:])])
    assert loop.logged[0] == ng.metrics.psnr(x, y, pixel_size=None).mean != loop.logged[1]


def test_a_loop_of_torchmetrics_gives_the_same() -> None:
    torch = pytest.importorskip("torch")
    image = pytest.importorskip("torchmetrics.image")
    x, y = (torch.from_numpy(side).permute(0, 3, 1, 2) / 255 for side in IMAGES)
    theirs = Loop(image.PeakSignalNoiseRatio(data_range=1.0, dim=(1, 2, 3), reduction="elementwise_mean"))
    ours = Loop(classes.Psnr(pixel_size=None))
    data = torch.utils.data.TensorDataset(x, y)
    for _ in range(2):
        for loop in (theirs, ours):
            loop.validation_epoch(torch.utils.data.DataLoader(data, batch_size=1))
    assert ours.logged == pytest.approx(theirs.logged, abs=1e-4)
    half = classes.Psnr(pixel_size=None)
    half.update(x.bfloat16(), y.bfloat16())
    exact = ng.metrics.psnr(x.bfloat16().float(), y.bfloat16().float(), pixel_size=None)
    assert computed(half).per_pair.tobytes() == exact.per_pair.tobytes()
