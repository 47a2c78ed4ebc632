"""Animated GIF files and their frames as Pillow composites them, and a PPM file.

Reference: Pillow 13.0.0 (`ImageSequence.Iterator(Image.open(...))`, each frame `.convert("RGB")`). Writes
`golden/gif_frames/`: GIF files with whole frames, with frames that cover a part of the picture, with each disposal
method, and with a palette for each frame; and `expected.json`: `{file: [[rgb bytes of a frame], ...]}`."""

import json
from pathlib import Path

import numpy as np
from PIL import Image, ImageSequence

from synthetic import bytes_

OUT = Path(__file__).parent / "golden" / "gif_frames"
WIDTH, HEIGHT = 9, 7


def frames(name: str, n: int, n_colours: int) -> list[Image.Image]:
    """Pictures of few colours, so that a palette contains them all."""
    colours = bytes_(name, 1, (n, n_colours, 3))
    places = bytes_(name, 2, (n, HEIGHT, WIDTH)) % n_colours
    return [Image.fromarray(colours[frame][places[frame]]) for frame in range(n)]


def moving_square(n: int) -> list[Image.Image]:
    """Frames that differ in a part of the picture, so that the file only stores that part."""
    pictures = []
    for frame in range(n):
        picture = np.full((HEIGHT, WIDTH, 3), (20, 60, 200), np.uint8)
        picture[2:4, frame + 1 : frame + 3] = (250, 30, 10)
        pictures.append(Image.fromarray(picture))
    return pictures


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    files = {
        "whole.gif": (frames("gif", 3, 16), {"disposal": 0}),
        "moving.gif": (moving_square(5), {"disposal": 1}),
        "background.gif": (moving_square(4), {"disposal": 2}),
        "still.gif": (frames("gif still", 1, 16), {}),
    }
    expected = {}
    for name, (pictures, options) in files.items():
        path = OUT / name
        pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=330, loop=0, **options)
        with Image.open(path) as image:
            found = [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(image)]
        expected[name] = [frame.ravel().tolist() for frame in found]
    picture = frames("ppm", 1, 200)[0]
    picture.save(OUT / "picture.ppm")
    expected["picture.ppm"] = [np.asarray(picture).ravel().tolist()]
    (OUT / "expected.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
