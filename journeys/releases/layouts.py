"""Writes files like other programs: PyTorch's tensors, answers to questionnaires, exports of Mechanical Turk.

No deep-learning framework is needed: the files are written from their published formats.
"""

from __future__ import annotations

import base64
import hashlib
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


def survey_answers(plan: Path, answers: Path, wrong_code: str | None = None, no_consent: str | None = None) -> None:
    """Writes a file for each page of a survey, as the page saves it: raters answer every check correctly and differ a
    little elsewhere. The named pages have a wrong completion code, or no consent."""
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
        if "consent" in survey and page["id"] != no_consent:
            result["consent"] = {"sha256": survey["consent"]["sha256"], "time": f"2026-11-25T10:0{place}:00.000Z"}
        if "demographics" in survey:
            result["demographics"] = {
                "age": 24 + 7 * place,
                "gender": ("woman", "man")[place % 2],
                "vision": "normal vision",
            }
        code = survey["request"].get("participation", {}).get("completion", {}).get("code")
        if code is not None:
            result["platform"] = {"PROLIFIC_PID": f"5f0{place}", "STUDY_ID": "64a", "SESSION_ID": f"9{place}"}
            result["completion_code"] = (
                "?" if page["id"] == wrong_code else completion_code(code, survey["survey"], page["id"])
            )
            result["rater"] = ""
        (answers / f"{page['id']}.json").write_text(json.dumps(result))


def completion_code(code: dict[str, str], survey: str, page: str) -> str:
    """The code that all pages share, or the code of this page."""
    if "same" in code:
        return code["same"]
    digest = hashlib.sha256("\0".join([code["secret"], survey, page]).encode()).digest()
    letters = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUV", "0123456789ABCDEFGHJKMNPQRSTVWXYZ", strict=True))
    return "".join(letters[letter] for letter in base64.b32hexencode(digest).decode()[:8])
