"""Image models: the features that `neurogauge perceive` writes, to the bit."""

from __future__ import annotations

import numpy as np
import pytest

import neurogauge as ng
from neurogauge import _command


def pictures(n=3, height=48, width=40):
    rng = np.random.default_rng(3)
    coarse = rng.integers(0, 256, (n, height // 8, width // 8, 3))
    return np.kron(coarse, np.ones((1, 8, 8, 1))).astype(np.uint8)


def perceived(folder, images, model, layer, *options):
    path = folder / "images.npy"
    np.save(path, images)
    arguments = ["perceive", "--images", str(path), "--with", f"{model}:{layer}", "--out", str(folder / "out")]
    assert _command.main([*arguments, *options]) == 0
    (found,) = (folder / "out/features").glob("*.npy")
    return np.load(found)


@pytest.mark.parametrize(
    ("name", "seed", "layer", "pooling"),
    [("placeholder", None, "grid16", "none"), ("resnet18", 42, "layer4", "mean"), ("alexnet", 1, "features.4", "none")],
)
def test_features_are_those_of_the_command(tmp_path, name, seed, layer, pooling):
    model = ng.models.load(name, seed=seed)
    images = pictures()
    found = model(images, layer=layer, pooling=pooling)
    full = name if seed is None else f"{name}-untrained-{seed}"
    np.testing.assert_array_equal(found, perceived(tmp_path, images, full, f"{layer}:{pooling}"))
    assert found.dtype == np.float32 and len(found) == 3
    # The row of an image does not depend on the others.
    np.testing.assert_array_equal(model(images[1:2], layer=layer, pooling=pooling)[0], found[1])


def test_any_source_of_the_same_images(tmp_path):
    model = ng.models.load("placeholder")
    images = pictures()
    found = model(images)
    assert model.layers[-1] in model.recipe()["layer"] and model.stand_in and "placeholder" in repr(model)
    np.testing.assert_array_equal(model(images.transpose(0, 3, 1, 2)), found)
    backwards = images[:, ::-1].copy()[:, ::-1]
    backwards.flags.writeable = False
    np.testing.assert_array_equal(model(backwards), found)
    np.testing.assert_array_equal(model(images.astype(np.float32) / np.float32(255)), found)
    np.save(tmp_path / "stack.npy", images)
    np.testing.assert_array_equal(model(tmp_path / "stack.npy"), found)
    image = pytest.importorskip("PIL.Image")
    files = [tmp_path / f"{place}.png" for place in range(3)]
    for path, pixels in zip(files, images):
        image.fromarray(pixels).save(path)
    np.testing.assert_array_equal(model(files), found)


def test_what_files_leave_open_is_asked(tmp_path):
    model = ng.models.load("placeholder")
    images = pictures()
    found = model(images)
    np.save(tmp_path / "stack.npy", images.astype(np.float32))
    with pytest.raises(ng.DataError, match='such as values="0..255"'):
        model(tmp_path / "stack.npy")
    np.testing.assert_array_equal(model(tmp_path / "stack.npy", values="0..255"), found)
    # Under the transparent pixels lies another picture.
    image = pytest.importorskip("PIL.Image")
    on_white = np.where(np.arange(48)[:, None, None] < 24, images, 255).astype(np.uint8)
    opaque = np.broadcast_to(np.where(np.arange(48)[:, None, None] < 24, 255, 0), (48, 40, 1)).astype(np.uint8)
    files = [tmp_path / f"{place}.png" for place in range(3)]
    for path, pixels in zip(files, images):
        image.fromarray(np.concatenate([pixels, opaque], axis=2)).save(path)
    with pytest.raises(ng.DataError, match='such as alpha="white"'):
        model(files)
    np.testing.assert_array_equal(model(files, alpha="white"), model(on_white))


def test_presets_prepare_images_in_their_way():
    images = pictures(2, 300, 200)
    published = ng.models.load("placeholder")(images, layer="grid4")
    squashed = ng.models.load("placeholder", preset="nsd8-mindeye2")(images, layer="grid4")
    assert published.shape == squashed.shape and not np.array_equal(published, squashed)


def test_faults_say_what_to_do(tmp_path, monkeypatch):
    for variable in ("NEUROGAUGE_CACHE", "HF_HOME", "TORCH_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "none"))
    monkeypatch.delenv("NEUROGAUGE_WEIGHTS", raising=False)
    # Nothing is downloaded unasked, and what is missing is named with its size, also where none is published.
    allow = r"Allow it with download=True, or fetch them first: neurogauge models fetch efficientnet_b1"
    with pytest.raises(ng.ModelError, match=rf"efficientnet_b1 \(about 31 MB\) .* unless you allow it\.\n{allow}"):
        ng.models.load("efficientnet_b1")
    both = {"metrics": "clip,effnet", "progress": False}
    images = pictures(3, 32, 32)
    with pytest.raises(
        ng.ModelError, match=r"clip_vit_l_14 \(933 MB\), efficientnet_b1 \(about 31 MB\) are not"
    ) as missing:
        ng.score(images, images[::-1], **both)
    assert str(missing.value).endswith("neurogauge models fetch clip_vit_l_14 efficientnet_b1")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(
        ng.ModelError, match=r"All that are missing: clip_vit_l_14 \(933 MB\), efficientnet_b1 \(about 31"
    ):
        ng.score(images, images[::-1], download=True, **both)
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(b"not a checkpoint")
    with pytest.raises(ng.DataError, match="broken"):
        ng.models.load("resnet18", checkpoint=broken)
    for match, arguments, options in [
        ("did you mean", ("efficientnet_b7x",), {}),
        ("preset", ("placeholder",), {"preset": "mine"}),
        ("cuda", ("placeholder",), {"device": "tpu"}),
        ("random weights", ("resnet18",), {"seed": 1, "checkpoint": broken}),
    ]:
        with pytest.raises(ng.UsageError, match=match):
            ng.models.load(*arguments, **options)
    model = ng.models.load("placeholder")
    for error, match, images, options in [
        (ng.UsageError, "grid4", pictures(), {"layer": "layer4"}),
        (ng.UsageError, "class-token", pictures(), {"pooling": "max"}),
        (ng.DataError, "none", np.empty((0, 8, 8, 3), np.uint8), {}),
        (ng.DataError, "expected", np.ones((2, 8, 8, 5), np.uint8), {}),
        (ng.DataError, "nowhere", "nowhere", {}),
        (ng.DataError, "nowhere", ["nowhere.png"], {}),
        (ng.DataError, "NaN|finite", np.full((1, 8, 8, 3), np.nan, np.float32), {}),
    ]:
        with pytest.raises(error, match=match):
            model(images, **options)
