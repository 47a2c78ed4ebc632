"""Goldens for the perceptron tagger: NLTK's PerceptronTagger, trained here on a toy corpus.

PyPI does not have the published weights. The corpus is made of the templates, words and tags below; the model is
written in nltk_data's format (golden/tagger/*.json, only weights that are not 0), and golden/tagger/cases.json holds
the tags of sentences, with and without words of the corpus.

Run from `reference/` with nltk as pinned in requirements.txt.
"""

import json
import random
from pathlib import Path

from nltk.tag.perceptron import PerceptronTagger

FOLDER = Path("golden/tagger")
WORDS = {
    "DT": "the a an this that some".split(),
    "NN": "dog cat bench kite train water light park ride walk saw run green T-shirt".split(),
    "NNS": "dogs cats benches kites trains lights rides walks 1990s".split(),
    "NNP": "Hay Brook Lindqvist London".split(),
    "JJ": "green small wooden light red well-known parked 2nd".split(),
    "VBZ": "rides walks runs sits lights parks is".split(),
    "VBD": "saw parked walked sat ran was".split(),
    "VBG": "riding walking sitting parking lighting".split(),
    "VBN": "parked seen lit ridden".split(),
    "IN": "on in near with of like".split(),
    "CD": "two 3 1998 12.5 1,000".split(),
    "RB": "slowly quickly well".split(),
    "CC": "and or".split(),
    ".": [".", "!"],
    ",": [","],
    "''": ["''"],
}
PATTERNS = [
    "DT NN VBZ IN DT NN .",
    "DT JJ NN VBZ VBG IN DT NN .",
    "NNP VBD CD NNS .",
    "CD NNS VBG RB .",
    "DT NN VBN IN DT JJ NN CC DT NN .",
    "NNP , DT NN , VBZ RB .",
    "DT NNS IN NNP VBD JJ ''",
    "NN VBG IN NN",
    "JJ NNS RB VBN",
]
UNSEEN = (
    "zebra Surfboard jumping skateboards painted happily 7 2026 2-year ² ²²²² ١٩٩٨ -lrb- é ÉCLAIR a-b -x x- 's n't ( ) “"
).split()


def sentence(rng: random.Random) -> list[tuple[str, str]]:
    tags = rng.choice(PATTERNS).split()
    tagged = [(rng.choice(WORDS[tag]), tag) for tag in tags]
    word, tag = tagged[0]
    return [(word[:1].upper() + word[1:], tag)] + tagged[1:]


def train() -> PerceptronTagger:
    rng = random.Random(3)
    tagger = PerceptronTagger(load=False)
    random.seed(4)  # the order of sentences in the training
    tagger.train([sentence(rng) for _ in range(400)], nr_iter=4)
    tagger.model.weights = {
        feature: kept
        for feature, of_tags in tagger.model.weights.items()
        if (kept := {tag: weight for tag, weight in of_tags.items() if weight})
    }
    return tagger


def main() -> None:
    tagger = train()
    FOLDER.mkdir(parents=True, exist_ok=True)
    weights, tagdict, classes = tagger.encode_json_obj()
    for name, content in (("weights", weights), ("tagdict", tagdict), ("classes", sorted(classes))):
        text = json.dumps(content, ensure_ascii=name != "weights", indent=None, separators=(",", ":"))
        (FOLDER / f"toy.{name}.json").write_text(text + "\n", encoding="utf-8")
    rng = random.Random(8)
    everything = [word for words in WORDS.values() for word in words] + UNSEEN
    cases = [[], [""], ["dog"], ["", "dog"]]
    cases += [[word for word, _ in sentence(rng)] for _ in range(60)]
    cases += [[rng.choice(everything) for _ in range(rng.randint(1, 12))] for _ in range(240)]
    rows = ",\n".join(json.dumps([words, [tag for _, tag in tagger.tag(words)]], ensure_ascii=False) for words in cases)
    (FOLDER / "cases.json").write_text(f"[\n{rows}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
