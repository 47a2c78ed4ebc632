"""Goldens of the recall of text in images.

Words are runs of characters with Python's `str.isalnum`, in lower case and the form NFKC of `unicodedata`, without its
category Cf and variation selectors. `collections.Counter` counts them on both sides, and the value is the size of the
counters' intersection over that of the stimulus's counter. Without words in the stimulus it is undefined (null).

Writes golden/text_recall.json: [{"gt", "recon", "recall"}].
"""

import json
import unicodedata
from collections import Counter
from itertools import groupby
from pathlib import Path

import synthetic

TEXTS = [
    "STOP",
    "Stop",
    "Main St.",
    "main street 5",
    "5",
    "EXIT→",
    "e-mail",
    "Öffnungszeiten: 9–17",
    "öffnungszeiten",
    "出口",
    "café",
    "No parking\nany time",
    "...",
    "",
    "ΟΔΟΣ",
    "it's",
]
# Pairs that look the same.
ALIKE = [
    ("caf\u00e9", "CAFE\u0301"),
    ("STOP", "\uff33\uff34\uff2f\uff30"),
    ("exit 5", "ex\u200bit \u2075"),
    ("office", "o\ufb03ce\ufe0f"),
    ("\u0130stanbul", "i\u0307stanbul"),
    ("\u1112\u1161\u11ab", "\ud55c"),
    ("\ufeffopen\u200e", "open"),
    ("\U0001d412top", "stop"),
]


def normal(text: str) -> str:
    small = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    return "".join(c for c in small if unicodedata.category(c) != "Cf" and not "\ufe00" <= c <= "\ufe0f")


def words(texts: list[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for text in texts:
        groups = groupby(normal(text), key=str.isalnum)
        found.update("".join(letters) for is_word, letters in groups if is_word)
    return found


def side(name: str) -> list[str]:
    draws = synthetic.bits(name, 0, 8).tolist()
    return [TEXTS[draw % len(TEXTS)] for draw in draws[1 : 1 + draws[0] % 6]]


def main() -> None:
    pairs = [(side(f"text gt {number}"), side(f"text recon {number}")) for number in range(60)]
    pairs += [([], []), (["..."], ["STOP"]), (["stop stop stop"], ["stop", "Stop"]), (["5 5"], ["5 5 5"])]
    pairs += [([a], [b]) for a, b in ALIKE] + [([b], [a, "stop"]) for a, b in ALIKE]
    cases = []
    for gt, recon in pairs:
        n, m = words(gt), words(recon)
        recall = (n & m).total() / n.total() if n else None
        cases.append({"gt": gt, "recon": recon, "recall": recall})
    path = Path(__file__).parent / "golden" / "text_recall.json"
    lines = ",\n".join(json.dumps(case) for case in cases)
    path.write_text(f"[\n{lines}\n]\n")
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
