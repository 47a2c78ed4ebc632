"""Goldens for CAPTURE's filter of nouns, on captions with words of the toy tagger.

The reference is `sample_to_parse_results` and `compute_f_score` of capture_metric 0.1.13 with NLTK 3.10.4: its
`word_tokenize` and `pos_tag` run unchanged, with the Punkt parameters and the tagger of golden/punkt and golden/tagger.
Replaced are only the parser, by one that returns a random graph, and WordNet's path. Sets are sorted before they are
compared (their order depends on PYTHONHASHSEED). Stop words are not used.

Each case has two captions with graphs as from a parser, the filtered graphs, and the nine parts of the score without
the soft stage.

Run from `reference/` like basic_h.py. Writes golden/noun_filter.json.
"""

import json
import random
import shutil
import tempfile
from pathlib import Path

import nltk

from basic_h import capture_class
from places import WORDNET
from tagger import sentence
from wordnet import lemmatize, open_reader

HERE = Path(__file__).parent
OTHERS = ["walk", "boat", "park bench", "train light", "green light", "wooden bench", "ride", "Hay", "people"]
ATTRIBUTES = ["green", "small", "wooden", "parked", "full of people", "larger", "red"]
PREDICATES = ["on", "near", "ride", "with"]


class GivenParser:
    """Returns its graph for the first sentence, and nothing for the others."""

    def __init__(self, graph: dict) -> None:
        heads = graph["objects"]
        self.graph = {
            "entities": [{"head": head, "attributes": set(graph["attributes"].get(head, []))} for head in heads],
            "relations": [
                {"subject": heads.index(subject), "relation": predicate, "object": heads.index(object_)}
                for subject, predicate, object_ in graph["relations"]
            ],
        }

    def parse(self, sentences: list[str], **_) -> list[dict]:
        nothing = {"entities": [], "relations": []}
        return [self.graph] + [nothing] * (len(sentences) - 1)


def folder_of_nltk(folder: Path) -> None:
    """A folder with the goldens' parameters at the paths that NLTK reads."""
    shutil.copytree(HERE / "golden/punkt/english", folder / "tokenizers/punkt_tab/english")
    name = "averaged_perceptron_tagger_eng"
    (folder / "taggers" / name).mkdir(parents=True)
    for kind in ("weights", "tagdict", "classes"):
        shutil.copy(HERE / f"golden/tagger/toy.{kind}.json", folder / "taggers" / name / f"{name}.{kind}.json")
    nltk.data.path.insert(0, str(folder))


def draw_caption(chance: random.Random) -> tuple[str, dict]:
    tagged = [sentence(chance) for _ in range(chance.randint(1, 3))]
    text = " ".join(" ".join(word for word, _ in words) for words in tagged)
    words = [word for words in tagged for word, _ in words if word.isalpha()]
    nouns = [word for words in tagged for word, tag in words if tag.startswith("NN")]
    names = words + 4 * nouns + [" ".join(pair) for pair in zip(nouns, nouns[1:])] + OTHERS
    objects = sorted({chance.choice(names) for _ in range(chance.randint(1, 8))})
    return text, {
        "objects": objects,
        "attributes": {
            owner: sorted({chance.choice(ATTRIBUTES) for _ in range(chance.randint(1, 3))})
            for owner in objects
            if chance.random() < 0.6
        },
        "relations": [
            [chance.choice(objects), chance.choice(PREDICATES), chance.choice(objects)]
            for _ in range(chance.randint(0, 5))
        ],
    }


def filtered(metric, text: str, graph: dict) -> tuple:
    metric.parser = GivenParser(graph)
    _, objects, attributes, relations = metric.sample_to_parse_results((0, text))
    return sorted(objects), {key: sorted(attributes[key]) for key in sorted(attributes)}, sorted(relations)


def main() -> None:
    reader = open_reader(WORDNET)
    capture = capture_class(reader)
    metric = capture(soft_matching=False, synonym_matching=True, stop_words=False)
    metric.text_processor.normalize_word = lambda word, pos: lemmatize(reader, word, pos)
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        folder_of_nltk(Path(folder))
        for seed in range(60):
            chance = random.Random(300 + seed)
            text, graph = draw_caption(chance)
            other_text, other = draw_caption(chance) if seed % 2 else (text, draw_caption(chance)[1])
            kept, other_kept = filtered(metric, text, graph), filtered(metric, other_text, other)
            cases.append(
                {
                    "gt": {"caption": text, "graph": graph, "kept": kept},
                    "recon": {"caption": other_text, "graph": other, "kept": other_kept},
                    "parts": [float(part) for part in metric.compute_f_score(kept, other_kept)[1:]],
                }
            )
    rows = ",\n".join(json.dumps(case, separators=(",", ":"), ensure_ascii=False) for case in cases)
    (HERE / "golden" / "noun_filter.json").write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    left = sum(len(case["gt"]["kept"][0]) for case in cases)
    print(
        len(cases), "cases;", left, "of", sum(len(case["gt"]["graph"]["objects"]) for case in cases), "objects are left"
    )


if __name__ == "__main__":
    main()
