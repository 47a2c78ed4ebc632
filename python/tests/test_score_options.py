"""``ng.score`` has the options of ``neurogauge score``, with the same values."""

from __future__ import annotations

import ast
import inspect
import json
import struct
import zlib
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

import neurogauge as ng
from neurogauge import _neurogauge

# Options of the command line that have no meaning in Python, where nothing is asked. What a file of options says are
# keywords here: `**tomllib.load(file)`.
PRINTED = {"by_dimension", "format", "latex_style", "latex_siunitx", "dry_run", "config", "yes"}
# Additional options in Python: the layout of arrays, and whether bars are drawn.
OWN = {"layout", "progress"}


def test_every_option_of_the_command_is_a_keyword(tmp_path: Path) -> None:
    options = {option["name"]: option for option in json.loads(_neurogauge.command_options(["score"]))}
    hints = {**get_type_hints(ng.score), **get_type_hints(ng.ScoreOptions)}
    hints = {name: hint for name, hint in hints.items() if name not in ("options", "return")}
    assert set(options) - PRINTED == set(hints) - OWN
    for name, option in options.items():
        if name in PRINTED:
            continue
        words = [value for kind in get_args(hints[name]) for value in get_args(kind) if isinstance(value, str)]
        if words and option["values"]:
            assert sorted(words) == sorted(option["values"]), name
        elif words:
            # The command reads these words itself: each of them is one, and no other.
            for word in [*words, "nonsense"]:
                expected = ng.UsageError if word == "nonsense" else ng.DataError
                with pytest.raises(expected):
                    ng.score(tmp_path / "gt", tmp_path / "recon", progress=False, **{name: word})
        assert (hints[name] is bool) == option["is_flag"], name
        assert option["is_flag"] or name in ("gt", "recon") or type(None) in get_args(hints[name]), name


def test_the_signature_is_short_and_its_options_are_documented() -> None:
    parameters = inspect.signature(ng.score).parameters
    assert list(parameters) == ["gt", "recon", "metrics", "out", "layout", "progress", "options"]
    # Each option has its text behind it, which editors and the documentation show.
    fields = ast.parse(inspect.getsource(ng.ScoreOptions)).body[0].body[1:]  # type: ignore[attr-defined]
    for field, text in zip(fields[::2], fields[1::2], strict=True):
        assert isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr), ast.unparse(field)
        assert isinstance(text.value, ast.Constant) and str(text.value.value).endswith("."), ast.unparse(field)
    assert len(fields) == 2 * len(ng.ScoreOptions.__annotations__)


def test_an_option_that_does_not_exist_is_refused_as_by_any_function() -> None:
    for name, meant in (("pixelsize", "pixel_size"), ("metric", "metrics"), ("progres", "progress")):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'; did you mean '{meant}'"):
            ng.score("gt", "recon", **{name: 1})  # type: ignore[misc]


def png(image: Any) -> bytes:
    """An image of bytes as a file."""
    height, width, _ = image.shape
    rows = b"".join(b"\0" + row.tobytes() for row in image)
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    ]
    parts = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def test_a_failed_image_does_not_lose_the_run(tmp_path: Path, stimuli: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("NEUROGAUGE_CACHE", str(tmp_path / "cache"))
    for side in ("gt", "recon"):
        (tmp_path / side).mkdir()
        for place, image in enumerate(stimuli):
            (tmp_path / side / f"{place}.png").write_bytes(png(image))
    (tmp_path / "recon" / "1.png").write_bytes(b"no image")
    options: dict[str, Any] = {"metrics": "cap_sim", "captioner": "stand-in-captioner", "text_encoder": "stand-in"}
    with pytest.warns(ng.NeurogaugeWarning, match="1 image has no caption"):
        run = ng.score(tmp_path / "gt", tmp_path / "recon", progress=False, **options)
    assert np.isnan(run["cap_sim"].per_pair).tolist() == [False, True, *[False] * (len(run.pairs) - 2)]
    assert any("1 image has no caption" in warning for warning in run.warnings)
