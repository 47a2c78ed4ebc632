"""N-way accuracy of clips by the functions that MinD-Video, NEURONS and EEG2Video released, run unchanged on classes
made here.

Their code is read as in released_code.py, and never committed: without the folder, the golden is left unchanged.
CineBrain's get_metric.py imports the same function from a file that its repository does not have. Each function gets
the probabilities of 400 classes, the three most probable classes of the stimulus (or one), the number of ways, and
4,000 draws with a seeded generator; the golden has the share of successes. Classes are made here and, equally, in
crates/metrics/tests/decoding/n_way_accuracy.rs.

Run from `reference/` with the packages of requirements.txt. Writes golden/released_video.json.
"""

import json

import numpy as np
import torch

import synthetic
from released_code import CODE, HERE, RELEASED, functions, run, source

N_PAIRS, N_CLASSES, N_DRAWS = 8, 400, 4000
RELEASES = ["mindvideo", "neurons", "eeg2video"]


def main() -> None:
    if not RELEASED.is_dir():
        print(f"skipped: {RELEASED} is not there; the released code is not passed on with this project")
        return
    gt = synthetic.uniform("stimulus actions", 0, (N_PAIRS, N_CLASSES))
    noise = synthetic.uniform("reconstruction actions", 0, (N_PAIRS, N_CLASSES))
    recon = np.float32(0.5) * gt + np.float32(0.5) * noise
    cases = []
    for release in RELEASES:
        accuracy = run(functions(source(release), "n_way_top_k_acc"), torch=torch)["n_way_top_k_acc"]
        for right, n_way in [(3, 2), (3, 50), (1, 2), (1, 50)]:
            shares = []
            for of_stimulus, of_reconstruction in zip(gt, recon):
                np.random.seed(n_way)
                classes = np.argsort(-of_stimulus, kind="stable")[:right].tolist()
                shares.append(accuracy(torch.from_numpy(of_reconstruction), classes, n_way, N_DRAWS, 1)[0])
            cases.append({"release": release, "right_classes": right, "n_way": n_way, "shares": shares})
    golden = {
        "code": {name: dict(zip(["repository", "commit", "file"], CODE[name])) for name in RELEASES},
        "n_draws": N_DRAWS,
        "cases": cases,
    }
    (HERE / "golden" / "released_video.json").write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
