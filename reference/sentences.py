"""Goldens for sentence splitting: NLTK's Punkt, trained here.

PyPI does not have Punkt's English parameters, so PunktTrainer finds some in a text that this script makes of its own
words. They are written in the format of nltk_data's folder punkt_tab/english (golden/punkt/english).
golden/sentences.json has texts as split by PunktSentenceTokenizer with these and without any parameters: short ones for
each rule, and seeded strings of fragments that mix abbreviations, initials, numbers, quotes, brackets, ellipses and
every kind of space.

Run from `reference/` with nltk as pinned in requirements.txt.
"""

import json
import random
from pathlib import Path

from nltk.tabdata import TabEncoder
from nltk.tokenize.punkt import PunktSentenceTokenizer, PunktTrainer

FOLDER = Path("golden/punkt/english")

NAMES = ["Marlow", "Okafor", "Lindqvist", "Hay", "Petrova", "Adeyemi", "Brook", "Castellan"]
TITLES = ["Dr.", "Mr.", "Mrs.", "Prof.", "Capt."]
THINGS = ["dog", "bench", "kite", "train", "surfboard", "kettle", "giraffe", "lamp", "bicycle"]
PLACES = ["beach", "kitchen", "street", "park", "station", "field"]
UNITS = ["approx.", "ca.", "min."]
TEMPLATES = [
    "{title} {name} sees the {thing} near the {place}.",
    "The {thing} stands in the {place}, and {title} {name} sits beside it.",
    "It was {unit} {number} yrs. old when the {place} was built.",
    "A {thing} and a {thing2} are at the {place}!",
    "Is there a {thing} in the {place}?",
    "He met J. {name} and K. {name2} at {number} p.m. on the {place} road.",
    "They keep things, e.g. a {thing}, in the {place} of Harbour St. near the river.",
    "She said the {thing} (see fig. {digit}) is old.",
    "However, the {place} of the U.S. coast has a {thing}, etc. and more.",
    "In the {place} vs. the {place2} nobody saw a {thing}.",
    "There are {number} of them... the {thing} is one.",
    "Then {title} {name} left. However, {name2} stayed at no. {digit}.",
    "We saw S. Lindqvist by the {place}. S. Lindqvist waved.",
]

PLAIN = [
    "",
    " ",
    "\n",
    "A dog.",
    "A dog. A cat.",
    "A dog.A cat.",
    "no end here",
    "Wait... what? Yes!",
    "Stop!!! Now.",
    'He said "Go." She went.',
    "He said “Go.” She went.",
    "It is (very small.) It is red.",
    "(It is red.) (It is blue.)",
    "Dr. Hay left. Mrs. Brook stayed.",
    "At 5 p.m. the train left.",
    "At 5 p.m. The train left.",
    "J. Hay and K. Brook.",
    "Vitamin C. The next one.",
    "Plan B. it failed.",
    "It is 3. the end.",
    "It is 3. The end.",
    "Version 2.0. It works.",
    "Costs $3.50. Cheap.",
    "Costs -1,000.5. ok",
    "e.g. a kite. i.e. a toy.",
    "A kite, etc. The dog.",
    "A kite, etc. a dog.",
    "so . . . then. . . . Next",
    "end .. next",
    "end .... Next",
    "a b.c. d. E. F.",
    "mid-approx. value",
    "ex-Dr. Hay",
    "x--y. --z",
    "Yes. -- No.",
    "One.\nTwo.\n\nThree.",
    "One. \t\u00a0Two.",
    "A.\u2003B.",
    "“Quote.”Next",
    "It ends.' Then",
    "It ends.') Then",
    "It ends.'] -- then",
    "He is no. 5. Fine.",
    "Is it? (No.) Yes.",
    "What?! Really?!",
    "[A.] [B.]",
    "{A.} x",
    "«Oui.» Non.",
    "U.S. coast. U.S. Army.",
    "the U.S. However, it",
    "the U.S. the",
    "S. Lindqvist waved. S. lindqvist",
    "yrs. Old",
    "yrs. old",
    "Mr. ? No",
    "Dr.",
    ". A",
    "? ? ?",
    "!a",
    "a. ,b",
    "a. ;b",
    "etc., and",
    "etc.; and",
    "naïve café. Über alles.",
    "Ω. ω",
    "ſ. A",
    "5. 6. 7.",
    "٣. ٤ x",
    "I. II. III.",
    "st. St. ST.",
    "...",
    "... .",
    ". ...",
    "a.\x1cb. c",
    "\x1f",
    "a. \x0bB",
    "a\u2028b. C",
    "end.\u200b Next",
    "x. \ud83d\ude42 y".encode("utf-16", "surrogatepass").decode("utf-16"),
]

FRAGMENTS = (
    TITLES
    + NAMES
    + THINGS
    + UNITS
    + PLACES
    + "The the However however It it A a He yrs. p.m. e.g. i.e. U.S. St. st. fig. no. etc. J. K. S. s. vs. 3. 12. "
    "-4 1,000.5 3.5. II. x.y ex-Dr. ... .. . . ! ? !! ?! , ; : -- - ( ) [ ] { } \" ' '' “ ” ‘ ’ « » ) .) .\" .' ?\" !) "
    "... lindqvist Zebra zebra é. Ü @ # * & ` `` 's don't ##number## ##number##.".split()
)
SPACES = [" "] * 12 + ["", "", "\n", "\n\n", "\t", "  ", "\u00a0", "\u2003", "\r\n", "\x0c", "\u2028"]


def training_text(rng: random.Random) -> str:
    sentences = [
        rng.choice(TEMPLATES).format(
            title=rng.choice(TITLES),
            name=rng.choice(NAMES),
            name2=rng.choice(NAMES),
            thing=rng.choice(THINGS),
            thing2=rng.choice(THINGS),
            place=rng.choice(PLACES),
            place2=rng.choice(PLACES),
            unit=rng.choice(UNITS),
            number=rng.randint(2, 90),
            digit=rng.randint(1, 9),
        )
        for _ in range(3000)
    ]
    return " ".join(sentences)


def mixture(rng: random.Random, longest: int = 14) -> str:
    pieces = []
    for _ in range(rng.randint(1, longest)):
        pieces += [rng.choice(FRAGMENTS), rng.choice(SPACES)]
    return "".join(pieces)


def train() -> PunktSentenceTokenizer:
    trainer = PunktTrainer()
    trainer.INCLUDE_ALL_COLLOCS = True
    trainer.MIN_COLLOC_FREQ = 5
    trainer.train(training_text(random.Random(7)))
    return PunktSentenceTokenizer(trainer.get_params())


def main() -> None:
    tokenizer = train()
    params, encoder = tokenizer._params, TabEncoder()
    FOLDER.mkdir(parents=True, exist_ok=True)
    files = {
        "abbrev_types.txt": encoder.list2txt(sorted(params.abbrev_types)),
        "sent_starters.txt": encoder.list2txt(sorted(params.sent_starters)),
        "collocations.tab": encoder.tups2tab(sorted(params.collocations)),
        "ortho_context.tab": encoder.ivdict2tab(dict(sorted(params.ortho_context.items()))),
    }
    for name, text in files.items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="")
        print(name, len(text.splitlines()))
    rng = random.Random(11)
    texts = list(dict.fromkeys(PLAIN + [mixture(rng) for _ in range(400)]))
    bare = PunktSentenceTokenizer()
    cases = [{"text": t, "trained": tokenizer.tokenize(t), "bare": bare.tokenize(t)} for t in texts]
    rows = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    Path("golden/sentences.json").write_text(f"[\n{rows}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
