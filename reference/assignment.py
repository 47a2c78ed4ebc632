"""Optimal assignments by scipy.optimize.linear_sum_assignment.

The weights are made here and, equally, in crates/stats/tests/assignment.rs: case k is the synthetic array
"weights" for seed k; every fourth case is rounded to quarters, so that many assignments are equally good.

Run from `reference/` with the packages of requirements.txt. Writes golden/assignment.json.
"""

import json
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

import synthetic

SHAPES = [(1, 1), (3, 3), (2, 7), (9, 4), (12, 12), (30, 17), (16, 40), (60, 60)]


def main() -> None:
    cases = []
    for seed in range(4 * len(SHAPES)):
        shape = SHAPES[seed // 4]
        weights = synthetic.uniform("weights", seed, shape).astype(np.float64)
        tied = seed % 4 == 3
        if tied:
            weights = np.floor(weights * 4) / 4
        rows, columns = linear_sum_assignment(weights, maximize=True)
        case = {"seed": seed, "shape": shape, "tied": tied, "total": weights[rows, columns].sum()}
        if not tied:
            case["pairs"] = [[int(row), int(column)] for row, column in zip(rows, columns)]
        cases.append(case)
    Path("golden/assignment.json").write_text(json.dumps(cases, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
