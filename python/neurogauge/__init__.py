"""Measures how well reconstructions decoded from a brain match the stimuli.

    >>> import numpy as np, neurogauge as ng
    >>> stimuli = np.random.default_rng(0).integers(0, 256, (4, 32, 32, 3), dtype=np.uint8)
    >>> ng.metrics.pixcorr(stimuli, 255 - stimuli, pixel_size=None).per_pair.round(9).tolist()
    [-1.0, -1.0, -1.0, -1.0]

- :mod:`neurogauge.metrics`: takes arrays, detections, captions, scene graphs and masks, and returns a :class:`Result`.
- :func:`score`, :func:`compare`, :func:`load_run`: the command line's functions, with runs as mappings.
- :func:`report`, :func:`gallery`, :func:`study`: pages and figures of runs, and whole studies, as files.
- :func:`audit`: does a decoder reconstruct, or does it classify?
- :func:`multiverse`: how do scores of the same pairs depend on the conventions of released evaluations?
- :func:`agreement`: do metrics agree with people?
- :func:`recovery`: which reproducible dimensions of a brain's responses does a source recover?
- :func:`encoding`, :func:`similarity`: how well do features predict voxels, and how similar are they to brains?
- :func:`check`: looks at the images of two sides before they are scored.
- :func:`distribute`: the shards of a planned run, over dask, submitit or processes.
- :func:`cite`: BibTeX of everything that a run used.
- :mod:`neurogauge.stats`: correlations, agreement between raters, the bootstrap.
- :mod:`neurogauge.survey`: questionnaires for people, and their answers.
- :mod:`neurogauge.models`: pretrained image models, which compute features of images.
- :mod:`neurogauge.align`: the steps of a recovery, for arrays.
- :mod:`neurogauge.losses`: losses for training decoders.

The best known metrics are also here: ``ng.object_f1`` is ``ng.metrics.object_f1``, and ``ng.Ssim`` is
``ng.metrics.classes.Ssim``.
"""

from __future__ import annotations

import sys as _sys
from typing import Any as _Any

from . import _options_from_registry, align, losses, metrics, models, stats, survey
from ._agreement import Agreement, agreement, agreement_by_question
from ._analysis import RegionAnalysis, encoding, similarity
from ._audit import Audit, audit
from ._check import Check, Finding, check
from ._comparison import Comparison, compare
from ._concatenation import concat
from ._distribute import Distributed, FailedShard, distribute
from ._errors import (
    DataError,
    InternalError,
    ModelError,
    NeurogaugeError,
    NeurogaugeWarning,
    UndefinedWarning,
    UsageError,
)
from ._gallery import gallery
from ._multiverse import Multiverse, multiverse
from ._neurogauge import __version__
from ._options import show_public_names
from ._options_from_registry import *
from ._own_metrics import OwnMetric, register_metric
from ._recovery import Recovery, recovery
from ._report import report
from ._result import INTERVALS, IntervalOptions, Result
from ._run import Run
from ._score import cite, load_run, score
from ._study import study
from ._versions import show_versions
from .metrics import basic_h, basic_l, cap_sim, object_f1, pixcorr, seed, ssim, two_way_identification

__all__ = [
    "Agreement",
    "Audit",
    "Check",
    "Comparison",
    "DataError",
    "Distributed",
    "FailedShard",
    "Finding",
    "InternalError",
    "IntervalOptions",
    "ModelError",
    "Multiverse",
    "NeurogaugeError",
    "NeurogaugeWarning",
    "OwnMetric",
    "Recovery",
    "RegionAnalysis",
    "Result",
    "Run",
    "UndefinedWarning",
    "UsageError",
    "__version__",
    "agreement",
    "agreement_by_question",
    "align",
    "audit",
    "basic_h",
    "basic_l",
    "cap_sim",
    "check",
    "cite",
    "compare",
    "concat",
    "distribute",
    "encoding",
    "gallery",
    "load_run",
    "losses",
    "metrics",
    "models",
    "multiverse",
    "object_f1",
    "pixcorr",
    "recovery",
    "register_metric",
    "report",
    "score",
    "seed",
    "show_versions",
    "similarity",
    "ssim",
    "stats",
    "study",
    "survey",
    "two_way_identification",
]
__all__ += _options_from_registry.__all__

for _module in [module for name, module in _sys.modules.items() if name.startswith(__name__)]:
    show_public_names(_module, INTERVALS)


def __getattr__(name: str) -> _Any:
    # See neurogauge.metrics.classes, which imports PyTorch if torchmetrics is installed.
    if name[:1].isupper() and name in metrics.classes.__all__:
        return getattr(metrics.classes, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
