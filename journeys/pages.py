"""Runs the commands and the Python of a page as its reader would, and compares what they print.

A `console` block has lines that begin with `$ ` (a command, which continues after a backslash or in lines that begin
with `> `), each followed by its output. `...` stands for any text, as in doctest: for text that differs from run to run
(times, paths) and for lines that are left out. The output of a command with nothing below it is not compared. A command
that shows an error must fail; all others must succeed.

A comment `# needs ...` says why a command cannot be run here (a network, a GPU, data that cannot be redistributed). It
informs the reader of the page, and the tests list it.

A `toml` block whose first line is a comment with the name of a file, `# study.toml: ...`, is that file.

Blocks of one page run in their order in one folder: `cd` and `export` last until its end, and so do Python's names. A
`text` block directly below a `python` block is its output."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shutil
import subprocess
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)$")
IS_FILE = re.compile(r"# (?P<name>[\w-]+\.toml)\b")
NOT_RUN = re.compile(r"#\s+(?P<reason>needs [^#]*)$")
FAILS = re.compile(r"^(error|problem):", re.MULTILINE)
# Longer than any command in a page takes on a busy machine.
SECONDS = 300


@dataclass(frozen=True)
class Step:
    """A command or a piece of Python, and the lines of the page with its output: from `first` to before `last`."""

    language: str
    line: int
    source: str
    first: int
    last: int
    shown: str
    indent: str = ""

    @property
    def reason(self) -> str | None:
        """Why it cannot be run here."""
        found = NOT_RUN.search(self.source.splitlines()[0] if self.language == "python" else self.source)
        return found["reason"].strip() if found else None


def blocks(lines: list[str]) -> Iterator[tuple[str, int, int, str]]:
    """Language, first line, line of the closing fence, and indentation of each fenced block."""
    opened: tuple[str, int, str] | None = None
    for number, line in enumerate(lines):
        found = FENCE.match(line)
        if opened is None and found:
            opened = (found["language"], number + 1, found["indent"])
        elif opened is not None and line.strip() == "```":
            yield opened[0], opened[1], number, opened[2]
            opened = None


def commands(lines: list[str], first: int, end: int, indent: str) -> Iterator[Step]:
    """The commands of a `console` block."""
    number = first
    while number < end:
        start = number
        text = lines[number].removeprefix(indent)
        if not text.startswith("$ "):
            raise AssertionError(f"line {number + 1}: a console block begins with a command, `$ ...`")
        words = [text[2:]]
        number += 1
        while words[-1].endswith("\\") or lines[number].removeprefix(indent).startswith("> "):
            words.append(lines[number].removeprefix(indent).removeprefix("> "))
            number += 1
        below = number
        while number < end and not lines[number].removeprefix(indent).startswith("$ "):
            number += 1
        shown = "\n".join(line.removeprefix(indent) for line in lines[below:number])
        yield Step("console", start + 1, "\n".join(words), below, number, shown, indent)


def steps(text: str) -> list[Step]:
    """Everything in a page that can be run, in order."""
    lines = text.splitlines()
    found: list[Step] = []
    fences = list(blocks(lines))
    for place, (language, first, end, indent) in enumerate(fences):
        if language == "console":
            found += commands(lines, first, end, indent)
        elif language in ("python", "toml"):
            source = "\n".join(line.removeprefix(indent) for line in lines[first:end])
            follows = fences[place + 1] if place + 1 < len(fences) else None
            prints = (
                language == "python"
                and follows is not None
                and follows[0] == "text"
                and not "".join(lines[end + 1 : follows[1] - 1]).strip()
            )
            below, last = (follows[1], follows[2]) if follows is not None and prints else (end, end)
            shown = "\n".join(line.removeprefix(indent) for line in lines[below:last])
            if language == "python" or IS_FILE.match(source):
                found.append(Step(language, first + 1, source, below, last, shown, indent))
    return found


def agrees(shown: str, printed: str) -> bool:
    """Does the output match the page, where `...` stands for any text?"""

    def trimmed(text: str) -> str:
        return "".join(line.rstrip() + "\n" for line in text.strip("\n").splitlines())

    return doctest.OutputChecker().check_output(trimmed(shown), trimmed(printed), doctest.ELLIPSIS)


class Reader:
    """A reader who has this program on the PATH and works through a page in a folder of their own."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.folder = folder
        self.environment = environment
        self.names: dict[str, object] = {"__name__": "__main__"}
        self.state = folder.parent / "state.sh"

    def run(self, step: Step) -> tuple[int, str]:
        """Exit code and output, both streams in the order of their lines."""
        return {"console": self.command, "python": self.python, "toml": self.write}[step.language](step)

    def write(self, step: Step) -> tuple[int, str]:
        found = IS_FILE.match(step.source)
        assert found is not None
        (self.folder / found["name"]).write_text(f"{step.source}\n", encoding="utf-8")
        return 0, ""

    def command(self, step: Step) -> tuple[int, str]:
        script = f"""
            [ ! -e "$STATE" ] || . "$STATE"
            {step.source}
            code=$?
            {{ export -p; printf 'cd %q\\n' "$PWD"; }} > "$STATE"
            exit $code
        """
        ran = subprocess.run(
            ["bash", "-c", "\n".join(line.strip() for line in script.splitlines())],
            cwd=self.folder,
            env={**self.environment, "STATE": str(self.state)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        return ran.returncode, ran.stdout

    def python(self, step: Step) -> tuple[int, str]:
        printed = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(printed):
            try:
                exec(compile(step.source, f"line {step.line}", "exec"), self.names)
            except Exception:
                return 1, f"{printed.getvalue()}{traceback.format_exc()}"
        return 0, printed.getvalue()


def environment(binary: Path, home: Path) -> dict[str, str]:
    """A newcomer's environment: nothing cached, no settings, no network, the program and this Python on the PATH."""
    path = os.pathsep.join([str(binary.parent), str(Path(sys.executable).parent), without_slurm(home)])
    return {
        "PATH": path,
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "HOME": str(home),
        "NEUROGAUGE_CACHE": str(home / "cache"),
        "LANG": "C.UTF-8",
        "MPLBACKEND": "agg",
        "HF_HUB_OFFLINE": "1",
        "WNSEARCHDIR": os.environ.get("NEUROGAUGE_TEST_WORDNET", ""),
    }


def without_slurm(home: Path) -> str:
    """The PATH of a machine without SLURM, so that no page can submit a job: links to all other programs."""
    path = os.environ["PATH"]
    if not shutil.which("sbatch"):
        return path
    programs = home / "programs"
    programs.mkdir(exist_ok=True)
    for folder in map(Path, path.split(os.pathsep)):
        for program in folder.iterdir() if folder.is_dir() else ():
            link = programs / program.name
            if program.name != "sbatch" and not link.is_symlink():
                link.symlink_to(program)
    return str(programs)


def faults(text: str, reader: Reader, write: bool) -> tuple[list[str], str]:
    """What does not work as the page says, and the corrected page; `write` also updates outputs that are shown in
    full."""
    lines = text.splitlines()
    wrong: list[str] = []
    filled: list[tuple[Step, str]] = []
    for step in steps(text):
        if step.reason:
            continue
        code, printed = reader.run(step)
        fails = bool(FAILS.search(step.shown))
        if write and step.shown == "?":
            filled.append((step, printed))
        elif fails != (code != 0):
            wrong.append(f"line {step.line}: exit code {code}\n$ {step.source}\n{printed}")
        elif step.shown and not agrees(step.shown, printed):
            if write and "..." not in step.shown:
                filled.append((step, printed))
            else:
                wrong.append(
                    f"line {step.line}: other output\n$ {step.source}\n--- shown\n{step.shown}\n--- printed\n{printed}"
                )
    for step, printed in reversed(filled):
        lines[step.first : step.last] = [(step.indent + line).rstrip() for line in printed.strip("\n").splitlines()]
    return wrong, "\n".join(lines) + "\n"
