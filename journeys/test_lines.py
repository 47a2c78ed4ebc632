"""Tests the guards against growth: what bench/lines.py counts, and what it accepts on a branch."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "bench" / "lines.py"
SOURCE = "//! A crate.\n" + "fn f() {}\n" * 199
INLINE = "\n#[cfg(test)]\n#[allow(clippy::unwrap_used)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n"
GUARDS = "guard,n\ncircles,2\n"


@pytest.fixture
def lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, in a repository with one crate whose branch has begun."""
    spec = importlib.util.spec_from_file_location("lines", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr("sys.argv", ["lines.py"])
    for name, text in {
        "crates/python/Cargo.toml": "",
        "crates/a/Cargo.toml": "",
        "crates/a/src/lib.rs": f"{SOURCE}#[cfg(test)]\nmod apart;\n{INLINE}",
        "crates/a/src/apart.rs": "fn t() {}\n" * 5,
        "crates/a/tests/a/main.rs": "fn t() {}\n" * 7,
        "docs/pages/index.md": "# Three words\n",
        "bench/guards.csv": GUARDS,
    }.items():
        write(tmp_path / name, text)
    module.main()
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    commit(tmp_path)
    git(tmp_path, "switch", "--quiet", "--create", "branch")
    return module


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments], cwd=folder, check=True)


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=x")


def test_source_inline_tests_and_tests_are_counted_apart(lines: ModuleType) -> None:
    # The blank line above the inline tests is source; `mod apart;` with its attribute and file, and the module below,
    # are tests.
    assert lines.counted()["a"] == (201, 2 + 5 + 6, 7)
    assert lines.counted()["docs"] == (3, 0, 0)


def test_growth_on_a_branch_needs_a_reason(lines: ModuleType, tmp_path: Path) -> None:
    assert lines.faults() == []
    code = tmp_path / "crates/a/src/lib.rs"
    text = code.read_text(encoding="utf-8")
    write(code, text + "fn g() {}\n" * 2)
    (stale,) = lines.faults()
    assert "make written" in stale
    lines.main()
    assert lines.faults() == []
    # Two commits of 1% each are 2% of the branch, regardless of the first one's table.
    commit(tmp_path)
    write(code, text + "fn g() {}\n" * 4)
    lines.main()
    (grown,) = lines.faults()
    assert "a has grown, source from 201 to 205" in grown
    table = tmp_path / "bench/lines.csv"
    write(table, table.read_text(encoding="utf-8").replace("a,205,13,7,\n", "a,205,13,7,It does more.\n"))
    assert lines.faults() == []
    lines.main()
    assert "It does more." in table.read_text(encoding="utf-8")
    # On the next branch, the reason belongs to an earlier growth.
    commit(tmp_path)
    git(tmp_path, "branch", "--force", "main")
    git(tmp_path, "switch", "--quiet", "--create", "next")
    write(code, text + "fn g() {}\n" * 9)
    commit(tmp_path)
    assert any("has grown, source from 205 to 210" in fault for fault in lines.faults())


def test_counts_of_guards_only_shrink(lines: ModuleType, tmp_path: Path) -> None:
    for n, is_let_pass in [(1, True), (2, True), (3, False)]:
        write(tmp_path / "bench/guards.csv", f"guard,n\ncircles,{n}\n")
        assert (lines.faults() == []) == is_let_pass


def test_without_history_the_tables_are_those_that_are_there(lines: ModuleType, tmp_path: Path) -> None:
    (tmp_path / ".git").rename(tmp_path / "no-git")
    assert lines.faults() == []
    write(tmp_path / "bench/guards.csv", "guard,n\ncircles,3\n")
    assert lines.faults() == []
