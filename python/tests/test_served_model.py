"""Captions by a model behind a server: `transformers serve` with a small Qwen2.5-VL whose weights are random."""

from __future__ import annotations

import http.client
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

SERVING = ("torch", "torchvision", "transformers", "accelerate", "fastapi", "openai", "uvicorn", "PIL")
MISSING = [name for name in SERVING if importlib.util.find_spec(name) is None]
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"`transformers serve` is not installed: no {', '.join(MISSING)}"),
    pytest.mark.skipif("NEUROGAUGE_BINARY" not in os.environ, reason="NEUROGAUGE_BINARY names no program"),
]

MODEL = "tiny-vlm"
PROMPT = "Describe the image in detail."
SPECIAL = ("<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{% for part in message.content %}"
    "{% if part.type == 'image' %}<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ part.text }}{% endif %}"
    "{% endfor %}<|im_end|>\n{% endfor %}{{ '<|im_start|>assistant\n' }}"
)


def make_model(folder: Path) -> None:
    """Writes a model that answers with eight to some twenty letters, which depend on the image."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    of_bytes = Tokenizer(models.BPE({character: place for place, character in enumerate(alphabet)}, []))
    of_bytes.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    of_bytes.decoder = decoders.ByteLevel()
    end = "<|im_end|>"
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=of_bytes, eos_token=end, pad_token=end, additional_special_tokens=list(SPECIAL)
    )
    images = transformers.Qwen2VLImageProcessor(min_pixels=28 * 28, max_pixels=56 * 56)
    videos = transformers.Qwen2VLVideoProcessor()
    processor = transformers.Qwen2_5_VLProcessor(images, tokenizer, videos, chat_template=TEMPLATE)

    place = dict(zip(SPECIAL, tokenizer.convert_tokens_to_ids(list(SPECIAL)), strict=True))
    ends = {"eos_token_id": place[end], "pad_token_id": place[end]}
    config = transformers.Qwen2_5_VLConfig(
        text_config={
            "vocab_size": len(tokenizer),
            "hidden_size": 64,
            "intermediate_size": 128,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "max_position_embeddings": 2048,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0, "mrope_section": [2, 3, 3]},
            "initializer_range": 0.3,
            "bos_token_id": None,
            **ends,
        },
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_heads": 2,
            "out_hidden_size": 64,
            "fullatt_block_indexes": [1],
            "initializer_range": 0.3,
        },
        image_token_id=place["<|image_pad|>"],
        video_token_id=place["<|video_pad|>"],
        vision_start_token_id=place["<|vision_start|>"],
        vision_end_token_id=place["<|vision_end|>"],
    )
    torch.manual_seed(0)
    model = transformers.Qwen2_5_VLForConditionalGeneration(config)
    spoken = {place[end], *tokenizer.convert_tokens_to_ids(list("abcdefghijklmnopqrstuvwxyz"))}
    model.generation_config = transformers.GenerationConfig(
        suppress_tokens=[token for token in range(len(tokenizer)) if token not in spoken],
        min_new_tokens=8,
        exponential_decay_length_penalty=(12, 1.5),
        do_sample=False,
        **ends,
    )
    model.save_pretrained(folder)
    processor.save_pretrained(folder)


def says(folder: Path, images: Path) -> dict[str, str]:
    """The model's answer for each image in a folder, without a server."""
    import transformers
    from PIL import Image

    processor = transformers.AutoProcessor.from_pretrained(folder, local_files_only=True)
    model = transformers.Qwen2_5_VLForConditionalGeneration.from_pretrained(folder, local_files_only=True)
    said = {}
    for path in sorted(images.iterdir()):
        content = [{"type": "image", "image": Image.open(path)}, {"type": "text", "text": PROMPT}]
        messages = [{"role": "user", "content": content}]
        inputs = processor.apply_chat_template(
            messages, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
        )
        tokens = model.generate(**inputs, max_new_tokens=512)[0, inputs["input_ids"].shape[1] :]
        said[path.stem] = processor.tokenizer.decode(tokens, skip_special_tokens=True)
    return said


class Server:
    """`transformers serve` with the model of a folder, which can be killed and started again at another port."""

    def __init__(self, model: Path) -> None:
        self.model = model
        self.n_starts = 0
        self.start()

    def start(self) -> None:
        """Starts it and waits until it answers."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.n_starts += 1
        self.log = self.model.parent / f"server-{self.n_starts}.log"
        home = self.model.parent / "home"
        (home / "hub").mkdir(parents=True, exist_ok=True)
        options = ["--device", "cpu", "--host", "127.0.0.1", "--port", str(self.port)]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "transformers.cli.transformers", "serve", self.model.name, *options],
                cwd=self.model.parent,
                env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(home)},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + 300
        while not self.is_there():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                pytest.fail(f"the server does not start: {self.log.read_text()}")
            time.sleep(0.2)

    def is_there(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def n_asked(self) -> int:
        """Requests that it has answered since it was started."""
        return self.log.read_text().count('"POST /v1/chat/completions')


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served") / MODEL
    make_model(folder)
    server = Server(folder)
    yield server
    server.kill()


Score = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def score(tmp_path: Path, patterns: Any, command: Any, server: Server) -> Score:
    """Writes pairs of images and computes Cap-Sim of the captions that the server gives."""

    def run(out: str, *more: object, n_pairs: int = 3, model: str = MODEL) -> subprocess.CompletedProcess[str]:
        write_pairs(tmp_path, *patterns(n_pairs))
        sides = ["--gt", tmp_path / "gt", "--recon", tmp_path / "recon"]
        metric = ["--metrics", "cap_sim", "--set", "text_encoder=placeholder"]
        asked = ["--vlm", server.url, "--vlm-model", model]
        return command("score", *sides, *metric, *asked, "--out", tmp_path / out, *more)

    return run


def write_pairs(folder: Path, *sides: Any) -> None:
    from PIL import Image

    for side, images in zip(("gt", "recon"), sides, strict=True):
        (folder / side).mkdir(exist_ok=True)
        for place, image in enumerate(images):
            Image.fromarray(image).save(folder / side / f"{place:02}.png")


def captions(run: Path, side: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((run / "observations" / side / "captions.json").read_text())
    return found


def record(run: Path) -> Any:
    return json.loads((run / "run.json").read_text())


RESULTS = ("scores.parquet", "observations/gt/captions.json", "observations/recon/captions.json")


def results(run: Path) -> list[bytes]:
    return [(run / name).read_bytes() for name in RESULTS]


def kept(cache: Path) -> list[str]:
    """The lines in the journals of answers."""
    return [line for journal in sorted(cache.glob("answers/*")) for line in journal.read_text().splitlines()]


def test_captions_are_what_the_model_says_of_the_images(tmp_path: Path, score: Score, server: Server) -> None:
    before = server.n_asked
    ran = score("run")
    assert ran.returncode == 0, ran.stderr
    assert server.n_asked - before == 6 == len(kept(tmp_path / "cache"))
    found = {side: captions(tmp_path / "run", side) for side in ("gt", "recon")}
    for side, said in found.items():
        assert said == says(server.model, tmp_path / side), side
    texts = found["gt"].values()
    assert len(set(texts)) == 3 and all(len(text) >= 8 and text.isalpha() for text in texts), texts


def test_a_record_has_the_model_the_prompt_and_the_fields_and_not_the_address(
    tmp_path: Path, score: Score, server: Server
) -> None:
    ran = score("run", "--set", "vlm_seed=3")
    assert ran.returncode == 0, ran.stderr
    whole = record(tmp_path / "run")
    (step,) = whole["plan"]["steps"]
    asked = step["recipe"]
    assert (asked["makes"], asked["model"]["id"]) == ("captions", MODEL)
    assert (asked["prompt"]["id"], asked["prompt"]["text"]) == ("basic-description", PROMPT)
    assert asked["options"] == {"temperature": 0.0, "seed": 3, "max_tokens": 512}
    assert step["outcome"] == {"answered_by": [{"model": f"{MODEL}@main"}]}
    assert whole["complete"] and "not bit-reproducible" in json.dumps(whole["findings"])
    for path in [*(tmp_path / "run").rglob("*"), *(tmp_path / "cache").rglob("*")]:
        held = path.read_bytes() if path.is_file() else b""
        assert b"127.0.0.1" not in held and f":{server.port}".encode() not in held, path


def test_another_run_with_another_cache_has_the_same_results(tmp_path: Path, score: Score, server: Server) -> None:
    assert score("first").returncode == 0
    before = server.n_asked
    assert score("second").returncode == 0
    assert server.n_asked == before, "what was answered is not asked again"
    shutil.rmtree(tmp_path / "cache")
    assert score("third").returncode == 0
    assert server.n_asked == before + 6
    assert results(tmp_path / "first") == results(tmp_path / "second") == results(tmp_path / "third")


def test_a_model_that_the_server_does_not_have_is_named(tmp_path: Path, score: Score) -> None:
    ran = score("run", model="another-vlm")
    assert ran.returncode != 0 and ran.stdout == ""
    assert "another-vlm" in ran.stderr and f"pinned to '{MODEL}'" in ran.stderr, ran.stderr
    assert kept(tmp_path / "cache") == [] and not (tmp_path / "run" / "scores.parquet").exists()


def test_answers_that_were_cut_off_are_warned_of(tmp_path: Path, score: Score) -> None:
    assert score("whole").returncode == 0
    ran = score("cut", "--set", "vlm_tokens=4")
    assert ran.returncode == 0, ran.stderr
    assert f"3 of 3 answers of {MODEL}" in ran.stderr and "cut off after 4 tokens" in ran.stderr, ran.stderr
    cut = record(tmp_path / "cut")
    assert cut["plan"]["steps"][0]["outcome"]["n_cut_off"] == 6 and "answers_cut_off" in json.dumps(cut["findings"])
    whole = captions(tmp_path / "whole", "gt")
    assert captions(tmp_path / "cut", "gt") == {stem: text[:4] for stem, text in whole.items()}


def test_a_run_whose_server_is_killed_goes_on_with_the_next(tmp_path: Path, score: Score, server: Server) -> None:
    cache = tmp_path / "cache"
    with ThreadPoolExecutor(1) as other:
        running = other.submit(score, "run", "--vlm-tries", "1", n_pairs=8)
        while len(kept(cache)) < 3 and not running.done():
            time.sleep(0.01)
        server.kill()
        stopped = running.result(timeout=200)
    assert stopped.returncode != 0
    assert "run the same command again" in stopped.stderr, stopped.stderr
    answered = kept(cache)
    assert 3 <= len(answered) < 16
    assert not record(tmp_path / "run")["complete"]

    server.start()
    ran = score("run", n_pairs=8)
    assert ran.returncode == 0, ran.stderr
    assert server.n_asked == 16 - len(answered)
    assert kept(cache)[: len(answered)] == answered and len(kept(cache)) == 16

    shutil.rmtree(cache)
    assert score("undisturbed", n_pairs=8).returncode == 0
    assert results(tmp_path / "undisturbed") == results(tmp_path / "run")
