"""What the paper reports about a study besides its profiles (Figures 2, 3, 7, 12, Table 4, Appendix B), computed from
the results of its target units.

A unit is a dict: unit, references (one for each fold: weights, effective_rank, consensus_rank) and sources (source,
donor, fits). A fit has accuracy, selection.alpha, readout_alpha, profile (directional, top_k) and next_fold.
`models` maps a model's name to (architecture, trained, seed).
"""

from itertools import combinations

import numpy as np
import scipy.stats

K = 10
LIMIT = 0.01


def entries(units, models):
    """One entry for each source and unit, averaged over folds."""
    found = []
    for unit in units:
        for source in unit["sources"]:
            curve = np.mean([fit["profile"]["value"]["top_k"] for fit in source["fits"]], axis=0)
            following = np.mean([fit["next_fold"]["value"] for fit in source["fits"]], axis=0)
            kind = "subject" if source["donor"] else ("pretrained" if models[source["source"]][1] else "untrained")
            found.append(
                {
                    "unit": " ".join(unit["unit"].values()),
                    "source": source["source"],
                    "kind": kind,
                    "architecture": None if source["donor"] else models[source["source"]][0],
                    "seed": None if source["donor"] else models[source["source"]][2],
                    "accuracy": float(np.mean([fit["accuracy"] for fit in source["fits"]])),
                    "profile": float(curve[:K].mean()),
                    "curve": curve[:K],
                    "next": float(following[:K].mean()),
                }
            )
    for entry in found:
        donors = [e["profile"] for e in found if e["unit"] == entry["unit"] and e["kind"] == "subject"]
        entry["brain_ref_score"] = entry["profile"] / float(np.median(donors))
        curves = [e["curve"] for e in found if e["unit"] == entry["unit"] and e["kind"] == "subject"]
        human = np.median(curves, axis=0)
        shapes = entry["curve"] / entry["curve"].mean() - human / human.mean()
        entry["shape_distance"] = float(np.sqrt((shapes**2).mean()))
    return found


def seeds(found):
    """Table 4."""
    rows, pretrained, by_seed = [], [], []
    for architecture in sorted({e["architecture"] for e in found} - {None}):
        own = [e for e in found if e["architecture"] == architecture]
        trained = np.mean([e["profile"] for e in own if e["kind"] == "pretrained"])
        numbers = sorted({e["seed"] for e in own if e["kind"] == "untrained"})
        means = [np.mean([e["profile"] for e in own if e["seed"] == n and e["kind"] == "untrained"]) for n in numbers]
        rows.append(seed_row(architecture, trained, means))
        pretrained.append(trained)
        by_seed.append(means)
    return [*rows, seed_row("overall", np.mean(pretrained), np.mean(by_seed, axis=0))]


def seed_row(name, trained, means):
    sd, gap = np.std(means, ddof=1), trained - np.mean(means)
    numbers = [trained, np.mean(means), sd, min(means), max(means), gap, sd / abs(gap)]
    return [name, [float(number) for number in numbers]]


def categories(found):
    """Pairs whose accuracies differ by at most LIMIT: n, mean difference, share beyond the threshold, and share in
    favour."""

    def is_in(entry):
        return entry["kind"] != "untrained" or entry["seed"] == 42

    pairs = {}
    for one, other in combinations([e for e in found if is_in(e)], 2):
        if one["unit"] != other["unit"] or abs(one["accuracy"] - other["accuracy"]) > LIMIT:
            continue
        one, other = sorted([one, other], key=lambda e: ["subject", "pretrained", "untrained"].index(e["kind"]))
        name = (one["kind"], other["kind"])
        difference = one["profile"] - other["profile"]
        if name == ("pretrained", "untrained"):
            name += ("same" if one["architecture"] == other["architecture"] else "other",)
        else:
            difference = abs(difference)
        pairs.setdefault(name, []).append(difference)
    threshold = float(np.quantile(pairs["subject", "subject"], 0.9))
    result = {}
    for name, values in pairs.items():
        values = np.array(values)
        favour = float((values > threshold).mean()) if len(name) == 3 else None
        beyond = float((abs(values) > threshold).mean())
        result[" ".join(name)] = [len(values), float(values.mean()), beyond, favour]
    return threshold, result


def matched_case(found):
    """The pair of a pretrained and an untrained (seed 42) model of one architecture with the nearest accuracies."""
    pairs = [
        (abs(a["accuracy"] - b["accuracy"]), a["unit"], a["source"], b["source"])
        for a in found
        for b in found
        if a["unit"] == b["unit"]
        and a["kind"] == "pretrained"
        and b["kind"] == "untrained"
        and a["architecture"] == b["architecture"]
        and b["seed"] == 42
    ]
    return list(min(pairs)[1:])


def high_accuracy(found):
    models = [e for e in found if e["kind"] != "subject"]
    threshold = float(np.quantile([e["accuracy"] for e in models], 0.75))
    scores = {}
    for entry in models:
        if entry["accuracy"] >= threshold:
            scores.setdefault(entry["kind"], []).append(entry["brain_ref_score"])
    quartiles = {
        kind: [len(v), float(np.mean(v)), *np.quantile(v, [0.25, 0.5, 0.75]).tolist()] for kind, v in scores.items()
    }
    return threshold, quartiles


def next_fold(found):
    models = [e for e in found if e["kind"] != "subject"]
    same, following = [e["profile"] for e in models], [e["next"] for e in models]
    r = float(scipy.stats.pearsonr(same, following).statistic)
    return [r, float(np.mean(np.array(following) / same))]


def weights(units):
    """Mean share of the first k directions, and the medians of both ranks."""
    references = [reference for unit in units for reference in unit["references"]]
    width = max(len(reference["weights"]) for reference in references)
    padded = np.array([np.pad(r["weights"], (0, width - len(r["weights"]))) for r in references])
    shares = (np.cumsum(padded, axis=1) / padded.sum(axis=1, keepdims=True)).mean(axis=0)
    medians = [
        float(np.median([np.mean([r[name] for r in unit["references"]]) for unit in units]))
        for name in ["effective_rank", "consensus_rank"]
    ]
    return shares.tolist(), medians


def weights_by_region(units):
    """The same shares for each region, up to the length of its references."""
    regions = list(dict.fromkeys(unit["unit"]["roi"] for unit in units))
    return [[region, weights([u for u in units if u["unit"]["roi"] == region])[0]] for region in regions]


def shape_distances(found):
    """n, mean and quartiles of ShapeDist by kind of model, and the mean by architecture and kind (Figure 12 C and
    D)."""
    kinds, architectures = {}, {}
    for entry in found:
        if entry["kind"] != "subject":
            kinds.setdefault(entry["kind"], []).append(entry["shape_distance"])
            name = f"{entry['architecture']} {entry['kind']}"
            architectures.setdefault(name, []).append(entry["shape_distance"])
    quartiles = {k: [len(v), float(np.mean(v)), *np.quantile(v, [0.25, 0.5, 0.75]).tolist()] for k, v in kinds.items()}
    return quartiles, {name: float(np.mean(values)) for name, values in architectures.items()}


def penalties(units):
    fits = [fit for unit in units for source in unit["sources"] for fit in source["fits"]]
    subspace = np.array([fit["selection"]["alpha"] for fit in fits])
    readout = np.array([fit["readout_alpha"] for fit in fits])
    logs = np.log10(subspace), np.log10(readout)
    return {
        "subspace": np.quantile(subspace, [0.25, 0.5, 0.75]).tolist(),
        "readout": np.quantile(readout, [0.25, 0.5, 0.75]).tolist(),
        "equal": float((subspace == readout).mean()),
        "pearson": float(scipy.stats.pearsonr(*logs).statistic),
        "spearman": float(scipy.stats.spearmanr(subspace, readout).statistic),
    }
