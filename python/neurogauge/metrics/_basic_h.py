"""BASIC-H: objects, attributes and relations that two captions share."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from .. import _neurogauge
from .._errors import DataError
from .._options import Unpack, as_json, folder
from .._progress import Progress
from .._result import PLACEHOLDER, IntervalOptions, Result, bootstrap, summed_up

SceneGraphs = Sequence[Mapping[str, Any]]
F1 = ("basic_object_f1", "basic_attribute_f1", "basic_relation_f1")


def basic_h(
    reference: SceneGraphs,
    reconstruction: SceneGraphs,
    *,
    part: str | None = None,
    preset: Literal["basic", "capture"] = "basic",
    options: Mapping[str, Any] | None = None,
    encoder: str = _neurogauge.DEFAULT_PHRASE_ENCODER,
    wordnet: str | os.PathLike[str] | None = None,
    weights: str | os.PathLike[str] | None = None,
    download: bool = False,
    progress: bool = True,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """BASIC-H: the weighted mean of the F1 of objects, attributes and relations of two captions' scene graphs
    (BASIC, section 3.2), weights 4:4:2.

    Elements match if they are equal, synonyms in WordNet, or one part of the other; the remaining ones count by the
    cosine of its embedding with the most similar one that is left on the other side.

    Shapes: a list with a scene graph for each image: ``{"objects": ["boat"], "attributes": {"boat": ["large"]},
        "relations": [["boat", "dock at", "dock"]]}``; a part that is absent is empty.

    Range: 0 to 1, higher is better; no chance level, captions of different images share "boat" and "sky".

    Conventions: `basic-weights`, `basic-graphs`, `basic-order`, `basic-attributes`, `basic-presets`,
        `basic-containment`, `basic-synonyms`, `basic-assignment`, `basic-soft`, `basic-negative-cosines`,
        `basic-encoder`, `basic-epsilon`.

    Undefined: a part without an element on either side leaves BASIC-H undefined.

    Args:
        reference: graphs of the stimuli's captions.
        reconstruction: graphs of the reconstructions' captions.
        part: a part alone, by its id: ``basic_object_f1``, ``basic_relation_recall``, ...; or ``scene_graph_f1``, the
            F1 of all elements together (convention `scene-graph-f1`; not SPICE).
        preset: the paper's words, or the code of CAPTURE that it builds on.
        options: single options that win over the preset, as in ``run.json``: ``containment``, ``assignment``,
            ``synonyms``, ``soft``, ``negative_cosines``, ``epsilon``, ``weights``, ``normalise``.
        encoder: the model that embeds phrases, or "placeholder", whose numbers mean nothing.
        wordnet: folder of WordNet 3.0; by default WNSEARCHDIR, or where packages install it.
        weights: folder of model weights (also: NEUROGAUGE_WEIGHTS).
        download: download weights that are missing; without it, they are an error that says their size.
        progress: show a bar if tqdm is installed.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for something that is no scene graph, or another number of them on the two sides.
        ModelError: for weights that are missing or broken.
        UsageError: for an unknown option or part, or where WordNet is needed and cannot be found.

    Reference: CAPTURE 0.1.13 with preset "capture", to 1e-12 with equal embeddings.

    Example:
        >>> import neurogauge as ng
        >>> words = {"soft": "off", "synonyms": False, "normalise": {"lemmas": False}}
        >>> seen, decoded = [{"objects": ["boat", "sea"]}], [{"objects": ["boat", "tree", "sky"]}]
        >>> ng.metrics.basic_h(seen, decoded, part="basic_object_f1", options=words).mean  # P = 1/3, R = 1/2
        0.4
    """
    over = bootstrap(intervals)
    chosen = {"preset": preset, **(options or {})}
    wanted = [part] if part is not None and part != "basic_h" else list(F1)
    columns, details = _neurogauge.scene_graphs(
        wanted,
        _graphs("reference", reference),
        _graphs("reconstruction", reconstruction),
        as_json({"basic_h": chosen}),
        encoder,
        folder(wordnet),
        folder(weights),
        Progress(progress, download),
    )
    stand_in = encoder == PLACEHOLDER and chosen.get("soft") != "off"
    if len(wanted) == 1:
        return summed_up(wanted[0], columns[0], over, stand_in=stand_in, details=details)
    scored, over_columns = _neurogauge.combine(
        "basic_h", [[values] for values, _ in columns], as_json({"basic_h": chosen})
    )
    return summed_up("basic_h", scored, over, over_columns, stand_in=stand_in, details=details)


def _graphs(side: str, graphs: SceneGraphs) -> list[str]:
    if isinstance(graphs, (Mapping, str)):
        raise DataError(f"{side}: one {type(graphs).__name__}; expected a list with a scene graph for each image")
    written = []
    for index, graph in enumerate(graphs):
        try:
            written.append(json.dumps(graph))
        except (TypeError, ValueError) as error:
            raise DataError(f"{side}[{index}]: no scene graph ({error})") from error
    return written
