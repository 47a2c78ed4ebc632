"""A test in the layout of ATM on THINGS-EEG2: EEG embeddings and CLIP features of the 200 test images as .pt files; the
test images, each in a folder with its number and concept, and two reconstructions of each in a folder of the concept.

    python journeys/releases/things_eeg2.py      # it needs NumPy and Pillow

Embeddings here are random directions; the EEG's are those of the images with noise. Images are squares of random
colours, and their reconstructions have noise, too."""

from pathlib import Path

import numpy as np
from layouts import Array, torch_file
from PIL import Image

rng = np.random.default_rng(0)
image = rng.normal(size=(200, 1024)).astype(np.float32)
noise = rng.normal(size=image.shape).astype(np.float32)
torch_file(
    Path("ViT-H-14_features_test.pt"),
    {"text_features": rng.normal(size=(200, 1024)).astype(np.float32), "img_features": image},
)
torch_file(Path("ATM_S_eeg_features_sub-08_test.pt"), image + 12 * noise)

CONCEPTS = [
    f"{colour}_{thing}"
    for colour in ("red", "blue", "green", "white")
    for thing in ("boat", "chair", "drum", "kite", "stove")
] * 10


def save(path: Path, squares: Array, noise_levels: float) -> None:
    """Saves a picture of 64 px, with squares of 8 px."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.kron(squares, np.ones((8, 8, 1))) + rng.normal(scale=noise_levels, size=(64, 64, 3))
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(path)


for place, named in enumerate(CONCEPTS):
    concept = f"{named}_{place // 20}"
    squares = rng.uniform(0, 255, size=(8, 8, 3))
    save(Path(f"test_images/{place + 1:05}_{concept}/{concept}_06s.png"), squares, 0)
    for sample in range(2):
        decoded = squares + rng.normal(scale=80, size=squares.shape)
        save(Path(f"generated_imgs/sub-08/{concept}/{sample}.png"), decoded, 20)
