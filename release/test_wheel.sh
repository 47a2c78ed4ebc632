#!/bin/sh
# Installs a wheel into an environment of its own, and uses the package and the command: test_wheel.sh WHEEL.
set -eu
wheel=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
# Images in an HDF5 file, as NSD has them.
stimuli=$(cd "$(dirname "$0")/.." && pwd)/reference/golden/volumes/stimuli/nsd_stimuli.hdf5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"${PYTHON:-python3}" -m venv environment
# On Windows, programs are elsewhere.
bin=$work/environment/bin
[ -d "$bin" ] || bin=$work/environment/Scripts
"$bin/python" -m pip install --quiet "$wheel"
"$bin/neurogauge" --version
"$bin/neurogauge" demo > printed 2>&1
grep "pairs scored" printed
"$bin/neurogauge" doctor 2>&1 | grep "features hdf5"
"$bin/neurogauge" score --gt "$stimuli:/imgBrick" --recon "$stimuli:/imgBrick" --metrics ssim --out hdf5 | grep "SSIM .*1.000"
"$bin/python" - <<'CODE'
import importlib.metadata
import numpy as np
import neurogauge as ng

about = importlib.metadata.metadata("neurogauge")
assert about["Version"] == ng.__version__, about["Version"]
assert "# Neurogauge" in about.get_payload() and about["License-Expression"] == "MIT OR Apache-2.0"
assert len(about.get_all("License-File")) == 2 and about["Keywords"]
run = ng.load_run("demo-run/run")
assert len(run.pairs) == 8 and run["pixcorr"].n == 8
images = np.random.default_rng(0).integers(0, 256, (4, 32, 32, 3), dtype=np.uint8)
assert ng.score(images, images[:, ::-1], metrics="ssim", progress=False)["ssim"].n == 4
print(f"neurogauge {ng.__version__} installs from its wheel and runs")
CODE
