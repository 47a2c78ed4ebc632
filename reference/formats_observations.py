"""Files of other people that the observation formats must read, and a check of ours.

Reference: json, NumPy 2.4.6 and pyarrow as in requirements.txt; the arrays of SEED's official layout are ordered by
Python's `sorted`, with the keys of the official code. Values come from `synthetic.py`, so the Rust tests need no second
file.

`ours.parquet` is written by the Rust side (`cargo test -p neurogauge-formats --test formats scores_parquet
-- --ignored`); this script reads it with pyarrow and stores the contents.
"""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from synthetic import bits, uniform

GOLDEN = Path(__file__).parent / "golden" / "formats_observations"


def write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def save(path: Path, array: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, array)


def detections(name: str, n: int) -> dict:
    """What mmdetection's DetInferencer returns for n boxes: float32 values as lists."""
    corners = uniform(f"{name}/corners", 0, (n, 4)) * np.float32(212.5)
    bboxes = np.concatenate([corners[:, :2], np.float32(212.5) + corners[:, 2:]], axis=1)
    return {
        "labels": (bits(f"{name}/labels", 0, n) % np.uint64(82)).astype(int).tolist(),
        "scores": np.sort(uniform(f"{name}/scores", 0, (n,)))[::-1].tolist(),
        "bboxes": bboxes.tolist(),
    }


def mmdet() -> None:
    found = detections("mmdet", 30)
    write_json(GOLDEN / "mmdet/preds/plain.json", found)
    masks = [{"size": [425, 425], "counts": 'PQ\\2"0'} for _ in found["labels"]]
    write_json(GOLDEN / "mmdet/preds/masks.json", {**found, "masks": masks, "panoptic_seg_path": "x.png"})
    write_json(GOLDEN / "mmdet/preds/empty.json", {"labels": [], "scores": [], "bboxes": []})


def features() -> None:
    folder = GOLDEN / "features"
    matrix = uniform("features", 0, (5, 7)) - np.float32(0.5)
    save(folder / "half.npy", matrix.astype(np.float16))
    save(folder / "single.npy", matrix)
    save(folder / "double.npy", matrix.astype(np.float64))
    save(folder / "fortran.npy", np.asfortranarray(matrix))
    save(folder / "pooled.npy", matrix[:, :, None, None])
    write_json(folder / "ids.json", ["10", "9", "8", "é", "7_b"])
    write_json(folder / "integer_ids.json", [3, 1, 4, -1, 5])
    save(folder / "faulty/integers.npy", np.arange(10).reshape(5, 2))
    save(folder / "faulty/flat.npy", np.zeros(5, np.float32))
    save(folder / "faulty/maps.npy", np.zeros((5, 2, 3, 3), np.float32))
    spoilt = matrix.copy()
    spoilt[3, 2] = np.nan
    save(folder / "faulty/nan.npy", spoilt)


def official_layout(folder: Path, gt: list[str], recon: list[str], integers: bool) -> None:
    """`gt` and `recon` are image file names; value n of an array belongs to the n-th stem."""
    stems = [name.rsplit(".", 1)[0] for name in gt]
    assert stems == [name.rsplit(".", 1)[0] for name in recon]

    def values(array: str) -> dict[str, float]:
        return dict(zip(stems, uniform(array, 0, (len(stems),)).tolist()))

    results = folder / "intermediate_results"
    for side in ["gt", "recon"]:
        for stem in stems:
            write_json(folder / f"{side}_detection_results/preds/{stem}.json", detections(f"{side}/{stem}", 3))
    captions = {}
    for side, names in [("gt", gt), ("recon", recon)]:
        captions[side] = {name: f"{side} of {name}" for name in sorted(names)}
        save(results / f"{side}_captions.npy", captions[side])

    if integers:
        by_stem = values("obj_f1")
        order = sorted((f"{stem}.json" for stem in stems), key=lambda name: int(name.split(".")[0]))
        save(results / "obj_f1.npy", np.array([by_stem[name.rsplit(".", 1)[0]] for name in order]))
    by_stem = values("effnet")
    save(results / "effnet.npy", np.array([by_stem[name.rsplit(".", 1)[0]] for name in sorted(gt)]))
    by_stem = values("cap_sim")
    common = sorted(set(captions["gt"]) & set(captions["recon"]))
    save(
        results / "cap_sim.npy",
        np.array([by_stem[name.rsplit(".", 1)[0]] for name in common], np.float32),
    )


def scores() -> None:
    pairs, metrics = ["2", "10", "é"], ["pixcorr", "ssim"]
    rows = [
        {"pair": pair, "metric": metric, "value": value, "undefined": reason}
        for metric, outcomes in zip(
            metrics,
            [[(0.25, None), (None, "constant stimulus"), (-1e-300, None)], [(0.5, None)] * 3],
        )
        for pair, (value, reason) in zip(pairs, outcomes)
    ]
    schema = pa.schema(
        [("pair", pa.string()), ("metric", pa.string()), ("value", pa.float64()), ("undefined", pa.string())]
    )
    table = pa.Table.from_pylist(rows, schema=schema)
    pq.write_table(table, GOLDEN / "pyarrow.parquet")
    shuffled = table.take([3, 0, 4, 1, 5, 2]).select(["undefined", "value", "metric", "pair"])
    pq.write_table(shuffled, GOLDEN / "pyarrow_shuffled.parquet", row_group_size=2)
    pq.write_table(table.drop_columns(["undefined"]), GOLDEN / "pyarrow_lacking.parquet")
    single = table.set_column(2, "value", table["value"].cast(pa.float32()))
    pq.write_table(single, GOLDEN / "pyarrow_single.parquet")

    ours = pq.read_table(GOLDEN / "ours.parquet", page_checksum_verification=True)
    damaged = bytearray((GOLDEN / "ours.parquet").read_bytes())
    # Damages the first page, which ends before the second one's header.
    damaged[40] ^= 1
    try:
        pq.read_table(pa.BufferReader(bytes(damaged)), page_checksum_verification=True)
    except OSError as error:
        assert "could not verify page integrity" in str(error), error
    else:
        raise AssertionError("a damaged page was read")
    assert ours.schema.equals(
        pa.schema(
            [
                pa.field("pair", pa.string(), nullable=False),
                pa.field("metric", pa.string(), nullable=False),
                pa.field("value", pa.float64()),
                pa.field("undefined", pa.string()),
            ]
        )
    ), ours.schema
    metadata = pq.read_metadata(GOLDEN / "ours.parquet")
    write_json(
        GOLDEN / "ours_as_pyarrow_reads_it.json",
        {
            "rows": ours.to_pylist(),
            "created_by": metadata.created_by,
            "compression": metadata.row_group(0).column(2).compression,
        },
    )


def main() -> None:
    mmdet()
    features()
    unpadded = [str(n) for n in range(1, 13)]
    official_layout(
        GOLDEN / "official/unpadded",
        [f"{stem}.png" for stem in unpadded],
        # The endings of two reconstructions differ, so Cap-Sim leaves those out.
        [f"{stem}.jpg" if stem in ("3", "11") else f"{stem}.png" for stem in unpadded],
        integers=True,
    )
    names = [f"{stem}.png" for stem in ["a", "a-b", "a b", "B", "10", "9"]]
    official_layout(GOLDEN / "official/texts", names, names, integers=False)
    scores()


if __name__ == "__main__":
    main()
