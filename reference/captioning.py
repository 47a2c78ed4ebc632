"""Words of captions, BLEU, ROUGE-L and CIDEr by pycocoevalcap (needs Java).

Writes golden/captioning/words.json: [caption, words], and scores.json: captions with their references, and the scores
of the corpus and of each caption; CLIP-S and RefCLIP-S of random embeddings in clip_scores.json, computed here from the
paper's equations. All texts are made up here. They have no emoticons, tags, file addresses and e-mail addresses, area
codes in brackets, names such as "C++", or other classes that the library's word splitter does not support.
"""

import contextlib
import io
import json
import random
import shutil
from pathlib import Path

import numpy as np
from pycocoevalcap.bleu.bleu import Bleu
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.rouge.rouge import Rouge
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

FOLDER = Path(__file__).parent / "golden" / "captioning"

TEXTS = [
    "A dog's bowl isn't \"very large\" (it's small) - or is it?",
    "They'll say we can't, cannot and shouldn't've; I'm gonna go, I wanna, he's gotta.",
    "The grey harbour, a theatre and some jewellery.",
    "1/2 of a pizza, 1 1/2 cups, 24/7, 50% off for $5.00 or £5, €7 or 20¢.",
    "At 10:30am or 10:30 pm, 3-year-old twins in a two-story house.",
    "Mr. Smith and Dr. Jones from St. Louis carry the U.S. flag, fruit etc. and No. 5.",
    "A man in the U.S. The man waves. Plan B. We wait. In Washington D.C.",
    "See www.example.com. Tell @someone #now",
    "The '90s, the 90's, 1990's cars; James' hat, the dogs' ears, rock 'n' roll, y'all, ma'am, o'clock",
    "'single' ''two'' `back' “curly” ‘curly’ «angled»",
    "One--two---three... four.... five . . . six – seven — eight",
    "A T-shirt, an X-ray, a co-op, mother-in-law's re-used under_score a-b_c",
    "a+b = c * d & e ~ f ^ g | h { i } [ j ] < k > #1 and/or w/o he/she A/C",
    "Phone 555-1234 on 12/25/2010, -5 degrees, +5, 5' 6\" tall",
    "AT&T and B&B &amp; &lt;x&gt;, an old man (not a dog), ma'am",
    "A sign says 'stop' and the other says'go,'yield'. Table'and chair, I'd've, Vitamin C. The end",
    "At 5 p.m. Mt. Fuji, Co. Ltd. vs. Corp. on Jan. 5. Ave. and Blvd., dept., Prof. X., fig. 5, fig. x",
    "dog.cat dog!cat hello,there hello;there 3D 2nd 5k 3x4 100ft file.txt image.jpg.",
    "It’s o’clock, they’ve, isn’t, dogs’ bowls, the man’s, I’m",
    "café naïve piñata über-cool 45° ½ cup ¼ ™ ® © ² 日本語 Straße",
    "'tis 'twas 'em 'cause li'l ev'ry ol' d'Artist l'été O'Brien's",
    "the words'modern art, a sign that says'no parking",
    "1,000-seat hall. 10-15 people? 1.5-2.5! 5:30-6:30; i.e., e.g. this: that",
    "What?! Really?? Yes!!! No..",
    "a cat\u200b lying, a cat\u200d, zero\u200cwidth, \u202eright\u202c to\u2060gether \ufeffmark\ufeff",
    "a \u2764\ufe0f heart, \u260e\ufe0e phone, 1\ufe0f\u20e3 key, a soft\u00adhyphen \u200e\u200f",
    "cafe\u0301 nai\u0308ve, \U0001d41c\U0001d41a\U0001d42d styled, \u2160\u2162 numerals, \u24d0\u24d1 circled",
    "\u0663\u0664 \uff13\uff14 \uff33\uff34, \ue000 private, \ufffd lost, \u2605 star \u2713 tick \u2192 arrow \u2026 \u20ac5 \u20b95",
    "A.",
    "A dog... runs",
    "...",
    "",
]
PIECES = (
    "a the dog man's isn't they'd dogs' don’t , . ; : ! ? ... - -- ( ) [ ] / & $ % 10 5,000 3.5 1990s 10:30 "
    "p.m. 1/2 3/4 2nd x-ray two-story U.S. Mr. St. etc. No. i.e. www.example.com cannot gonna o'clock and/or w/o"
).split()
WORDS = "a the red blue small dog cat man woman sits runs on in near grass street with ball hat and".split()


def tokenize(captions):
    """Words of each caption, joined by spaces."""
    keyed = {i: [{"caption": text}] for i, text in enumerate(captions)}
    return {i: words[0] for i, words in PTBTokenizer().tokenize(keyed).items()}


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "clip_scores.json").write_text(json.dumps(clip_scores(), indent=0) + "\n")
    if shutil.which("java") is None:
        print("skipped: golden/captioning/{words,scores}.json are left as they are; PTBTokenizer needs `java`")
        return
    rng = random.Random(7)
    texts = list(TEXTS)
    for _ in range(150):
        texts.append(" ".join(["x"] + rng.choices(PIECES, k=rng.randint(2, 8)) + ["end"]))
    # "A" follows every caption, so that a final single letter with a full stop ends it.
    spaced = [part for text in texts for part in (text, "A caption")]
    words = tokenize(spaced)
    cases = [[text, words[2 * i].split(" ") if words[2 * i] else []] for i, text in enumerate(texts)]
    (FOLDER / "words.json").write_text(json.dumps(cases, indent=0) + "\n")

    images = {}
    for image in range(24):
        scene = rng.choices(WORDS, k=6)
        sentence = lambda: " ".join(rng.sample(scene, 4) + rng.choices(WORDS, k=rng.randint(1, 6)))
        images[str(image)] = {
            "decoded": "" if image == 3 else "dog" if image == 4 else sentence(),
            "references": [sentence() for _ in range(rng.randint(1, 5))],
        }
    images["5"]["decoded"] = images["5"]["references"][0]
    images["6"]["decoded"] = "1\u00a01/2 red red red dog"
    images["6"]["references"].append("1\u00a01/2 red dog")
    gts = {k: v["references"] for k, v in images.items()}
    res = {k: [v["decoded"]] for k, v in images.items()}
    with contextlib.redirect_stdout(io.StringIO()):
        bleu, bleus = Bleu(4).compute_score(gts, res, verbose=0)
    rouge, rouges = Rouge().compute_score(gts, res)
    cider, ciders = Cider().compute_score(gts, res)
    golden = {
        "images": list(images.values()),
        "bleu": bleu,
        "bleu_each": bleus,
        "rouge_l": float(rouge),
        "rouge_l_each": [float(v) for v in rouges],
        "cider": float(cider),
        "cider_each": [float(v) for v in ciders],
    }
    (FOLDER / "scores.json").write_text(json.dumps(golden, ensure_ascii=False, indent=0) + "\n")


def clip_scores():
    """CLIP-S and RefCLIP-S in double precision from embeddings in single precision."""
    rng = np.random.default_rng(11)
    cosine = lambda a, b: float(a @ b / np.sqrt((a @ a) * (b @ b)))
    cases = []
    for n_references, shift in ((1, 0), (1, 1), (2, 1), (3, 1), (5, 0.5), (5, 2), (2, 0), (4, 0.3)):
        n_features = int(rng.integers(2, 9))
        vectors = rng.normal(size=(2 + n_references, n_features)) * rng.uniform(0.01, 9, size=(2 + n_references, 1))
        single = (vectors + rng.normal(size=n_features) * shift).astype(np.float32)
        image, caption, *references = single.astype(np.float64)
        clip = 2.5 * max(cosine(image, caption), 0.0)
        nearest = max(max(cosine(caption, reference) for reference in references), 0.0)
        both = clip + nearest
        cases.append(
            {
                "image": single[0].tolist(),
                "caption": single[1].tolist(),
                "references": single[2:].tolist(),
                "clip_score": clip,
                "ref_clip_score": 2 * clip * nearest / both if both else 0.0,
            }
        )
    return cases


if __name__ == "__main__":
    main()
