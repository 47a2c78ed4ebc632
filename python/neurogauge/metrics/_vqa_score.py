"""VQAScore: whether a reconstruction matches the caption of its stimulus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import _neurogauge
from .._errors import DataError
from .._options import Unpack
from .._result import IntervalOptions, Result, bootstrap, summed_up


def vqa_score(
    logprobs: Sequence[Mapping[str, float]],
    **intervals: Unpack[IntervalOptions],
) -> Result:
    """VQAScore from a vision-language model's probable answers about each reconstruction (Lin et al. 2024).

    The model is shown the reconstruction and asked ``Does this figure show "{caption}"? Please answer yes or no.`` with
    the caption of the stimulus. VQAScore = P(the answer begins with yes) = the sum of exp(logprob) over the listed
    tokens that spell yes, regardless of case and blanks around them.

    Shapes: for each pair a dictionary of the likeliest first tokens and the natural logarithms of their probabilities,
    as
        servers give them (``top_logprobs``).

    Range: 0 to 1, higher is better; chance depends on the images, the captions and the model.

    Conventions: `vqa-score`.

    Undefined: a pair for which neither yes nor no is listed.

    Args:
        logprobs: for each pair, log-probabilities by token.
        intervals: how the interval of the mean is made (:class:`~neurogauge.IntervalOptions`).

    Raises:
        DataError: for something that is no dictionary of numbers by token.

    Reference: `math.fsum` over the tokens, to 1e-12; the bits of ``neurogauge score``.

    Example:
        >>> import neurogauge as ng
        >>> from math import log
        >>> round(ng.metrics.vqa_score([{"Yes": log(0.5), " yes": log(0.25), "No": log(0.1)}]).mean, 12)
        0.75
    """
    over = bootstrap(intervals)
    beginnings = [_listed(pair, tokens) for pair, tokens in enumerate(logprobs)]
    return summed_up("vqa_score", _neurogauge.vqa_score(beginnings), over)


def _listed(pair: int, tokens: Mapping[str, float]) -> list[tuple[str, float]]:
    if not isinstance(tokens, Mapping):
        raise DataError(
            f"logprobs[{pair}]: {type(tokens).__name__}; expected a dictionary of log-probabilities by token"
        )
    listed = []
    for token, logprob in tokens.items():
        try:
            listed.append((str(token), float(logprob)))
        except (TypeError, ValueError) as error:
            raise DataError(f"logprobs[{pair}][{token!r}] is {logprob!r}; expected a number") from error
    return listed
