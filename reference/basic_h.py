"""Goldens for BASIC-H: the matcher of CAPTURE, which the BASIC paper builds on, on scene graphs.

The reference is the class CAPTURE of capture_metric 0.1.13 with NLTK 3.10.4 on WordNet 3.0, given sorted lists (its own
sets have an order that depends on PYTHONHASHSEED). Replaced are only its parser, which needs a GPU; the sentence
encoder, by a function of the phrase (`synthetic.uniform`, with a twin in Rust) or, for appendix D.3 of the paper, by
all-MiniLM-L6-v2; and WordNet's path. The phrases that are left for the encoder are stored, so the goldens have the
matches and not only their number.

`cases`: graphs drawn from a vocabulary of captions, each compared with all stages, without the soft stage, and without
synonyms. `appendix_d3`: the thirteen methods of ../reference/basic/appendix_d3.txt against its reference, with WordNet
and MiniLM. `merged`: graphs of several sentences merged into one (merge_sentence_results). `synonyms`, `lemmas`: those
that NLTK finds for every phrase of the cases, so that a test needs no WordNet.

Run from `reference/` with requirements.txt and, without their dependencies, capture_metric==0.1.13 and
FactualSceneGraph==0.7.3 (`pip install --no-deps`; tabulate and tqdm are needed). NEUROGAUGE_TEST_WORDNET names the
folder of WordNet's files. Writes golden/basic_h.json.
"""

import json
import random
import sys
import types
from pathlib import Path

import nltk
import numpy as np
from nltk.corpus.reader.wordnet import WordNetCorpusReader

import synthetic
from places import WORDNET, minilm
from wordnet import lemmatize, open_reader, synonyms

HERE = Path(__file__).parent
N_FEATURES = 16

OBJECTS = """boat ship vessel sailboat motorboat car automobile carpet truck lorry race_track track road street path
building edifice house tree trees shrub grass water sea ocean lake river riverbank bank sky cloud sun man person
people woman child kid dog puppy cat animal table desk chair sofa couch television tv_set plate dish bowl cup mug food
meal pizza traffic_light light lamp sign stop_sign window glass door roof hill hillside mountain beach shore sand
umbrella bus bicycle bike art work_of_art part body body_language ice rice""".split()
ATTRIBUTES = """large big huge small little tiny white pale blue azure bright_blue green red dark black brown wooden
wood metal old aged new modern calm quiet tranquil still serene peaceful clear cloudy overcast sunny bright vibrant
lush tall high low long short round parked standing walking sitting covered open closed full_of_people kind
soft smooth grassy sandy rocky clean dirty""".split()
PREDICATES = """on in at with near beside next_to by under above behind in_front_of on_side_of on_top_of have hold carry
wear ride drive walk_on walk_across stand_on stand_in sit_on sit_at park_on park_along dock_at moor_at float_on
extend_into lead_to surround cover fill_with look_at watch eat play play_with fly over""".split()


class Synthetic:
    """Embeds a phrase as noise that depends on its letters."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def encode(self, phrases: list[str], batch_size: int) -> np.ndarray:
        self.calls.append(list(phrases))
        rows = [synthetic.uniform(phrase, 0, (N_FEATURES,)).astype(np.float64) - 0.5 for phrase in phrases]
        return np.array(rows)


def capture_class(wordnet: WordNetCorpusReader) -> type:
    """CAPTURE without its parser."""
    parser = types.ModuleType("factual_scene_graph.parser.scene_graph_parser")
    parser.SceneGraphParser = None
    sys.modules["factual_scene_graph.parser"] = types.ModuleType("factual_scene_graph.parser")
    sys.modules["factual_scene_graph.parser.scene_graph_parser"] = parser
    nltk.download = lambda *_, **__: True  # importing it would fetch what is not used here
    from capture_metric import capture

    capture.wordnet = wordnet
    return capture.CAPTURE


def draw(words: list[str], chance: random.Random, at_most: int) -> list[str]:
    drawn = {chance.choice(words).replace("_", " ") for _ in range(chance.randint(0, at_most))}
    return sorted(drawn)


def draw_graph(chance: random.Random) -> dict:
    objects = draw(OBJECTS, chance, 9)
    owners = draw(OBJECTS, chance, 5)
    relations = {
        (chance.choice(OBJECTS), chance.choice(PREDICATES), chance.choice(OBJECTS)) for _ in range(chance.randint(0, 8))
    }
    relations |= {(a, chance.choice(PREDICATES[:10]), b) for a, _, b in sorted(relations)[:2]}
    return {
        "objects": objects,
        "attributes": {owner: draw(ATTRIBUTES, chance, 4) for owner in owners},
        "relations": sorted([[part.replace("_", " ") for part in relation] for relation in relations]),
    }


def vary(graph: dict, chance: random.Random) -> dict:
    """Another, similar caption: half of it from the first, the rest drawn again."""
    other = draw_graph(chance)
    keep = lambda things: [thing for thing in things if chance.random() < 0.5]
    owners = sorted(set(keep(list(graph["attributes"]))) | set(other["attributes"]))
    return {
        "objects": sorted(set(keep(graph["objects"])) | set(other["objects"][:4])),
        "attributes": {
            owner: sorted(set(keep(graph["attributes"].get(owner, []))) | set(other["attributes"].get(owner, [])))
            for owner in owners
        },
        "relations": sorted(keep(graph["relations"]) + other["relations"][:3]),
    }


def parsed(graph: dict) -> tuple:
    relations = [tuple(relation) for relation in graph["relations"]]
    return graph["objects"], graph["attributes"], relations


def compare(capture: type, encoder, gt: dict, recon: dict, synonyms: bool, soft: bool) -> dict:
    metric = capture(soft_matching=False, synonym_matching=synonyms, stop_words=False)
    metric.soft_matching, metric.text_encoder = soft, encoder
    score, *parts = metric.compute_f_score(parsed(gt), parsed(recon))
    return {"score": float(score), "parts": [float(part) for part in parts]}


def cases(capture: type) -> list[dict]:
    made = []
    for seed in range(60):
        chance = random.Random(seed)
        gt = draw_graph(chance)
        recon = vary(gt, chance) if seed % 4 else draw_graph(chance)
        encoder = Synthetic()
        full = compare(capture, encoder, gt, recon, True, True)
        made.append(
            {
                "gt": gt,
                "recon": recon,
                "full": full,
                "left": encoder.calls,
                "without_soft": compare(capture, None, gt, recon, True, False),
                "without_synonyms": compare(capture, Synthetic(), gt, recon, False, True),
            }
        )
    return made


def phrases(made: list[dict]) -> list[str]:
    found = set()
    for case in made:
        for graph in (case["gt"], case["recon"]):
            found |= set(graph["objects"])
            found |= {attribute for of_object in graph["attributes"].values() for attribute in of_object}
            found |= {part for relation in graph["relations"] for part in relation}
    return sorted(found)


INFLECTED = """boats boat ships men man women woman children child people sheep leaves leaf knives race_tracks
traffic_lights glasses glass buses bus benches bench Cats cats""".split()
DESCRIBING = """larger large biggest big happier wooden parked full_of_people made_of_wood white whiter red turned_off
best better good far further""".split()


def merged(reader: WordNetCorpusReader) -> list[dict]:
    from capture_metric.capture import merge_sentence_results

    processor = types.SimpleNamespace(normalize_word=lambda word, pos: lemmatize(reader, word, pos))
    made = []
    for seed in range(20):
        chance = random.Random(1000 + seed)
        sentences = []
        for _ in range(chance.randint(1, 4)):
            heads = [chance.choice(INFLECTED).replace("_", " ") for _ in range(chance.randint(0, 4))]
            heads = list(dict.fromkeys(heads))
            entities = [{"head": head, "attributes": set(draw(DESCRIBING, chance, 3))} for head in heads]
            relations = [
                {"subject": chance.randrange(len(heads)), "object": chance.randrange(len(heads)), "relation": "near"}
                for _ in range(chance.randint(0, 2) if heads else 0)
            ]
            sentences.append({"entities": entities, "relations": relations})
        objects, attributes, relations = merge_sentence_results(sentences, processor)
        made.append(
            {
                "sentences": [
                    {
                        "objects": [entity["head"] for entity in sentence["entities"]],
                        "attributes": {
                            entity["head"]: sorted(entity["attributes"])
                            for entity in sentence["entities"]
                            if entity["attributes"]
                        },
                        "relations": [
                            [
                                sentence["entities"][r["subject"]]["head"],
                                r["relation"],
                                sentence["entities"][r["object"]]["head"],
                            ]
                            for r in sentence["relations"]
                        ],
                    }
                    for sentence in sentences
                ],
                "graph": {
                    "objects": sorted(objects),
                    "attributes": {key: sorted(attributes[key]) for key in sorted(attributes)},
                    "relations": sorted(map(list, relations)),
                },
            }
        )
    return made


def appendix() -> dict[str, dict]:
    graphs: dict[str, dict] = {}
    for line in (HERE / "basic" / "appendix_d3.txt").read_text().splitlines():
        if line.startswith("["):
            graph = graphs[line.strip("[]")] = {"objects": [], "attributes": {}, "relations": []}
        elif line.startswith("objects:"):
            graph["objects"] = sorted(line.removeprefix("objects:").strip().split(", "))
        elif line.startswith("attributes:"):
            pairs = [part.split(": ") for part in line.removeprefix("attributes:").strip().split("; ")]
            graph["attributes"] = {key: sorted(value.split(", ")) for key, value in sorted(pairs)}
        elif line.startswith("relations:"):
            found = line.removeprefix("relations:").strip().split("; ")
            graph["relations"] = sorted(relation.strip("()").split(", ") for relation in found)
    return graphs


def main() -> None:
    wordnet = open_reader(WORDNET)
    capture = capture_class(wordnet)
    made = cases(capture)
    from sentence_transformers import SentenceTransformer

    known = {phrase: synonyms(wordnet, phrase) for phrase in phrases(made)}
    encoder = SentenceTransformer(str(minilm()), device="cpu")
    graphs = appendix()
    reference = graphs.pop("Reference")
    golden = {
        "cases": made,
        "merged": merged(wordnet),
        "lemmas": {
            word.replace("_", " "): [lemmatize(wordnet, word.replace("_", " "), part) for part in "na"]
            for word in INFLECTED + DESCRIBING
        },
        "synonyms": known,
        "appendix_d3": {
            method: compare(capture, encoder, reference, graph, True, True) for method, graph in graphs.items()
        },
    }
    text = json.dumps(golden, separators=(",", ":"), ensure_ascii=False)
    (HERE / "golden" / "basic_h.json").write_text(
        text.replace('{"gt"', '\n{"gt"').replace('"merged"', '\n"merged"') + "\n"
    )


if __name__ == "__main__":
    main()
