"""The server of `survey collect` under browsers: whatever ends it, what it acknowledged stays, once and unchanged."""

import http.client
import json
import os
import random
import re
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from command import NOBODY, SLOWEST_SECONDS, Failed, Torture, files

N_BROWSERS = 4
# Sittings of one browser in a trial of a point.
N_SITTINGS = 3


class Server:
    """A running `survey collect`; its address is None if it ended instead."""

    def __init__(self, words: list[str], environment: dict[str, str], said: Path):
        with said.open("wb") as stderr:
            pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": stderr}
            self.process = subprocess.Popen(words, env=environment, start_new_session=True, **pipes)
        self.said = said
        self.address = None
        until = time.monotonic() + SLOWEST_SECONDS
        while self.process.poll() is None and not self.address:
            self.address = re.search(r"http://([\d.]+):(\d+)/", said.read_text(errors="replace"))
            if time.monotonic() > until:
                self.end(signal.SIGKILL)
                raise Failed(f"collect: it does not start\n{said.read_text(errors='replace')}")
            time.sleep(0.005)

    def post(self, body: bytes) -> int | None:
        """The status of the reply; None if there is no reply."""
        if self.address is None:
            return None
        connection = http.client.HTTPConnection(self.address[1], int(self.address[2]), timeout=SLOWEST_SECONDS)
        try:
            connection.request("POST", "/", body)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def end(self, how: signal.Signals) -> int:
        if self.process.poll() is None:
            os.killpg(self.process.pid, how)
        return self.process.wait(SLOWEST_SECONDS)


class Browser:
    """Someone who sends one sitting after the other, each again until it is acknowledged."""

    def __init__(self, name: str, collecting: "Collecting", draws: random.Random):
        self.name, self.collecting, self.draws = name, collecting, draws
        self.n_sent = 0
        self.waiting: dict[str, Any] | None = None
        self.last_number = 0

    def send(self, server: Server) -> int | None:
        """Sends the sitting that waits for its acknowledgement, or the next one."""
        if self.waiting is None:
            self.n_sent += 1
            self.waiting = self.collecting.sitting(f"{self.name}-{self.n_sent}", self.draws)
        status = server.post(json.dumps(self.waiting).encode())
        path = self.collecting.path(self.waiting)
        if status in (200, 201):
            self.last_number = self.collecting.acknowledge(self.waiting, self.last_number)
            self.waiting = None
        elif status == 500 and path.exists():
            raise Failed(f"collect: it says that it did not keep {path.name}, which is there")
        elif status not in (None, 500):
            raise Failed(f"collect: a sound answer gets {status}")
        return status


class Collecting(Torture):
    """The server, and what browsers were told."""

    def __init__(self, binary: Path, work: Path, name: str):
        self.binary, self.work, self.name = binary, work, name
        self.state = work / "state"
        self.answers = self.state / "answers"
        survey = ["--survey", str(work / "survey")]
        self.words = [str(binary), "survey", "collect", str(self.answers), *survey, "--port", "0"]
        self.read = [str(binary), "survey", "read", str(self.answers), *survey, "--keep-failed", "--quiet"]
        self.survey = json.loads((work / "survey/survey.json").read_text())
        self.faults = work / "faults"
        self.n_servers = 0
        self.prepare()

    def fresh(self) -> None:
        super().fresh()
        self.sent: dict[str, dict[str, Any]] = {}
        self.acknowledged: dict[str, bytes] = {}

    def serve(self, before: list[str] | None = None) -> Server:
        self.n_servers += 1
        said = self.work / "tmp" / f"said-{self.n_servers}"
        return Server([*(before or []), *self.words], self.environment(), said)

    def sitting(self, result: str, draws: random.Random) -> dict[str, Any]:
        """Answers to one of the pages, as a page sends them."""
        page = draws.choice(self.survey["pages"])
        checks = {"identical": 5, "mismatched": 1}
        ratings = [checks.get(trial["kind"], draws.randint(1, 5)) for trial in page["trials"]]
        answers = {
            "format": "neurogauge-survey-result",
            "version": 1,
            "survey": self.survey["survey"],
            "page": page["id"],
            "result": result,
            "rater": result,
            "ratings": {question["id"]: ratings for question in self.survey["questions"]["questions"]},
            "seconds": [2.5] * len(ratings),
        }
        self.sent[self.path(answers).name] = answers
        return answers

    def path(self, answers: dict[str, Any]) -> Path:
        return self.answers / f"{answers['page']}-{answers['result']}.json"

    def acknowledge(self, answers: dict[str, Any], last_number: int) -> int:
        """The number of arrival of answers that a server has just acknowledged."""
        path = self.path(answers)
        if not path.exists():
            raise Failed(f"collect: {path.name} was acknowledged and is not there")
        self.acknowledged[path.name] = path.read_bytes()
        number = self.stored(path)["received"]["number"]
        if number <= last_number:
            raise Failed(f"collect: {path.name} has number {number}, after one with {last_number}")
        return number

    def stored(self, path: Path) -> dict[str, Any]:
        try:
            return json.loads(path.read_bytes())
        except ValueError as error:
            raise Failed(f"collect: {path.name} is torn: {error}") from error

    def age(self) -> None:
        for path in self.answers.rglob(".*.tmp"):
            os.utime(path, (0, 0))

    def compare(self, after: str, n_servers: int = 1) -> None:
        """All that was acknowledged is there as it was; the rest is whole; numbers are in the order of arrival."""
        found = files(self.answers)
        numbers = []
        for name, content in self.acknowledged.items():
            if found.get(name) != content:
                raise Failed(f"collect, {after}: {name} {'differs' if name in found else 'is missing'}")
        for name in found:
            if name.startswith("."):
                continue
            stored = self.stored(self.answers / name)
            numbers.append(stored.pop("received")["number"])
            if stored != self.sent.get(name):
                raise Failed(f"collect, {after}: {name} is not what was sent")
        # Two servers of one folder may give one number to answers that come at the same time.
        if n_servers == 1 and sorted(numbers) != list(range(1, len(numbers) + 1)):
            raise Failed(f"collect, {after}: numbers {sorted(numbers)}")

    def finish(self, after: str, browsers: list[Browser], n_servers: int = 1) -> None:
        """A new server takes what still waits; then no other file is left, and all can be read."""
        self.compare(after, n_servers)
        self.age()
        server = self.serve()
        for browser in browsers:
            while browser.waiting:
                if browser.send(server) not in (200, 201):
                    raise Failed(f"collect, {after}: a new server refuses answers\n{server.said.read_text()}")
        server.end(signal.SIGTERM)
        self.compare(after, n_servers)
        if found := files(self.answers).keys() - self.acknowledged.keys():
            raise Failed(f"collect, {after}: it leaves {sorted(found)}")
        if self.acknowledged:
            read = self.run([*self.read, "--out", str(self.state / "ratings")])
            if read.returncode != 0:
                raise Failed(f"collect, {after}: {read.stderr}")
            n_raters = len(json.loads((self.state / "ratings/read.json").read_text())["raters"])
            if n_raters != len(self.acknowledged):
                raise Failed(f"collect, {after}: {n_raters} raters of {len(self.acknowledged)} answers")

    def count(self) -> int:
        report = self.work / "report"
        server = self.serve([str(self.faults), "--below", str(self.state), "--report", str(report), "--"])
        browser = Browser("a", self, random.Random(1))
        for _ in range(N_SITTINGS):
            if browser.send(server) != 201:
                raise Failed(f"collect: {server.said.read_text()}")
        server.end(signal.SIGTERM)
        return int(report.read_text().split()[0])

    def undisturbed(self, after: str) -> None:
        browser = Browser("a", self, random.Random(1))
        server = self.serve()
        for _ in range(N_SITTINGS):
            browser.send(server)
        server.end(signal.SIGTERM)
        self.finish(after, [browser])

    def point(self, how: str, at: int) -> None:
        self.fresh()
        report = self.work / "report"
        options = ["--below", str(self.state), "--report", str(report), "--at", str(at), "--how", how, "--"]
        server = self.serve([str(self.faults), *options])
        browser = Browser("a", self, random.Random(1))
        try:
            for _ in range(N_SITTINGS):
                browser.send(server)
        except Failed as failure:
            raise Failed(f"{failure}, {how} at call {at}") from failure
        finally:
            code = server.end(signal.SIGTERM)
        said = server.said.read_text(errors="replace")
        hit = report.read_text().strip().replace(str(self.state), "")
        after = f"{how} at call {at} of {self.calls} ({hit})"
        if "panicked" in said or (server.address is None and code not in (1, 137)):
            raise Failed(f"collect, {after}: exit {code}\n{said}")
        if server.address is None and code == 1 and "error: " not in said:
            raise Failed(f"collect, {after}: it failed without a word\n{said}")
        self.finish(after, [browser])
        self.done[how] += 1

    def served(self, browsers: list[Browser], servers: list[Server], draws: random.Random, seconds: float) -> None:
        """Browsers send to any of the servers until one server is killed."""
        is_over = threading.Event()
        failures: list[Failed] = []

        def browse(browser: Browser) -> None:
            try:
                while not is_over.is_set():
                    browser.send(browser.draws.choice(servers))
            except Failed as failure:
                failures.append(failure)

        threads = [threading.Thread(target=browse, args=(browser,)) for browser in browsers]
        for thread in threads:
            thread.start()
        time.sleep(draws.uniform(0, seconds))
        servers[0].end(signal.SIGKILL)
        is_over.set()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]

    def kills(self, draws: random.Random, seconds: float) -> None:
        """Up to three in a row."""
        self.fresh()
        browsers = [Browser(name, self, random.Random(draws.random())) for name in "abcd"[:N_BROWSERS]]
        n = draws.randint(1, 3)
        for number in range(n):
            self.age()
            self.served(browsers, [self.serve()], draws, seconds)
            self.compare(f"kill {number + 1}")
            self.done["random kills"] += 1
        self.done["answers under kills"] += len(self.acknowledged)
        self.finish(f"{n} random kills", browsers)

    def writers(self, draws: random.Random, seconds: float) -> None:
        """Two servers of one folder, of which one is killed."""
        self.fresh()
        browsers = [Browser(name, self, random.Random(draws.random())) for name in "abcd"[:N_BROWSERS]]
        servers = [self.serve(), self.serve()]
        self.served(browsers, servers, draws, seconds)
        for browser in browsers:
            browser.send(servers[1])
        servers[1].end(signal.SIGTERM)
        self.done["answers of two writers"] += len(self.acknowledged)
        self.finish("two writers", browsers, n_servers=2)
        self.done["two writers"] += 1

    def read_only(self) -> None:
        """The server does not start where it could not keep anything."""
        self.fresh()
        self.answers.mkdir()
        self.answers.chmod(0o555)
        ran = self.run(self.words, NOBODY if os.geteuid() == 0 else None)
        self.answers.chmod(0o755)
        self.accept(ran, "the folder of answers is read-only")
        if ran.returncode == 0 or files(self.state):
            raise Failed(f"collect, read-only: exit {ran.returncode}, it leaves {sorted(files(self.state))}")
        self.done["read-only"] += 1
