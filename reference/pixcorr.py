"""PixCorr by numpy.corrcoef of the flattened images, as in the field's evaluation code.

Run from `reference/` with the packages of requirements.txt. Writes golden/pixcorr.json.
"""

import numpy as np

from image_pairs import write_golden


def pixcorr(case: dict, gt: np.ndarray, recon: np.ndarray) -> dict:
    if case["kind"] == "flat":
        return {"pixcorr": None}
    return {"pixcorr": float(np.corrcoef(gt.reshape(1, -1), recon.reshape(1, -1))[0, 1])}


if __name__ == "__main__":
    write_golden("pixcorr", pixcorr)
