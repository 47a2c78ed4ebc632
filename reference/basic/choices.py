"""What each choice of BASIC-H changes on real captions: prints the tables of docs/pages/conventions/basic-h.md.

The captions are those whose graphs the BASIC paper prints (appendix_d3.txt): a reference and what thirteen methods
decoded. For each choice, the command is run on the thirteen against the reference, and on all 182 ordered pairs of the
fourteen, since one stimulus is not enough evidence.

    python reference/basic/choices.py --binary target/release/neurogauge --weights DIR --wordnet DIR [--encoder ID]

Needs pyarrow and scipy.
"""

import argparse
import json
import subprocess
import tempfile
from itertools import permutations
from pathlib import Path

import pyarrow.parquet
from scipy.stats import kendalltau

HERE = Path(__file__).parent
CHOICES = {
    "weights 5:5:2": ["--set", "basic_weights=5:5:2"],
    "weights 4:4:2": ["--set", "basic_weights=4:4:2"],
    "containment by whole words": ["--set", "basic_containment=whole-words"],
    "containment by substring": ["--set", "basic_containment=substring"],
    "no containment": ["--set", "basic_containment=off"],
    "optimal assignment": ["--set", "basic_assignment=optimal"],
    "greedy assignment": ["--set", "basic_assignment=greedy"],
    "no synonyms (WordNet)": ["--set", "basic_synonyms=off"],
    "soft stage one-to-one": ["--set", "basic_soft=one-to-one"],
    "no soft stage": ["--set", "basic_soft=off"],
    "negative cosines count 0": ["--set", "basic_negative_cosines=zero"],
    "negative cosines kept": ["--set", "basic_negative_cosines=kept"],
    "epsilon 0": ["--set", "basic_epsilon=0"],
    "epsilon 1e-6": ["--set", "basic_epsilon=1e-6"],
    "no lemmas": ["--set", "basic_lemmas=off"],
    'attributes with " of" kept': ["--set", "basic_drop_of=off"],
}


def graphs() -> dict[str, dict]:
    found: dict[str, dict] = {}
    for line in (HERE / "appendix_d3.txt").read_text().splitlines():
        if line.startswith("["):
            graph = found[line.strip("[]")] = {"objects": [], "attributes": {}, "relations": []}
        elif line.startswith("objects:"):
            graph["objects"] = line.removeprefix("objects:").strip().split(", ")
        elif line.startswith("attributes:"):
            pairs = [part.split(": ") for part in line.removeprefix("attributes:").strip().split("; ")]
            graph["attributes"] = {key: value.split(", ") for key, value in pairs}
        elif line.startswith("relations:"):
            relations = line.removeprefix("relations:").strip().split("; ")
            graph["relations"] = [relation.strip("()").split(", ") for relation in relations]
    return found


def write(folder: Path, pairs: list[tuple[str, str]]) -> None:
    known = graphs()
    for place, side in enumerate(("gt", "recon")):
        (folder / side).mkdir(parents=True)
        by_stem = {f"{gt} - {recon}": known[(gt, recon)[place]] for gt, recon in pairs}
        (folder / side / "scene_graphs.json").write_text(json.dumps(by_stem))


def score(options: argparse.Namespace, folder: Path, preset: str, choice: list[str]) -> dict[str, float]:
    line = [
        options.binary,
        "score",
        "--observations",
        folder,
        "--metrics",
        "basic_h_all",
        "--preset",
        preset,
        "--offline",
    ]
    line += ["--set", f"phrase_encoder={options.encoder}", "--weights", options.weights, "--wordnet", options.wordnet]
    line += ["--resamples", "10", "--out", folder / "run", *choice]
    subprocess.run(line, check=True, capture_output=True)
    table = pyarrow.parquet.read_table(folder / "run" / "scores.parquet").to_pylist()
    return {row["pair"]: 100 * row["value"] for row in table if row["metric"] == "basic_h" and row["value"] is not None}


def mean(values) -> float:
    values = list(values)
    return sum(values) / len(values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, default=HERE.parent.parent / "target/release/neurogauge")
    parser.add_argument("--weights", required=True)
    parser.add_argument("--wordnet", required=True)
    parser.add_argument("--encoder", default="all-MiniLM-L6-v2")
    options = parser.parse_args()
    names = list(graphs())
    with tempfile.TemporaryDirectory() as temporary:
        thirteen, all_pairs = Path(temporary) / "13", Path(temporary) / "182"
        write(thirteen, [("Reference", name) for name in names if name != "Reference"])
        write(all_pairs, list(permutations(names, 2)))
        for preset, other in (("basic", "capture"), ("capture", "basic")):
            before = [score(options, folder, preset, []) for folder in (thirteen, all_pairs)]
            print(
                f"\n| instead of preset `{preset}` ({mean(before[0].values()):.2f}; {mean(before[1].values()):.2f}) "
                "| mean | largest change | tau-b | mean of 182 | largest change | pairs changed |"
            )
            print("|---|---|---|---|---|---|---|")
            rows = {f"preset `{other}`": (other, []), **{name: (preset, choice) for name, choice in CHOICES.items()}}
            for name, (of, choice) in rows.items():
                after = [score(options, folder, of, choice) for folder in (thirteen, all_pairs)]
                assert all(a.keys() == b.keys() for a, b in zip(before, after)), name
                changes = [[abs(a[pair] - b[pair]) for pair in a] for a, b in zip(before, after)]
                if max(map(max, changes)) < 0.005:  # below what is printed
                    continue
                tau = kendalltau(list(before[0].values()), list(after[0].values())).statistic
                changed = sum(change >= 0.005 for change in changes[1])
                print(
                    f"| {name} | {mean(after[0].values()):.2f} | {max(changes[0]):.2f} | {tau:.3f} "
                    f"| {mean(after[1].values()):.2f} | {max(changes[1]):.2f} | {changed} |"
                )


if __name__ == "__main__":
    main()
