"""The examples run, and show the described output."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from neurogauge import _command

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
# `make docs` runs them too, and shows their figures.
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def shell(words: str) -> None:
    """Runs a line with `!`; the command is the package's own, installed or not."""
    program, *arguments = words.split()
    assert program == "neurogauge"
    assert _command.main(arguments) == 0


def test_there_are_four_notebooks():
    assert len(NOTEBOOKS) == 4
    # There is one set of notebooks: the examples have none of their own.
    assert not list(EXAMPLES.glob("*.ipynb"))


def texts_of(source: str, name: str, names: dict[str, Any]) -> list[str]:
    """Runs a cell; returns its output and its last expression, as a notebook shows them."""
    body = ast.parse(source).body
    last = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(ast.Module(body, []), name, "exec"), names)
        value = eval(compile(last, name, "eval"), names) if last else None
    found = [printed.getvalue()] if printed.getvalue() else []
    if value is not None:
        found.append(repr(value))
        if hasattr(value, "_repr_html_"):
            found.append(value._repr_html_())
    return found


@pytest.mark.filterwarnings("ignore:.*non-interactive")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_show_what_their_cells_give(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = json.loads(path.read_text(encoding="utf-8"))
    needs = notebook["metadata"].get("neurogauge", {}).get("needs")
    if needs is not None:
        pytest.skip(f"needs the folder {needs}, which is not part of the project")
    names = {"__name__": "__main__", "shell": shell}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            source = re.sub(r"^!(.*)$", r"shell('\1')", "".join(cell["source"]), flags=re.MULTILINE)
            # Only figures show the means over these surveys, and `make docs` draws them.
            source = source.replace("n_surveys=40", "n_surveys=1")
            shown = []
            for output in cell["outputs"]:
                data = output.get("data", {"text/plain": output.get("text")})
                shown += ["".join(data[kind]) for kind in ("text/plain", "text/html") if kind in data]
            told = "write them again with `docs/build/notebooks.py --write` (make notebooks)"
            assert texts_of(source, f"{path.name}, {cell['id']}", names) == shown, f"{cell['id']}: {told}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_of_version_4_and_hold_their_outputs(path):
    text = path.read_text(encoding="utf-8")
    assert len(text) < 300_000
    notebook = json.loads(text)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    codes = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert {cell["cell_type"] for cell in notebook["cells"]} <= {"code", "markdown"}
    # Every cell was run once, in order.
    assert [cell["execution_count"] for cell in codes] == list(range(1, len(codes) + 1))
    for cell in codes:
        pictures = 0
        for output in cell["outputs"]:
            assert output["output_type"] in ("stream", "display_data", "execute_result"), cell["id"]
            assert output.get("name", "stdout") == "stdout" and output.get("metadata", {}) == {}, cell["id"]
            data = output.get("data", {"text/plain": output.get("text")})
            assert set(data) <= {"text/plain", "text/html", "image/png"}, cell["id"]
            pictures += "image/png" in data
            for words in ("".join(data[kind]) for kind in data if kind != "image/png"):
                # No path of a machine, and no terminal colours.
                assert not re.search(r"""(?:^|[\s"'`(=])(/\w|~/|[A-Za-z]:\\)|\x1b""", words), cell["id"]
        assert pictures == "".join(cell["source"]).startswith("# Figure: "), cell["id"]
    try:
        import nbformat
    except ModuleNotFoundError:
        return
    nbformat.validate(notebook)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_clean_and_compile(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {key: value for key, value in notebook["metadata"].items() if key != "neurogauge"}
    assert metadata == {"kernelspec": python, "language_info": {"name": "python"}}
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


def example_of(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    return example


def test_the_order_loss_helps_a_decoder(capsys):
    example = example_of("train_decoder_with_order_loss")
    for seed in ("0", "1"):
        results = example.main(["--steps", "80", "--seed", seed])
        plain, with_order = results["MSE"], results["MSE + order"]
        for figure in ("order agreement", "top-1 retrieval", "two-way"):
            assert with_order[figure] > plain[figure] + 0.01, figure
    assert "order agreement" in capsys.readouterr().out


def test_a_metric_rises_while_a_decoder_is_trained_in_pytorch(capsys, monkeypatch):
    pytest.importorskip("torch")
    monkeypatch.syspath_prepend(EXAMPLES)
    example = example_of("train_decoder_in_pytorch")
    with_order, without = (example.main(["--epochs", "13", "--weight", weight]) for weight in ("10", "0"))
    assert [(epoch, weight) for epoch, weight, _ in with_order] == [(0, 0.0), (4, 0.0), (8, 10.0), (12, 10.0)]
    first, last = with_order[0][2], with_order[-1][2]
    for figure in ("order agreement", "top-1 retrieval", "two-way"):
        assert last[figure] > first[figure] + 0.03, figure
    assert last["order agreement"] > without[-1][2]["order agreement"] + 0.01
    assert "epoch 12, weight 10.0" in capsys.readouterr().out
