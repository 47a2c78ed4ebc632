"""Goldens of single Swin blocks: torchvision.models.swin_transformer.SwinTransformerBlock.

Run from reference/. Writes golden/models/swin_blocks.json: maps that windows do not divide, maps that one window covers
in one direction or both, and windows of other sizes. None of these occurs in Swin-T for an image of 224 px.

Each of `cases` has the shape of the block, `map` (images, rows, columns), and one record per image (see
model_goldens.py) of the output. Parameters are synthetic.parameter of their names in the block; the input is
synthetic.uniform("map", 0, (images, rows, columns, channels)) * 2 - 1.
"""

import json
from functools import partial

import torch
from torchvision.models.swin_transformer import SwinTransformerBlock

import synthetic
from model_goldens import GOLDEN, check_alive, fill, record, versions

PROBES = 32
# Name, side of the windows, shifted, heads, channels, map.
CASES = [
    ("evenly covered", 4, True, 2, 64, (1, 8, 8)),
    ("filled up", 4, False, 2, 64, (2, 6, 9)),
    ("filled up, shifted", 4, True, 2, 64, (2, 6, 9)),
    ("one window across", 7, True, 3, 96, (2, 12, 5)),
    ("one window down", 7, True, 3, 96, (2, 7, 15)),
    ("one window", 7, True, 3, 96, (2, 6, 4)),
    ("large windows", 12, True, 6, 192, (1, 13, 25)),
]


def case(name: str, window: int, shifted: bool, heads: int, channels: int, shape: tuple) -> dict:
    shift = window // 2 if shifted else 0
    norm = partial(torch.nn.LayerNorm, eps=1e-5)
    block = SwinTransformerBlock(channels, heads, [window] * 2, [shift] * 2, norm_layer=norm)
    fill(block)
    x = torch.from_numpy(synthetic.uniform("map", 0, (*shape, channels))) * 2 - 1
    with torch.inference_mode():
        records = [record(image, PROBES) for image in block(x).numpy()]
    check_alive("swin block", name, records)
    return {
        "name": name,
        "window": window,
        "shifted": shifted,
        "heads": heads,
        "channels": channels,
        "map": shape,
        "records": records,
    }


def main() -> None:
    torch.set_num_threads(1)
    golden = {
        "reference": "torchvision's SwinTransformerBlock, " + versions("torchvision", "torch"),
        "probes": PROBES,
        "cases": [case(*arguments) for arguments in CASES],
    }
    path = GOLDEN / "models" / "swin_blocks.json"
    path.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    main()
