"""Goldens of CLIP's tokenizer.

References: open_clip's SimpleTokenizer (OpenAI's tokenizer: ftfy, HTML unescaped twice, blanks joined, lower case, byte
pairs) and, with the same vocabulary, transformers' CLIPTokenizer, which has neither ftfy nor HTML. For each text: `ids`
of the former with its start and end, cut to 77 including the end; `decoded`, the text of those ids; `hugging_face`, the
latter's ids if they differ.

Run from `reference/`. Writes golden/models/clip_tokenizer.json.
"""

import hashlib
import json
import unicodedata
from pathlib import Path

from open_clip.tokenizer import SimpleTokenizer, default_bpe
from transformers import CLIPTokenizer

from model_goldens import GOLDEN, line, versions

N_POSITIONS = 77
START, END = 49406, 49407

TEXTS = [
    "",
    " ",
    "a",
    "a photo of a cat",
    "A Photo Of A CAT.",
    "Two giraffes standing next to each other in a field.",
    "A plate of food with broccoli, rice, and chicken on it.",
    "a man riding a wave on top of a surfboard",
    "a black-and-white photo of a train on the tracks",
    "dog dog dog dog dog dog dog dog",
    "the dog's bone, the dogs' bones, we've seen it; I'm sure they'll say he'd won't can't",
    "DON'T SHOUT, IT'S LOUD",
    "3 cats, 12 dogs and 1,000,000 ants at 10:45 (50% off!) for $9.99",
    "x" * 150,
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
    "tabs\tand\nnewlines\r\nand   many    spaces",
    "non\u00a0breaking\u2009thin\u3000wide spaces and zero\u200bwidth",
    "caf\u00e9 cr\u00e8me br\u00fbl\u00e9e \u00e0 la carte, na\u00efve fa\u00e7ade, Z\u00fcrich",
    "e\u0301 combining versus \u00e9 composed",
    "Stra\u00dfe, \u0130stanbul, \u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2",
    "\u0427\u0435\u043b\u043e\u0432\u0435\u043a \u0435\u0434\u0435\u0442 \u043d\u0430 \u0432\u0435\u043b\u043e\u0441\u0438\u043f\u0435\u0434\u0435.",
    "\u4e00\u53ea\u732b\u5750\u5728\u7ea2\u8272\u7684\u6c99\u53d1\u4e0a\u3002",
    "\u732b\u304c\u8d64\u3044\u30bd\u30d5\u30a1\u306b\u5ea7\u3063\u3066\u3044\u308b",
    "\u0631\u062c\u0644 \u064a\u0631\u0643\u0628 \u062f\u0631\u0627\u062c\u0629",
    "\u0928\u092e\u0938\u094d\u0924\u0947 \u0926\u0941\u0928\u093f\u092f\u093e",
    "\U0001f408 on a \U0001f6cb\ufe0f, \U0001f468\u200d\U0001f469\u200d\U0001f467 smiling \U0001f642",
    "salt &amp; pepper, &lt;b&gt;bold&lt;/b&gt; and &amp;amp; twice",
    "mojibake: cafÃ© and itâ€™s",
    "\u201cquoted\u201d \u2018single\u2019 \u2013 dashes \u2014 and \u2026 dots",
    "\ufb01ne ligature, \u00bd fraction, \u00b2 superscript, \u212b angstrom, \uff26\uff35\uff2c\uff2c width",
    "a_snake_case_name and a/path\\name and an@email.address #hashtag",
    "<|startoftext|> literal <|endoftext|> markers",
    "(((nested))) [brackets] {braces} <angles> !!! ??? ...",
    "1st 2nd 3rd 4th 1990s 90's b2b mp3 h2o",
    "\u0661\u0662\u0663 \u2167 \u2460 numerals",
    "e.g. i.e. u.s.a. a.m. p.m. etc.",
    "ab" * 40,
    "a group of people sitting around a wooden dining table with plates of food, glasses of wine and a "
    "birthday cake with lit candles in the middle while a small dog looks up at them from below",
    " ".join(["the"] * 75),  # just fits
    " ".join(["the"] * 76),  # one too many
    " ".join(["a red boat on a calm lake near the mountains"] * 12),  # far too long
    "line one\u2028line two\u0085line three\u000bline four",
    "A group of people walking across a snow covered field.",
]


def token_ids(tokenizer: SimpleTokenizer, text: str) -> list[int]:
    row = tokenizer(text)[0].tolist()
    return row[: row.index(END) + 1]


def hugging_face_tokenizer(tokenizer: SimpleTokenizer) -> CLIPTokenizer:
    vocabulary = {
        {START: "<|startoftext|>", END: "<|endoftext|>"}.get(index, token): index
        for token, index in tokenizer.encoder.items()
    }
    return CLIPTokenizer(vocab=vocabulary, merges=list(tokenizer.bpe_ranks), model_max_length=N_POSITIONS)


def tokenizer_golden() -> None:
    tokenizer = SimpleTokenizer()
    peer = hugging_face_tokenizer(tokenizer)
    cases = []
    for text in TEXTS:
        ids = token_ids(tokenizer, text)
        other = peer(text, truncation=True)["input_ids"]
        case = {"text": text, "ids": ids, "decoded": tokenizer.decode(ids[1:-1])}
        if other != ids:
            case["hugging_face"] = other
            print(f"tokenizers differ: {text!r}\n  {ids}\n  {other}")
        cases.append(case)
    head = {
        "reference": f"open_clip.SimpleTokenizer, transformers.CLIPTokenizer, "
        f"{versions('open_clip_torch', 'ftfy', 'transformers')}, Unicode {unicodedata.unidata_version}",
        "vocabulary_sha256": hashlib.sha256(Path(default_bpe()).read_bytes()).hexdigest(),
    }
    path = GOLDEN / "models" / "clip_tokenizer.json"
    path.write_text(line(head)[:-1] + ',"cases":[\n' + ",\n".join(map(line, cases)) + "]}\n")
    assert json.loads(path.read_text()) == {**head, "cases": cases}
    print(f"{path.name}: {path.stat().st_size} bytes, {len(cases)} texts")


if __name__ == "__main__":
    tokenizer_golden()
