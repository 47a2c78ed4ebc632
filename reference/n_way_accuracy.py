"""N-way top-k classification accuracy, as in the field's evaluations of reconstructed images and videos.

The classes of highest probability in the stimulus are right; a trial draws n_way - 1 of the other classes and succeeds
if one of the right ones is among the k most probable of itself and the draw in the reconstruction. The expectation over
all draws comes from scipy.stats.hypergeom for each right class alone, of which the best counts; for few classes it is
also computed over all possible draws. A sampler that draws class by class gives the share of successes in many trials,
with its standard error. Inputs are made here and, equally, in crates/metrics/tests/decoding/n_way_accuracy.rs.

Run from `reference/` with the packages of requirements.txt. Writes golden/n_way_accuracy.json.
"""

import itertools
import json
from pathlib import Path

import numpy as np
import scipy
from scipy.stats import hypergeom

import synthetic

N_PAIRS = 12


def rows(name: str, n_classes: int) -> np.ndarray:
    return synthetic.uniform(name, 0, (N_PAIRS, n_classes))


def by_hypergeom(gt, recon, right: int, n_way: int, top_k: int) -> float:
    best = np.argsort(-gt, kind="stable")[:right]
    wrong = np.delete(recon, best)
    likely = [hypergeom.cdf(top_k - 1, len(wrong), int((wrong >= recon[c]).sum()), n_way - 1) for c in best]
    return float(max(likely))


def by_every_draw(gt, recon, right: int, n_way: int, top_k: int) -> float:
    best = np.argsort(-gt, kind="stable")[:right]
    others = [c for c in range(len(gt)) if c not in best]
    draws = list(itertools.combinations(others, n_way - 1))
    hits = 0
    for draw in draws:
        for c in best:
            names = [c, *draw]
            if sum(recon[o] >= recon[c] for o in draw) < top_k:
                assert c in sorted(names, key=lambda o: -recon[o])[:top_k]
                hits += 1
                break
    return hits / len(draws)


def sampled(gt, recon, right: int, n_way: int, top_k: int, trials: int, rng) -> float:
    best = np.argsort(gt)[-right:]
    others = [c for c in range(len(gt)) if c not in set(best.tolist())]
    hits = 0
    for _ in range(trials):
        drawn = rng.choice(others, n_way - 1, replace=False)
        hits += any(c in np.array([c, *drawn])[np.argsort(recon[[c, *drawn]])[-top_k:]] for c in best)
    return hits / trials


def main() -> None:
    cases = []
    settings = [
        (1000, 50, 1, 3),
        (1000, 2, 1, 3),
        (1000, 10, 2, 3),
        (1000, 40, 5, 1),
        (400, 50, 1, 3),
        (9, 4, 2, 3),
        (9, 3, 1, 2),
    ]
    for n_classes, n_way, top_k, right in settings:
        gt, noise = rows("stimulus classes", n_classes), rows("reconstruction classes", n_classes)
        recon = np.float32(0.5) * gt + np.float32(0.5) * noise
        for row in (gt, recon):
            assert all(len(np.unique(r)) == n_classes for r in row)
        exact = [by_hypergeom(g, r, right, n_way, top_k) for g, r in zip(gt, recon)]
        if n_classes < 20:
            every = [by_every_draw(g, r, right, n_way, top_k) for g, r in zip(gt, recon)]
            np.testing.assert_allclose(exact, every, atol=1e-12)
        trials = 400
        rng = np.random.default_rng(n_classes + n_way)
        shares = np.array([sampled(g, r, right, n_way, top_k, trials, rng) for g, r in zip(gt, recon)])
        error = np.sqrt(np.maximum(np.array(exact) * (1 - np.array(exact)), 1e-12) / trials)
        assert (np.abs(shares - exact) < 4.5 * error + 1e-9).all(), (shares, exact)
        cases.append(
            {"n_classes": n_classes, "n_way": n_way, "top_k": top_k, "right_classes": right, "accuracy": exact}
        )
    # Unrelated probabilities, so that the result is the chance level.
    rng = np.random.default_rng(0)
    chances = []
    for n_way, top_k, right in [(2, 1, 3), (50, 1, 3), (10, 3, 3), (40, 1, 1)]:
        hits = [by_hypergeom(rng.random(200), rng.random(200), right, n_way, top_k) for _ in range(4000)]
        chances.append(
            {
                "n_way": n_way,
                "top_k": top_k,
                "right_classes": right,
                "mean": float(np.mean(hits)),
                "error": float(np.std(hits) / 4000**0.5),
            }
        )
    golden = {"numpy": np.__version__, "scipy": scipy.__version__, "cases": cases, "chance": chances}
    Path("golden/n_way_accuracy.json").write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
