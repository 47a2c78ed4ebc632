from collections.abc import Callable, Sequence
from typing import Any, Literal, TypedDict, final

import numpy as np
import numpy.typing as npt

__version__: str
DEFAULT_BOOTSTRAP: _Bootstrap
DEFAULT_TEXT_ENCODER: str
DEFAULT_PHRASE_ENCODER: str

_Bytes = npt.NDArray[np.uint8]
_Singles = npt.NDArray[np.float32]
_Floats = _Singles | npt.NDArray[np.float64]
_Doubles = npt.NDArray[np.float64]
_Scored = tuple[_Doubles, list[tuple[int, str]]]
_Summary = tuple[float | None, str | None, tuple[float, float] | None, int, int]
_Tested = tuple[tuple[float, float] | None, float | None, float, float | None]
_Sizes = tuple[str, float | None, float | None, float | None]
_Subtracted = tuple[int, int, float | None, int, _Tested, _Sizes]
_Bootstrap = tuple[int, float, int, str]
_OrReason = tuple[Any, str | None]
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
    population: str
    decimals: int
    features: str | None
    details: str | None

def metric_spec(id: str) -> _Spec: ...
def register_metric(
    id: str,
    label: str,
    about: str,
    lower_is_better: bool,
    range: tuple[float, float],
    chance: float | None,
    decimals: int,
) -> None: ...
def metric_ids() -> list[str]: ...
def run_command(arguments: Sequence[str], is_program: bool) -> int: ...
def write_result(arguments: Sequence[str], progress: Any) -> tuple[list[str], str | None]: ...
def estimate_columns(
    columns: Sequence[_Doubles],
    options: _Bootstrap,
    metric: str | None,
    of_stimuli: tuple[_Doubles, Sequence[int], float] | None = None,
) -> _Summary: ...
def render_table(
    title: str,
    metrics: Sequence[tuple[str, float | None, bool]],
    systems: Sequence[tuple[str, Sequence[_Summary]]],
    level: float,
    format: str,
) -> str: ...
def compare_columns(
    metric: str,
    systems: Sequence[_Doubles],
    test: tuple[str, int],
    options: _Bootstrap,
    of_stimuli: Sequence[tuple[_Doubles, Sequence[int], float]] | None = None,
) -> tuple[list[_Summary], list[float | None], list[_Subtracted]]: ...
def holm(tests: Sequence[tuple[float, float]], level: float) -> list[tuple[float, str]]: ...

@final
class RunImages:
    def __new__(cls, path: str) -> RunImages: ...
    def pair(self, stem: str) -> list[_Bytes | _Singles]: ...

def read_images(paths: Sequence[str]) -> list[_Bytes]: ...
def channel_axis(name: str, shape: Sequence[int], channels_first: bool) -> str: ...
def n_hiding_colours(images: _Bytes) -> int: ...
def out_of_range(images: _Bytes | _Singles) -> tuple[str, str, bool] | None: ...
def pixels(
    metric: str,
    reference: _Bytes | _Singles,
    reconstruction: _Bytes | _Singles,
    options: str,
    resizes: bool,
    progress: Any,
) -> _Scored: ...
def lpips(
    reference: _Bytes | _Singles,
    reconstruction: _Bytes | _Singles,
    heads: str | None,
    options: str,
    resizes: bool,
    weights: str | None,
    checkpoint: str | None,
    weight_precision: str,
    device: str,
    progress: Any,
) -> tuple[str, _Scored]: ...
def feature_rows(as_distance: bool, reference: _Floats, reconstruction: _Floats) -> _Scored: ...
def profile_correlation(reference: _Floats, reconstruction: _Floats, over: _Bootstrap) -> tuple[_Scored, _Summary]: ...
def pattern_correlation(
    reference: _Floats, reconstruction: _Floats, mean: Sequence[float], sd: Sequence[float]
) -> _Scored: ...
def frame_consistencies(frames: _Floats, n_frames: int, all: bool) -> _Scored: ...
def n_way_accuracies(
    reference: _Floats, reconstruction: _Floats, n_way: int, options: str
) -> tuple[_Scored, str, float]: ...
def identification(
    reference: _Floats,
    reconstruction: _Floats,
    pool: _Floats | None,
    options: str,
    copies: str,
    of: tuple[Sequence[int] | None, tuple[list[int], int, int] | None],
) -> tuple[_Scored, int, list[int], _Doubles, list[int]]: ...
def point_clouds(reference: Sequence[_Doubles], reconstruction: Sequence[_Doubles], options: str) -> _Scored: ...
def retrieval(
    direction: str,
    reference: _Floats,
    reconstruction: _Floats,
    options: str,
    over: _Bootstrap,
    averaged: tuple[list[int], int, int] | None,
) -> tuple[_Scored, _Summary, tuple[_Doubles, float, float, tuple[float, float] | None]]: ...
def set_distances(
    reference: _Floats, reconstruction: _Floats, over: _Bootstrap
) -> tuple[list[_OrReason], _OrReason, list[_OrReason]]: ...
def detections(
    metric: str,
    reference: Sequence[_Found],
    reconstruction: Sequence[_Found],
    label_names: Sequence[str],
    label_groups: str,
    image_size_px: tuple[float, float] | None,
    options: str,
    progress: Any,
) -> tuple[tuple[_Scored, str], int]: ...
def grounded_boxes(
    metric: str, reference: Sequence[_Found], reconstruction: Sequence[_Found], level: float
) -> tuple[_Scored, _Summary]: ...
def builtin_labels(id: str) -> list[str] | None: ...
def category_names(
    metric: str, reference: Sequence[Sequence[str]], reconstruction: Sequence[Sequence[str]], options: str
) -> tuple[_Scored, str]: ...
def masks(
    metrics: Sequence[str],
    reference: Sequence[_Segmented],
    reconstruction: Sequence[_Segmented],
    options: str,
    progress: Any,
) -> tuple[list[_Scored], str]: ...
def vqa_score(beginnings: Sequence[Sequence[tuple[str, float]]]) -> _Scored: ...
def cap_sim(references: Sequence[_Floats], captions: _Floats, how: str) -> _Scored: ...
def embed(texts: Sequence[str], encoder: str, weights: str | None, progress: Any) -> _Singles: ...
def scene_graphs(
    metrics: Sequence[str],
    reference: Sequence[str],
    reconstruction: Sequence[str],
    options: str,
    encoder: str,
    wordnet: str | None,
    weights: str | None,
    progress: Any,
) -> tuple[list[_Scored], str]: ...
def combine(metric: str, parts: Sequence[Sequence[_Doubles]], options: str) -> tuple[_Scored, list[_Doubles]]: ...
def bleu(
    references: Sequence[Sequence[str]], captions: Sequence[str], options: _Bootstrap
) -> list[tuple[_Scored, _Summary]]: ...
def caption_words(
    metric: str,
    references: Sequence[Sequence[str]],
    captions: Sequence[str],
    stemming: bool,
    folders: tuple[str | None, str | None],
) -> _Scored: ...
def clip_s(images: _Floats, captions: _Floats, references: Sequence[_Floats] | None) -> _Scored: ...
def correlation(name: str, x: _Doubles, y: _Doubles) -> tuple[float | None, str | None]: ...
def pairwise_accuracy(metric: _Doubles, human: _Doubles, epsilon: float) -> tuple[float | None, str | None]: ...
def icc(ratings: _Doubles, level: float, convention: str) -> tuple[list[_Form], str | None, int, int]: ...
def krippendorff(ratings: _Doubles, measurement: str) -> tuple[float | None, str | None]: ...
def bootstrap_statistic(
    n_items: int, statistic: Callable[[npt.NDArray[np.int64]], float], options: _Bootstrap
) -> _Summary: ...
def score_run(options: str, progress: Any) -> dict[str, Any]: ...
def command_options(words: Sequence[str]) -> list[str]: ...
def check_images(gt: str, recon: str, options: tuple[str, str], explained: Sequence[str], progress: Any) -> str: ...
def nothing_seen(metric: str, values: _Doubles, details: str, blank: Sequence[tuple[bool, bool]]) -> str | None: ...
def finding_text(finding: str) -> str: ...
def verify_outputs(record: str) -> None: ...
def read_run(path: str) -> dict[str, Any]: ...
def compare_runs(
    paths: Sequence[str],
    names: Sequence[str] | None,
    metrics: Sequence[str],
    over_all_metrics: bool,
    test: tuple[str, float | None],
    of_runs: tuple[str | None, bool, bool, bool],
    options: _Bootstrap,
) -> dict[str, Any]: ...
def cite(folders: Sequence[str], records: Sequence[str], methods: bool) -> str: ...
def pairwise_hinge(
    predicted: _Doubles, true_embeddings: _Doubles, anchor: str, neighbours: str, include_self: bool, normalise: str
) -> tuple[tuple[float, _Doubles, int, int] | None, str | None]: ...
def default_alphas() -> tuple[list[float], list[float]]: ...
def draw_inner_folds(n_stimuli: int, n_folds: int, seed: int) -> list[int]: ...
def draw_outer_folds(n_stimuli: int, n_folds: int, n_inner_folds: int, seed: int) -> list[dict[str, Any]]: ...
def draw_partitions(stimuli: Sequence[int], n_stimuli: int, n_splits: int, seed: int) -> _Bytes: ...
def standardise(trials: _Doubles, labels: Sequence[int]) -> _Doubles: ...
def target_reference(
    trials: _Doubles,
    stimuli: Sequence[int],
    splits: _Bytes,
    inner_folds: Sequence[int],
    max_rank: int,
    alphas: Sequence[float],
    fixed_rank: int | None,
    progress: Any,
) -> dict[str, Any]: ...
def fit_recovery(
    source: _Doubles,
    target: _Doubles,
    inner_folds: Sequence[int],
    max_rank: int,
    alphas: Sequence[float],
    readout_alphas: Sequence[float],
    rank: int | None,
) -> dict[str, Any]: ...
def predict(
    source: _Doubles,
    means: _Doubles,
    deviations: _Doubles,
    directions: _Doubles,
    coefficients: _Doubles,
    offsets: _Doubles,
) -> _Doubles: ...
def recovery_profile(
    weights: _Doubles, directions: _Doubles, basis: _Doubles, n_prefixes: int
) -> tuple[tuple[_Doubles, _Doubles, float] | None, str | None]: ...
def curve_mean(curve: _Doubles, k: int) -> float: ...
def curve_among_donors(
    figure: str, curve: _Doubles, donors: Sequence[_Doubles], k: int
) -> tuple[float | None, str | None]: ...
def image_model_ids() -> list[str]: ...
def load_image_model(
    name: str,
    weights: str | None,
    checkpoint: str | None,
    preset: str,
    antialias: bool | None,
    device: str,
    progress: Any,
) -> LoadedModel: ...

@final
class LoadedModel:
    @property
    def identity(self) -> tuple[str, str, str]: ...
    @property
    def stand_in(self) -> bool: ...
    @property
    def layers(self) -> list[str]: ...
    def recipe(self, layer: str | None, pooling: str) -> str: ...
    def features(
        self,
        images: _Bytes | _Singles | str | Sequence[str],
        layer: str | None,
        pooling: str,
        reading: str,
        progress: Any,
    ) -> _Singles: ...

def evaluate_metrics(
    arguments: Sequence[str], human: tuple[str, str] | None, metrics: Sequence[tuple[str, str]]
) -> list[tuple[str | None, dict[str, Any]]]: ...
def defaults() -> str: ...
def exceptions() -> list[tuple[str, int]]: ...
