"""What `make references` has changed: each golden that differs from the committed one, and by how much.

    python reference/checks/changed_goldens.py

JSON files and tables of embeddings are compared number by number: the largest difference relative to the largest number
of the same list or record. Float32 results differ by about 1e-6 between processors. Any other difference (a word, a
count of numbers, the bytes of other files) is reported."""

import io
import json
import subprocess
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, check=True).stdout


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def difference(old: object, new: object) -> float | None:
    """The largest relative difference; None if anything but a number differs."""
    if isinstance(old, dict) and isinstance(new, dict) and list(old) == list(new):
        old, new = list(old.values()), list(new.values())
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = list(zip(old, new, strict=True))
        numbers = [(a, b) for a, b in pairs if is_number(a) and is_number(b)]
        # Integers, such as counts and sizes, do not show the scale of the measured values.
        largest = max((abs(value) for pair in numbers for value in pair if isinstance(value, float)), default=1)
        found = [abs(a - b) / (largest or 1) for a, b in numbers if a != b]
        found += [difference(a, b) for a, b in pairs if not (is_number(a) and is_number(b))]
        return None if None in found else max(found, default=0.0)
    if is_number(old) and is_number(new):
        return abs(old - new) / max(abs(old), abs(new), 1e-300)
    return 0.0 if old == new else None


def content(name: str, data: bytes) -> object:
    return json.loads(data) if name.endswith(".json") else np.load(io.BytesIO(data)).tolist()


def main() -> None:
    changes = git("status", "--porcelain", "-z", "--untracked-files=all", "--no-renames", "reference/golden").decode()
    entries = [entry for entry in changes.split("\0") if entry]
    print(f"{len(entries)} files below reference/golden differ from the committed ones")
    for entry in entries:
        state, name = entry[:2].strip(), entry[3:]
        if state != "M" or not name.endswith((".json", "_embeddings.npy", "cap_sim.npy")):
            print(f"    {name}: {({'D': 'missing', '??': 'new', 'A': 'new'}).get(state, 'other bytes')}")
            continue
        largest = difference(content(name, git("show", f"HEAD:{name}")), content(name, (ROOT / name).read_bytes()))
        print(
            f"    {name}: "
            + ("more than numbers differs" if largest is None else f"numbers differ by at most {largest:.1e}")
        )


if __name__ == "__main__":
    main()
