"""Goldens for word splitting: NLTKWordTokenizer of NLTK on our own sentences and on seeded strings.

Run from `reference/` with nltk as pinned in requirements.txt. Writes golden/words.json.
"""

import json
import random
from pathlib import Path

from nltk.tokenize import NLTKWordTokenizer

PLAIN = [
    "",
    " ",
    ".",
    "...",
    "A man rides a horse.",
    "A man (in red) rides a horse, slowly.",
    "It isn't Hay's dog.",
    "The boys' kites aren't here.",
    "I'm sure they'll say we've won, she'd know.",
    "I CAN'T; THEY'RE LATE.",
    'She said "no."',
    '"Yes," he said.',
    "He said ''stop'' and ``go''.",
    "'Tis a 'small' thing, 'twas fine.",
    "the '90s and 'em, rock 'n' roll",
    "cannot gimme gonna gotta lemme wanna go",
    "wanna",
    "Cannot. GONNA!",
    "d'ye more'n",
    "costs $3.50, i.e. 3,50 euros: 10:30 a.m.",
    "one,two,3,4 a:b 1:2",
    "ends with colon:",
    "ends, ",
    "a -- b --- c - d",
    "a–b—c―d",
    "50% & more; #1 @ home",
    "Mr. Hay met Mrs. Brook.",
    "He left.) Then",
    "It is (red.)",
    'It is red."',
    "It is “red.” ",
    "“Go,” she said ‘now’.",
    "«Oui» „ja“",
    "what?! no!! yes...",
    "so... on",
    "[a] {b} <c>",
    "a*b **c**",
    "It's.",
    "dogs' .",
    "x'  y",
    "state-of-the-art",
    "U.S. coast.",
    "e.g.",
    "a.b.c.",
    "New York.  Line\ntwo of them.\nThanks.",
    "naïve café's 'été'",
    "don’t isn’t",
    "'s",
    "'S 'll n't",
    "didN'T didn'T",
    "a ' b",
    "'",
    "''",
    '"',
    '""',
    "``",
    "`a`",
    '("a")',
    "a.''",
    "a.'",
    "a.] ) > ",
    "..a",
    "a..",
    "a. .",
    ".a.",
    "1.5",
    "5'10\"",
    "'ve been",
    "''hello",
    "x\x1cy",
    "a\u00a0b",
    "'d 'dog 'me 't 'til",
    "can not",
    "toucannot",
    "cannots",
    "'tis",
    " 'Tis 'twasn't",
    "ünwanna now",
    "a:",
    ",",
    ",,",
    "a,,b",
    "::",
    "a:\n",
]
FRAGMENTS = (
    "dog Cat's isn't can't cannot wanna gonna Gimme 'tis 'twas 'em 're 'n ll n't 's ' '' \" `` ` . .. ... , : ; ! ? - -- --- – — "
    "( ) [ ] { } < > $ % & # @ * / \\ “ ” ‘ ’ « » „ 3 3.5 1,000 a.b U.S. Mr. é ü's 中 ² ½ _ x.) y.\" z.' more'n d'ye got gotta ſ"
).split()
SPACES = [" "] * 6 + ["", "", "", "\n", "\t", "  ", "\u00a0", "\u2003"]


def mixture(rng: random.Random, longest: int = 10) -> str:
    pieces = []
    for _ in range(rng.randint(1, longest)):
        pieces += [rng.choice(FRAGMENTS), rng.choice(SPACES)]
    return "".join(pieces)


def main() -> None:
    rng = random.Random(5)
    tokenizer = NLTKWordTokenizer()
    texts = list(dict.fromkeys(PLAIN + [mixture(rng) for _ in range(500)]))
    rows = ",\n".join(json.dumps([t, tokenizer.tokenize(t)], ensure_ascii=False) for t in texts)
    Path("golden/words.json").write_text(f"[\n{rows}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
