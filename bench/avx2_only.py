"""Runs a command as on a processor that has AVX2 and no AVX-512, with all that it starts.

    python bench/avx2_only.py .venv/bin/python bench/models.py --only resnet50

The command is run with a library (avx2_only.c) that answers its questions to the processor, without AVX-512 and what
came after it. So Neurogauge, faer, NumPy, PyTorch and ONNX Runtime choose what they would choose there. It takes a C
compiler, Linux on x86-64, and a processor with `cpuid_fault` (/proc/cpuinfo)."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "avx2_only.so"
        # `initfirst`: before other libraries ask.
        flags = ["-O2", "-shared", "-fPIC", "-Wl,-z,initfirst"]
        subprocess.run(["cc", *flags, "-o", library, Path(__file__).with_suffix(".c")], check=True)
        raise SystemExit(
            subprocess.run(sys.argv[1:], env={**os.environ, "LD_PRELOAD": str(library)}, check=False).returncode
        )
