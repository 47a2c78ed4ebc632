"""Options of commands as keywords."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import neurogauge as ng


def test_every_option_of_score_is_completed() -> None:
    signature = inspect.signature(ng.score)
    own = ["gt", "recon", "metrics", "out", "layout", "download", "progress"]
    assert list(signature.parameters) == [*own, *ng.ScoreOptions.__annotations__]
    # Names alone, so that help() shows the description on its first screen.
    assert len(str(signature)) < 1500


def test_signatures_say_every_option_and_its_default() -> None:
    for function, name, default in (
        (ng.object_f1, "resamples", 2000),
        (ng.metrics.ssim, "interval", "studentized"),
        (ng.audit, "clusters", None),
        (ng.survey.make, "raters", None),
        (ng.agreement, "permutations", None),
    ):
        assert inspect.signature(function).parameters[name].default == default, name


def test_an_option_that_does_not_exist_is_refused_as_by_any_function() -> None:
    for name, meant in (("levels", "level"), ("metric", "metrics"), ("progres", "progress")):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'; did you mean '{meant}'"):
            ng.score("gt", "recon", **{name: 1})  # type: ignore[misc]
    with pytest.raises(TypeError, match="'pixel_size'; it is a convention: set={'pixel_size': ...}"):
        ng.score("gt", "recon", **{"pixel_size": 256})  # type: ignore[misc]


def test_a_failed_image_does_not_lose_the_run(tmp_path: Path, stimuli: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("NEUROGAUGE_CACHE", str(tmp_path / "cache"))
    for side in ("gt", "recon"):
        (tmp_path / side).mkdir()
        for place, image in enumerate(stimuli):
            Image.fromarray(image).save(tmp_path / side / f"{place}.png")
    (tmp_path / "recon" / "1.png").write_bytes(b"no image")
    options: dict[str, Any] = {
        "metrics": "cap_sim",
        "captioner": "placeholder-captioner",
        "set": {"text_encoder": "placeholder"},
    }
    with pytest.warns(ng.NeurogaugeWarning, match="1 image has no caption"):
        run = ng.score(tmp_path / "gt", tmp_path / "recon", progress=False, **options)
    assert np.isnan(run["cap_sim"].per_pair).tolist() == [False, True, *[False] * (len(run.pairs) - 2)]
    assert any("1 image has no caption" in warning for warning in run.warnings)
