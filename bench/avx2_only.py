"""Runs a command and its child processes as on a processor that has AVX2 and no AVX-512.

    python bench/avx2_only.py .venv/bin/python bench/models.py --only resnet50

The command runs with a library (avx2_only.c) that answers queries of the processor's features, without AVX-512 and
later ones. So Neurogauge, faer, NumPy, PyTorch and ONNX Runtime choose what they would choose on such a processor. This
needs a C compiler, Linux on x86-64, and a processor with `cpuid_fault` (/proc/cpuinfo)."""

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
        # `initfirst` runs it before other libraries ask.
        flags = ["-O2", "-shared", "-fPIC", "-Wl,-z,initfirst"]
        subprocess.run(["cc", *flags, "-o", library, Path(__file__).with_suffix(".c")], check=True)
        raise SystemExit(
            subprocess.run(sys.argv[1:], env={**os.environ, "LD_PRELOAD": str(library)}, check=False).returncode
        )
