"""Times `neurogauge meta` beside the published Python tie calibration, on the same survey in one run.

    python bench/meta.py --published tau_optimization.py [--items 1000] [--resamples 1000] [--large]

`--published` is tau_optimization.py of google-research/mt-metrics-eval or of linzhiqiu/t2v_metrics; it is not part of
this repository. Kendall's tau-b and Pearson of the peer are SciPy's. Checks that both sides give the same figures.

- calibration: one metric, all pairs; here the difference between two runs of the command that differ in the number of
  permutations only, since one calibration takes less time than starting a process
- experiment: 22 raters, bootstrap over raters, two metrics, calibrated accuracy, tau-b and Pearson (here: all eight
  statistics, chance levels, agreement of the raters, files); Python is extrapolated from 10 resamples
- items: the same with items resampled (neurogauge only)
- large: 20,000 items, 200 million pairs (neurogauge only)
"""

import argparse
import importlib.util
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from processes import BINARY, THREADS, measure

# This must be set before NumPy is imported.
os.environ.setdefault("OMP_NUM_THREADS", str(THREADS))
PEER_RESAMPLES = 10


def survey(folder: Path, n_items: int, n_raters: int):
    """Likert ratings, and two metrics that follow them more and less closely, as files for the command."""
    import numpy as np

    rng = np.random.default_rng(4)
    truth = rng.random(n_items)
    ratings = np.clip(np.round(1 + 4 * truth[:, None] + 2 * (rng.random((n_items, n_raters)) - 0.5)), 1, 5)
    metrics = {name: truth + noise * (rng.random(n_items) - 0.5) for name, noise in (("near", 0.5), ("far", 1.5))}
    rows = [",".join(["item", *(f"r{r}" for r in range(n_raters))])]
    rows += [",".join([f"i{i}", *(f"{value:.0f}" for value in row)]) for i, row in enumerate(ratings)]
    (folder / "ratings.csv").write_text("\n".join(rows) + "\n")
    rows = [f"i{i},{float(a)!r},{float(b)!r}" for i, (a, b) in enumerate(zip(*metrics.values()))]
    (folder / "metrics.csv").write_text("\n".join(["item,near,far", *rows]) + "\n")
    return ratings, metrics


def ours(folder: Path, *more: object) -> tuple[float, float, dict]:
    """Wall seconds, peak MiB and meta.json."""
    line = [BINARY, "meta", "--human", folder / "ratings.csv", "--metrics", folder / "metrics.csv"]
    line += ["--higher-is-better", "near,far", "--threads", THREADS, "--out", folder / "out", *more]
    _, seconds, peak = measure(line, interval_seconds=0.005)
    return seconds, peak, json.loads((folder / "out" / "meta.json").read_text())


def published(path: Path):
    spec = importlib.util.spec_from_file_location("tau_optimization", path)
    module = importlib.util.module_from_spec(spec)
    # Its dataclasses look themselves up in this dictionary.
    sys.modules["tau_optimization"] = module
    spec.loader.exec_module(module)
    return module


def row(case: str, seconds: float, peer: float | None, memory: float, note: str) -> None:
    beside = "- | -" if peer is None else f"{peer:.2f} s | {peer / seconds:.0f}"
    shown = f"{seconds * 1000:.2f} ms" if seconds < 0.1 else f"{seconds:.2f} s"
    print(f"| {case} | {shown} | {beside} | {memory:.0f} MiB | {note} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--published", type=Path, required=True)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--large", action="store_true")
    args = parser.parse_args()
    assert BINARY.exists(), f"{BINARY} is not built"

    import numpy as np
    import scipy.stats

    module = published(args.published)

    def calibrate(metric, human):
        return module.tau_optimization(metric, human, module.TauSufficientStats.acc_23)

    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        ratings, metrics = survey(work, args.items, 22)
        human = ratings.mean(axis=1)

        start = time.perf_counter()
        expected = {name: calibrate(scores, human) for name, scores in metrics.items()}
        peer_once = (time.perf_counter() - start) / len(metrics)
        # Each calibration also computes Kendall's tau-b and the correlations.
        few, many = 10, 2010
        base, _, found = ours(work, "--resamples", 1, "--permutations", few)
        more, memory, _ = ours(work, "--resamples", 1, "--permutations", many)
        once = (more - base) / (many - few) / len(metrics)
        for metric in found["result"]["metrics"]:
            value, best = metric["statistics"][0]["value"], expected[metric["name"]]
            assert (value, metric["epsilon"]) == (best.best_tau, best.best_threshold), metric["name"]
        pairs = args.items * (args.items - 1) // 2
        row(f"tie calibration, {args.items} items ({pairs} pairs)", once, peer_once, memory, "published Python")

        rng = np.random.default_rng(0)
        start = time.perf_counter()
        for _ in range(PEER_RESAMPLES):
            drawn = ratings[:, rng.integers(0, ratings.shape[1], ratings.shape[1])].mean(axis=1)
            for scores in metrics.values():
                calibrate(scores, drawn)
                scipy.stats.kendalltau(scores, drawn)
                scipy.stats.pearsonr(scores, drawn)
        peer = (time.perf_counter() - start) * args.resamples / PEER_RESAMPLES
        seconds, memory, found = ours(work, "--resamples", args.resamples, "--preset", "seed")
        for metric in found["result"]["metrics"]:
            scores, statistics = metrics[metric["name"]], metric["statistics"]
            assert abs(statistics[2]["value"] - scipy.stats.kendalltau(scores, human).statistic) < 1e-12
            assert abs(statistics[3]["value"] - scipy.stats.pearsonr(scores, human).statistic) < 1e-12
        case = f"meta: 22 raters, {args.items} items, {args.resamples} resamples, 2 metrics"
        row(case, seconds, peer, memory, f"published Python and SciPy, extrapolated from {PEER_RESAMPLES} resamples")
        for drawn in ("items", "both"):
            resampled = ["--resamples", args.resamples, "--bootstrap", drawn, "--interval", "percentile"]
            seconds, memory, _ = ours(work, *resampled)
            row(f"the same, `--bootstrap {drawn}`", seconds, None, memory, "")
        seconds, memory, _ = ours(work)
        row("the same, studentized intervals over items (the default)", seconds, None, memory, "")
        if args.large:
            survey(work, 20_000, 22)
            seconds, memory, _ = ours(work, "--resamples", args.resamples, "--preset", "seed")
            row(f"22 raters, 20,000 items, {args.resamples} resamples, 2 metrics", seconds, None, memory, "")


if __name__ == "__main__":
    main()
