"""SSIM around each pixel, for the maps of the report page (crates/report_page/page/src/maps.ts).

scikit-image with Gaussian windows of sigma 1.5, population covariances and images mirrored at their edges, of two grey
images of 12 x 9."""

import json
from pathlib import Path

import numpy as np
import skimage
from skimage.metrics import structural_similarity

GOLDEN = Path(__file__).parent / "golden" / "report_page_ssim_map.json"


def main() -> None:
    generator = np.random.default_rng(20)
    one = np.round(generator.random((9, 12)), 3)
    other = np.round(np.clip(0.7 * one + 0.3 * generator.random((9, 12)), 0, 1), 3)
    # A window of 11 needs 11 rows, so the image is extended by its mirror image, as at its edges.
    found = structural_similarity(
        np.pad(one, 6, mode="symmetric"),
        np.pad(other, 6, mode="symmetric"),
        gaussian_weights=True,
        sigma=1.5,
        use_sample_covariance=False,
        data_range=1.0,
        full=True,
    )[1][6:-6, 6:-6]
    golden = {
        "scikit-image": skimage.__version__,
        "one": one.tolist(),
        "other": other.tolist(),
        "ssim": np.round(found, 12).tolist(),
    }
    GOLDEN.write_text(json.dumps(golden) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
