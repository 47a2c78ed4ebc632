"""Completion shows the public names, and types describe the functions' results."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

import neurogauge as ng


def public_modules() -> list[str]:
    found = (module.name for module in pkgutil.walk_packages(ng.__path__, "neurogauge."))
    return ["neurogauge", *(name for name in found if not any(part.startswith("_") for part in name.split(".")))]


def test_the_modules_are_found() -> None:
    assert {"neurogauge", "neurogauge.metrics.classes", "neurogauge.align.folds", "neurogauge.survey"} <= set(
        public_modules()
    )


@pytest.mark.parametrize("name", public_modules())
def test_completion_shows_public_names_only(name: str) -> None:
    module = importlib.import_module(name)
    assert dir(module) == sorted(module.__all__) and len(set(module.__all__)) == len(module.__all__)
    for public in module.__all__:
        if name == "neurogauge.losses" and public in ("PairwiseHingeLoss", "SoftClipLoss"):
            # These need torch.
            continue
        found = getattr(module, public)
        assert not isinstance(found, types.ModuleType) or found.__name__.startswith("neurogauge."), public


def test_a_star_import_is_the_public_names() -> None:
    names: dict[str, object] = {}
    exec("from neurogauge.stats import *", names)
    assert set(names) - {"__builtins__"} == set(ng.stats.__all__)


TYPED = """
from typing import Any
import numpy as np
import numpy.typing as npt
import neurogauge as ng
from typing_extensions import assert_type

Image = npt.NDArray[np.uint8]

@ng.register_metric("brightness", direction="lower", range=(0, 1))
def brightness(stimulus: Image, reconstruction: Image) -> float:
    return float(stimulus.mean())

assert_type(brightness, ng.OwnMetric[Image, Image])
assert_type(brightness([], []), ng.Result)
brightness(["a text"], [])  # E: List item 0 has incompatible type "str"

def words(caption: str, image: Image) -> np.float32 | None:
    return None

assert_type(ng.register_metric("words", words), ng.OwnMetric[str, Image])
column = ng.register_metric("rating")
assert_type(column.of([1.0, 2.0]), ng.Result)
ng.register_metric("wrong", lambda one: 1.0)  # E: Argument 2 to "register_metric"

options: ng.ScoreOptions = {"set": {"pixel_size": 256}, "overwrite": True}
assert_type(ng.score("gt", "recon", metrics="ssim", **options), ng.Run)
ng.score("gt", "recon", set={"pixel_size": 0.5})  # E: incompatible type
ng.score("gt", "recon", pixelsize=3)  # E: Unexpected keyword argument "pixelsize"
mine: dict[str, Any] = {"level": 0.9}
ng.score("gt", "recon", **mine)
"""


def test_types_are_known_to_a_checker(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    file = tmp_path / "typed.py"
    file.write_text(TYPED, encoding="utf-8")
    config = Path(__file__).parents[2] / "pyproject.toml"
    # mypy cannot cache PyTorch's types.
    words = [
        "-m",
        "mypy",
        "--strict",
        f"--config-file={config}",
        f"--cache-dir={os.devnull}",
        "--no-error-summary",
        "--hide-error-codes",
    ]
    done = subprocess.run(
        [sys.executable, *words, str(file)], capture_output=True, text=True, check=False, cwd=config.parent
    )
    found = {int(line.split(":")[1]): line for line in done.stdout.splitlines() if ": error:" in line}
    expected = {place: line.split("# E: ")[1] for place, line in enumerate(TYPED.splitlines(), 1) if "# E: " in line}
    assert found.keys() == expected.keys(), done.stdout + done.stderr
    for place, message in expected.items():
        assert message in found[place]
