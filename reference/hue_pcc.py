"""hue-pcc of Mind-Animator's evaluation by OpenCV: the cosine of hues of 8-bit pixels whose red and blue are exchanged.

The published script (ReedOnePeck/Mind-Animator at a5adbf3, Evaluation_Metrics/hue_pcc.py) gives RGB frames to OpenCV's
conversion from BGR to HSV and compares the first channel; dividing it by 360 changes nothing. Here the same is computed
with OpenCV's conversion, for images rounded to 8 bits, and every colour of a coarse cube is compared with itself
shifted by a step.

Run from `reference/` with the packages of requirements.txt. Writes golden/hue_pcc.json.
"""

import cv2
import numpy as np

from image_pairs import write_golden


def hues(image: np.ndarray) -> np.ndarray:
    levels = np.floor(image.astype(np.float64) * 255 + 0.5).astype(np.uint8)
    return cv2.cvtColor(levels, cv2.COLOR_BGR2HSV)[..., 0].astype(np.float64)


def values(case: dict, gt: np.ndarray, recon: np.ndarray) -> dict:
    x, y = hues(gt), hues(recon)
    norms = np.linalg.norm(x) * np.linalg.norm(y)
    return {"hue_pcc": float((x * y).sum() / norms) if norms > 0 else None}


if __name__ == "__main__":
    write_golden("hue_pcc", values)
