"""Limits both sides of a measurement to AVX2 on a processor that has AVX-512, as `NEUROGAUGE_WITHOUT_AVX512=1` asks.

Ours reads that variable itself. PyTorch's libraries have variables of their own, which `variables` names. ONNX Runtime has none and asks the
processor when it is loaded, so a copy of the installed package is imported, in which the answer to that question is always no.
"""

import importlib.util
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

ASKED = "NEUROGAUGE_WITHOUT_AVX512"
# `test register, AVX512F`, a jump past the rest where it is absent, `not register`, and `test register, 0xe0`: the registers that the
# system saves.
QUESTION = re.compile(rb"\xf7[\xc0-\xc7]\x00\x00\x01\x00(\x74).{1,8}?\x48\xf7[\xd0-\xd7]\xa8\xe0\x0f\x84", re.DOTALL)
JUMP_ALWAYS = b"\xeb"


def is_asked() -> bool:
    return bool(os.environ.get(ASKED))


def variables() -> dict[str, str]:
    """What limits PyTorch, oneDNN and MKL."""
    limits = {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"}
    return limits if is_asked() else {}


def limit_onnxruntime() -> None:
    """Imports ONNX Runtime, limited if that is asked. Ends the program where the question is not found exactly once."""
    found = importlib.util.find_spec("onnxruntime")
    if not is_asked() or "onnxruntime" in sys.modules or found is None or found.origin is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "onnxruntime"
        shutil.copytree(Path(found.origin).parent, package, ignore=shutil.ignore_patterns("transformers", "tools", "quantization"))
        (library,) = (package / "capi").glob("onnxruntime_pybind11_state*.so")
        code = bytearray(library.read_bytes())
        places = [found.start(1) for found in QUESTION.finditer(code)]
        if len(places) != 1:
            raise SystemExit(f"ONNX Runtime cannot be limited to AVX2: its question was found {len(places)} times, expected once")
        code[places[0] : places[0] + 1] = JUMP_ALWAYS
        library.write_bytes(code)
        sys.path.insert(0, folder)
        importlib.import_module("onnxruntime")
        sys.path.remove(folder)
