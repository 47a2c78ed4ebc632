"""LPIPS and DreamSim: other implementations' values, and refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neurogauge as ng


def test_a_stand_in_needs_no_files_and_says_so(patterns: Any) -> None:
    gt, recon = patterns(2, 64)
    found = ng.metrics.lpips(gt, recon, heads="placeholder", pixel_size=None)
    assert found.metric == "lpips_alex" and found.stand_in
    floats = np.moveaxis((gt / np.float32(255)).astype(np.float32), 3, 1)
    again = ng.metrics.lpips(floats, recon, heads="placeholder", pixel_size=None, layout="auto")
    np.testing.assert_array_equal(again.per_pair, found.per_pair)


def test_faults_name_what_is_wrong(
    tmp_path: Path, monkeypatch: Any, patterns: Any, network: Any, lpips_heads: Any
) -> None:
    for variable in ("NEUROGAUGE_CACHE", "HF_HOME", "TORCH_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "none"))
    monkeypatch.delenv("NEUROGAUGE_WEIGHTS", raising=False)
    gt, recon = patterns(2)
    heads = lpips_heads("alexnet")
    broken = tmp_path / "broken.pth"
    broken.write_bytes(b"no heads")
    stand_in: dict[str, Any] = {"heads": "placeholder", "pixel_size": 64}
    for error, match, options in [
        (ng.ModelError, "nowhere.pth", {"heads": tmp_path / "nowhere.pth"}),
        (ng.ModelError, "broken.pth", {"heads": broken}),
        (ng.ModelError, "no lin0.model.1.weight", {"heads": network("alexnet")}),
        (ng.ModelError, "weights of alexnet", {"heads": heads}),
        (ng.ModelError, "broken.pth", {"heads": heads, "checkpoint": broken}),
        (ng.ModelError, "at least 63 px", {"heads": "placeholder", "pixel_size": 62}),
        (ng.UsageError, "pixel_size is 0", {"heads": "placeholder", "pixel_size": 0}),
        (ng.UsageError, "first_size is 64", {**stand_in, "pixel_size": None, "first_size": 64}),
        (ng.UsageError, "weight_precision is .*f8", {**stand_in, "weight_precision": "f8"}),
        (ng.UsageError, "tpu", {"heads": heads, "device": "tpu"}),
        (ng.UsageError, "level is 2", {**stand_in, "level": 2}),
    ]:
        with pytest.raises(error, match=match):
            ng.metrics.lpips(gt, recon, **options)
    with pytest.raises(ng.DataError, match="2 images and reconstruction 1"):
        ng.metrics.lpips(gt, recon[:1], **stand_in)
    wide = np.concatenate([recon, recon], axis=2)
    with pytest.raises(ng.DataError, match="63 x 63 px.*126 x 63 px"):
        ng.metrics.lpips(gt, wide, heads="placeholder", pixel_size=63)
    with pytest.raises(TypeError, match="heads"):
        ng.metrics.lpips(gt, recon)  # type: ignore[call-arg]


def backbone(torch: Any, path: Path) -> Any:
    """The features of torchvision's AlexNet with random weights, and a file of them."""
    models = pytest.importorskip("torchvision.models")
    torch.manual_seed(3)
    model = models.alexnet().eval()
    torch.save(model.state_dict(), path)
    return model.features


def give(slices: Any, features: Any) -> None:
    """Puts these weights into an implementation that has the network in slices."""
    for part in slices:
        for place, layer in part.named_children():
            if layer.state_dict():
                layer.load_state_dict(features[int(place)].state_dict())


@pytest.mark.parametrize("package", ["lpips", "torchmetrics"])
def test_lpips_is_that_of_other_packages_with_the_published_heads(tmp_path: Path, patterns: Any, package: str) -> None:
    torch = pytest.importorskip("torch")
    if package == "lpips":
        module = pytest.importorskip("lpips")
        theirs = module.LPIPS(net="alex", pnet_rand=True, verbose=False)
        heads = Path(module.__file__).parent / "weights/v0.1/alex.pth"
    else:
        module = pytest.importorskip("torchmetrics.functional.image.lpips")
        theirs = module._LPIPS(net="alex", pnet_rand=True)
        heads = Path(module.__file__).parent / "lpips_models/alex.pth"
    features = backbone(torch, tmp_path / "alexnet.pth")
    give([getattr(theirs.net, f"slice{place}") for place in range(1, 6)], features)
    x, y = patterns(4, 80)
    tensors = (torch.from_numpy(images / 127.5 - 1).permute(0, 3, 1, 2).float() for images in (x, y))
    with torch.no_grad():
        expected = theirs(*tensors).flatten().numpy()
    found = ng.metrics.lpips(x, y, heads=heads, checkpoint=tmp_path / "alexnet.pth", pixel_size=None)
    assert (expected > 1e-3).all()
    np.testing.assert_allclose(found.per_pair, expected, rtol=0, atol=1e-5)


def test_dreamsim_of_embeddings_has_the_forms_of_the_package() -> None:
    rows = np.random.default_rng(0).normal(size=(2, 6))
    assert ng.metrics.dreamsim(rows, rows[::-1], form="clip").metric == "dreamsim_clip"
    with pytest.raises(
        ng.UsageError, match="form is 'dinov2'; expected ensemble, dino, clip, open_clip; did you mean 'dino'"
    ):
        ng.metrics.dreamsim(rows, rows, form="dinov2")  # type: ignore[arg-type]
    with pytest.raises(ng.DataError):
        ng.metrics.dreamsim(rows, rows[:, :3])
    constant = ng.metrics.dreamsim(np.ones((1, 4)), [[np.nan, 1, 2, 3]])
    assert np.isnan(constant.mean) and len(constant.undefined) == 1
