"""A 200-way test in the layout of ATM on THINGS-EEG2: EEG embeddings and CLIP features of the 200 test images as .pt files.

    python journeys/releases/things_eeg2.py      # it needs NumPy

Embeddings here are random directions, and the EEG's are the images' with noise.
"""

from pathlib import Path

import numpy as np
from layouts import torch_file

rng = np.random.default_rng(0)
image = rng.normal(size=(200, 1024)).astype(np.float32)
noise = rng.normal(size=image.shape).astype(np.float32)
torch_file(Path("ViT-H-14_features_test.pt"), {"text_features": rng.normal(size=(200, 1024)).astype(np.float32), "img_features": image})
torch_file(Path("ATM_S_eeg_features_sub-08_test.pt"), image + 12 * noise)
