from collections.abc import Callable, Sequence
from typing import Any, Literal, TypedDict

import numpy as np
import numpy.typing as npt

__version__: str
DEFAULT_TEXT_ENCODER: str
DEFAULT_PHRASE_ENCODER: str

_Bytes = npt.NDArray[np.uint8]
_Singles = npt.NDArray[np.float32]
_Doubles = npt.NDArray[np.float64]
_Scored = tuple[_Doubles, list[tuple[int, str]]]
_Summary = tuple[float | None, str | None, tuple[float, float] | None, int, int]
_Bootstrap = tuple[int, float, int]
_Found = tuple[npt.NDArray[np.int64], _Doubles, _Doubles]
_Categories = tuple[list[tuple[str, list[str]]], list[str]]
_Segmented = tuple[list[str], list[float], npt.NDArray[np.bool_], _Categories | None]
_Form = tuple[str, float, float, float, float, float, tuple[float, float] | None]

class _Spec(TypedDict):
    id: str
    label: str
    about: str
    group: str
    direction: Literal["higher", "lower"]
    range: tuple[float, float]
    chance: float | None
    conventions: list[str]
    decimals: int

def metric_spec(id: str) -> _Spec: ...
def metric_ids() -> list[str]: ...
def run_command(arguments: Sequence[str]) -> int: ...
def estimate_columns(columns: Sequence[_Doubles], options: _Bootstrap) -> _Summary: ...
def render_table(
    title: str, system: str, metrics: Sequence[tuple[str, _Summary]], level: float, format: str
) -> str: ...
def pixels(
    metric: str,
    reference: _Bytes | _Singles,
    reconstruction: _Bytes | _Singles,
    options: str,
    resizes: bool,
    progress: Any,
) -> _Scored: ...
def feature_rows(as_distance: bool, reference: _Singles, reconstruction: _Singles) -> _Scored: ...
def identification(
    reference: _Singles, reconstruction: _Singles, pool: _Singles | None, options: str
) -> tuple[_Scored, int, list[int]]: ...
def detections(
    metric: str,
    reference: Sequence[_Found],
    reconstruction: Sequence[_Found],
    label_names: Sequence[str],
    image_size_px: tuple[float, float] | None,
    options: str,
    progress: Any,
) -> tuple[_Scored, int]: ...
def builtin_labels(id: str) -> list[str] | None: ...
def masks(
    metrics: Sequence[str],
    reference: Sequence[_Segmented],
    reconstruction: Sequence[_Segmented],
    options: str,
    progress: Any,
) -> list[_Scored]: ...
def cap_sim(references: Sequence[_Singles], captions: _Singles, how: str) -> _Scored: ...
def embed(texts: Sequence[str], encoder: str, weights: str | None, offline: bool, progress: Any) -> _Singles: ...
def scene_graphs(
    metrics: Sequence[str],
    reference: Sequence[str],
    reconstruction: Sequence[str],
    options: str,
    encoder: str,
    wordnet: str | None,
    weights: str | None,
    offline: bool,
    progress: Any,
) -> list[_Scored]: ...
def combine(metric: str, parts: Sequence[_Doubles], options: str) -> tuple[_Scored, list[_Doubles]]: ...
def bleu(
    references: Sequence[Sequence[str]], captions: Sequence[str], options: _Bootstrap
) -> list[tuple[_Scored, _Summary]]: ...
def rouge(references: Sequence[Sequence[str]], captions: Sequence[str]) -> _Scored: ...
def cider(references: Sequence[Sequence[str]], captions: Sequence[str]) -> _Scored: ...
def clip_s(images: _Singles, captions: _Singles, references: Sequence[_Singles] | None) -> _Scored: ...
def correlation(name: str, x: _Doubles, y: _Doubles) -> tuple[float | None, str | None]: ...
def pairwise_accuracy(metric: _Doubles, human: _Doubles, epsilon: float) -> tuple[float | None, str | None]: ...
def icc(ratings: _Doubles, level: float, convention: str) -> tuple[list[_Form], str | None, int, int]: ...
def krippendorff(ratings: _Doubles, measurement: str) -> tuple[float | None, str | None]: ...
def bootstrap_statistic(
    n_items: int, statistic: Callable[[npt.NDArray[np.int64]], float], options: _Bootstrap
) -> _Summary: ...
def score_run(arguments: Sequence[str], progress: Any) -> dict[str, Any]: ...
def read_run(path: str) -> dict[str, Any]: ...
def compare_runs(paths: Sequence[str], options: _Bootstrap) -> dict[str, Any]: ...
