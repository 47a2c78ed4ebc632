"""Reconstructions of six stimuli by five systems in the layout of Brain-Diffuser's results: a folder each, 0.png,
1.png, ...

    python journeys/releases/brain_diffuser.py      # where `neurogauge demo` was run; it needs NumPy and Pillow

The "systems" are the demo's reconstructions, blurred more and more, so that their order is known.
"""

from pathlib import Path

from PIL import Image, ImageFilter

DATA = Path("demo-run/data")
BLUR_PX = {"subj01": 0, "subj02": 2, "subj05": 4, "subj07": 8, "subavg": 1}

stimuli = sorted((DATA / "gt").glob("*.png"))[:6]
for system, radius in {"gt": None, **BLUR_PX}.items():
    folder = Path("brain-diffuser") / system
    folder.mkdir(parents=True)
    for number, stimulus in enumerate(stimuli):
        image = Image.open(stimulus if radius is None else DATA / "blurred" / stimulus.name).convert("RGB")
        image.filter(ImageFilter.GaussianBlur(radius or 0)).resize((312, 312)).save(folder / f"{number}.png")
