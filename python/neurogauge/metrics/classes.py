"""Metrics that are given a batch at a time, for loops over data, like torchmetrics' metrics.

    ssim = ng.metrics.classes.Ssim(pixel_size=256)
    for stimuli, reconstructions in batches:
        ssim.update(stimuli, reconstructions)
    ssim.compute()      # the mean, to the bit that of one call of ng.metrics.ssim
    ssim.result         # its Result: interval, undefined pairs, values of pairs
    ssim.reset()

Where torchmetrics is installed they are ``torchmetrics.Metric``: they move with ``.to``, join a ``MetricCollection``, are
gathered from the processes of a distributed run, and Lightning logs and resets them (``self.log("ssim", self.ssim)``).
That is decided, and PyTorch imported, when this module is first used, not by ``import neurogauge``.

There is a class for each function of :mod:`neurogauge.metrics` that compares images, features or words of captions, of
its name (``ms_ssim`` is ``MsSsim``) and with its options. Note the order of the arguments: stimuli come first.

Metrics of a pair by itself keep the values of the pairs. Those that tell each image from the others
(:class:`TwoWayIdentification`, :class:`Retrieval`) or draw keep the features, 4 bytes for each number.
"""

from __future__ import annotations

from . import _classes_from_registry
from ._batched import Metric, OfAll, OfPairs
from ._captioning import clip_s, meteor, rouge, rouge_l
from ._classes_from_registry import *
from ._dreamsim import dreamsim
from ._feature_correlation import feature_correlation
from ._feature_distance import correlation_distance, effnet, swav
from ._identification import two_way_identification
from ._lpips import lpips
from ._n_way_accuracy import n_way_accuracy
from ._retrieval import retrieval

__all__ = [
    "ClipS",
    "CorrelationDistance",
    "Dreamsim",
    "Effnet",
    "FeatureCorrelation",
    "Lpips",
    "Meteor",
    "Metric",
    "NWayAccuracy",
    "Retrieval",
    "Rouge",
    "RougeL",
    "Swav",
    "TwoWayIdentification",
]
__all__ += _classes_from_registry.__all__


def __dir__() -> list[str]:
    return __all__


class Lpips(OfPairs):
    """:func:`~neurogauge.metrics.lpips`, a batch at a time. The network is read again for each batch: give large
    ones."""

    function = staticmethod(lpips)

    def _id(self) -> str:
        return "lpips_alex"


class CorrelationDistance(OfPairs):
    """:func:`~neurogauge.metrics.correlation_distance`, a batch at a time."""

    function = staticmethod(correlation_distance)


class Dreamsim(OfPairs):
    """:func:`~neurogauge.metrics.dreamsim`, a batch at a time."""

    function = staticmethod(dreamsim)

    def _id(self) -> str:
        form = self.options.get("form", "ensemble")
        return "dreamsim" if form == "ensemble" else f"dreamsim_{form}"


class Effnet(OfPairs):
    """:func:`~neurogauge.metrics.effnet`, a batch at a time."""

    function = staticmethod(effnet)


class Swav(OfPairs):
    """:func:`~neurogauge.metrics.swav`, a batch at a time."""

    function = staticmethod(swav)


class FeatureCorrelation(OfPairs):
    """:func:`~neurogauge.metrics.feature_correlation`, a batch at a time."""

    function = staticmethod(feature_correlation)


class Meteor(OfPairs):
    """:func:`~neurogauge.metrics.meteor` of captions, a batch at a time. WordNet is opened again for each batch: give
    large ones."""

    function = staticmethod(meteor)


class Rouge(OfPairs):
    """:func:`~neurogauge.metrics.rouge` of captions, a batch at a time."""

    function = staticmethod(rouge)

    def _id(self) -> str:
        return {1: "rouge_1", 2: "rouge_2"}.get(self.options.get("n", 1), "rouge_l_f1")


class RougeL(OfPairs):
    """:func:`~neurogauge.metrics.rouge_l` of captions, a batch at a time."""

    function = staticmethod(rouge_l)


class ClipS(OfPairs):
    """:func:`~neurogauge.metrics.clip_s` of embeddings of images and of captions, a batch at a time; without reference
    captions."""

    function = staticmethod(clip_s)


class TwoWayIdentification(OfAll):
    """:func:`~neurogauge.metrics.two_way_identification`, a batch at a time: the distractors of a pair come from all
    batches."""

    function = staticmethod(two_way_identification)


class NWayAccuracy(OfAll):
    """:func:`~neurogauge.metrics.n_way_accuracy`, a batch at a time."""

    function = staticmethod(n_way_accuracy)


class Retrieval(OfAll):
    """:func:`~neurogauge.metrics.retrieval`, a batch at a time: items are found among those of all batches."""

    function = staticmethod(retrieval)

    def _id(self) -> str:
        return f"{self.options.get('direction', 'forward')}_retrieval"
