"""Installed versions, for bug reports."""

from __future__ import annotations

import importlib.metadata
import platform
import sys

from . import _neurogauge

# Packages that this package may be used with, by their names on PyPI.
_PACKAGES = (
    "numpy",
    "pandas",
    "matplotlib",
    "tqdm",
    "scikit-learn",
    "pillow",
    "torch",
    "torchmetrics",
    "datasets",
    "xarray",
)


def show_versions() -> None:
    """Prints the facts a bug report needs: versions of Neurogauge, of Python, of the system and of the packages around
    it.

    ``neurogauge doctor`` reports more about models and caches.

    Example:
        >>> import neurogauge as ng
        >>> ng.show_versions()  # doctest: +ELLIPSIS
        neurogauge    ...
        python        ...
    """
    lines = {
        "neurogauge": _neurogauge.__version__,
        "python": platform.python_version(),
        "system": f"{platform.platform()}, {platform.machine()}",
        "executable": sys.executable,
    }
    for package in _PACKAGES:
        try:
            lines[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            lines[package] = "not installed"
    width = max(map(len, lines)) + 2
    print("\n".join(f"{name:{width}}{version}" for name, version in lines.items()))
