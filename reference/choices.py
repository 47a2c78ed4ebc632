"""Goldens for people's choices between two items, and for ratings by a crowd.

Strengths of Bradley and Terry are those of choix (ilsr_pairwise; a tie as half a choice of each is doubled into whole
ones) and of SciPy's minimiser of the likelihood. Their standard errors over raters, and over choices, are those of
statsmodels' logistic regression with cluster-robust covariance, without its small-sample factors. Shares of choices and their variance are loops over all pairs of
choices that share an item or a rater, as Aronow, Samii and Assenova (2015) define it. ICC(1,1) and ICC(1,k) of 200 items,
each rated by five of forty people, are pingouin's, of the table of five ratings per item.

Run from `reference/` with the packages of requirements.txt. Writes golden/choices.json.
"""

import json
from pathlib import Path

import choix
import numpy as np
import pandas as pd
import pingouin
import statsmodels
import statsmodels.api
from scipy.optimize import minimize
from scipy.special import log_expit

import synthetic

N_ITEMS, N_RATERS, N_CHOICES = 12, 5, 240


def choices() -> list[tuple[int, int, int, float]]:
    """First item, second item, rater, and what the choice counts for the first item."""

    def uniform(name):
        return synthetic.uniform(f"choices.{name}", 0, (N_CHOICES,)).astype(float)

    quality = 3 * synthetic.uniform("choices.quality", 0, (N_ITEMS,)).astype(float)
    first = np.floor(N_ITEMS * uniform("first")).astype(int)
    second = (first + 1 + np.floor((N_ITEMS - 1) * uniform("second")).astype(int)) % N_ITEMS
    rater = np.floor(N_RATERS * uniform("rater")).astype(int)
    lead = quality[first] - quality[second] + 2 * (uniform("noise") - 0.5)
    counts = np.where(abs(lead) < 0.1, 0.5, (lead > 0).astype(float))
    return list(zip(first.tolist(), second.tolist(), rater.tolist(), counts.tolist()))


def strengths(made) -> tuple[np.ndarray, np.ndarray]:
    wins = []
    for first, second, _, counts in made:
        wins += [(first, second)] * int(2 * counts) + [(second, first)] * int(2 - 2 * counts)
    own = choix.ilsr_pairwise(N_ITEMS, wins, alpha=0.0, max_iter=10_000, tol=1e-12)
    pairs = np.array(wins)

    def loss(theta):
        return -log_expit(theta[pairs[:, 0]] - theta[pairs[:, 1]]).sum()

    found = minimize(loss, np.zeros(N_ITEMS), method="BFGS", options={"gtol": 1e-7}).x
    return own - own.mean(), found - found.mean()


def standard_errors(made, groups) -> list[float]:
    design = np.zeros((len(made), N_ITEMS))
    for row, (first, second, _, _) in enumerate(made):
        design[row, first] += 1
        design[row, second] -= 1
    family = statsmodels.api.families.Binomial()
    # The last item is at 0; strengths have mean 0.
    model = statsmodels.api.GLM(np.array([counts for *_, counts in made]), design[:, :-1], family=family)
    clusters = {"groups": np.array(groups), "use_correction": False}
    found = model.fit(cov_type="cluster", cov_kwds=clusters, tol=1e-14)
    centred = (np.eye(N_ITEMS) - 1 / N_ITEMS)[:, :-1]
    return np.sqrt(np.diag(centred @ found.cov_params() @ centred.T)).tolist()


def share(made, scores) -> dict:
    def of_choice(first, second, counts):
        if scores[first] == scores[second] or counts == 0.5:
            return 0.5
        return float((scores[first] > scores[second]) == (counts == 1.0))

    values = np.array([of_choice(first, second, counts) for first, second, _, counts in made])
    left = values - values.mean()
    variance = {"items": 0.0, "raters": 0.0, "both": 0.0}
    for a, (a1, a2, ar, _) in enumerate(made):
        for b, (b1, b2, br, _) in enumerate(made):
            item, rater = bool({a1, a2} & {b1, b2}), ar == br
            for name, together in [("items", item), ("raters", rater), ("both", item or rater)]:
                variance[name] += left[a] * left[b] * together
    # No smaller than the variance of independent pairs of items.
    of_pair = {}
    for value, (a1, a2, _, _) in zip(left, made):
        key = (min(a1, a2), max(a1, a2))
        of_pair[key] = of_pair.get(key, 0.0) + value
    variance["items"] = max(variance["items"], sum(value**2 for value in of_pair.values()))
    variance["both"] = max(variance.values())
    return {"share": values.mean(), "variance": {name: v / len(made) ** 2 for name, v in variance.items()}}


def people(made) -> float:
    values = []
    for first, second, rater, counts in made:
        votes = []
        for f, s, r, c in made:
            if r != rater and {f, s} == {first, second}:
                votes.append(c if f == first else 1 - c)
        if votes:
            majority = np.sign(np.mean(votes) - 0.5)
            values.append(0.5 if majority == 0 or counts == 0.5 else float(majority == np.sign(counts - 0.5)))
    return float(np.mean(values))


def crowd() -> dict:
    n_items, n_raters, n_each = 200, 40, 5
    order = np.argsort(synthetic.uniform("crowd.raters", 0, (n_items, n_raters)).astype(float), axis=1)[:, :n_each]
    quality = 4 * synthetic.uniform("crowd.quality", 0, (n_items, 1)).astype(float)
    noise = 3 * synthetic.uniform("crowd.noise", 0, (n_items, n_each)).astype(float)
    ratings = np.clip(np.rint(quality + noise - 0.5), 1, 5).astype(int)
    # Whose ratings are of which slot means nothing: each item has other raters.
    slots = [(i, k, ratings[i, k]) for i in range(n_items) for k in range(n_each)]
    table = pd.DataFrame(slots, columns=["item", "slot", "rating"])
    found = pingouin.intraclass_corr(table, targets="item", raters="slot", ratings="rating").set_index("Type")
    value = {name: float(row["ICC"]) for name, row in found.iterrows()}
    one, mean = (next(value[name] for name in names if name in value) for names in (("ICC1", "ICC(1,1)"), ("ICC1k", "ICC(1,k)")))
    return {"raters": order.tolist(), "ratings": ratings.tolist(), "n_raters": n_raters, "icc_1_1": one, "icc_1_k": mean}


def main() -> None:
    made = choices()
    own, minimised = strengths(made)
    assert abs(own - minimised).max() < 1e-5
    scores = np.round(own + 2 * (synthetic.uniform("choices.metric", 0, (N_ITEMS,)).astype(float) - 0.5), 1).tolist()
    golden = {
        "n_items": N_ITEMS,
        "n_raters": N_RATERS,
        "choices": made,
        "strengths": own.tolist(),
        "errors_over_raters": standard_errors(made, [rater for _, _, rater, _ in made]),
        "errors_over_choices": standard_errors(made, range(len(made))),
        "scores": scores,
        "people": people(made),
        **share(made, scores),
        "crowd": crowd(),
        "versions": {
            "choix": "0.4.1",
            "pingouin": pingouin.__version__,
            "statsmodels": statsmodels.__version__,
        },
    }
    Path("golden/choices.json").write_text(json.dumps(golden) + "\n")


if __name__ == "__main__":
    main()
