"""Goldens of Object F1 for categories that a vision-language model names.

Sets in plain Python (fractions), from the text of the SEED paper: Sec. B.2 and Eqs. 1, 2 and 4. Names are equal in
lower case, with underscores as spaces, one space between words, and without final full stops ("normalised"), or as they
are except for surrounding spaces ("as_written"). A side without names makes the value undefined (null; "paper") or its
share 1 ("official").

Writes golden/vlm_objects.json: [{"gt", "recon", "names", "preset", "f1"}].
"""

import json
import re
from fractions import Fraction
from pathlib import Path

import synthetic

WORDS = [
    "dog",
    "Dog",
    "hot dog",
    "hot_dog",
    " grass",
    "grass.",
    "sky",
    "SKY ",
    "traffic  light",
    "Traffic light",
    "a man",
    "",
    " . ",
    "Äpfel",
    "äpfel",
]


def names_of(text: str, how: str) -> set[str]:
    names = set()
    for name in text.split(","):
        if how == "normalised":
            name = re.sub(r"[\s_]+", " ", name.lower()).strip()
            while name.endswith((".", " ")):
                name = name[:-1]
        else:
            name = name.strip()
        if name:
            names.add(name)
    return names


def f1(gt: set[str], recon: set[str], preset: str) -> Fraction | None:
    shares = []
    for side in (gt, recon):
        if not side and preset == "paper":
            return None
        shares.append(Fraction(len(gt & recon), len(side)) if side else Fraction(1))
    recall, precision = shares
    return 2 / (1 / recall + 1 / precision) if recall and precision else Fraction(0)


def text(name: str) -> str:
    draws = synthetic.bits(name, 0, 8).tolist()
    return ",".join(WORDS[draw % len(WORDS)] for draw in draws[1 : 2 + draws[0] % 7])


def main() -> None:
    pairs = [(text(f"gt {number}"), text(f"recon {number}")) for number in range(40)]
    pairs += [("", ""), ("dog", ""), ("", "dog"), ("dog, frisbee, grass", "dog, frisbee, grass")]
    cases = []
    for gt, recon in pairs:
        for how in ("normalised", "as_written"):
            for preset in ("official", "paper"):
                value = f1(names_of(gt, how), names_of(recon, how), preset)
                value = None if value is None else float(value)
                cases.append({"gt": gt, "recon": recon, "names": how, "preset": preset, "f1": value})
    path = Path(__file__).parent / "golden" / "vlm_objects.json"
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    path.write_text(f"[\n{lines}\n]\n")
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
