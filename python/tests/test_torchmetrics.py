"""Metrics of ``ng.metrics.classes`` are ``torchmetrics.Metric`` where that is installed: the numbers of one call, on one
process and on several."""

from __future__ import annotations

import importlib
import pickle
import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import neurogauge as ng

RNG = np.random.default_rng(0)
IMAGES = RNG.integers(0, 256, (2, 7, 20, 24, 3), dtype=np.uint8)
LARGE = RNG.integers(0, 256, (2, 7, 64, 64, 3), dtype=np.uint8)
ROWS = RNG.normal(size=(2, 7, 60)).astype(np.float32)
CASES: dict[str, tuple[dict[str, Any], Any]] = {
    "Pixcorr": ({"pixel_size": 16}, IMAGES),
    "Ssim": ({"pixel_size": None, "level": 0.8, "seed": 3}, IMAGES),
    "Lpips": ({"heads": "placeholder", "pixel_size": None}, LARGE),
    "FeatureCorrelation": ({}, ROWS),
    "TwoWayIdentification": ({"n_way": 3, "draws": 4}, ROWS),
    "NWayAccuracy": ({"n_way": 10, "draws": 5}, ROWS),
    "Retrieval": ({"direction": "backward", "candidates": 4, "repeats": 3}, ROWS),
}


class Tensor(np.ndarray):  # type: ignore[type-arg]
    """An array with the used methods of a tensor."""

    def to(self, device: str) -> Tensor:
        return self

    def cpu(self) -> Tensor:
        return self

    def numpy(self) -> Any:
        return np.asarray(self)


class Metric:
    """The used methods of ``torchmetrics.Metric``."""

    device = "cpu"

    def __init__(self, **options: Any) -> None:
        self.options, self.states = options, {}  # type: ignore[var-annotated]

    def add_state(self, name: str, default: list[Any], dist_reduce_fx: str) -> None:
        self.states[name] = dist_reduce_fx
        setattr(self, name, list(default))
        self._update_count, self._computed = 0, None

    def reset(self) -> None:
        self.batches: list[Any] = []


def modules() -> dict[str, ModuleType]:
    """Fake modules with only what the adapter calls of torch and torchmetrics."""
    torch, torchmetrics, utilities = (ModuleType(name) for name in ("torch", "torchmetrics", "torchmetrics.utilities"))
    found: dict[str, Any] = {"torch": torch, "torchmetrics": torchmetrics, "torchmetrics.utilities": utilities}
    torch.from_numpy = lambda array: array.view(Tensor)  # type: ignore[attr-defined]
    torch.tensor = lambda value, dtype, device: np.array(value, dtype).view(Tensor)  # type: ignore[attr-defined]
    torch.float64 = np.float64  # type: ignore[attr-defined]
    torch.Tensor = Tensor  # type: ignore[attr-defined]
    torchmetrics.Metric = Metric  # type: ignore[attr-defined]
    utilities.dim_zero_cat = lambda state: np.concatenate(state).view(Tensor) if isinstance(state, list) else state  # type: ignore[attr-defined]
    return found


OURS = (
    "neurogauge._torchmetrics",
    *(f"neurogauge.metrics.{name}" for name in ("_metric_base", "_batched", "_classes_from_registry", "classes")),
)


@pytest.fixture(params=["fake", "torchmetrics"])
def torchmetrics(request: Any, monkeypatch: Any) -> Any:
    """The module: its likeness, so that the classes are made of it where torchmetrics is not, and itself."""
    if request.param == "torchmetrics":
        yield pytest.importorskip("torchmetrics")
        return
    for name, module in modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    fresh(monkeypatch)
    yield sys.modules["torchmetrics"]


def fresh(monkeypatch: Any) -> None:
    """The classes are defined again when they are next used."""
    for name in OURS:
        monkeypatch.delitem(sys.modules, name, raising=False)
    for name in ("_metric_base", "_batched", "_classes_from_registry", "classes"):
        monkeypatch.delattr(ng.metrics, name, raising=False)
    monkeypatch.delattr(ng, "_torchmetrics", raising=False)


@pytest.mark.parametrize("name", CASES)
def test_batches_give_the_result_of_one_call(torchmetrics: Any, name: str) -> None:
    options, (x, y) = CASES[name]
    own = getattr(ng.metrics.classes, name)(**options)
    quiet = {"progress": False} if name in ("Pixcorr", "Ssim", "Lpips") else {}
    whole = own.function(x, y, **options, **quiet)
    own.update(x[:2], y[:2])
    metric = getattr(ng, name)(**options)
    assert isinstance(metric, torchmetrics.Metric) and metric.higher_is_better == (whole.direction == "higher")
    for batch in (slice(0, 3), slice(3, 4), slice(4, 7)):
        metric.update(x[batch], y[batch])
    assert metric.result is None and len(own.batches) == 1
    assert float(metric.compute()) == whole.mean
    assert metric.result.to_dict() == whole.to_dict() and metric.result.per_pair.tobytes() == whole.per_pair.tobytes()
    assert name in repr(metric)
    metric.reset()
    with pytest.raises(ng.UsageError, match=f"{name}.* has seen no batch"):
        metric.compute()


def test_gathered_states_are_all_pairs_in_the_order_of_processes(torchmetrics: Any) -> None:
    """torchmetrics concatenates the state of several processes into one tensor."""
    x, y = IMAGES[0], IMAGES[1].copy()
    y[4] = 7
    options: dict[str, Any] = {"pixel_size": None}
    first, second = (ng.Pixcorr(**options) for _ in range(2))
    first.update(x[:3], y[:3])
    for batch in (slice(3, 5), slice(5, 7)):
        second.update(x[batch], y[batch])
    joined = np.concatenate([np.asarray(one) for one in (*first.batches, *second.batches)])
    first.batches = sys.modules["torch"].from_numpy(joined)
    first.compute()
    assert first.result.to_dict() == ng.pixcorr(x, y, progress=False, **options).to_dict()
    assert first.result.undefined == {4: "constant reconstruction"}


def test_without_torchmetrics_they_are_plain_objects(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "torchmetrics", None)
    fresh(monkeypatch)
    metric = ng.Ssim(pixel_size=None)
    assert type(metric).__mro__[-2].__name__ == "PlainBase"
    metric.update(*IMAGES)
    assert type(metric.compute()) is float and metric.result.n == len(IMAGES[0])


def test_importing_neurogauge_imports_no_torch() -> None:
    code = (
        "import sys, neurogauge as ng; dir(ng); assert 'torch' not in sys.modules and 'torchmetrics' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert importlib.import_module("neurogauge.metrics.classes").Ssim is ng.Ssim
    with pytest.raises(AttributeError, match="no attribute 'Ssin'"):
        ng.Ssin  # noqa: B018


def test_it_is_one_of_torchmetrics_own() -> None:
    torch = pytest.importorskip("torch")
    torchmetrics = pytest.importorskip("torchmetrics")
    x, y = IMAGES
    options: dict[str, Any] = {"pixel_size": None}
    whole = ng.ssim(x, y, progress=False, **options)
    metric = ng.Ssim(**options).to("cpu")
    batch = metric(*(torch.from_numpy(side[:3]) for side in (x, y)))
    assert float(batch) == pytest.approx(ng.ssim(x[:3], y[:3], progress=False, **options).mean)
    metric.update(x[3:], y[3:])
    metric.compute()
    assert metric.result.to_dict() == whole.to_dict()
    assert float(pickle.loads(pickle.dumps(metric)).compute()) == pytest.approx(whole.mean)
    both = torchmetrics.MetricCollection({"ssim": metric.clone(), "psnr": ng.Psnr(**options)})
    both.reset()
    for part in (slice(0, 4), slice(4, 7)):
        both.update(x[part], y[part])
    found = {name: float(value) for name, value in both.compute().items()}
    assert found == pytest.approx({"ssim": whole.mean, "psnr": ng.metrics.psnr(x, y, progress=False, **options).mean})
    # Another process saw the last four; its share is longer than ours.
    other = ng.Ssim(**options)
    other.update(x[3:5], y[3:5])
    other.update(x[5:], y[5:])

    def gather(tensor: Any, group: Any) -> list[Any]:
        return [tensor, torch.cat(other.batches)]

    distributed = ng.Ssim(**options, dist_sync_fn=gather, distributed_available_fn=lambda: True)
    distributed.update(x[:3], y[:3])
    distributed.compute()
    assert distributed.result.to_dict() == whole.to_dict()
    # Afterwards the metric has its own batches again.
    assert len(distributed.batches) == 1
