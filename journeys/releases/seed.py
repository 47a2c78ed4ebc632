"""Scores and ratings in the layout of SEED's `human_eval_data`: eval_metrics.npz, and the ratings of 22 people as
Mechanical Turk exports them.

    python journeys/releases/seed.py      # it needs NumPy

100 items instead of 1000. The quality that people see is made up: each metric follows it with its own noise, so that
their order is known."""

import csv
from pathlib import Path

import numpy as np

N_ITEMS, N_RATERS = 100, 22
# How noisy each metric is; for EffNet and SwAV lower is better, as in the release.
NOISE = {"pixcorr": 2.5, "ssim": 3.0, "alexnet2": 2.0, "alexnet5": 1.5, "inception": 1.2, "clip": 1.0}
NOISE |= {"effnet": 0.8, "swav": 1.0, "obj_f1": 0.9, "git_st": 0.9}
LOWER_IS_BETTER = {"effnet", "swav"}

rng = np.random.default_rng(0)
folder = Path("human_eval_data")
folder.mkdir()
likeness = rng.normal(size=N_ITEMS)


def share(values: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-values))


metrics = {}
for name, noise in NOISE.items():
    values = share(likeness + noise * rng.normal(size=N_ITEMS))
    metrics[name] = 1 - values if name in LOWER_IS_BETTER else values
np.savez(folder / "eval_metrics.npz", **metrics)

ratings = np.clip(np.rint(3 + 1.2 * likeness[:, None] + 0.9 * rng.normal(size=(N_ITEMS, N_RATERS))), 1, 5).astype(int)
with (folder / "ratings.csv").open("w", newline="") as file:
    rows = csv.writer(file)
    rows.writerow(["HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "Input.gt_image", "Answer.semantic"])
    for item in range(N_ITEMS):
        for rater in range(N_RATERS):
            address = f"https://example.org/images/gt/{item}.png"
            rows.writerow([f"H{item}", f"A{item}-{rater}", f"W{rater}", "Approved", address, ratings[item, rater]])
with (folder / "ratings_wide.csv").open("w", newline="") as file:
    rows = csv.writer(file)
    rows.writerow(["image", *(f"rater{rater}" for rater in range(N_RATERS))])
    rows.writerows([f"{item}.png", *row] for item, row in enumerate(ratings.tolist()))
