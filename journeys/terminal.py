"""Runs a command in a terminal, and reads what a person sees there.

The command runs in a pseudo-terminal of a given width; a terminal emulator (pyte) keeps the screen. Output into a pipe
is read without a terminal."""

from __future__ import annotations

import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pyte
from ptyprocess import PtyProcess

# More lines than any command prints, so that nothing scrolls away.
ROWS = 2000
SECONDS = 300
# How an escape code looks if it shows as text: the escape spelt out, or the rest without it.
AS_TEXT = re.compile(r"\\u\{1b\}|\\x1b|\\e\[|\x1b|(?<!\w)\[\d*(;\d+)*m")
NUMBER = re.compile(r"[\[(]*[-+−]?\d[\d.,]*(e[-+]?\d+)?%?[\])]*[.,;:]?")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# Colours, and what moves the cursor or clears a line, as bars of progress do.
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# Lines that are copied whole, usage, and what the parser of arguments says, which it does not wrap.
WHOLE = re.compile(r"\s*(\S*neurogauge |\S*://|Usage: |error: unexpected argument '|tip: )")


@dataclass(frozen=True)
class Shown:
    """What a command left on the screen, everything that it wrote, and its exit code."""

    lines: list[str]
    raw: str
    code: int
    columns: int

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def colours(self) -> bool:
        return COLOUR.search(self.raw) is not None

    def broken_numbers(self) -> list[str]:
        """Lines that end at the right edge in the middle of a number, which continues below."""
        return [
            f"{above}\n{below}"
            for above, below in zip(self.lines, self.lines[1:], strict=False)
            if len(above) == self.columns
            and below[:1].strip()
            and NUMBER.fullmatch(above.split(" ")[-1] + below.split(" ")[0])
        ]

    def wide_lines(self) -> list[str]:
        """Lines of several words that are wider than the terminal. Commands and addresses are copied whole, and a word
        is not divided."""
        written = [line.split("\r")[-1] for line in ESCAPE.sub("", self.raw).replace("\r\n", "\n").split("\n")]
        fits = self.columns - 8
        return [
            line
            for line in written
            if len(line) > self.columns
            and not WHOLE.match(line)
            and len(line.split()) > 1
            and all(len(word) < fits for word in line.split(" "))
        ]


def run(
    words: list[str], here: Path, environment: dict[str, str], columns: int, keys: dict[str, str] | None = None
) -> Shown:
    """Runs a command in a terminal with this many columns. Once a text of `keys` is on the screen, its keys are typed,
    in order."""
    screen = pyte.Screen(columns, ROWS)
    stream = pyte.Stream(screen)
    process = PtyProcess.spawn(
        words, cwd=str(here), env={**environment, "TERM": "xterm-256color"}, dimensions=(ROWS, columns)
    )
    waiting = list((keys or {}).items())
    raw = b""
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        try:
            read = process.read(65536)
        except EOFError:
            break
        raw += read
        stream.feed(read.decode("utf-8", errors="replace"))
        if waiting and waiting[0][0] in "\n".join(screen.display):
            process.write(waiting.pop(0)[1].encode())
    process.wait()
    # pexpect would wait before it closes the terminal of a program that has ended.
    process.delayafterclose = 0
    process.close()
    # Not `screen.display`, which renders all rows.
    rows = {place: row for place, row in screen.buffer.items() if row}
    lines = [
        "".join(rows[y][x].data for x in range(columns)).rstrip() if y in rows else ""
        for y in range(max(rows, default=-1) + 1)
    ]
    while lines and not lines[-1]:
        lines.pop()
    code = process.exitstatus if process.exitstatus is not None else -(process.signalstatus or 0)
    return Shown(lines, raw.decode("utf-8", errors="replace"), code, columns)


def pipe(words: list[str], here: Path, environment: dict[str, str]) -> Shown:
    """Runs a command whose output goes into a pipe."""
    ran = subprocess.run(
        words,
        cwd=here,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    raw = ran.stderr + ran.stdout
    return Shown(raw.splitlines(), raw, ran.returncode, 10**9)
