"""Times COCO's evaluation of masks beside pycocotools, and prints the page of benchmarks' row.

    python bench/masks.py [--images 1000] [--rounds 3] [--binary PATH]

Needs `cargo build --release --package neurogauge`, pycocotools (`make references` installs it) and the shared data
(../shared/data/coco-masks, or NEUROGAUGE_SHARED_DATA): its 100 images are repeated under new ids. Both sides read the
same two files from a folder, each in a separate process with 2 threads; the sides alternate. Processor seconds are
compared, since a busy machine lengthens wall seconds, without the peer's imports. All twelve numbers must be equal to
the last bit."""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from processes import BINARY, ROOT

SHARED = Path(os.environ.get("NEUROGAUGE_SHARED_DATA", ROOT.parent / "shared" / "data")) / "coco-masks"
NAMES = ["AP", "AP50", "AP75", "AP_small", "AP_medium", "AP_large"]
NAMES += ["AR_1", "AR_10", "AR_100", "AR_small", "AR_medium", "AR_large"]


def write_inputs(folder: Path, n_images: int) -> tuple[Path, Path]:
    truth = json.loads((SHARED / "instances_val2014_100.json").read_text())
    results = json.loads((SHARED / "fakesegm100_results.json").read_text())
    large = {"images": [], "annotations": [], "categories": truth["categories"]}
    found = []
    for copy in range(-(-n_images // len(truth["images"]))):
        shift = 1_000_000 * copy
        large["images"] += [{**image, "id": image["id"] + shift} for image in truth["images"]]
        for annotation in truth["annotations"]:
            place = {"id": len(large["annotations"]) + 1, "image_id": annotation["image_id"] + shift}
            large["annotations"].append({**annotation, **place})
        found += [{**result, "image_id": result["image_id"] + shift} for result in results]
    kept = {image["id"] for image in large["images"][:n_images]}
    large["images"] = large["images"][:n_images]
    large["annotations"] = [a for a in large["annotations"] if a["image_id"] in kept]
    paths = folder / "instances.json", folder / "results.json"
    paths[0].write_text(json.dumps(large))
    paths[1].write_text(json.dumps([result for result in found if result["image_id"] in kept]))
    return paths


def peer(instances: str, results: str) -> None:
    """Runs in a separate process: prints wall and processor seconds, peak MiB and the twelve numbers."""
    import contextlib
    import io

    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    wall, processor = time.perf_counter(), time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO(instances)
        evaluation = COCOeval(truth, truth.loadRes(results), "segm")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    seconds = [time.perf_counter() - wall, time.process_time() - processor]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([*seconds, peak, evaluation.stats.tolist()]))


def ours(binary: Path, instances: Path, results: Path) -> list:
    line = [binary, "--threads", "2", "score", "masks", instances, results, "--format", "json"]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    text = subprocess.run(line, check=True, capture_output=True, text=True).stdout
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    values = json.loads(text)
    return [wall, processor, [-1.0 if values[name] is None else values[name] for name in NAMES]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--binary", type=Path, default=BINARY)
    parser.add_argument("--peer", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        return peer(*arguments.peer)
    best = {"ours": [float("inf")] * 2, "peer": [float("inf")] * 2}
    with tempfile.TemporaryDirectory() as folder:
        instances, results = write_inputs(Path(folder), arguments.images)
        for _ in range(arguments.rounds):
            *seconds, found = ours(arguments.binary, instances, results)
            best["ours"] = [min(pair) for pair in zip(best["ours"], seconds)]
            line = [sys.executable, __file__, "--peer", str(instances), str(results)]
            *seconds, peak, expected = json.loads(subprocess.run(line, check=True, capture_output=True).stdout)
            best["peer"] = [min(pair) for pair in zip(best["peer"], seconds)]
            if found != expected:
                sys.exit(f"the numbers differ:\n{found}\n{expected}")
    (wall, processor), (peer_wall, peer_processor) = best["ours"], best["peer"]
    print(f"wall: {wall:.3f} s, pycocotools {peer_wall:.3f} s ({peak:.0f} MiB), ratio {peer_wall / wall:.1f}")
    print(f"processor: {processor:.3f} s, pycocotools {peer_processor:.3f} s, ratio {peer_processor / processor:.1f}")


if __name__ == "__main__":
    main()
