"""Doctests of modules that need PyTorch or torchmetrics are for where these are installed; a library older than its
sources is refused."""

from importlib.util import find_spec
from pathlib import Path

import pytest

_NEEDED = {"neurogauge/_torch_losses.py": "torch", "neurogauge/_torchmetrics.py": "torchmetrics"}
collect_ignore = [module for module, needed in _NEEDED.items() if not find_spec(needed)]


def pytest_sessionstart() -> None:
    """Tests of a library built before the last change would say nothing of it.

    Raises:
        pytest.UsageError: where a source is newer than the library beside the package.
    """
    here = Path(__file__).parent
    library = here / "neurogauge" / "_neurogauge.abi3.so"
    sources = [*here.parent.glob("crates/*/src/**/*.rs"), *here.parent.glob("crates/*/Cargo.toml")]
    if library.exists() and sources:
        newest = max(sources, key=lambda source: source.stat().st_mtime)
        if newest.stat().st_mtime > library.stat().st_mtime:
            raise pytest.UsageError(f"{library} is older than {newest}: run `make library`")
