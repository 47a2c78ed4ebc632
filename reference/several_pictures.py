"""Image files with several pictures, of which the first is read.

Reference: Pillow 13.0.0 (`Image.open(...).convert("RGB")`). Writes `golden/several_pictures/`: a moving PNG, moving WebP files with and
without loss, and a TIFF file whose pages have several sizes; and `expected.json`: `{file: {"shape": [...], "rgb": [...]}}`."""

import json
from pathlib import Path

import numpy as np
from PIL import Image

from synthetic import bytes_

OUT = Path(__file__).parent / "golden" / "several_pictures"


def pictures(name: str, n: int, shrink_px: int = 0) -> list[Image.Image]:
    """Coarse patterns, each smaller than the one before by so much."""
    found = []
    for number in range(n):
        colours = bytes_(name, number, (4, 5, 3))
        pixels = np.kron(colours, np.ones((3, 3, 1), np.uint8))
        found.append(Image.fromarray(pixels[: 12 - number * shrink_px, : 15 - number * shrink_px]))
    return found


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    files = {
        "moving.png": (pictures("png", 3), {"duration": 300}),
        "moving.webp": (pictures("webp", 3), {"duration": 300, "lossless": True}),
        "lossy.webp": (pictures("webp", 3), {"duration": 300, "quality": 80}),
        "pages.tiff": (pictures("tiff", 3, 2), {"compression": "tiff_lzw"}),
    }
    expected = {}
    for name, (found, options) in files.items():
        path = OUT / name
        found[0].save(path, save_all=True, append_images=found[1:], **options)
        with Image.open(path) as image:
            assert image.n_frames == len(found), name
            first = np.asarray(image.convert("RGB"))
        expected[name] = {"shape": first.shape, "rgb": first.ravel().tolist()}
    (OUT / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
