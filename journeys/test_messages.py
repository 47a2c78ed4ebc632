"""Tests that the messages which troubleshooting explains are the program's: each piece between `...` is in a string of
its sources."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "pages" / "help" / "troubleshooting.md"
CELLS = re.findall(r"^\| (.*?) \| ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
MESSAGES = [message for cell in CELLS for message in re.findall(r"`([^`]+)`", cell)]


@cache
def strings() -> str:
    """All strings of Rust's sources. Those that continue in the next line are joined."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("crates/*/src/**/*.rs")))
    text = re.sub(r"^\s*//.*\n", "", re.sub(r"\\\n\s*", "", text), flags=re.MULTILINE)
    return "\n".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', text))


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_of_troubleshooting_is_one_of_the_program(message: str) -> None:
    pieces = [piece for piece in re.split(r"\s*\.\.\.\s*", message) if piece]
    assert [piece for piece in pieces if piece not in strings()] == []
