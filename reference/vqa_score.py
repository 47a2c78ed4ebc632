"""Goldens of VQAScore from a server's list of probabilities of an answer's first token.

A vocabulary of forty tokens, some of which spell yes and no in several ways, gets seeded logits; the server lists the
likeliest k with the natural logarithms of their softmax, as in the chat protocol's `top_logprobs`. The probability of a
word is the sum over the listed tokens that spell it, with any case and blanks (`math.fsum`); null if neither word is
listed.

Writes golden/vqa_score.json: [{"beginnings": [{"token", "logprob"}], "yes", "no"}].
"""

import json
import math
from pathlib import Path

import synthetic

SPELLINGS = {"yes": ["Yes", " yes", "YES", "yes "], "no": ["No", " no", "NO"]}
OTHERS = ["Well", "Not", "Yes,", "none", "nobody", "ye", "The", "figure"] + [f"token{number}" for number in range(25)]


def case(number: int) -> dict:
    tokens = [token for words in SPELLINGS.values() for token in words] + OTHERS
    logits = (8 * synthetic.uniform(f"logits {number}", 0, (len(tokens),)).astype(float)).tolist()
    total = math.fsum(math.exp(logit) for logit in logits)
    listed = sorted(zip(tokens, logits), key=lambda pair: -pair[1])[: (3, 5, 20)[number % 3]]
    beginnings = [{"token": token, "logprob": logit - math.log(total)} for token, logit in listed]
    words = {
        word: [math.exp(one["logprob"]) for one in beginnings if one["token"] in spellings]
        for word, spellings in SPELLINGS.items()
    }
    none = not any(words.values())
    return {"beginnings": beginnings} | {word: None if none else math.fsum(found) for word, found in words.items()}


def main() -> None:
    path = Path(__file__).parent / "golden" / "vqa_score.json"
    lines = ",\n".join(json.dumps(case(number)) for number in range(60))
    path.write_text(f"[\n{lines}\n]\n")
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
