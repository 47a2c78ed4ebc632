"""Main effects of balanced designs by the analysis of variance of statsmodels: golden/multiverse.json.

Sums of squares of an additive model (`anova_lm`), divided by their total, which includes the residual's, that is the
interactions.

Run from `reference/` with the packages of requirements.txt.
"""

import itertools
import json
from pathlib import Path

import pandas as pd
import statsmodels.formula.api as formula
from statsmodels.stats.anova import anova_lm

import synthetic

DESIGNS = [
    {"antialias": ["off", "on"], "first": ["none", "256 px"], "system": ["a", "b", "c"]},
    {"convention": [f"c{place}" for place in range(7)], "system": ["a", "b"]},
    {"size": ["256 px", "425 px", "512 px"], "ssim": ["grey", "columns", "colour"], "antialias": ["off", "on"]},
]


def design(number: int, factors: dict[str, list[str]]) -> dict:
    rows = list(itertools.product(*(range(len(options)) for options in factors.values())))
    noise = synthetic.uniform("multiverse", number, (len(rows), len(factors) + 1)).astype(float)
    # Each factor moves the values by different amounts, and noise adds interactions.
    values = [
        0.3 + sum(level * 0.05 * (place + 1) for place, level in enumerate(row)) + 0.1 * noise[i, 0]
        for i, row in enumerate(rows)
    ]
    table = pd.DataFrame(rows, columns=list(factors))
    table["value"] = values
    model = formula.ols("value ~ " + " + ".join(f"C({name})" for name in factors), table).fit()
    squares = anova_lm(model)["sum_sq"]
    shares = {name: squares[f"C({name})"] / squares.sum() for name in factors}
    shares["interactions"] = squares["Residual"] / squares.sum()
    return {
        "values": values,
        "factors": [
            {"name": name, "options": options, "levels": [row[place] for row in rows]}
            for place, (name, options) in enumerate(factors.items())
        ],
        "shares": shares,
    }


if __name__ == "__main__":
    golden = [design(number, factors) for number, factors in enumerate(DESIGNS)]
    path = Path(__file__).parent / "golden" / "multiverse.json"
    path.write_text(json.dumps(golden, indent=1) + "\n")
