"""A placeholder for a served vision-language model: it speaks the chat protocol and answers from the demo's own
captions.

    python journeys/releases/chat_server.py 8123 &      # where `neurogauge demo` was run; it needs NumPy and Pillow

It finds the demo's picture that is most similar to the given one, and answers with its caption, or with the caption's
nouns as categories. It also writes the output of other models: `graphs/`, scene graphs of the captions, and `masks/`,
label maps."""

import base64
import io
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
from PIL import Image

DATA = Path("demo-run/data")
CAPTIONS = json.loads((DATA / "observations/gt/captions.json").read_text())
THINGS = {"people", "cars", "boat", "airplane", "couch", "kite", "ball", "vase", "pizzas", "dog", "person"}
PLACES = {"field", "street", "sea", "room", "snow", "beach", "table", "sky"}


def thumbnail(image: Image.Image) -> np.ndarray:
    return np.asarray(image.convert("RGB").resize((16, 16)), dtype=float)


def nouns(caption: str, among: set[str]) -> list[str]:
    return [word for word in caption.lower().strip(".").split() if word in among]


KNOWN = {stem: thumbnail(Image.open(DATA / "gt" / f"{stem}.png")) for stem in CAPTIONS}


class Answers(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        parts = [
            part
            for message in request["messages"]
            if isinstance(message["content"], list)
            for part in message["content"]
        ]
        question = " ".join(part.get("text", "") for part in parts)
        url = next(part["image_url"]["url"] for part in parts if part["type"] == "image_url")
        shown = thumbnail(Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))))
        caption = CAPTIONS[min(KNOWN, key=lambda stem: float(np.abs(KNOWN[stem] - shown).mean()))]
        answer = caption
        if "foreground" in question:
            objects = [{"object": word, "parts": ["top"]} for word in nouns(caption, THINGS)]
            background = [{"element": word} for word in nouns(caption, PLACES)]
            answer = json.dumps({"foreground_objects": objects, "background_elements": background})
        body = json.dumps(
            {
                "model": request["model"],
                "choices": [{"message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}],
            }
        )
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        pass


def graph(caption: str) -> dict[str, object]:
    words = caption.lower().strip(".").split()
    things, places = nouns(caption, THINGS), nouns(caption, PLACES)
    described = {
        thing: [word for word in words[: words.index(thing)][-1:] if word not in {"a", "an"}] for thing in things
    }
    relations = [[thing, "in", place] for thing in things for place in places]
    return {
        "objects": things + places,
        "attributes": {thing: said for thing, said in described.items() if said},
        "relations": relations,
    }


LABELS = ["", *sorted(THINGS | PLACES), "top"]


def write_masks(side: str, captions: dict[str, str]) -> None:
    """Writes a label map of each picture: the background everywhere, an object in every box, and the object's upper
    quarter as a part."""
    folder = Path("masks") / side
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "labels.json").write_text(
        json.dumps({str(number): label for number, label in enumerate(LABELS) if label})
    )
    for stem, text in captions.items():
        found = json.loads((DATA / "observations" / side / "detections" / f"{stem}.json").read_text())
        thing, place = (LABELS.index((nouns(text, among) or ["sky"])[0]) for among in (THINGS, PLACES))
        labels = np.full((256, 256), place, dtype=np.uint8)
        for left, top, right, bottom in np.rint(found["bboxes"]).astype(int):
            labels[top:bottom, left:right] = thing
            labels[top : top + (bottom - top) // 4, left:right] = LABELS.index("top")
        Image.fromarray(labels).save(folder / f"{stem}.png")


Path("graphs").mkdir(exist_ok=True)
for side in ("gt", "recon"):
    captions = json.loads((DATA / "observations" / side / "captions.json").read_text())
    Path(f"graphs/{side}.json").write_text(json.dumps({stem: graph(text) for stem, text in captions.items()}))
    write_masks(side, captions)
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Answers).serve_forever()
