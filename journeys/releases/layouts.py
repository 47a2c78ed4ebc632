"""Writes files like other programs: PyTorch's tensors, answers to questionnaires, exports of Mechanical Turk.

No deep-learning framework is needed: the files are written from their published formats.
"""

from __future__ import annotations

import json
import pickle
import sys
import types
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

STORAGES = {
    "float32": "FloatStorage",
    "float16": "HalfStorage",
    "float64": "DoubleStorage",
    "uint8": "ByteStorage",
    "int64": "LongStorage",
}


def torch_file(path: Path, content: Array | Mapping[str, Array]) -> None:
    """Writes a file like `torch.save`: a ZIP archive with a pickle, whose tensors refer to files of raw numbers beside
    it."""

    def rebuild(*_: object) -> None:
        raise NotImplementedError

    rebuild.__module__, rebuild.__qualname__ = "torch._utils", "_rebuild_tensor_v2"
    classes = {name: type(name, (), {"__module__": "torch"}) for name in STORAGES.values()}
    modules = {"torch": types.ModuleType("torch"), "torch._utils": types.ModuleType("torch._utils")}
    vars(modules["torch"]).update(classes)
    vars(modules["torch._utils"])["_rebuild_tensor_v2"] = rebuild
    saved: list[Array] = []

    class Storage:
        def __init__(self, array: Array) -> None:
            self.array = array

    class Pickler(pickle.Pickler):
        def persistent_id(self, value: object) -> object:
            if not isinstance(value, Storage):
                return None
            saved.append(np.ascontiguousarray(value.array))
            return ("storage", classes[STORAGES[value.array.dtype.name]], str(len(saved) - 1), "cpu", value.array.size)

        def reducer_override(self, value: object) -> object:
            if not isinstance(value, np.ndarray):
                return NotImplemented
            strides = tuple(step // value.itemsize for step in np.ascontiguousarray(value).strides)
            return rebuild, (Storage(value), 0, value.shape, strides, False, {})

    with zipfile.ZipFile(path, "w") as archive, mock.patch.dict(sys.modules, modules):
        with archive.open(f"{path.stem}/data.pkl", "w") as file:
            Pickler(file, protocol=2).dump(content if isinstance(content, np.ndarray) else dict(content))
        for number, array in enumerate(saved):
            archive.writestr(f"{path.stem}/data/{number}", array.tobytes())
        archive.writestr(f"{path.stem}/version", "3\n")
        archive.writestr(f"{path.stem}/byteorder", "little")


def survey_answers(plan: Path, answers: Path) -> None:
    """Writes a file for each page of a survey, as the page saves it: raters answer every check correctly and differ a
    little elsewhere."""
    survey = json.loads(plan.read_text())
    rng = np.random.default_rng(11)
    liking: dict[tuple[str, str], int] = {}
    answers.mkdir()
    for place, page in enumerate(survey["pages"]):
        ratings: dict[str, list[int]] = {}
        for question in survey["questions"]["questions"]:
            ratings[question["id"]] = [
                {"identical": 5, "mismatched": 1}.get(trial["kind"])
                or int(
                    np.clip(
                        liking.setdefault((trial["stimulus"], trial.get("system", "")), int(rng.integers(2, 5)))
                        + rng.integers(-1, 2),
                        1,
                        5,
                    )
                )
                for trial in page["trials"]
            ]
        result = {
            "format": "neurogauge-survey-result",
            "version": 1,
            "survey": survey["survey"],
            "page": page["id"],
            "result": f"{page['id']}-r{place + 1}",
            "rater": f"r{place + 1}",
            "ratings": ratings,
            "seconds": [2.5] * len(page["trials"]),
        }
        (answers / f"{page['id']}.json").write_text(json.dumps(result))
