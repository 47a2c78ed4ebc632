"""How results are laid out in JSON; recovery_goldens.py describes the files."""

import json
from pathlib import Path

import numpy as np

from . import profile

GOLDEN = Path("golden/recovery")
SEED = 20


def plain(value):
    """Converts arrays and NumPy scalars for JSON."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        return value.item()
    return value


def write(name, content):
    """Writes one line per key of the second level, so that differences are readable."""
    lines = []
    for key, value in plain(content).items():
        if isinstance(value, dict):
            inner = ",\n  ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            lines.append(f"{json.dumps(key)}: {{\n  {inner}\n}}")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    (GOLDEN / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def symmetric(P):
    if len(P) <= 12:
        return {"full": P}
    return {"diagonal": np.diag(P), "probe": P @ (np.arange(1, len(P) + 1) / len(P))}


def projector(Q):
    return {"rank": Q.shape[1], **symmetric(Q @ Q.T)}


def selection_of(one, tables=False):
    found = {"k": one.k, "alpha": one.alpha, "threshold": one.threshold, "margin": one.margin}
    return {**found, "mean": one.mean, "se": one.se} if tables else found


def auxiliary_of(one):
    return {**one, "selection": selection_of(one["selection"])}


def smallest_gap(weights):
    positive = weights[weights > profile.SMALLEST_WEIGHT]
    return float((positive[:-1] - positive[1:]).min()) if len(positive) > 1 else None
