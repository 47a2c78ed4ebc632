"""How often our words of captions equal those of pycocoevalcap (Stanford's PTBTokenizer; needs Java), on new random
texts.

    python reference/checks/caption_words.py --program target/debug/examples/caption_words [--seed 1] [--show 5]

Needs `cargo build --package neurogauge-language --examples`; BrainHub's captions are read if the shared data are
present (../shared/data, or NEUROGAUGE_SHARED_DATA). Prints how many texts of each kind differ, and the first few. Every
caption is followed by one that begins with "A", since the reference reads all captions as one text.
"""

import argparse
import json
import os
import random
import string
import subprocess
import unicodedata
from pathlib import Path

from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

ROOT = Path(__file__).resolve().parent.parent.parent
SHARED = Path(os.environ.get("NEUROGAUGE_SHARED_DATA", ROOT.parent / "shared" / "data")) / "brainhub" / "captions"
WORDS = (
    "a the an man woman dogs cat red train street standing sits on in near two three people's man's isn't don't they're "
    "she's we've it's I'm cannot gonna wanna T-shirt x-ray two-story well-known and/or w/o U.S. Mr. Mrs. Dr. St. Ave. No. etc. "
    "vs. p.m. a.m. i.e. e.g. approx. New York's dogs' 'the' \"stop\" A B C. D"
).split()
NUMBERS = "1 2 10 5,000 3.5 1990s 10:30 1/2 2nd 50% $5 12th 24/7 1,5 .5 5. 3-4 555-1234".split()
SIGNS = list(". , ; : ! ? - -- ... ( ) [ ] { } / \\ & $ % # @ + = * < > | ~ ^ _ ` ' \"") + [
    "--",
    "...",
    "''",
    "``",
    "?!",
    "’",
    "“",
    "”",
]


def theirs(captions: list[str]) -> list[list[str]]:
    spaced = [part for caption in captions for part in (caption, "A caption")]
    words = PTBTokenizer().tokenize({i: [{"caption": text}] for i, text in enumerate(spaced)})
    return [words[2 * i][0].split(" ") if words[2 * i][0] else [] for i in range(len(captions))]


def ours(program: Path, captions: list[str]) -> list[list[str]]:
    # The reference joins words by spaces, so that a word may contain a non-breaking space.
    found = subprocess.run([program], input=json.dumps(captions), capture_output=True, text=True, check=True)
    return json.loads(found.stdout)


def typed_wrong(chance: random.Random, caption: str) -> str:
    letters = list(caption)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(letters) + 1)
        if chance.random() < 0.5 and place < len(letters):
            del letters[place]
        else:
            letters.insert(place, chance.choice(string.printable[:95]))
    return "".join(letters)


def brainhub() -> list[str]:
    captions = set()
    for path in sorted(SHARED.glob("*.json")):
        for texts in json.loads(path.read_text()).values():
            captions.update([texts] if isinstance(texts, str) else texts)
    return sorted(captions)


def kinds(chance: random.Random, n: int) -> dict[str, list[str]]:
    plain = WORDS * 2 + NUMBERS
    captions = brainhub()
    found = {"BrainHub's captions": captions} if captions else {}
    found |= {
        "words and numbers": [" ".join(chance.choices(plain, k=chance.randint(1, 10))) for _ in range(n)],
        "words, numbers and signs between spaces": [
            " ".join(chance.choices(plain + SIGNS, k=chance.randint(1, 10))) for _ in range(n)
        ],
        "words, numbers and signs without spaces": [
            "".join(chance.choices(plain + SIGNS, k=chance.randint(1, 6))) for _ in range(n)
        ],
    }
    planes = [chr(code) for code in range(0x21, 0x3400) if unicodedata.category(chr(code)) not in ("Cn", "Zl", "Zp")]
    for form in ("a cat{} lying", "a ca{}t lying", "a {} lying"):
        found[f"characters in {form}"] = [form.format(character) for character in planes]
    if captions:
        found["captions with up to three typing errors"] = [
            typed_wrong(chance, chance.choice(captions)) for _ in range(n)
        ]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=4000)
    parser.add_argument("--show", type=int, default=5)
    options = parser.parse_args()
    for kind, captions in kinds(random.Random(options.seed), options.number).items():
        pairs = zip(captions, ours(options.program, captions), theirs(captions))
        differing = [row for row in pairs if row[1] != row[2]]
        print(f"{kind}: {len(differing)} of {len(captions)} differ")
        for caption, own, expected in differing[: options.show]:
            print(f"    {caption!r}\n        ours {own}\n        theirs {expected}")


if __name__ == "__main__":
    main()
