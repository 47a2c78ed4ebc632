"""Writes the pages of the documentation into .docs/pages, ready for the generator.

Pages written by hand (docs/pages) are copied. These are generated:
- conventions/: docs/pages/conventions, with the question of each id and the metrics that depend on it;
- reference/metrics/<id>.md: a page for each metric, out of docs/metrics.json (what the registry says);
- reference/python.md: a directive for each public name of the package;
- a page for each of the files in PROJECT_FILES;
- assets/site.css: the palette, the text and the tables of the pages (pages/parts/tokens.css, text.css), and how the
  site uses them (docs/build/site.css).

Links to files of the repository become links to their pages. One that leads nowhere is an error.
"""

import ast
import json
import posixpath
import re
import shutil
from pathlib import Path

import jsonschema

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "pages"
STAGED = ROOT / ".docs" / "pages"

# Files of the repository that are also pages of the site.
PROJECT_FILES = {
    "CHANGELOG.md": "project/changes.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "ARCHITECTURE.md": "project/architecture.md",
    "crates/README.md": "project/crates.md",
}

# Modules of the package, some of whose public names are in a file written from the registry.
WRITTEN = {"neurogauge.metrics": "_from_registry.py", "neurogauge.metrics.classes": "_classes_from_registry.py"}

LINK = re.compile(r"(\]\()([^)#\s]*)(#[^)\s]*)?(\))")
CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


def with_links(text: str, at: str, staged_at: str) -> str:
    """The text of the file `at` (a path in the repository), with links that work on the page `staged_at`."""

    def link(found: re.Match[str]) -> str:
        begin, target, anchor, end = found.group(1), found.group(2), found.group(3) or "", found.group(4)
        if not target or "://" in target or target.startswith("mailto:"):
            return found.group(0)
        aim = posixpath.normpath(posixpath.join(posixpath.dirname(at), target))
        if aim in PROJECT_FILES:
            page = PROJECT_FILES[aim]
        elif aim.startswith("docs/pages/"):
            page = aim.removeprefix("docs/pages/")
        elif aim.startswith("docs/notebooks/"):
            page = aim.removeprefix("docs/").replace(".ipynb", ".md")
        else:
            raise SystemExit(f"{at}: the link to {target} leads to no page")
        return begin + posixpath.relpath(page, posixpath.dirname(staged_at) or ".") + anchor + end

    parts = CODE.split(text)
    return "".join(part if place % 2 else LINK.sub(link, part) for place, part in enumerate(parts))


def stage(name: str, text: str) -> None:
    page = STAGED / name
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")


def convention_pages() -> dict[str, str]:
    """The page that explains each convention, by its id."""
    pages = sorted((PAGES / "conventions").glob("*.md"))
    return {
        id: page.name
        for page in pages
        for id in re.findall(r"(?m)^## `([a-z0-9-]+)`$", page.read_text(encoding="utf-8"))
    }


def convention_questions() -> dict[str, str]:
    """The question that each convention answers, by its id: the list of the index."""
    index = (PAGES / "conventions" / "index.md").read_text(encoding="utf-8")
    return dict(re.findall(r"(?m)^- \[`([a-z0-9-]+)`\]\([^)]*\): (.*)$", index))


def settings_by_section() -> dict[str, list[str]]:
    """What `--set` takes, by the section that explains it: the lines below the questions of the index."""
    index = (PAGES / "conventions" / "index.md").read_text(encoding="utf-8")
    sections = re.findall(r"(?m)^- \[`([a-z0-9-]+)`\].*\n((?:    - `.*\n)*)", index)
    return {id: re.findall(r"(?m)^    - (.*)$", lines) for id, lines in sections}


def conventions(text: str, questions: dict[str, str], users: dict[str, list[tuple[str, str]]]) -> str:
    """A page of conventions. Each section begins with its question, and after the answer lists what can be set and the
    metrics that depend on it."""
    settings = settings_by_section()

    def with_question_and_metrics(section: re.Match[str]) -> str:
        heading, id, answer = section["heading"], section["id"], section["answer"]
        metrics = ", ".join(f"[{label}](../reference/metrics/{metric}.md)" for metric, label in users.get(id, []))
        further = [("Settings", ", ".join(settings.get(id, []))), ("Metrics", metrics)]
        lines = (f"\n**{name}.** {words}\n" for name, words in further if words)
        return f"{heading}*{questions[id]}*\n\n{answer}{''.join(lines)}"

    section = r"(?ms)^(?P<heading>## `(?P<id>[a-z0-9-]+)`\n\n)(?P<answer>.*?\n(?=\n|\Z))"
    return re.sub(section, with_question_and_metrics, text)


def metric_page(metric: dict, labels: dict[str, str], explained: dict[str, str]) -> str:
    """The page of a metric."""
    low, high = (str(edge).removesuffix(".0") for edge in metric["range"])
    facts = [
        ("id", f"`{metric['id']}`"),
        ("group in tables", metric["group"]),
        ("direction", f"{metric['direction']} is better"),
        ("range", f"{low} to {high}"),
        ("chance", "not known" if metric["chance"] is None else f"{metric['chance']:.3g}"),
    ]
    if metric["compares"]:
        facts.append(("compares", metric["compares"].replace("_", " ")))
    if metric["features"]:
        facts.append(("features", ", ".join(f"`features/{name}.npy`" for name in metric["features"])))
    if metric["parts"]:
        facts.append(("is made of", ", ".join(f"[{labels[part]}]({part}.md)" for part in metric["parts"])))
    by_id = "only where it is asked for by its id" if metric["on_request"] else "wherever the inputs allow it"
    facts.append(("computed", by_id))
    if metric["lists"]:
        facts.append(("also by", ", ".join(f"`--metrics {name}`" for name in metric["lists"])))
    lines = [f"# {metric['label']}", "", f"{metric['about']}.", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in facts]
    lines += [
        "",
        "```console",
        f"$ neurogauge score stimuli decoded --metrics {metric['id']} --out runs/mine",
        "```",
        "",
    ]
    if metric["definition"]:
        # Markdown needs an empty line before a list here; rustdoc does not.
        definition = re.sub(r"(?m)^((?!- | |```).+)\n(?=- )", r"\1\n\n", metric["definition"])
        lines += ["## Definition", "", definition, ""]
    lines += ["## Conventions", "", "These choices decide its number:", ""]
    lines += [f"- [`{name}`](../../conventions/{explained[name]}#{name})" for name in metric["conventions"]]
    return "\n".join(lines) + "\n"


def public_names(path: Path) -> list[str]:
    """A module's `__all__`, read without running the module."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(getattr(target, "id", None) == "__all__" for target in targets):
            # For `[..., *other.__all__]`, only the names that are spelt out here.
            return [item.value for item in node.value.elts if isinstance(item, ast.Constant)]
    raise SystemExit(f"{path} has no __all__")


def python_page() -> str:
    package = ROOT / "python" / "neurogauge"
    modules = {"neurogauge": package / "__init__.py"}
    for name in ("metrics", "metrics.classes", "stats", "survey", "models", "align", "losses"):
        place = package / name.replace(".", "/")
        inner = place / "__init__.py"
        modules[f"neurogauge.{name}"] = inner if inner.exists() else place.with_suffix(".py")
    lines = [
        "# Python",
        "",
        "`import neurogauge as ng`. [Use it from Python](../how-to/python.md) shows how the parts go together.",
        "",
    ]
    shown = set()
    for module, path in modules.items():
        names = public_names(path)
        if module in WRITTEN:
            names = sorted({*names, *public_names(package / "metrics" / WRITTEN[module])})
        if module == "neurogauge":
            of_metrics = {
                *public_names(package / "metrics" / "__init__.py"),
                *public_names(package / "metrics" / "_from_registry.py"),
            }
            # The modules have their own sections, and so do the metrics that are also available at the top.
            names = [
                name
                for name in names
                if f"neurogauge.{name}" not in modules and name not in of_metrics and name != "__version__"
            ]
        lines += [f"## {module}", ""]
        for name in names:
            if name not in shown and f"{module}.{name}" not in modules:
                lines += [f"::: {module}.{name}", ""]
                shown.add(name)
    return "\n".join(lines)


def style(tokens: str, text: str) -> str:
    """The style of the site: the palette, whose dark colours apply to the scheme that the reader chooses, the pages'
    text and tables inside an article, and the site's own rules."""
    dark = re.compile(r"@media screen and \(prefers-color-scheme: dark\) \{\s*:root (\{.*?\})\s*\}", re.DOTALL)
    themed, n = dark.subn(r'[data-md-color-scheme="slate"] \1', tokens)
    if n != 1:
        raise SystemExit("pages/parts/tokens.css: there are no dark colours, or several times")
    nested = f".md-content .md-content__inner.md-typeset {{\n{text}}}\n"
    return themed + nested + (ROOT / "docs" / "build" / "site.css").read_text(encoding="utf-8")


def check_schemas() -> None:
    """Checks that every schema is valid, and that its examples match it."""
    for path in sorted((PAGES / "reference" / "schemas").glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        for example in schema["examples"]:
            jsonschema.validate(example, schema, cls=jsonschema.Draft202012Validator)


def main() -> None:
    shutil.rmtree(STAGED, ignore_errors=True)
    shutil.copytree(PAGES, STAGED)
    shutil.copy(ROOT / "docs" / "zensical.toml", STAGED.parent)
    tokens, text = (
        (ROOT / "pages" / "parts" / f"{name}.css").read_text(encoding="utf-8") for name in ("tokens", "text")
    )
    stage("assets/site.css", style(tokens, text))
    check_schemas()
    metrics = json.loads((ROOT / "docs" / "metrics.json").read_text(encoding="utf-8"))
    labels = {metric["id"]: metric["label"] for metric in metrics}
    explained = convention_pages()
    questions = convention_questions()
    users: dict[str, list[tuple[str, str]]] = {}
    for metric in metrics:
        stage(f"reference/metrics/{metric['id']}.md", metric_page(metric, labels, explained))
        for name in metric["conventions"]:
            users.setdefault(name, []).append((metric["id"], metric["label"]))
    stage("reference/python.md", python_page())
    for page in sorted(PAGES.rglob("*.md")):
        name = page.relative_to(PAGES).as_posix()
        text = with_links(page.read_text(encoding="utf-8"), f"docs/pages/{name}", name)
        if name == "reference/metrics.md":
            # The ids in the table link to the pages of the metrics.
            text = re.sub(
                r"(?<=[| ])`(\w+)`",
                lambda found: f"[`{found[1]}`](metrics/{found[1]}.md)" if found[1] in labels else found[0],
                text,
            )
        stage(name, conventions(text, questions, users) if name.startswith("conventions/") else text)
    for file, name in PROJECT_FILES.items():
        stage(name, with_links((ROOT / file).read_text(encoding="utf-8"), file, name))


if __name__ == "__main__":
    main()
