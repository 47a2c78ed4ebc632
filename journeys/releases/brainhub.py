"""Captions and boxes of 30 stimuli in the layout of BrainHub: keys "0", "1", ..., five references each, boxes by
category.

python journeys/releases/brainhub.py      # it needs NumPy
"""

import json
from pathlib import Path

import numpy as np

ANIMALS = ["dog", "cat", "horse", "sheep", "cow", "bear"]
PLACES = ["on a beach", "in the snow", "on a grass field", "in a living room", "beside a road"]
DEEDS = ["standing", "sitting", "running", "lying", "sleeping"]
WORDS = ["A {} {} {}.", "There is a {} {} {}.", "A photo of a {} {} {}.", "One {} {} {}.", "The {} is {} {}."]

rng = np.random.default_rng(0)
folder = Path("brainhub")
folder.mkdir()


def scene() -> tuple[str, str, str]:
    return str(rng.choice(ANIMALS)), str(rng.choice(DEEDS)), str(rng.choice(PLACES))


seen = [scene() for _ in range(30)]
# A better and a worse decoder, by the probability with which each keeps a word of the stimulus's caption.
decoded = {
    name: [tuple(np.where(rng.random(3) < keeps, one, scene())) for one in seen]
    for name, keeps in (("ours", 0.8), ("theirs", 0.4))
}
references = {str(number): [words.format(*one) for words in WORDS] for number, one in enumerate(seen)}
(folder / "fmri_caption_gt.json").write_text(json.dumps(references, indent=1))
for name, scenes in decoded.items():
    (folder / f"{name}_sub01.json").write_text(
        json.dumps({str(n): WORDS[0].format(*one) for n, one in enumerate(scenes)}, indent=1)
    )

corners = rng.uniform(0, 0.4, (30, 2))
for name, moved, scenes in (("boxes_gt", 0.0, seen), ("boxes_ours_sub01", 0.08, decoded["ours"])):
    boxes = np.concatenate([corners + moved, corners + moved + 0.5], axis=1)
    (folder / f"{name}.json").write_text(
        json.dumps({str(n): {one[0]: [box.tolist()]} for n, (one, box) in enumerate(zip(scenes, boxes, strict=True))})
    )
