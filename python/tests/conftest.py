"""Common parts of the tests: random images, and the command line."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import neurogauge as ng

Images = npt.NDArray[np.uint8]


def pytest_configure(config: pytest.Config) -> None:
    """The tests must not use the user's cache, which may come from another build."""
    cache = tempfile.TemporaryDirectory(prefix="neurogauge-cache-")
    os.environ["NEUROGAUGE_CACHE"] = cache.name
    config.add_cleanup(cache.cleanup)


@pytest.fixture
def stimuli() -> Images:
    """Six images of 24 x 32 px."""
    return np.random.default_rng(1).integers(0, 256, (6, 24, 32, 3), dtype=np.uint8)


@pytest.fixture
def reconstructions(stimuli: Images) -> Images:
    """The same with noise, the last two all grey."""
    noise = np.random.default_rng(2).integers(-60, 61, stimuli.shape)
    noisy = np.clip(stimuli.astype(int) + noise, 0, 255).astype(np.uint8)
    noisy[4:] = 128
    return noisy


@pytest.fixture
def patterns() -> Callable[..., tuple[Images, Images]]:
    """Makes pairs of coarse patterns and the same with noise that grows from pair to pair."""

    def make(n_pairs: int = 3, size_px: int = 48) -> tuple[Images, Images]:
        rng = np.random.default_rng(5)
        coarse = rng.integers(0, 256, (n_pairs, size_px // 8, size_px // 8, 3))
        images = np.kron(coarse, np.ones((1, 8, 8, 1))).astype(np.uint8)
        noise = rng.normal(size=images.shape) * 20 * np.arange(1, n_pairs + 1)[:, None, None, None]
        return images, np.clip(images + noise, 0, 255).astype(np.uint8)

    return make


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the program in NEUROGAUGE_BINARY if it is set, otherwise the package's own command."""

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        binary = os.environ.get("NEUROGAUGE_BINARY")
        program = [binary] if binary else [sys.executable, "-m", "neurogauge._command"]
        environment = {**os.environ, "NEUROGAUGE_CACHE": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "1"}
        words = [*program, *map(str, arguments)]
        return subprocess.run(words, capture_output=True, text=True, env=environment, check=False)

    return run


@pytest.fixture
def saved(tmp_path: Path) -> Callable[..., list[object]]:
    """Saves arrays as .npy, and returns the options that name them."""

    def save(**arrays: npt.ArrayLike) -> list[object]:
        for name, array in arrays.items():
            np.save(tmp_path / f"{name}.npy", array)
        return [word for name in arrays for word in (f"--{name}", tmp_path / f"{name}.npy")]

    return save


@pytest.fixture
def observed(tmp_path: Path) -> Callable[..., list[object]]:
    """Writes a file of observations of each side, items in a list being called by their places. In a folder, each item
    is a file."""

    def write(file: str, **sides: Any) -> list[object]:
        for side, items in sides.items():
            named = {str(place): item for place, item in enumerate(items)} if isinstance(items, list) else items
            is_folder = not file.endswith(".json")
            for stem, item in named.items() if is_folder else [("", named)]:
                path = tmp_path / side / (f"{file}/{stem}.json" if is_folder else file)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(json.dumps(item))
        return ["--observations", tmp_path]

    return write


@pytest.fixture
def scored(command: Callable[..., subprocess.CompletedProcess[str]]) -> Callable[..., ng.Run]:
    """Runs ``neurogauge score`` into a folder, and reads the run."""

    def score(out: Path, *arguments: object) -> ng.Run:
        done = command("score", "--out", out, *arguments)
        assert done.returncode == 0, done.stderr
        return ng.load_run(out)

    return score


# Convolutions of torchvision's networks (place in "features", shape), then the linear layers of their classifiers.
NETWORKS: dict[str, tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]]] = {
    "alexnet": (
        {0: (64, 3, 11, 11), 3: (192, 64, 5, 5), 6: (384, 192, 3, 3), 8: (256, 384, 3, 3), 10: (256, 256, 3, 3)},
        {1: (4096, 9216), 4: (4096, 4096), 6: (1000, 4096)},
    ),
    "vgg16": (
        {
            place: (n_out, n_in, 3, 3)
            for place, n_in, n_out in [
                (0, 3, 64),
                (2, 64, 64),
                (5, 64, 128),
                (7, 128, 128),
                (10, 128, 256),
                (12, 256, 256),
                (14, 256, 256),
                (17, 256, 512),
                (19, 512, 512),
                (21, 512, 512),
                (24, 512, 512),
                (26, 512, 512),
                (28, 512, 512),
            ]
        },
        {0: (4096, 25088), 3: (4096, 4096), 6: (1000, 4096)},
    ),
}
CHANNELS = {"alexnet": (64, 192, 384, 256, 256), "vgg16": (64, 128, 256, 512, 512)}


def write_tensors(path: Path, tensors: dict[str, npt.NDArray[np.float32] | tuple[int, ...]]) -> Path:
    """Writes a safetensors file; a shape without values stands for zeros, which come last and take no disk space."""
    header: dict[str, object] = {}
    end = 0
    for name, tensor in tensors.items():
        shape = tensor if isinstance(tensor, tuple) else tensor.shape
        begin, end = end, end + 4 * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for tensor in tensors.values():
            if not isinstance(tensor, tuple):
                file.write(np.ascontiguousarray(tensor).tobytes())
        file.truncate(8 + len(text) + end)
    return path


@pytest.fixture(scope="session")
def network(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A checkpoint of a network with random convolutions and an empty classifier."""
    written: dict[str, Path] = {}

    def of(name: str) -> Path:
        if name not in written:
            rng = np.random.default_rng(7)
            convolutions, classifier = NETWORKS[name]
            tensors: dict[str, npt.NDArray[np.float32] | tuple[int, ...]] = {}
            for place, shape in convolutions.items():
                spread = math.sqrt(2 / math.prod(shape[1:]))
                tensors[f"features.{place}.weight"] = (spread * rng.normal(size=shape)).astype(np.float32)
                tensors[f"features.{place}.bias"] = (0.1 * rng.normal(size=shape[0])).astype(np.float32)
            for place, shape in classifier.items():
                tensors[f"classifier.{place}.weight"] = shape
                tensors[f"classifier.{place}.bias"] = shape[:1]
            written[name] = write_tensors(tmp_path_factory.mktemp(name) / f"{name}.safetensors", tensors)
        return written[name]

    return of


@pytest.fixture(scope="session")
def lpips_heads(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Linear heads of LPIPS for the layers of a network."""

    def of(name: str) -> Path:
        rng = np.random.default_rng(8)
        heads = {
            f"lin{layer}.model.1.weight": rng.random((1, n_channels, 1, 1), dtype=np.float32)
            for layer, n_channels in enumerate(CHANNELS[name])
        }
        return write_tensors(tmp_path_factory.mktemp("heads") / f"{name}.safetensors", {**heads})

    return of
