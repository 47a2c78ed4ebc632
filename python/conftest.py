"""Doctests of a module that needs PyTorch are for where it is installed; a library older than its sources is refused."""

from importlib.util import find_spec
from pathlib import Path

import pytest

collect_ignore = [] if find_spec("torch") else ["neurogauge/_torch_losses.py"]


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
