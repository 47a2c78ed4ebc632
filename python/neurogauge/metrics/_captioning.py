"""Metrics of decoded captions against captions that people wrote, by their words or by CLIP's embeddings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal

from .. import _neurogauge
from .._arrays import matrix, texts
from .._errors import DataError, UsageError
from .._options import Unpack, folder, whole
from .._result import Bootstrap, IntervalOptions, Result, bootstrap, summed_up, warn_of_nothing_seen
from ._cap_sim import blank_sides, lists_of_texts, rows_of_references


def bleu(
    reference: Sequence[str] | Sequence[Sequence[str]],
    reconstruction: Sequence[str],
    *,
    n: int = 4,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """BLEU-n (Papineni et al. 2002): runs of 1 to n words of the decoded captions that a reference has too.

    The geometric mean of the shares of matching runs, times exp(1 - reference length / decoded length) where the
    decoded captions are shorter. ``mean`` is BLEU of the corpus (counts are added up before anything is divided),
    ``per_pair`` that of each caption alone.

    Shapes: a decoded caption for each image; a reference caption or a list of them for each image.

    Range: 0 to 1, higher is better.

    Conventions: `caption-words`, `bleu-corpus`.

    Undefined: an image without a reference.

    Args:
        reference: captions that people wrote.
        reconstruction: decoded captions.
        n: longest run of words, 1 to 4.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for another number of captions on the two sides.
        UsageError: for another n.

    Reference: pycocoevalcap 1.2, ``Bleu(4)``, to 1e-12 relative.

    Example:
        >>> import neurogauge as ng
        >>> round(ng.metrics.bleu(["a dog sat on a mat"], ["a dog on a mat"], n=1).mean, 6)  # exp(1 - 6/5)
        0.818731
    """
    over = bootstrap(intervals)
    place = whole("n", n, 1, 4) - 1
    words = _words(reference, reconstruction)
    scored, summary = _neurogauge.bleu(*words, over)[place]
    warn_of_nothing_seen(f"bleu_{n}", scored, blank=blank_sides(*words), stacklevel=3)
    return Result(f"bleu_{n}", scored, summary, over[1], is_of_corpus=True)


def rouge_l(
    reference: Sequence[str] | Sequence[Sequence[str]],
    reconstruction: Sequence[str],
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """ROUGE-L (Lin 2004): the longest common subsequence of words, as F with β = 1.2.

    Shapes: as :func:`bleu`.

    Range: 0 to 1, higher is better.

    Conventions: `caption-words`, `rouge-l-best`.

    Undefined: an image without a reference.

    Args:
        reference: captions that people wrote; the others are those of :func:`bleu`.

    Raises:
        DataError: for another number of captions on the two sides.

    Reference: pycocoevalcap 1.2, ``Rouge``, to 1e-12 relative.

    Example:
        >>> import neurogauge as ng
        >>> round(ng.metrics.rouge_l(["a dog a mat"], ["a mat"]).mean, 6)  # P = 1, R = 1/2
        0.628866
    """
    over = bootstrap(intervals)
    return _of_words("rouge_l", reference, reconstruction, over)


def meteor(
    reference: Sequence[str] | Sequence[Sequence[str]],
    reconstruction: Sequence[str],
    *,
    wordnet: str | os.PathLike[str] | None = None,
    punkt: str | os.PathLike[str] | None = None,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """METEOR as NLTK defines it: words aligned with those of the best reference, if equal, of one stem, or synonyms.

    With m aligned words in c contiguous runs, P = m / words, R = m / reference words, (1 - 0.5 (c / m)³) P R / (0.9 P +
    0.1 R). It is what Hugging Face's ``evaluate`` computes, and not the Java program's METEOR.

    Shapes: as :func:`bleu`.

    Range: 0 to 1, higher is better; a perfect caption of n words has 1 - 0.5 / n³.

    Conventions: `meteor-nltk`, `meteor-words`, `sentences-punkt`.

    Undefined: an image without a reference.

    Args:
        reference: captions that people wrote; the others are those of :func:`bleu`.
        wordnet: folder of WordNet 3.0; by default WNSEARCHDIR, or where packages install it.
        punkt: folder of Punkt's parameters for sentences; by default rules of our own.

    Raises:
        DataError: for another number of captions on the two sides.
        UsageError: where WordNet cannot be found.

    Reference: ``nltk.translate.meteor_score`` of NLTK 3.10.4, to 1e-12 relative.

    Example:
        >>> import os, neurogauge as ng
        >>> score = ng.metrics.meteor(["a car on a road"], ["an auto"], wordnet=os.environ["NEUROGAUGE_TEST_WORDNET"])
        >>> round(score.mean, 6)  # one of two words, a synonym of one of five: P = 1/2, R = 1/5
        0.106383
    """
    over = bootstrap(intervals)
    return _of_words("meteor", reference, reconstruction, over, folders=(folder(wordnet), folder(punkt)))


def rouge(
    reference: Sequence[str] | Sequence[Sequence[str]],
    reconstruction: Sequence[str],
    *,
    n: Literal[1, 2, "l"] = 1,
    stemming: bool = False,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """ROUGE-1, ROUGE-2 or ROUGE-L (Lin 2004) as F1 of precision and recall, the best over the references.

    They count runs of one or two words that caption and reference share, or the longest common subsequence. COCO's
    ROUGE-L, :func:`rouge_l`, gives recall more weight and splits words differently.

    Shapes: as :func:`bleu`.

    Range: 0 to 1, higher is better.

    Conventions: `rouge-words`, `rouge-f1`.

    Undefined: an image without a reference.

    Args:
        reference: captions that people wrote; the others are those of :func:`bleu`.
        n: 1, 2, or "l" for the longest common subsequence.
        stemming: reduce words of more than three letters to their Porter stems.

    Raises:
        DataError: for another number of captions on the two sides.
        UsageError: for another n.

    Reference: ``RougeScorer.score_multi`` of rouge-score 0.1.2, to 1e-12 relative.

    Example:
        >>> import neurogauge as ng
        >>> round(ng.metrics.rouge(["two dogs run"], ["a dog running"], stemming=True).mean, 6)  # "dog" and "run": P = R = 2/3
        0.666667
    """
    over = bootstrap(intervals)
    ids = {1: "rouge_1", 2: "rouge_2", "l": "rouge_l_f1"}
    if n not in ids:
        raise UsageError(f'n is {n!r}; expected 1, 2 or "l"')
    return _of_words(ids[n], reference, reconstruction, over, stemming=stemming)


def cider(
    reference: Sequence[str] | Sequence[Sequence[str]],
    reconstruction: Sequence[str],
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """CIDEr-D (Vedantam et al. 2015, as COCO computes it): runs of 1 to 4 words, weighted by how rare they are among
    the references of all images.

    Shapes: as :func:`bleu`.

    Range: 0 to 10, higher is better; people reach about 1.

    Conventions: `caption-words`, `cider-documents`, `cider-length`.

    Undefined: fewer than two images; an image without a reference.

    Args:
        reference: captions that people wrote; the others are those of :func:`bleu`.

    Raises:
        DataError: for another number of captions on the two sides.

    Reference: pycocoevalcap 1.2, ``Cider``, to 1e-12 relative.

    Example:
        >>> import neurogauge as ng
        >>> ng.metrics.cider(["red cat", "blue dog"], ["red cat", "red cat"]).per_pair.round(6).tolist()
        [5.0, 0.0]
    """
    over = bootstrap(intervals)
    return _of_words("cider", reference, reconstruction, over)


def clip_s(
    images: Any,
    captions: Any,
    *,
    reference_captions: Any = None,
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """CLIP-S (Hessel et al. 2021): 2.5 max(cos(image, caption), 0) of CLIP's embeddings; with embeddings of reference
    captions RefCLIP-S, its harmonic mean with the caption's cosine with the most similar reference.

    Shapes: (n_images, n_features) for images and decoded captions; references as in
        :func:`~neurogauge.metrics.cap_sim`.

    Range: 0 to 2.5 (RefCLIP-S: 10/7), mostly below 1; higher is better.

    Conventions: `clip-score-reference`.

    Undefined: an embedding that is empty, all zeros or not finite; RefCLIP-S without any reference.

    Args:
        images: embeddings of the stimuli.
        captions: embeddings of the decoded captions.
        reference_captions: embeddings of the captions that people wrote.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for embeddings of different lengths, or another number of them.

    Reference: the equations in NumPy 2.4, in 64 bits, to 1e-12 relative.

    Example:
        >>> import neurogauge as ng
        >>> round(ng.metrics.clip_s([[1.0, 0.0]], [[3.0, 4.0]]).mean, 6)
        1.5
    """
    over = bootstrap(intervals)
    of_images, of_captions = matrix("images", images), matrix("captions", captions)
    references = None
    if reference_captions is not None:
        references = rows_of_references("reference_captions", reference_captions)
        if len(references) != len(of_images):
            raise DataError(f"reference_captions: of {len(references)} images; there are {len(of_images)}")
    if len(of_images) != len(of_captions):
        raise DataError(f"captions: {len(of_captions)} of them; there are {len(of_images)} images")
    metric = "clip_s" if references is None else "ref_clip_s"
    return summed_up(metric, _neurogauge.clip_s(of_images, of_captions, references), over)


def _of_words(
    metric: str,
    reference: Sequence[str] | Sequence[Sequence[str]],
    reconstruction: Sequence[str],
    over: Bootstrap,
    *,
    stemming: bool = False,
    folders: tuple[str | None, str | None] = (None, None),
) -> Result:
    words = _words(reference, reconstruction)
    scored = _neurogauge.caption_words(metric, *words, stemming, folders)
    return summed_up(metric, scored, over, blank=blank_sides(*words), stacklevel=4)


def _words(
    reference: Sequence[str] | Sequence[Sequence[str]], reconstruction: Sequence[str]
) -> tuple[list[list[str]], list[str]]:
    references, captions = lists_of_texts("reference", reference), texts("reconstruction", reconstruction)
    if len(references) != len(captions):
        raise DataError(
            f"reference has captions of {len(references)} images and reconstruction {len(captions)}; both must be of "
            "the same images in the same order"
        )
    return references, captions
