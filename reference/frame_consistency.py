"""Consistency of the frames of a clip by scikit-learn's cosine_similarity, in float64.

`adjacent` is the mean over neighbours (Mind-Animator's CLIP_consist.py without its gate), `all` the mean over all
ordered pairs of different frames, as in NEURONS' clip_score_frame: the sum of the matrix without its diagonal, over F
(F - 1). Embeddings are made here and, equally, in crates/metrics/tests/decoding/frame_consistency.rs.

Run from `reference/` with the packages of requirements.txt. Writes golden/frame_consistency.json.
"""

import json
from pathlib import Path

import numpy as np
from sklearn.metrics.pairwise import cosine_similarity

import synthetic


def main() -> None:
    cases = []
    for n_frames, n_features in [(2, 5), (6, 768), (14, 512), (33, 3)]:
        frames = synthetic.uniform("frames", n_frames, (n_frames, n_features)) - np.float32(0.25)
        cosines = cosine_similarity(frames.astype(np.float64))
        others = cosines[~np.eye(n_frames, dtype=bool)]
        cases.append(
            {
                "n_frames": n_frames,
                "n_features": n_features,
                "adjacent": float(np.diag(cosines, 1).mean()),
                "all": float(others.sum() / (n_frames * (n_frames - 1))),
            }
        )
    Path("golden/frame_consistency.json").write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    main()
