"""Goldens for the pairwise hinge loss by the plain triple loop over items.

Similarities are integers over `levels`, so there are ties if levels are few, and sums are exact if levels are a power
of two.

Run from `reference/` with the packages of requirements.txt. Writes golden/pairwise_hinge.json.
"""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np

import synthetic


def values(name: str, n: int, levels: int) -> np.ndarray:
    return np.floor(synthetic.uniform(name, 0, (n, n)).astype(np.float64) * levels) / levels


def triple_loop(truth: np.ndarray, predicted: np.ndarray, with_anchor: bool) -> dict:
    n = len(truth)
    total, n_ordered, n_reversed = Fraction(0), 0, 0
    gradient = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            for k in range(n):
                if not with_anchor and i in (j, k):
                    continue
                if truth[i, j] > truth[i, k]:
                    n_ordered += 1
                    if predicted[i, j] < predicted[i, k]:
                        n_reversed += 1
                        total += Fraction(predicted[i, k]) - Fraction(predicted[i, j])
                        gradient[i, k] += 1
                        gradient[i, j] -= 1
    return {
        "sum": float(total),
        "n_ordered": n_ordered,
        "n_reversed": n_reversed,
        "first_gradient_row": gradient[0].tolist(),
    }


def main() -> None:
    cases = [
        {"n": n, "levels": levels, "with_anchor": with_anchor}
        | triple_loop(values(f"true {n}", n, levels), values(f"predicted {n}", n, levels), with_anchor)
        for n, levels in ((2, 8), (3, 4), (17, 8), (24, 1 << 20), (33, 1000))
        for with_anchor in (True, False)
    ]
    golden = {"numpy": np.__version__, "cases": cases}
    Path("golden/pairwise_hinge.json").write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
