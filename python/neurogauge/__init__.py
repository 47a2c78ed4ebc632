"""Measures how well what was decoded from a brain matches what was seen."""

from __future__ import annotations

from ._errors import (
    DataError,
    InternalError,
    ModelError,
    NeurogaugeError,
    NeurogaugeWarning,
    UndefinedWarning,
    UsageError,
)
from ._neurogauge import __version__

__all__ = [
    "DataError",
    "InternalError",
    "ModelError",
    "NeurogaugeError",
    "NeurogaugeWarning",
    "UndefinedWarning",
    "UsageError",
    "__version__",
]
