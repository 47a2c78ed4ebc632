"""Cap-Sim of given embeddings by the cosine similarities of sentence-transformers.

Vectors are centred at zero and do not have unit length; the second reference is near the caption.

Run from `reference/` with the packages of requirements.txt. Writes golden/cap_sim.json.
"""

import json
from pathlib import Path

import numpy as np
from sentence_transformers import util

import synthetic

N_EMBEDDING = 384


def case() -> dict:
    caption = synthetic.uniform("caption", 0, (N_EMBEDDING,)) - np.float32(0.5)
    references = synthetic.uniform("references", 0, (3, N_EMBEDDING)) - np.float32(0.5)
    references[1] += caption
    similarities = util.cos_sim(references, caption).numpy()[:, 0].astype(np.float64)
    return {
        "n_features": N_EMBEDDING,
        "mean": float(similarities.mean()),
        "max": float(similarities.max()),
        "first": float(similarities[0]),
    }


if __name__ == "__main__":
    path = Path(__file__).parent / "golden" / "cap_sim.json"
    path.write_text(json.dumps(case(), indent=1) + "\n")
