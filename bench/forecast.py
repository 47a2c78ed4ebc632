"""Compares the time that a dry run forecasts with the time that the run takes, for six networks.

    python bench/forecast.py [--pairs 40] [--threads 2]

The networks have untrained weights, and the pictures are noise, so this needs only Python. Every ratio is to be within
1/1.5 and 1.5.
"""

import argparse
import os
import re
import tempfile
from pathlib import Path

from processes import BINARY, head, measure, row
from scale import png

CASES = {
    "alexnet": "features.11",
    "resnet50": "avgpool",
    "inception_v3": "avgpool",
    "efficientnet_b1": "avgpool",
    "vgg16": "classifier.6",
    "vit_b_16": "heads.head",
}
SECONDS = {"s": 1, "min": 60}


def forecast(said: str) -> tuple[int, str]:
    """The seconds of a dry run's line, and the measured speed."""
    found = re.search(r"time: about (\d+) (s|min) on .* \(measured: (.*?)\)", said)
    assert found, said
    return int(found[1]) * SECONDS[found[2]], found[3]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    head("case | forecast | measured speed | taken | forecast / taken")
    outside = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        os.environ["NEUROGAUGE_CACHE"] = str(work / "cache")
        for side in ("gt", "recon"):
            (work / side).mkdir()
            for index in range(args.pairs):
                (work / side / f"{index}.png").write_bytes(png(index + (side == "recon") * args.pairs, 256))
        for network, layer in CASES.items():
            metric = f"{network}-untrained-0:{layer}"
            line = [BINARY, "score", work / "gt", work / "recon", "--metrics", metric, "--threads", args.threads]
            expected, speed = forecast(measure([*line, "--dry-run"]).output)
            taken = measure([*line, "--quiet", "--out", work / network]).seconds
            row(metric, f"{expected} s", speed, f"{taken:.1f} s", f"{expected / taken:.2f}")
            outside += [] if 1 / 1.5 <= expected / taken <= 1.5 else [network]
    if outside:
        raise SystemExit(f"not within a factor of 1.5: {', '.join(outside)}")


if __name__ == "__main__":
    main()
