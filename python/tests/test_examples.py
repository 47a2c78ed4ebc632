"""The examples run, and show what they say."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import pytest

from neurogauge import _command

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
# `make docs` runs them too, and shows their figures.
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def shell(words: str) -> None:
    """What a line with `!` does; the command is the package's own, installed or not."""
    program, *arguments = words.split()
    assert program == "neurogauge"
    assert _command.main(arguments) == 0


def test_there_are_three_notebooks():
    assert len(NOTEBOOKS) == 3
    # One set: the examples have no notebooks of their own.
    assert not list(EXAMPLES.glob("*.ipynb"))


@pytest.mark.filterwarnings("ignore:.*non-interactive")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run_from_top_to_bottom(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = json.loads(path.read_text(encoding="utf-8"))
    names = {"__name__": "__main__", "shell": shell}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            source = re.sub(r"^!(.*)$", r"shell('\1')", "".join(cell["source"]), flags=re.MULTILINE)
            exec(compile(source, f"{path.name}, {cell['id']}", "exec"), names)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_of_version_4_and_hold_no_output(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in notebook["cells"]:
        assert cell["cell_type"] in ("code", "markdown")
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
    try:
        import nbformat
    except ModuleNotFoundError:
        return
    nbformat.validate(notebook)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_clean_and_compile(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    assert notebook["metadata"] == {"kernelspec": python, "language_info": {"name": "python"}}
    assert notebook["cells"][0]["source"][0].startswith("# ")
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        assert cell["metadata"] == {}, cell["id"]
        # A path of one machine, or of this repository: the notebooks are run where neither is.
        assert not re.search(r"""["'`(](/|~|[A-Za-z]:\\|\.\./)""", source), cell["id"]
        if cell["cell_type"] == "code":
            compile(source, f"{path.name}, {cell['id']}", "exec")
            draws = "plt.show()" in source
            assert draws == source.startswith("# Figure: "), cell["id"]


def test_the_order_loss_helps_a_decoder(capsys):
    path = EXAMPLES / "train_decoder_with_order_loss.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    for seed in ("0", "1"):
        results = example.main(["--steps", "80", "--seed", seed])
        plain, with_order = results["MSE"], results["MSE + order"]
        for figure in ("order agreement", "top-1 retrieval", "two-way"):
            assert with_order[figure] > plain[figure] + 0.01, figure
    assert "order agreement" in capsys.readouterr().out
