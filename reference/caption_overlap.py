"""METEOR and ROUGE of captions by NLTK, Hugging Face's `evaluate` and rouge-score; stems by NLTK's Porter stemmer.

Writes golden/caption_overlap.json: `stems`: words with their stems; `stem_digests`: SHA-256 of the lines
"word<TAB>stem", by first letter, for every lemma of WordNet's indexes that is one word, and for forms derived from it
by common endings; `captions`: decoded captions with references, each with METEOR, and with ROUGE-1, -2 and -L as F1
without and with stemming; `scene_graph_f1`: graphs with the F1 of their elements, computed here with counters.

All captions are made up here, in the form of BrainHub's: one or two short sentences each, one to five references.
`evaluate` calls NLTK's METEOR on words of NLTK's `word_tokenize`; its class cannot be loaded without a network, so its
three lines are repeated below. WordNet is read as in wordnet.py, sentences are split with the parameters of
sentences.py."""

import hashlib
import json
import random
from collections import Counter

from nltk.stem.porter import PorterStemmer
from nltk.tokenize.destructive import NLTKWordTokenizer
from nltk.translate.meteor_score import meteor_score
from rouge_score.rouge_scorer import RougeScorer

from places import WORDNET
from sentences import train
from wordnet import open_reader

ENDINGS = ("", "s", "es", "ed", "ing", "er", "ly", "ness", "ational", "fulness", "ization", "ies", "ied", "eed", "y")
WORDS = """
a the two several man men woman women child children boy dog dogs cat bicycle bike bus automobile car cars street road snow
skiing skis surfer surfing surfs wave waves riding rides rode sitting sits standing stands eating eats holding holds pizza
vegetables vegetable plate table tables wooden kitchen stove refrigerator fridge photo picture photograph large big small little
red happily happier running runs on in near of with and next to at under beach ocean sea boat ship airplane plane flying flies
grass grassy field zebra zebras giraffe tennis player players baseball bat swinging skies lying dying news
""".split()
MORE = [
    "A man's dog isn't in the kitchen.",
    "Two men are skiing; it's snowing!",
    'A "stop" sign (red) near Mr. Smith\'s car.',
    "3-year-old twins eat 1,000 cookies",
    "The Christmas tree stands. A cat lies below it.",
    "CAFÉ tables, naïve art",
    "dog",
    "",
    "the the the the",
    "A photo of a bear lying on a grass field.",
    "traffic_light and fire_hydrant",
]


def meteor(references, caption, wordnet, punkt):
    """Does what evaluate's metrics/meteor does for NLTK 3.6.5 and later: word_tokenize of all texts, then
    meteor_score."""
    words = lambda text: [word for part in punkt.tokenize(text) for word in NLTKWordTokenizer().tokenize(part)]
    return meteor_score([words(reference) for reference in references], words(caption), wordnet=wordnet)


def captions(rng):
    for place in range(60):
        scene = rng.choices(WORDS, k=9)
        sentence = lambda scene=scene: " ".join(
            rng.sample(scene, rng.randint(3, 7)) + rng.choices(WORDS, k=rng.randint(0, 6))
        )
        references = [sentence() + rng.choice(["", ".", " ."]) for _ in range(rng.randint(1, 5))]
        yield references[0] if place == 7 else sentence().capitalize(), references
    for text in MORE:
        for other in rng.sample(MORE, 3):
            yield text, [other, text.lower() + " sitting"]


def f1_of_elements(gt, recon):
    def elements(graph):
        """Attributes without their objects, as in BASIC-H."""
        attributes = [("attribute", word) for words in graph["attributes"].values() for word in words]
        return Counter(
            [("object", o) for o in graph["objects"]] + attributes + [("relation", *r) for r in graph["relations"]]
        )

    ours, theirs = elements(recon), elements(gt)
    if not ours and not theirs:
        return None
    return 2 * (ours & theirs).total() / (ours.total() + theirs.total())


def graphs(rng):
    for _ in range(40):

        def graph():
            objects = rng.sample(["boat", "sea", "dog", "car", "tree", "man"], rng.randint(0, 4))
            attributes = {
                of: rng.sample(["red", "old", "wet"], rng.randint(1, 2)) for of in objects if rng.random() < 0.5
            }
            pairs = [(a, b) for a in objects for b in objects if a != b]
            relations = [[a, rng.choice(["on", "near"]), b] for a, b in rng.sample(pairs, min(2, len(pairs)))]
            return {"objects": objects, "attributes": attributes, "relations": relations}

        gt, recon = graph(), graph()
        yield {"gt": gt, "recon": recon, "f1": f1_of_elements(gt, recon)}


def main():
    reader, stemmer, punkt, rng = open_reader(WORDNET), PorterStemmer(), train(), random.Random(5)
    lemmas = sorted({lemma for lemma in reader._lemma_pos_offset_map if "_" not in lemma})
    digests = {}
    for lemma in lemmas:
        lines = "".join(f"{lemma}{e}\t{stemmer.stem(lemma + e)}\n" for e in ENDINGS)
        digests.setdefault(lemma[0], hashlib.sha256()).update(lines.encode())
    shown = list(
        dict.fromkeys(
            w + e for w in [*WORDS, "hop", "fall", "hiss", "fizz", "archaeo", "geo", "y", "yy", "it"] for e in ENDINGS
        )
    )
    scorers = [RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=stemming) for stemming in (False, True)]
    cases = []
    for caption, references in captions(rng):
        rouge = [scorer.score_multi(references, caption) for scorer in scorers]
        cases.append(
            {
                "caption": caption,
                "references": references,
                "meteor": meteor(references, caption, reader, punkt),
                "rouge": [[found[name].fmeasure for name in ("rouge1", "rouge2", "rougeL")] for found in rouge],
            }
        )
    golden = {
        "endings": ENDINGS,
        "stems": {word: stemmer.stem(word) for word in rng.sample(shown, 300)},
        "stem_digests": {first: digest.hexdigest() for first, digest in digests.items()},
        "captions": cases,
        "scene_graph_f1": list(graphs(rng)),
    }
    with open("golden/caption_overlap.json", "w", encoding="utf-8") as file:
        rows = [
            f' "{key}": {json.dumps(golden[key], ensure_ascii=False)}' for key in ("endings", "stems", "stem_digests")
        ]
        for key in ("captions", "scene_graph_f1"):
            lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in golden[key])
            rows.append(f' "{key}": [\n{lines}\n ]')
        file.write("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
