"""Tables of human ratings and of metric scores, written and read by csv and NumPy.

Reference: the csv module of Python 3, numpy 2.4.6 (`np.save`, `np.savez`, `np.savez_compressed`) and pyarrow 26.0.1.
Writes `golden/formats_ratings/`: the files, and `expected.json` with their contents: `{"ratings": {file: {items,
raters, values}}, "metrics": {file: {items, metrics: [[name, values]]}}}`, with null for missing ones, values
item-major. Numbers are those of `synthetic.py`, of which a seventh is missing. If the shared data are present, also
writes `tifa160.json` from human-ratings/tifa160_likert.csv."""

import csv
import io
import json
import math
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from places import shared_data
from synthetic import uniform

OUT = Path(__file__).parent / "golden" / "formats_ratings"
ITEMS = ["img10", "img9", 'a "quoted", comma', "b;semicolon", "c\ttab", "two\nlines", "\u732b", "img007"]
RATERS = ["r2", "r10", "Ann, B.", "\u00e9", "r1"]
METRICS = ["pixcorr", "ssim", "eff;net", "clip, final"]


def natural(name: str) -> list:
    parts = re.split(r"([0-9]+)", name)
    return [(0, int(part), "") if i % 2 else (1, 0, part) for i, part in enumerate(parts) if part]


def numbers(stream: str, n_rows: int, n_columns: int, likert: bool) -> np.ndarray:
    values = uniform(stream, 1, (n_rows, n_columns)).astype(np.float64)
    values = np.floor(values * 5) + 1 if likert else values / 3 - 0.125
    values[uniform(stream, 2, (n_rows, n_columns)) < 1 / 7] = np.nan
    return values


def or_none(value: float):
    return None if math.isnan(value) else value


def cell(value: float, missing: str) -> str:
    if math.isnan(value):
        return missing
    return str(int(value)) if value == int(value) else repr(float(value))


def save(name: str, rows: list, **options) -> None:
    bom = options.pop("bom", False)
    buffer = io.StringIO(newline="")
    csv.writer(buffer, **options).writerows(rows)
    (OUT / name).write_bytes((b"\xef\xbb\xbf" if bom else b"") + buffer.getvalue().encode())


def parse(name: str, delimiter: str) -> list:
    """What the csv module reads, as an independent check of the files themselves."""
    with open(OUT / name, encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file, delimiter=delimiter))


def number(text: str):
    return None if text in ("", "NA", "NaN", "nan") else float(text)


def rating_table(cells: dict) -> dict:
    items = sorted({item for item, _ in cells}, key=natural)
    raters = sorted({rater for _, rater in cells}, key=natural)
    return {"items": items, "raters": raters, "values": [cells.get((i, r)) for i in items for r in raters]}


def long_ratings(name: str, likert: bool, missing: str, header: list, delimiter: str, **options) -> dict:
    values = numbers(name, len(ITEMS), len(RATERS), likert)
    lines = []
    for r, rater in enumerate(RATERS):
        for i, item in enumerate(ITEMS):
            # Half of the missing ratings have no line.
            if not math.isnan(values[i, r]) or (i + r) % 2:
                lines.append([f"note {len(lines)}", rater, cell(values[i, r], missing), item])
    save(name, [header, *lines], delimiter=delimiter, **options)
    cells = {(row[3], row[1]): number(row[2]) for row in parse(name, delimiter)[1:]}
    return rating_table(cells)


def wide_ratings(name: str, likert: bool, missing: str, header: list, delimiter: str, **options) -> dict:
    values = numbers(name, len(ITEMS), len(RATERS), likert)
    lead = len(header) - len(RATERS)
    lines = []
    for i, item in enumerate(ITEMS):
        lines.append([str(i), item][-lead:] + [cell(v, missing) for v in values[i]])
    save(name, [header, *lines], delimiter=delimiter, **options)
    rows = parse(name, delimiter)
    cells = {}
    for row in rows[1:]:
        for rater, text in zip(rows[0][lead:], row[lead:]):
            cells[row[lead - 1], rater] = number(text)
    return rating_table(cells)


def array_ratings(name: str, dtype: str, fortran: bool = False) -> dict:
    values = numbers(name, 12, 3, True)
    if np.dtype(dtype).kind != "f":
        values = np.nan_to_num(values, nan=1)
    values = values.astype(dtype)
    np.save(OUT / name, np.asfortranarray(values) if fortran else values)
    loaded = np.load(OUT / name).astype(np.float64)
    return {
        "items": [str(i) for i in range(12)],
        "raters": ["0", "1", "2"],
        "values": [or_none(v) for v in loaded.ravel().tolist()],
    }


def wide_metrics(name: str, header: list, delimiter: str, **options) -> dict:
    values = numbers(name, len(ITEMS), len(METRICS), False)
    lead = len(header) - len(METRICS) - 1
    lines = []
    for i, item in enumerate(ITEMS):
        lines.append([str(i), item][-lead:] + [cell(v, "") for v in values[i]] + [f"caption {i}"])
    save(name, [header, *lines], delimiter=delimiter, **options)
    rows = sorted(parse(name, delimiter)[1:], key=lambda row: natural(row[lead - 1]))
    return {
        "items": [row[lead - 1] for row in rows],
        "metrics": [[m, [number(row[lead + k]) for row in rows]] for k, m in enumerate(METRICS)],
    }


def frame_metrics(name: str) -> dict:
    """A data frame: items as a dictionary, numbers of several types with nulls, and columns that are not metrics, in
    three row groups."""
    values = numbers(name, len(ITEMS), len(METRICS), False)
    types = [pa.float64(), pa.float32(), pa.int64(), pa.int32()]
    metrics = {}
    for k, metric in enumerate(METRICS):
        kind = types[k % len(types)]
        scale = 1 if pa.types.is_floating(kind) else 100
        of_items = [None if math.isnan(v) else (v * scale if scale == 1 else round(v * scale)) for v in values[:, k]]
        metrics[metric] = pa.array(of_items, kind)
    columns = {
        "caption": pa.array([f"caption {i}" for i in range(len(ITEMS))]),
        "Stimulus": pa.array(ITEMS).dictionary_encode(),
        **metrics,
        "tags": pa.array([["a", "b"]] * len(ITEMS)),
        "__index_level_0__": pa.array(range(len(ITEMS))),
    }
    pq.write_table(pa.table(columns), OUT / name, row_group_size=1 + len(ITEMS) // 3)
    rows = sorted(pq.read_table(OUT / name).to_pylist(), key=lambda row: natural(row["Stimulus"]))
    return {"items": [row["Stimulus"] for row in rows], "metrics": [[m, [row[m] for row in rows]] for m in METRICS]}


SEED_KEYS = ["pixcorr", "ssim", "alexnet2", "alexnet5", "inception", "clip", "effnet", "swav", "obj_f1", "git_st"]


def npz_metrics(name: str, save_arrays) -> dict:
    values = numbers(name, 25, len(SEED_KEYS), False)
    dtypes = ["<f8", "<f4", ">f8", "<f2", "<f4", "<f8", "<f4", ">f4", "<f8", "<f8"]
    arrays = {key: values[:, k].astype(dtypes[k]) for k, key in enumerate(SEED_KEYS)}
    arrays["two_way"] = np.arange(25) % 3 == 0
    arrays["count"] = np.arange(25, dtype=np.int64) - 3
    save_arrays(OUT / name, **arrays)
    with np.load(OUT / name) as loaded:
        metrics = [[key, [or_none(float(v)) for v in loaded[key]]] for key in loaded.files]
    return {"items": [str(i) for i in range(25)], "metrics": metrics}


def faulty() -> None:
    folder = OUT / "faulty"
    folder.mkdir(exist_ok=True)
    np.save(folder / "flat.npy", np.ones(3))
    np.save(folder / "infinite.npy", np.array([[1, 2], [3, np.inf]]))
    np.save(folder / "words.npy", np.array([["a", "b"]]))
    np.savez(folder / "matrix.npz", ssim=np.ones(3), clip=np.ones((3, 2)))
    np.savez(folder / "single_value.npz", ssim=np.float64(1.0))
    np.savez_compressed(folder / "lengths.npz", ssim=np.ones(3), clip=np.ones(4))
    np.savez(folder / "words.npz", ssim=np.ones(2), name=np.array(["a", "b"]))
    np.savez(folder / "objects.npz", ssim=np.array([1.0, None], dtype=object))
    np.savez(folder / "infinite.npz", psnr=np.array([1.0, np.inf]))
    np.savez(folder / "empty.npz")


def tifa160(path: Path) -> dict:
    with open(path, encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    cells = {(f"{line['item_id']}/{line['model_type']}", line["worker_id"]): float(line["answer"]) for line in lines}
    table = rating_table(cells)
    ratings = np.array([math.nan if v is None else v for v in table["values"]]).reshape(len(table["items"]), -1)
    place = np.arange(1, ratings.size + 1).reshape(ratings.shape)
    return {
        "n_items": len(table["items"]),
        "raters": table["raters"],
        "first_items": table["items"][:3],
        "last_items": table["items"][-3:],
        "n_missing": int(np.isnan(ratings).sum()),
        "sum_by_rater": np.nansum(ratings, axis=0).tolist(),
        "sum_of_rating_times_place": float(np.nansum(ratings * place)),
    }


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    long_header = ["comment", "rater", "value", "item"]
    ratings = {
        "long.csv": long_ratings("long.csv", True, "", long_header, ","),
        "long_semicolon.csv": long_ratings(
            "long_semicolon.csv", False, "NA", ["comment", "Worker_ID", "Score", "Stimulus"], ";", bom=True
        ),
        "long.tsv": long_ratings("long.tsv", False, "nan", long_header, "\t", lineterminator="\n"),
        "long_named.csv": long_ratings("long_named.csv", True, "NaN", ["rater", "who", "stars", "what"], ","),
        "wide.csv": wide_ratings("wide.csv", True, "", ["image", *RATERS], ","),
        "wide_first_column.txt": wide_ratings(
            "wide_first_column.txt", False, "NA", ["what", *RATERS], "\t", quoting=csv.QUOTE_ALL
        ),
        "wide_row_numbers.csv": wide_ratings("wide_row_numbers.csv", True, "NaN", ["", "item_id", *RATERS], ";"),
        "double.npy": array_ratings("double.npy", "<f8"),
        "half_fortran.npy": array_ratings("half_fortran.npy", "<f2", fortran=True),
        "integers.npy": array_ratings("integers.npy", "|i1"),
    }
    metrics = {
        "metrics.csv": wide_metrics("metrics.csv", ["stem", *METRICS, "caption"], ","),
        "metrics_row_numbers.tsv": wide_metrics("metrics_row_numbers.tsv", ["", "item", *METRICS, "caption"], "\t"),
        "stored.npz": npz_metrics("stored.npz", np.savez),
        "deflated.npz": npz_metrics("deflated.npz", np.savez_compressed),
        "frame.parquet": frame_metrics("frame.parquet"),
    }
    faulty()
    expected = {"ratings": ratings, "metrics": metrics}
    (OUT / "expected.json").write_text(json.dumps(expected, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if folder := shared_data("human-ratings", "formats_ratings/tifa160.json"):
        summary = tifa160(folder / "tifa160_likert.csv")
        (OUT / "tifa160.json").write_text(json.dumps(summary, indent=1) + "\n")


if __name__ == "__main__":
    main()
