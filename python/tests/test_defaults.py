"""Defaults that signatures repeat are those of the command, which Rust defines."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

import neurogauge as ng
from neurogauge import _neurogauge

DEFAULTS = json.loads(_neurogauge.defaults())

# For each function the conventions that its parameters set.
CONVENTIONS: list[tuple[Any, dict[str, str]]] = [
    (
        ng.two_way_identification,
        {
            "direction": "identification_direction",
            "ties": "identification_ties",
            "copies": "identification_copies",
            "n_way": "n_way",
            "top_k": "top_k",
        },
    ),
    (ng.metrics.n_way_accuracy, {"right_classes": "right_classes", "top_k": "class_top_k"}),
    (ng.object_f1, {"variant": "object_variant"}),
    (ng.metrics.object_recall, {"variant": "object_variant"}),
    (ng.metrics.object_precision, {"variant": "object_variant"}),
    (ng.metrics.object_f1_vlm, {"vlm_names": "vlm_names"}),
    (
        ng.metrics.snm,
        {"threshold": "snm_threshold", "categories": "snm_categories", "recon_categories": "snm_recon_categories"},
    ),
    (ng.metrics.sdm, {"f1_above": "sdm_f1_above", "gap_above": "sdm_gap_above"}),
    (ng.cap_sim, {"references": "references"}),
    *(
        (
            function,
            {
                "pixel_size": "pixel_size",
                "proportions": "proportions",
                "filter": "filter",
                "arithmetic": "pixel_arithmetic",
            },
        )
        for function in (ng.ssim, ng.pixcorr, ng.metrics.psnr, ng.metrics.lpips)
    ),
    (ng.ssim, {"flavour": "ssim"}),
]

# Likewise the fields of other options.
FIELDS: list[tuple[Any, str, dict[str, str]]] = [
    (ng.compare, "compare", {"holm": "holm", "test": "test"}),
    (
        ng.metrics.retrieval,
        "retrieval",
        {name: name for name in ("candidates", "repeats", "top_k", "similarity", "ties", "copies")},
    ),
    (ng.align.outer_folds, "align", {"n_folds": "outer_folds", "n_inner_folds": "inner_folds", "seed": "seed"}),
    (ng.align.inner_folds, "align", {"n_folds": "inner_folds", "seed": "seed"}),
    (ng.align.split_halves, "align", {"n_splits": "partitions", "seed": "seed"}),
    (
        ng.align.TargetReference,
        "align",
        {"n_splits": "partitions", "n_inner_folds": "inner_folds", "seed": "seed"},
    ),
    (ng.align.RecoveryProfile, "align", {"n_inner_folds": "inner_folds", "n_prefixes": "prefixes", "seed": "seed"}),
]


def default(function: Any, parameter: str) -> Any:
    return hyphenated(inspect.signature(function).parameters[parameter].default)


def hyphenated(value: Any) -> Any:
    return value.replace("_", "-") if isinstance(value, str) else value


@pytest.mark.parametrize(("function", "conventions"), CONVENTIONS)
def test_a_parameter_has_the_default_of_its_convention(function: Any, conventions: dict[str, str]) -> None:
    for parameter, convention in conventions.items():
        assert str(default(function, parameter)) == DEFAULTS["conventions"][convention], parameter


@pytest.mark.parametrize(("function", "options", "fields"), FIELDS)
def test_a_parameter_has_the_default_of_its_field(function: Any, options: str, fields: dict[str, str]) -> None:
    for parameter, field in fields.items():
        assert default(function, parameter) == hyphenated(DEFAULTS[options][field]), parameter
