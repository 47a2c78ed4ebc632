"""The demo's scenes in the layout of MindEye2's notebooks: all_images.pt at 256 px, all_recons.pt at 768 px, one tensor
each.

python journeys/releases/mindeye2.py      # where `neurogauge demo` was run; it needs NumPy and Pillow
"""

from pathlib import Path

import numpy as np
from layouts import torch_file
from PIL import Image

DATA = Path("demo-run/data")


def tensor(folder: Path, size_px: int) -> np.ndarray:
    """All images in a folder, sorted by name: (n_stimuli, 3, size, size), values in 0..1."""
    paths = sorted(folder.glob("*.png"))
    images = [Image.open(path).convert("RGB").resize((size_px, size_px), Image.Resampling.BICUBIC) for path in paths]
    return (np.stack(images).transpose(0, 3, 1, 2) / 255).astype(np.float32)


torch_file(Path("all_images.pt"), tensor(DATA / "gt", 256))
torch_file(Path("all_recons.pt"), tensor(DATA / "recon", 768))
