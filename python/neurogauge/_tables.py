"""pandas, which tables need and nothing else."""

from __future__ import annotations

from typing import Any


def pandas() -> Any:
    """The module.

    Raises:
        ImportError: where it is not installed, with what to do.
    """
    try:
        import pandas as module
    except ImportError as error:
        raise ImportError("to_pandas() needs pandas, which is not installed: pip install pandas") from error
    return module
