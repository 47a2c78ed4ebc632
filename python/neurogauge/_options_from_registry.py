"""Options of commands as keywords, written from the command line's own description of them by ``make written``; not to
be edited. None stands for the default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from ._run import Path, Run

__all__ = [
    "Settings",
    "ScoreOptions",
    "RecoveryOptions",
    "AuditOptions",
    "GalleryOptions",
    "MultiverseOptions",
    "ReportOptions",
    "StudyOptions",
    "SurveyOptions",
    "AnswerOptions",
    "PowerOptions",
    "AgreementOptions",
]


class Settings(TypedDict, total=False):
    """Conventions for ``set``, such as ``{'pixel_size': 256}``; ``neurogauge list conventions`` says more of each."""

    values: Literal["0..255", "-1..1", "clip", "as-they-are"]
    """What floats outside 0 to 1 are: ``0..255``, ``-1..1``, ``clip`` (an overshoot, which image files clip) or
    ``as-they-are``. Without it, values far outside are an error (default: an error if values are far outside 0 to
    1)."""
    alpha: Literal["white", "black", "as-stored"]
    """What transparent pixels lie on: ``white``, ``black``, or ``as-stored``, where the colours below them count.
    Without it, transparent pixels that hide colours are an error (default: an error if transparent pixels hide
    colours)."""
    region: str
    """The pixels that PixCorr, SSIM, PSNR and LPIPS compare: the opaque ones of each stimulus (``alpha``), those of
    masks in a folder or stack, or ``none``: all. Around them both images get the colour of ``alpha`` (white by
    default) (default: none)."""
    stack_order: Literal["natural", "text", "reversed"]
    """In which order a stack (.npy, .pt), whose images have no names, holds those that the other side names:
    ``natural`` (1, 2, 10), ``text`` (1, 10, 2, as sorted(os.listdir()) in Python) or ``reversed``. All rows pair
    with all names (default: rows are called 0, 1, 2, ...)."""
    frames: str
    """Which frames are compared: ``nearest``, each frame of the stimulus with that of the reconstruction at the same
    time; ``error``, equal numbers of frames; ``first:N``; ``uniform:N``, N times evenly spaced; or one that stands
    for the clip, ``middle`` or ``at:N`` (default: nearest)."""
    on_missing: Literal["error", "skip"]
    """What to do if one side of an item lacks a sample or view: ``error``, or ``skip``, where those of both sides
    count (default: error)."""
    samples: str
    """The score of an item with several samples: ``mean``, or ``best:K``, the expected best of K of them, which
    knows the stimulus (default: mean)."""
    odd_frames: Literal["error", "drop-last"]
    """What to do with the last frame if a clip has an odd number and a model sees two at a time (VideoMAE):
    ``error``, or ``drop-last`` (default: error)."""
    pixel_size: int | Literal["own"]
    """Shorter side at which pixels are compared, px, or ``own``: images as they are (default: 425)."""
    first_size: int
    """Resize to this shorter side first, px (MindEye2's images went through 256) (default: none)."""
    proportions: Literal["kept", "squashed"]
    """Keep the proportions of images that are not square when pixels are compared, or squash them, so that images of
    different proportions can be compared (default: kept)."""
    filter: Literal["bilinear", "bicubic"]
    """Interpolation when pixels are compared (default: bilinear)."""
    antialias: Literal["on", "off"]
    """Smooth before shrinking, as torchvision does since 0.17 (default: off)."""
    pixel_arithmetic: Literal["float", "eight-bit"]
    """Resize in floats, or in 8 bits as Pillow does, which always smooths before shrinking; for pixels only
    (default: float)."""
    ssim: Literal["grey", "columns", "colour"]
    """Which SSIM: of the grey images; with their columns taken as channels; or the mean over three colours under a
    uniform window (default: grey)."""
    image_models: Literal["own", "placeholder"]
    """Models behind feature metrics: each metric's own, or ``placeholder`` for all (no weights, numbers mean
    nothing) (default: own)."""
    seed_images: Literal["nsd8-mindeye2", "nsd8-native", "published", "timm", "brain-diffuser"]
    """How images are prepared for the EffNet that SEED is made of (default: nsd8-native)."""
    identification_direction: Literal["reconstruction", "stimulus"]
    """Which side supplies the distractors: other stimuli (``reconstruction`` is identified, MindEye2's code) or
    other reconstructions (``stimulus`` is identified, the SEED paper) (default: reconstruction)."""
    identification_ties: Literal["lose", "half", "win"]
    """How an exact tie counts in identification (default: lose)."""
    identification_copies: Literal["leave-out", "keep"]
    """Whether pairs of the same stimulus are distractors of each other in identification. Copies have the same
    image, or equal features where no metric reads images (default: leave-out)."""
    identification_subtract_own: Literal["on", "off"]
    """Count one success too few in two-way identification, as MIRAGE's released code does (default: off)."""
    n_way: int
    """Images to choose from in identification, including the right one (default: 2)."""
    top_k: int
    """The right image must be among the K most similar (default: 1)."""
    draws: int
    """Draw distractors (in classification accuracy: classes) at random, so many times for each pair (default: none:
    the exact expectation over all draws)."""
    right_classes: int
    """Classification accuracy: so many of the stimulus's most probable classes count as right (default: 3)."""
    class_top_k: int
    """Classification accuracy: a right class must be among the K most probable (default: 1)."""
    object_variant: Literal["existence", "size", "location", "number"]
    """What Object F1 weighs besides existence (Table 4 of the SEED paper) (default: existence)."""
    score_order: Literal["as-listed", "any"]
    """Read detections in file order and stop at the first below the threshold, as SEED's code does, or read all
    (default: as-listed)."""
    min_box_area: float
    """Smallest box that counts, px² (default: 50)."""
    box_units: Literal["pixels", "shares"]
    """Unit of boxes in folders of detections: pixels, or shares of the image, which are multiplied by box_scale
    (default: pixels; boxes that cannot be pixels are refused)."""
    box_scale: tuple[float, float] | str
    """What boxes given as fractions are multiplied by (default: 425x425)."""
    image_size: tuple[float, float] | str
    """Size of the images behind the detections, for the size and location variants (default: that of the images)."""
    vlm_names: Literal["normalised", "as-written"]
    """Which names of a vision-language model are the same: also those that differ in case, spaces, underscores or a
    final full stop, or only equal ones (default: normalised)."""
    snm_threshold: float
    """Score from which a category counts for SNM (default: 0.3)."""
    snm_categories: Literal["salient", "all"]
    """Categories of SNM (default: salient)."""
    snm_recon_categories: Literal["same", "all"]
    """Categories of the reconstruction that can make a near miss: the same set, or all (default: same)."""
    sdm_f1_above: float
    """SDM counts pairs with Object F1 above this, if sdm_gap_above holds, too (default: 0.7)."""
    sdm_gap_above: float
    """SDM counts pairs with Object F1 - SEED above this, if sdm_f1_above holds, too (default: 0.2)."""
    prompt_names: Literal["spaces", "underscores"]
    """How a detector is asked for categories of several words: ``traffic light`` or ``traffic_light`` (default:
    spaces)."""
    max_detections: int
    """Objects that are kept of an image, those of the highest scores (default: 300)."""
    text_encoder: str
    """Model that embeds captions: all-MiniLM-L6-v2, all-mpnet-base-v2, Qwen3-Embedding-0.6B, or ``placeholder`` (no
    weights, numbers mean nothing) (default: all-MiniLM-L6-v2)."""
    references: Literal["mean", "max", "first"]
    """How the similarities to several reference captions become one (default: mean)."""
    rouge_stemming: Literal["on", "off"]
    """Reduce words to their stems for ROUGE-1, ROUGE-2 and ROUGE-L (F1) (default: off)."""
    text_instruction: str
    """Instruction before the captions of both sides when they are embedded, such as "Retrieve semantically similar
    text"; only Qwen3-Embedding-0.6B reads one (default: none)."""
    caption_beams: int
    """Beams of a captioner's search; 1 is greedy search (default: 1)."""
    caption_tokens: int
    """Tokens that a caption has at most, the end token included (default: 50)."""
    basic_containment: Literal["whole-words", "substring", "off"]
    """When a phrase that is part of another matches it (default: the preset's: whole-words for basic, substring for
    capture)."""
    basic_assignment: Literal["optimal", "greedy"]
    """Which of several possible partners an element gets (default: the preset's: optimal for basic, greedy for
    capture)."""
    basic_synonyms: Literal["on", "off"]
    """Do phrases that share a lemma in WordNet match? (default: on)."""
    basic_soft: Literal["per-side-maximum", "one-to-one", "off"]
    """What elements without a match count for: their largest cosine, that with one partner, or nothing (default:
    per-side-maximum)."""
    basic_negative_cosines: Literal["zero", "kept"]
    """What a cosine below 0 counts for (default: the preset's: zero for basic, kept for capture)."""
    basic_epsilon: float
    """Added to every denominator (default: the preset's: 0 for basic, 1e-6 for capture)."""
    basic_weights: tuple[float, float, float] | str
    """Weights of objects, attributes and relations (default: the preset's: 4:4:2 for basic, 5:5:2 for capture)."""
    basic_lemmas: Literal["on", "off"]
    """Bring objects and attributes to their base forms first (WordNet) (default: on)."""
    basic_drop_of: Literal["on", "off"]
    """Leave out attributes that hold " of" (default: on)."""
    basic_noun_filter: Literal["on", "off"]
    """Only what the caption names by a noun counts, as in CAPTURE's code: the words of captions are tagged by a
    perceptron tagger's weights (the input tagger) (default: off)."""
    basic_stop_words: Path
    """Objects that do not count, in base form: a file with one per line (default: all count)."""
    phrase_encoder: str
    """Model that embeds what is left unmatched: all-mpnet-base-v2, all-MiniLM-L6-v2, Qwen3-Embedding-0.6B, or
    ``placeholder`` (no weights, numbers mean nothing) (default: all-mpnet-base-v2)."""
    parser: Literal["file", "t5", "t5-subcaptions"]
    """Where scene graphs come from: files, or t5: captions of both sides are parsed by the FACTUAL parser
    (factual_t5), several of an image into one graph; t5-subcaptions: once more from the sentences about one object,
    or about two that are related, as the BASIC paper words it (default: file)."""
    parser_beams: int
    """Beams of the search of the parser of captions; 1 is greedy search (default: 5)."""
    parser_tokens: int
    """Tokens of a sentence's graph at most, the end token included (default: 127)."""
    mask_categories: Literal["both", "reference"]
    """Whose categories masks are compared by: those of both images (what only the reconstruction has costs), or the
    reference's alone (default: both)."""
    mask_matching: Literal["optimal", "greedy"]
    """How objects of a name are paired: optimal assignment, or the largest overlap first (default: optimal)."""
    mask_instances: Literal["objects", "all"]
    """Whose masks the instance level compares: those of foreground objects, or all (default: objects)."""
    mask_background: Literal["elements", "complement"]
    """Background of the binary level: the masks of background elements, or all that is not foreground (default:
    elements)."""
    mask_empty: Literal["undefined", "zero"]
    """A level with masks of only one side: undefined, or worth 0 (default: undefined)."""
    mask_resize: Literal["refuse", "nearest"]
    """Masks of a reconstruction of another size: refused, or brought to the reference's by their nearest pixels
    (default: refuse)."""
    mask_score: float
    """Score from which a mask counts (default: 0.25)."""
    mask_ap_thresholds: Sequence[float]
    """Overlaps over which average precision is averaged (default: 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85,
    0.8999999999999999, 0.95)."""
    mask_prompts: Literal["own", "stimulus"]
    """Whose categories a segmenter is asked for in reconstructions: their own, or those of their stimuli (default:
    own)."""
    mask_detector: str
    """Detector whose boxes become masks: grounding_dino_tiny, grounding_dino_base, mm_grounding_dino_swin_t,
    mm_grounding_dino_swin_l or ``placeholder-detector`` (default: grounding_dino_tiny)."""
    box_threshold: float
    """A box becomes a mask if a word of the prompt fits better than this (default: 0.25)."""
    text_threshold: float
    """The words of the prompt that fit better than this are a mask's label (default: 0.3)."""
    unlabelled_boxes: Literal["keep", "drop"]
    """Boxes that no word labels: kept, as masks without a name, or dropped (default: keep)."""
    mask_nms: float
    """Leave out the worse of two boxes that overlap by more than this (default: both stay)."""
    vlm_tokens: int
    """Tokens that an answer has at most (default: 512)."""
    vlm_temperature: float
    """Temperature of the answers (default: 0)."""
    vlm_seed: int
    """Seed of the server's sampling (default: 0)."""
    interval: Literal["studentized", "bca", "percentile"]
    """How intervals of means are made. Percentiles are too narrow below some 30 pairs (default: studentized)."""
    cluster: Path
    """Stimuli that are alike (scenes of a film, pictures of a concept): a pattern of names such as '{cluster}_*', a
    table with the columns item and cluster, ``none``, or ``auto``, pieces of a film if all names say it, such as
    movie1_clip03. Intervals and tests are then over clusters; scores stay as they are (default: auto)."""
    null: str
    """Also compute what metrics without a known level of chance give reconstructions of other stimuli: ``shuffled``,
    or ``shuffled=N`` for N random pairings. Each costs as much as comparing the pairs (default: none)."""


class ScoreOptions(TypedDict, total=False):
    """The options of :func:`neurogauge.score`: the options of ``neurogauge score``, with ``_`` for ``-``. None stands
    for the default.

    What several calls share can be held in one mapping::

        options: ng.ScoreOptions = {"preset": ["paper", "published"], "set": {"pixel_size": 256}}
        mine, other = (ng.score("stimuli", folder, **options) for folder in ("mine", "other"))
    """

    observations: Path | None
    """Folder with gt/ and recon/ inside (captions.json, detections/, vlm_categories.json, image_texts.json, masks/,
    categories/, features/, scene_graphs.json; recon/vqa_scores.json), or SEED's evaluations/<model>/."""
    wordnet: Path | None
    """Folder of WordNet 3.0 (default: WNSEARCHDIR, else where packages install it)."""
    punkt: Path | None
    """Folder of Punkt's English parameters (tokenizers/punkt_tab/english of nltk_data), by which captions are split
    into sentences before they are parsed or tagged (default: rules of our own)."""
    tagger: Path | None
    """Folder of a perceptron tagger's weights (taggers/averaged_perceptron_tagger_eng of nltk_data), for ``set``
    basic_noun_filter."""
    chosen_samples: Path | None
    """The sample of each item that was chosen without looking at the stimulus: a table with the columns item and
    sample. Only these count."""
    pool: Path | None
    """Other images (a folder, a stack), or a folder of their feature matrices: identification is repeated among
    them, which is the same task for every system. Images are looked at as those of the pairs are."""
    pairs: Literal["all", "shared"] | None
    """Which stems are scored: ``all``, where one without a partner is an error, or ``shared``, those that both sides
    have; the others are counted and named (default: all)."""
    match: str | None
    """What the reconstruction of a stem is called, without its extension, such as '{stem}_recon'; with '{number}',
    the numbers in both names pair, with or without leading zeros. STIMULUS=RECONSTRUCTION says what both are called,
    such as '*_{stem}/*={stem}', where * stands for anything but a slash (default: '{stem}')."""
    parts: str | None
    """What the parts of an item are: ``frame``, ``view`` or ``sample`` (a folder, a GIF file or a row of a stack for
    each item), or what images are called, such as '{item}_{sample}' or '{item}/{sample}/{frame}'. Scores, intervals
    and tests are then of items (default: each image is an item)."""
    trials: Path | None
    """Image of each reconstruction, if reconstructions are trials: a table with the columns trial and image (.csv,
    .tsv), or of an array's rows a list (.txt, .csv:COLUMN, .npy). Each trial is scored, and trials are averaged per
    image; intervals and tests are of images. Names such as 'cat_rep0' need no file: ``parts`` '{item}_rep{sample}'."""
    overwrite: bool
    """Replace a finished run of other inputs or options in that folder."""
    on_failure: Literal["skip", "stop"] | None
    """What to do if an image cannot be read, or a model fails on an image or caption: ``skip`` names it, leaves its
    pairs without a value and ends with exit code 1, ``stop`` ends the run there (default: skip)."""
    export_layout: Literal["official"] | None
    """Also write the run in SEED's official layout, under RUN/evaluations/."""
    overlay: str | Sequence[str] | None
    """Also draw the masks of these pairs over their images: what is right, missing and made up
    (RUN/figures/masks_<stem>.png)."""
    from_run: Path | None
    """Repeat the run in this folder, or that this run.json records; its inputs must be unchanged."""
    accept_changes: bool
    """Repeat the run even if its inputs or models have changed."""
    preset: str | Sequence[str] | None
    """Whose protocol, comma-separated: of SEED, of images, of BASIC-H (``neurogauge list presets`` lists all). One
    of each kind. SEED: official (its released code, Object F1 and EffNet's images), and for Object F1 paper (its
    text) or exact (the integral). Images on their way to pixel metrics and models: nsd8-mindeye2, nsd8-native,
    published, or that of a released evaluation (mindeye1, mindeye2, atm, mindbridge, neuropictor, brain-diffuser,
    mirage, mindvideo, neurons, cinebrain). BASIC-H: basic (the paper's words) or capture (the code it builds on)
    (default: official and basic; nsd8-mindeye2 for models except SEED's EffNet, while pixels are resized to ``set``
    pixel_size at once)."""
    labels: str | Path | None
    """Names behind the label indices: coco_gender (SEED's 82), coco (80), god (Generic Object Decoding's 51) or a
    file, which may say what their supercategories are and which are salient (default: the names in the files of
    detections; for ``detector`` coco_gender)."""
    captioner: str | None
    """Model that describes the images of both sides for caption metrics, such as git_large_coco. It replaces
    captions that are given: git_large_coco (as SEED does), git_base_coco, blip2_opt_2_7b (16 GB, or 8 with
    ``weight_precision`` bf16), or ``placeholder-captioner`` (no weights, numbers mean nothing); or the address of a
    server (see ``vlm``). Captions are kept in NEUROGAUGE_CACHE, so the stimuli are described once for all systems
    (default: git_large_coco for metrics named with ``metrics``, where there are images and no captions)."""
    detector: str | None
    """Model that looks for objects in the images of both sides for metrics of detections, such as
    mm_grounding_dino_swin_l. It replaces detections that are given: mm_grounding_dino_swin_l (as SEED does),
    mm_grounding_dino_swin_t, grounding_dino_tiny, grounding_dino_base, yolo_world_v2_s, _m, _l, _x, or
    ``placeholder-detector`` (no weights, numbers mean nothing). It looks for the ``labels``. Detections are kept in
    NEUROGAUGE_CACHE, so the model runs on the stimuli once for all systems (default: mm_grounding_dino_swin_l for
    metrics named with ``metrics``, where there are images and no detections)."""
    averaged: int | Sequence[int] | None
    """Also identify by the mean features of so many random trials (samples) of each image, for metrics of
    identification."""
    set: Settings | None
    """Decide a convention, such as pixel_size=256; it wins over a preset. ``neurogauge list conventions`` shows all."""
    vlm: str | Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
    """Server with a vision-language model that says what the images hold, such as http://localhost:8000. Any server
    that speaks the chat protocol: vLLM, llama.cpp, ollama, LM Studio, ``transformers serve``, OpenAI. It gives
    captions, categories (for masks), VLM categories, texts in images and VQA scores: those that ``vlm_asks`` names,
    or else those that ``metrics`` need and that you did not provide. Answers are kept in NEUROGAUGE_CACHE. The
    address is in no record; a key is read from the environment (NEUROGAUGE_VLM_KEY). In a TOML file, several [[vlm]]
    with url, model, asks, prompt, tokens, temperature and seed."""
    vlm_model: str | None
    """What the server calls the model; or one that needs no server: qwen2.5-vl-7b, qwen2.5-vl-3b, clip_flant5_xl and
    clip_flant5_xxl (VQA scores only), placeholder-vlm."""
    vlm_asks: str | Sequence[str] | None
    """What the model is asked for (default: what the metrics need)."""
    vlm_prompt: str | Sequence[str] | None
    """A prompt instead of a paper's: one of ``neurogauge list prompts``, or WHAT=FILE with a text of your own, e.g.
    captions=prompt.txt."""
    vlm_field: str | Sequence[str] | None
    """A further field of each request, e.g. max_completion_tokens=512; null leaves a field out, e.g.
    max_tokens=null."""
    vlm_timeout: float | None
    """Seconds that an answer may take (default: 600)."""
    vlm_tries: int | None
    """Attempts to send a request, with longer and longer pauses (default: 5)."""
    parallel: int | None
    """Requests that wait for the server at the same time (default: 8)."""
    masks: str | None
    """Model that makes masks of what the categories of each image name, instead of masks that are given:
    sam2.1_hiera_large (as Grounded SAM 2 does), sam2.1_hiera_base_plus, sam2.1_hiera_small, sam2.1_hiera_tiny, the
    same of sam2_, or ``placeholder-segmenter`` (no weights, numbers mean nothing). Masks are kept in
    NEUROGAUGE_CACHE, so the model runs on the stimuli once for all systems."""
    stimulus_pattern: str | None
    """Names of pairs if several show the same stimulus: {stimulus} for the stimulus and * for anything, such as
    '{stimulus}_*'. Intervals are then over stimuli, and pairs of one stimulus are no distractors of each other
    (default: stimuli with the same bytes)."""
    resamples: int | None
    """Bootstrap resamples of pairs, or of items (default: 2000)."""
    level: float | None
    """Level of the intervals (default: 0.95)."""
    seed: int | None
    """Seed of the resamples and of all else that is drawn (default: 42)."""
    weights: Path | None
    """Folder of model weights (also: NEUROGAUGE_WEIGHTS)."""
    checkpoint: Mapping[str, Path] | None
    """Weights of your own for a model: any checkpoint with the tensors of that model (.pth, .pt, .safetensors, or
    the index of several, model.safetensors.index.json); recorded as MODEL-custom with the SHA-256 of the file or of
    all files."""
    device: str | None
    """Where models run: cpu, cuda or cuda:N (NVIDIA), metal (Apple), each in single precision, or cpu-f64 (in double
    precision, slow). cuda and metal need a build with that feature. Values differ by rounding, so the device is
    recorded and results are kept apart by it (default: cpu)."""
    precision: Literal["f32", "bf16"] | None
    """Number format in which linear maps of models multiply: f32, or bf16 (sums stay in f32). bf16 needs half the
    memory for their weights, and less time on processors with products of bf16 (AVX-512 BF16) and on NVIDIA's.
    Values differ by rounding, so they are kept apart: recorded as MODEL-bf16-products (default: f32)."""
    weight_precision: Literal["f32", "bf16", "f16"] | None
    """Round the weights of all models when they are read: f32 (as they are stored), bf16 or f16. It is computed in
    single precision all the same, so this saves memory and no time: it shows what half precision changes. Recorded
    as MODEL-bf16 or MODEL-f16 (default: f32)."""
    weights_in_f32: bool
    """Keep weights in 32 bits in memory even if 16 are enough. Results are the same: twice the memory, and less time
    on processors that have neither AVX2 nor NEON."""
    lpips_heads: Path | Sequence[Path] | None
    """Linear heads of LPIPS: alex.pth or vgg.pth of the Python package lpips (lpips/weights/v0.1/ in its wheel); the
    network is that of the file."""
    gt_captions: Path | None
    """Captions of the stimuli: JSON {"stem": "text"} or {"stem": ["text", ...]}, a table, JSON Lines, COCO's file,
    or SEED's .npy."""
    recon_captions: Path | None
    """Captions of the reconstructions."""
    gt_detections: Path | None
    """Detections in the stimuli: a folder of mmdetection's (or others') JSON or of YOLO's text, or one JSON of boxes
    (COCO's, or by category)."""
    recon_detections: Path | None
    """Detections in the reconstructions."""
    gt_vlm_categories: Path | None
    """Categories that a vision-language model names in the stimuli: JSON {"stem": "dog, frisbee"} or {"stem":
    ["dog", ...]}."""
    recon_vlm_categories: Path | None
    """The same in the reconstructions."""
    gt_image_texts: Path | None
    """Texts that are written in the stimuli, as a vision-language model reads them: JSON {"stem": ["EXIT", ...]}, []
    for none."""
    recon_image_texts: Path | None
    """The same in the reconstructions."""
    gt_masks: Path | None
    """Masks of the stimuli: a folder of Grounded SAM 2's JSON or of PNG label maps with labels.json, or one JSON of
    COCO's instances."""
    recon_masks: Path | None
    """Masks of the reconstructions."""
    gt_categories: Path | None
    """Which names of the stimuli's masks are objects, parts and background (BASIC's categorisation): a folder of
    <stem>.json, each such as {"foreground_objects": [{"object": "dog", "parts": ["head"]}], "background_elements":
    [{"element": "sky"}]}, or one JSON of such entries by stem, {"<stem>": {...}}."""
    recon_categories: Path | None
    """The same of the reconstructions' masks, in the same form."""
    gt_features: Path | None
    """Folder of feature matrices of the stimuli: <model>.npy and ids.json."""
    recon_features: Path | None
    """Folder of feature matrices of the reconstructions."""
    gt_scene_graphs: Path | None
    """Scene graphs of the stimuli's captions: JSON {"stem": {"objects": [..], "attributes": {..}, "relations":
    [..]}}, or text (.txt)."""
    recon_scene_graphs: Path | None
    """Scene graphs of the reconstructions' captions."""
    vqa_scores: Path | None
    """VQA scores made elsewhere, for vqa_score: JSON {"stem": 0.83}, the probability of yes when a model is asked
    whether the reconstruction shows what the stimulus's caption says."""


class RecoveryOptions(TypedDict, total=False):
    """The options of :func:`neurogauge.recovery`."""

    preset: Literal["nsd-core", "nsd-synthetic"] | None
    """The recovery paper's study instead of a file, all of its models, seeds, controls and scores of stimuli:
    nsd-core (515 shared images) or nsd-synthetic (284 images). align.toml in the run's folder has it as a file."""
    nsd: Path | None
    """For ``preset``: folder of the Natural Scenes Dataset, with nsddata and nsddata_betas in it."""
    stimuli: Path | None
    """For ``preset``: images of the stimuli, called by their numbers (default: the dataset's own HDF5 file)."""
    atlas: str | None
    """For ``preset``: labels of regions on fsaverage, ``kastner2015``, ``prf-visualrois``, or a file below ``nsd``
    with {hemisphere} (and {subject}) in its name; the paper names no atlas (default: kastner2015)."""
    sources: str | Sequence[str] | None
    """For ``preset``: which models, ``main`` for the main text's four architectures, ``untrained``, ids, or
    ``layers`` for single layers (Figure 10), as in all,layers (default: all)."""
    subjects: str | Sequence[str] | None
    """For ``preset``: which of the eight subjects (default: all)."""
    sessions: int | None
    """For ``preset`` nsd-core: only the first sessions of each subject, to try it with a part of the data (default:
    all)."""
    stimulus_scores: bool
    """Also score every stimulus on the reproducible directions of each target unit, show those at both ends, and set
    accuracies beside noise ceilings, as ``preset`` always does; needs about as much time as the references."""
    simulate: Literal["miniature", "small", "nsd"] | None
    """Simulated subjects and models with a known truth instead of data; ``nsd`` has NSD's size."""
    overwrite: bool
    """Replace a finished run of other inputs or options in that folder."""
    no_figures: bool
    """Do not draw the figures, which go to the folder ``figures`` of the results."""
    figure_format: str | Sequence[str] | None
    """What figures are written as: svg, png, pdf (default: svg,png)."""
    figure_width: str | None
    """Width of figures: 89mm, 3.5in, single (column, 89 mm) or double (183 mm) (default: what they show decides)."""
    figure_font_size: float | None
    """Size of the letters of names in points; titles are larger, numbers of axes smaller (default: 9)."""
    figure_caption: Literal["on", "off"] | None
    """Title above and sentences below a figure; a paper has them in a caption of its own (default: on)."""
    reverse: bool
    """The other way round: models are the targets, and the brains' responses the sources (default, unless
    configured: brains are the targets)."""
    null: int | None
    """Draws of each profile's null, 0 for none (default: as configured, else 20)."""
    null_p: Literal["draws", "t"] | None
    """How p values come from the draws: ``draws`` counts those that reach the observed value, and 5% needs at least
    19; ``t`` is Student's t for the logarithm of one more draw, for which 5 draws suffice (default: as configured,
    else draws)."""
    null_select: bool
    """Select rank and regularisation again in each draw of the null, which shows what a source without information
    recovers (default, unless configured)."""
    null_keep: bool
    """Keep rank and regularisation of the fit in each draw of the null, which shows what as many of the target's
    strongest dimensions recover; faster."""
    controls: str | Sequence[str] | None
    """Controls that profiles are compared with, ``all``, or ``none`` (default: as configured, else
    target-pca,random-directions,fixed-rank,direction-prediction)."""
    balance: Literal["none", "sessions", "sessions-and-runs"] | None
    """Balance the two halves of the trials over sessions, or over sessions and runs (default: as configured, else
    none)."""
    interval: Literal["t", "percentile"] | None
    """How intervals are made: ``t`` over subjects (over the target units of a single subject), or ``percentile`` of
    resamples of target units, which is too narrow (default: as configured, else t)."""
    interval_units: int | None
    """Smallest number of subjects with intervals (of target units for a single subject, and for percentiles); with
    two or three they say little (default: as configured, else 5)."""
    seed: int | None
    """Seed of folds, partitions, nulls and resamples (default: as configured, else 42)."""
    weights: Path | None
    """Folder of model weights (also: NEUROGAUGE_WEIGHTS)."""
    download: bool
    """Download weights that are missing; without it, they are an error that names them all with their sizes
    (default: False)."""
    checkpoint: Mapping[str, Path] | None
    """Weights of your own for a model: any checkpoint with the tensors of that model (.pth, .pt, .safetensors, or
    the index of several, model.safetensors.index.json); recorded as MODEL-custom with the SHA-256 of the file or of
    all files."""
    device: str | None
    """Where models run: cpu, cuda or cuda:N (NVIDIA), metal (Apple), each in single precision, or cpu-f64 (in double
    precision, slow). cuda and metal need a build with that feature. Values differ by rounding, so the device is
    recorded and results are kept apart by it (default: cpu)."""
    precision: Literal["f32", "bf16"] | None
    """Number format in which linear maps of models multiply: f32, or bf16 (sums stay in f32). bf16 needs half the
    memory for their weights, and less time on processors with products of bf16 (AVX-512 BF16) and on NVIDIA's.
    Values differ by rounding, so they are kept apart: recorded as MODEL-bf16-products (default: f32)."""
    weight_precision: Literal["f32", "bf16", "f16"] | None
    """Round the weights of all models when they are read: f32 (as they are stored), bf16 or f16. It is computed in
    single precision all the same, so this saves memory and no time: it shows what half precision changes. Recorded
    as MODEL-bf16 or MODEL-f16 (default: f32)."""
    weights_in_f32: bool
    """Keep weights in 32 bits in memory even if 16 are enough. Results are the same: twice the memory, and less time
    on processors that have neither AVX2 nor NEON."""


class AuditOptions(TypedDict, total=False):
    """The options of :func:`neurogauge.audit`."""

    train: Path | None
    """The stimuli that the decoder was trained on: their features (.npy, .npz, .pt; items first), with the ids of
    the rows in ids.json beside the file, or with ``features`` their images (a folder, an .npy stack or a .pt file).
    Without them only the questions about clusters and collapse are asked."""
    features: str | None
    """Image model whose features are made of inputs that are images; without LAYER its last one. Inputs that hold
    rows of features already must be of the same layer."""
    pairs: Literal["all", "shared"] | None
    """Which rows of ``test`` and ``recon`` are compared: ``all``, where one without a partner is an error, or
    ``shared``, those that both have; the others are counted and named (default: all)."""
    preset: Literal["nsd8-mindeye2", "nsd8-native", "published", "timm", "brain-diffuser"] | None
    """How images are prepared: as the model's authors publish it, or as in the NSD metrics (default: published)."""
    clusters: Path | int | None
    """Clusters of stimuli: a table with the columns item and cluster for all training and test stimuli, or the
    number of clusters that k-means looks for (default: 40)."""
    axes: int | None
    """Principal axes of the features in which k-means looks for clusters (default: 50)."""
    folds: int | None
    """Folds of training stimuli in folds.csv, by cluster and at random (default: 5)."""
    recon: Path | None
    """The reconstructions: features by the same model, or images. They pair up with the test stimuli by name, and
    rows without ids.json on either side by position."""
    decoded: Path | None
    """Features decoded from the brain directly, instead of features of reconstructions."""
    weights: Path | None
    """Folder of model weights (also: NEUROGAUGE_WEIGHTS)."""
    download: bool
    """Download weights that are missing; without it, they are an error that names them all with their sizes
    (default: False)."""
    checkpoint: Mapping[str, Path] | None
    """Weights of your own for a model: any checkpoint with the tensors of that model (.pth, .pt, .safetensors, or
    the index of several, model.safetensors.index.json); recorded as MODEL-custom with the SHA-256 of the file or of
    all files."""
    device: str | None
    """Where models run: cpu, cuda or cuda:N (NVIDIA), metal (Apple), each in single precision, or cpu-f64 (in double
    precision, slow). cuda and metal need a build with that feature. Values differ by rounding, so the device is
    recorded and results are kept apart by it (default: cpu)."""
    precision: Literal["f32", "bf16"] | None
    """Number format in which linear maps of models multiply: f32, or bf16 (sums stay in f32). bf16 needs half the
    memory for their weights, and less time on processors with products of bf16 (AVX-512 BF16) and on NVIDIA's.
    Values differ by rounding, so they are kept apart: recorded as MODEL-bf16-products (default: f32)."""
    weight_precision: Literal["f32", "bf16", "f16"] | None
    """Round the weights of all models when they are read: f32 (as they are stored), bf16 or f16. It is computed in
    single precision all the same, so this saves memory and no time: it shows what half precision changes. Recorded
    as MODEL-bf16 or MODEL-f16 (default: f32)."""
    weights_in_f32: bool
    """Keep weights in 32 bits in memory even if 16 are enough. Results are the same: twice the memory, and less time
    on processors that have neither AVX2 nor NEON."""
    random_fold_scores: Path | None
    """Scores of decoders trained on the random folds of folds.csv: a table with a line for each item (see
    ``cluster_fold_scores``)."""
    cluster_fold_scores: Path | None
    """Scores of decoders trained on the folds by cluster; the difference from random folds is what the clusters
    gave."""
    train_captions: Path | None
    """Features of the captions of the training stimuli, for the control that shows the training picture whose
    caption is nearest to the decoded caption."""
    decoded_captions: Path | None
    """Features of the decoded captions, by the same text encoder."""
    caption_pictures: Path | None
    """Pictures that were made of the decoded captions alone, or their features: what a caption gives by itself."""
    sample_scores: Path | None
    """Scores of several samples of each stimulus: a table or a run whose items are called as ``sample_pattern``
    says."""
    sample_pattern: str | None
    """How these items are called (default: {stem}_{sample})."""
    chosen: Path | None
    """Which sample was chosen: a table with the columns item (the stem) and label (the sample)."""
    metric: Literal["correlation", "cosine", "euclidean"] | None
    """How features are compared: by Pearson's correlation, by the cosine, or by the Euclidean distance, whose
    negative is the similarity (default: correlation)."""
    overwrite: bool
    """Replace a finished run of other inputs or options in that folder."""
    latex_style: Literal["intervals", "pm", "none"] | None
    """What is shown beside estimates in LaTeX: intervals, ± the distance to their ends, or none (default:
    intervals)."""
    latex_siunitx: bool
    """Align the numbers of LaTeX tables at the decimal point, which needs the package siunitx."""
    no_figures: bool
    """Do not draw the figures, which go to the folder ``figures`` of the results."""
    figure_format: str | Sequence[str] | None
    """What figures are written as: svg, png, pdf (default: svg,png)."""
    figure_width: str | None
    """Width of figures: 89mm, 3.5in, single (column, 89 mm) or double (183 mm) (default: what they show decides)."""
    figure_font_size: float | None
    """Size of the letters of names in points; titles are larger, numbers of axes smaller (default: 9)."""
    figure_caption: Literal["on", "off"] | None
    """Title above and sentences below a figure; a paper has them in a caption of its own (default: on)."""
    resamples: int | None
    """Bootstrap resamples of pairs, or of items (default: 2000)."""
    level: float | None
    """Level of the intervals (default: 0.95)."""
    seed: int | None
    """Seed of the resamples and of all else that is drawn (default: 42)."""
    set: Settings | None
    """Decide a convention, such as values=0..255: values, alpha, antialias, interval."""


class GalleryOptions(TypedDict, total=False):
    """The options of :func:`neurogauge.gallery`."""

    gt: Path | None
    """Stimuli: a folder, an .npy stack or a .pt tensor file (default: those of the first run among the systems)."""
    by: str | None
    """Metric by whose scores pairs are picked (default: the first of ``metric``, else pixcorr)."""
    by_system: str | None
    """System by whose scores pairs are picked (default: the mean over all systems)."""
    metric: str | Sequence[str] | None
    """Metrics whose scores are shown below reconstructions: of the runs, or computed here if they compare pixels."""
    captions: bool
    """Captions below images: those of runs, and of captions.json beside images."""
    caption_file: Mapping[str, Run | Path] | None
    """Captions below the images of a system, or of the stimuli (gt), from a file: JSON, {"stem": "text"}."""
    masks: bool
    """The masks of each level of BASIC-L beside each image, a row for each image; systems are runs with masks."""
    stimuli_in_column: bool
    """Stimuli in the first column instead of the first row."""
    pairs: Literal["all", "shared"] | None
    """Which stems are scored: ``all``, where one without a partner is an error, or ``shared``, those that both sides
    have; the others are counted and named (default: all)."""
    match: str | None
    """What the reconstruction of a stem is called, without its extension, such as '{stem}_recon'; with '{number}',
    the numbers in both names pair, with or without leading zeros. STIMULUS=RECONSTRUCTION says what both are called,
    such as '*_{stem}/*={stem}', where * stands for anything but a slash (default: '{stem}')."""
    parts: str | None
    """What the parts of an item are: ``frame``, ``view`` or ``sample`` (a folder, a GIF file or a row of a stack for
    each item), or what images are called, such as '{item}_{sample}' or '{item}/{sample}/{frame}'. Scores, intervals
    and tests are then of items (default: each image is an item)."""
    figure_width: str | None
    """Width of figures: 89mm, 3.5in, single (column, 89 mm) or double (183 mm) (default: what they show decides)."""
    figure_font_size: float | None
    """Size of the letters of names in points; titles are larger, numbers of axes smaller (default: 9)."""
    figure_caption: Literal["on", "off"] | None
    """Title above and sentences below a figure; a paper has them in a caption of its own (default: on)."""
    overwrite: bool
    """Replace a file of that name."""
    set: Settings | None
    """Decide a convention, such as values=0..255: values, alpha, stack_order, frames, on_missing."""


class MultiverseOptions(TypedDict, total=False):
    """The options of :func:`neurogauge.multiverse`."""

    over: Literal["presets", "options"] | None
    """Compare the presets of released evaluations (``neurogauge list presets``), or all combinations of single
    options (default: presets)."""
    published: float | None
    """A published number: also say which conventions come nearest."""
    pairs: Literal["all", "shared"] | None
    """Which stems are scored: ``all``, where one without a partner is an error, or ``shared``, those that both sides
    have; the others are counted and named (default: all)."""
    match: str | None
    """What the reconstruction of a stem is called, without its extension, such as '{stem}_recon'; with '{number}',
    the numbers in both names pair, with or without leading zeros. STIMULUS=RECONSTRUCTION says what both are called,
    such as '*_{stem}/*={stem}', where * stands for anything but a slash (default: '{stem}')."""
    parts: str | None
    """What the parts of an item are: ``frame``, ``view`` or ``sample`` (a folder, a GIF file or a row of a stack for
    each item), or what images are called, such as '{item}_{sample}' or '{item}/{sample}/{frame}'. Scores, intervals
    and tests are then of items (default: each image is an item)."""
    overwrite: bool
    """Replace a finished run of other inputs or options in that folder."""
    latex_style: Literal["intervals", "pm", "none"] | None
    """What is shown beside estimates in LaTeX: intervals, ± the distance to their ends, or none (default:
    intervals)."""
    latex_siunitx: bool
    """Align the numbers of LaTeX tables at the decimal point, which needs the package siunitx."""
    no_figures: bool
    """Do not draw the figures, which go to the folder ``figures`` of the results."""
    figure_format: str | Sequence[str] | None
    """What figures are written as: svg, png, pdf (default: svg,png)."""
    figure_width: str | None
    """Width of figures: 89mm, 3.5in, single (column, 89 mm) or double (183 mm) (default: what they show decides)."""
    figure_font_size: float | None
    """Size of the letters of names in points; titles are larger, numbers of axes smaller (default: 9)."""
    figure_caption: Literal["on", "off"] | None
    """Title above and sentences below a figure; a paper has them in a caption of its own (default: on)."""
    weights: Path | None
    """Folder of model weights (also: NEUROGAUGE_WEIGHTS)."""
    download: bool
    """Download weights that are missing; without it, they are an error that names them all with their sizes
    (default: False)."""
    checkpoint: Mapping[str, Path] | None
    """Weights of your own for a model: any checkpoint with the tensors of that model (.pth, .pt, .safetensors, or
    the index of several, model.safetensors.index.json); recorded as MODEL-custom with the SHA-256 of the file or of
    all files."""
    device: str | None
    """Where models run: cpu, cuda or cuda:N (NVIDIA), metal (Apple), each in single precision, or cpu-f64 (in double
    precision, slow). cuda and metal need a build with that feature. Values differ by rounding, so the device is
    recorded and results are kept apart by it (default: cpu)."""
    precision: Literal["f32", "bf16"] | None
    """Number format in which linear maps of models multiply: f32, or bf16 (sums stay in f32). bf16 needs half the
    memory for their weights, and less time on processors with products of bf16 (AVX-512 BF16) and on NVIDIA's.
    Values differ by rounding, so they are kept apart: recorded as MODEL-bf16-products (default: f32)."""
    weight_precision: Literal["f32", "bf16", "f16"] | None
    """Round the weights of all models when they are read: f32 (as they are stored), bf16 or f16. It is computed in
    single precision all the same, so this saves memory and no time: it shows what half precision changes. Recorded
    as MODEL-bf16 or MODEL-f16 (default: f32)."""
    weights_in_f32: bool
    """Keep weights in 32 bits in memory even if 16 are enough. Results are the same: twice the memory, and less time
    on processors that have neither AVX2 nor NEON."""
    resamples: int | None
    """Bootstrap resamples of pairs, or of items (default: 2000)."""
    level: float | None
    """Level of the intervals (default: 0.95)."""
    seed: int | None
    """Seed of the resamples and of all else that is drawn (default: 42)."""
    set: Settings | None
    """Decide a convention, such as values=0..255: values, alpha, stack_order, frames, on_missing, odd_frames,
    image_models, text_encoder, text_instruction, interval, cluster."""


class ReportOptions(TypedDict, total=False):
    """The options of :func:`neurogauge.report`."""

    meta: Path | Sequence[Path] | None
    """Also show the results of ``meta`` in this folder, and the ratings of a run's pairs."""
    align: Path | Sequence[Path] | None
    """Also show the results of ``align`` in this folder."""
    audit: Path | Sequence[Path] | None
    """Also show what ``audit`` wrote into this folder, and what the cluster alone gives beside every accuracy of
    identification."""
    multiverse: Path | Sequence[Path] | None
    """Also show what ``multiverse`` wrote into this folder: every metric under every convention."""
    subjects: str | None
    """What runs are called where several are subjects of one system: {system} and {subject} where these are named,
    and * where anything may be, such as '{system}_s{subject}'. Systems are then compared by the mean over their
    subjects."""
    new_subjects: bool
    """Intervals and tests of means over subjects hold for new subjects, too, and not only for these. It needs five
    subjects."""
    title: str | None
    """Heading of the page (default: the names of the runs)."""
    overwrite: bool
    """Replace a file of that name."""
    thumbnail_size: int | None
    """Longer side of the thumbnails (default: 256 with ``linked``, otherwise up to 256, as large as a page of 10 MB
    allows, and 2.5 MB for each further system)."""
    linked: bool
    """Put the images into a folder beside the page, which is then no longer one file."""
    no_images: bool
    """Show no images."""
    blur: bool
    """Blur all images beyond recognition, for data whose licence forbids passing them on."""


class StudyOptions(TypedDict, total=False):
    """The options of :func:`neurogauge.study`."""

    data: Path | None
    """Folder of the paper's data. What the paper could use and DIR does not have is left out and named. Where the
    paper's files lie in it is said by the data.toml of the paper's folder."""
    config: Path | None
    """TOML file that names systems, ratings and choices of components."""
    gt: Path | None
    """Stimuli that the systems share: a folder, .npy or .pt file."""
    recon: Mapping[str, Run | Path] | None
    """Reconstructions of a system, likewise; may be repeated."""
    observations: Mapping[str, Run | Path] | None
    """Observations of a system; may be repeated. A folder with gt/ and recon/ inside, or SEED's
    evaluations/<model>/."""
    run: Mapping[str, Run | Path] | None
    """A finished run of ``neurogauge score``; may be repeated."""
    human: Path | Mapping[str, Path] | None
    """Human ratings of a system, by stem; may be repeated. FILE alone where there is one system."""
    metrics: str | Sequence[str] | None
    """Metrics, comma-separated (default: those of the SEED paper). As for ``neurogauge score``. By default all that
    the inputs allow are scored, and tables and pages show those of the SEED paper."""
    captioner: str | None
    """Model that describes images, as for ``neurogauge score``."""
    overwrite: bool
    """Replace a finished run of other inputs or options in that folder."""
    latex_style: Literal["intervals", "pm", "none"] | None
    """What is shown beside estimates in LaTeX: intervals, ± the distance to their ends, or none (default:
    intervals)."""
    latex_siunitx: bool
    """Align the numbers of LaTeX tables at the decimal point, which needs the package siunitx."""
    figure_format: str | Sequence[str] | None
    """What figures are written as: svg, png, pdf (default: svg,png)."""
    figure_width: str | None
    """Width of figures: 89mm, 3.5in, single (column, 89 mm) or double (183 mm) (default: what they show decides)."""
    figure_font_size: float | None
    """Size of the letters of names in points; titles are larger, numbers of axes smaller (default: 9)."""
    figure_caption: Literal["on", "off"] | None
    """Title above and sentences below a figure; a paper has them in a caption of its own (default: on)."""
    subjects: str | None
    """What runs are called where several are subjects of one system: {system} and {subject} where these are named,
    and * where anything may be, such as '{system}_s{subject}'. Systems are then compared by the mean over their
    subjects."""
    new_subjects: bool
    """Intervals and tests of means over subjects hold for new subjects, too, and not only for these. It needs five
    subjects."""
    set: Settings | None
    """Decide a convention, such as pixel_size=256; it wins over a preset. ``neurogauge list conventions`` shows all."""
    weights: Path | None
    """Folder of model weights (also: NEUROGAUGE_WEIGHTS)."""
    download: bool
    """Download weights that are missing; without it, they are an error that names them all with their sizes
    (default: False)."""
    checkpoint: Mapping[str, Path] | None
    """Weights of your own for a model: any checkpoint with the tensors of that model (.pth, .pt, .safetensors, or
    the index of several, model.safetensors.index.json); recorded as MODEL-custom with the SHA-256 of the file or of
    all files."""
    device: str | None
    """Where models run: cpu, cuda or cuda:N (NVIDIA), metal (Apple), each in single precision, or cpu-f64 (in double
    precision, slow). cuda and metal need a build with that feature. Values differ by rounding, so the device is
    recorded and results are kept apart by it (default: cpu)."""
    precision: Literal["f32", "bf16"] | None
    """Number format in which linear maps of models multiply: f32, or bf16 (sums stay in f32). bf16 needs half the
    memory for their weights, and less time on processors with products of bf16 (AVX-512 BF16) and on NVIDIA's.
    Values differ by rounding, so they are kept apart: recorded as MODEL-bf16-products (default: f32)."""
    weight_precision: Literal["f32", "bf16", "f16"] | None
    """Round the weights of all models when they are read: f32 (as they are stored), bf16 or f16. It is computed in
    single precision all the same, so this saves memory and no time: it shows what half precision changes. Recorded
    as MODEL-bf16 or MODEL-f16 (default: f32)."""
    weights_in_f32: bool
    """Keep weights in 32 bits in memory even if 16 are enough. Results are the same: twice the memory, and less time
    on processors that have neither AVX2 nor NEON."""


class SurveyOptions(TypedDict, total=False):
    """The options of :func:`neurogauge.survey.make`."""

    pairs: Literal["all", "shared"] | None
    """Which stems are scored: ``all``, where one without a partner is an error, or ``shared``, those that both sides
    have; the others are counted and named (default: all)."""
    match: str | None
    """What the reconstruction of a stem is called, without its extension, such as '{stem}_recon'; with '{number}',
    the numbers in both names pair, with or without leading zeros. STIMULUS=RECONSTRUCTION says what both are called,
    such as '*_{stem}/*={stem}', where * stands for anything but a slash (default: '{stem}')."""
    parts: str | None
    """What the parts of an item are: ``frame``, ``view`` or ``sample`` (a folder, a GIF file or a row of a stack for
    each item), or what images are called, such as '{item}_{sample}' or '{item}/{sample}/{frame}'. Scores, intervals
    and tests are then of items (default: each image is an item)."""
    questions: Path | None
    """A JSON file with the words of the questionnaire (default: two questions as in the SEED paper, semantic and
    perceptual, with five points)."""
    overwrite: bool
    """Replace a finished run of other inputs or options in that folder."""
    mturk_images: str | None
    """Also write mturk/: a template, batch.csv and the pictures; batch.csv has their addresses below this one."""
    image_size: int | None
    """The longest side of pictures, px; smaller ones are left as they are (default: 425)."""
    image_format: Literal["jpeg", "png"] | None
    """How pictures are stored: jpeg (quality 92) or png (without loss, much larger) (default: jpeg)."""
    clip_frames: int | None
    """The most frames of a clip on a page, evenly spaced (default: 16)."""
    clip_seconds: float | None
    """How long each clip lasts (default: as its file says, or a third of a second for each frame)."""
    raters: int | None
    """Raters of each pair (default: 5)."""
    pairs_per_page: int | None
    """Approximate number of pairs of a page, which is for one rater (default: 50)."""
    repeats: int | None
    """Pairs of a page that are shown once more (default: 5)."""
    attention_checks: int | None
    """Pairs of a page whose answer is known: by turns a stimulus with itself and with another's reconstruction
    (default: 4)."""
    consecutive: int | None
    """Show the first N stimuli, in natural order, of the first system, the next N of the second, and so on, as SEED
    shows 250 of each of four subjects."""
    seed: int | None
    """Seed of the plan (default: 42)."""
    consent: Path | None
    """The text to which people must agree before they see anything else: paragraphs, # headings, - lists."""
    demographics: Path | None
    """Questions about the person: a TOML file, or ``standard`` (age, gender, eyesight)."""
    completion_code: str | None
    """A code that everybody is shown at the end."""
    completion_secret: str | None
    """Make a code for each page from this secret of 8 characters or more, which survey.json keeps."""
    completion_url: str | None
    """Where a link at the end leads, such as Prolific's address; {CODE} in it becomes the code."""
    submit_url: str | None
    """Send the answers to this address at the end (POST, JSON)."""
    datapipe: str | None
    """Send the answers to this experiment of DataPipe (pipe.jspsych.org)."""
    set: Settings | None
    """Decide a convention, such as values=0..255: values, alpha, stack_order, frames, on_missing."""


class AnswerOptions(TypedDict, total=False):
    """The options of :func:`neurogauge.survey.read`."""

    overwrite: bool
    """Replace a finished run of other inputs or options in that folder."""
    failed_share: float | None
    """Raters who fail more than this share of their attention checks do not count (default: 0.25)."""
    keep_failed: bool
    """Count the ratings of raters who fail."""
    keep_emails: bool
    """Keep e-mail addresses as the names of raters, which otherwise become pseudonyms."""


class PowerOptions(TypedDict, total=False):
    """The options of :func:`neurogauge.survey.power`."""

    pairs: int | Sequence[int] | None
    """Numbers of pairs (default: 100,300)."""
    raters: int | Sequence[int] | None
    """Numbers of raters of each pair (default: 3,10)."""
    correlation: float | Sequence[float] | None
    """Correlations of the metric with the quality that raters judge, from -1 to 1 (default: 0.5,0.8)."""
    pairs_per_rater: int | None
    """Pairs that one person rates, at most (default: 50)."""
    rater_noise: float | None
    """Mean standard deviation of what raters add to the quality, in points of the scale (default: 0.85)."""
    simulations: int | None
    """Surveys that are simulated for each combination of numbers (default: 100)."""
    preset: Literal["seed"] | None
    """Make intervals as a paper does: ``seed`` draws raters and reports percentiles (``bootstrap`` raters
    ``interval`` percentile), which is slow in ``survey power``."""
    bootstrap: Literal["raters", "items", "both"] | None
    """What a repetition of the survey would draw again (default: items)."""
    resamples: int | None
    """Bootstrap resamples, for percentile and bca (default: 1000)."""
    level: float | None
    """Level of the intervals (default: 0.95)."""
    interval: Literal["studentized", "percentile", "bca"] | None
    """How intervals are made (default: studentized over items, percentile where raters are drawn)."""
    seed: int | None
    """Seed of resamples, permutations and simulations (default: 42)."""
    out: Path | None
    """Where power.json, power.md and power.csv go, if anywhere."""
    overwrite: bool
    """Replace a finished run of other inputs or options in that folder."""


class AgreementOptions(TypedDict, total=False):
    """The options of :func:`neurogauge.agreement`."""

    lower_is_better: str | Sequence[str] | None
    """Metrics for which lower is better. ``neurogauge score`` knows its own; for any other metric higher is better
    unless it is named here, with a warning."""
    higher_is_better: str | Sequence[str] | None
    """Metrics for which higher is better."""
    item_column: str | None
    """Column of the ratings that names the item (default: among the usual names). Several that make up an item as
    NAME,NAME; tables of scores may have the same columns."""
    rater_column: str | None
    """Column that names the rater (default: among the usual names)."""
    value_column: str | None
    """Column with the rating (default: among the usual names). Several questions as NAME,NAME: each is evaluated for
    itself, into a folder of its name in OUT."""
    rater_columns: str | Sequence[str] | None
    """Columns of the raters in a table with one for each, such as 'sem_*' or ann,bob (default: all but the items and
    what cannot be ratings): each pattern is a question, evaluated for itself into a folder of its name (or
    NAME=PATTERN) in OUT."""
    join: str | None
    """Which scored item a rated item is: exact (the same id), stem (without folders, address and extension), number
    (the only one in the stem), or what the rated items are called, such as 'mindeye2_{stem}' or
    'https://x/{number}/recon.png' (default: exact)."""
    pairs: Literal["all", "shared"] | None
    """``all`` makes an item without ratings or scores an error; with ``shared``, as without this option, such items
    are counted and named."""
    keep_emails: bool
    """Keep e-mail addresses as the names of raters, which otherwise become pseudonyms."""
    human_score: Literal["mean", "zscore"] | None
    """Human score of an item: the mean of its ratings, or of each rater's z-scores (default: mean)."""
    group_columns: str | Sequence[str] | None
    """Column of the ratings that puts items into groups, such as the system or the stimulus of each: statistics are
    repeated within groups and averaged over them."""
    stimulus_column: str | None
    """Column of the ratings that names the stimulus of each item: items of one stimulus are drawn together."""
    stimulus_pattern: str | None
    """What rated items are called, with {stimulus} where their stimulus is named and * where anything may be, such
    as '*/{stimulus}'."""
    stimuli: Literal["auto", "independent"] | None
    """Which items show the same stimulus, where neither a column nor a pattern says it (default: auto)."""
    preset: Literal["seed"] | None
    """Make intervals as a paper does: ``seed`` draws raters and reports percentiles (``bootstrap`` raters
    ``interval`` percentile), which is slow in ``survey power``."""
    bootstrap: Literal["raters", "items", "both"] | None
    """What a repetition of the survey would draw again (default: items)."""
    resamples: int | None
    """Bootstrap resamples, for percentile and bca (default: 1000)."""
    level: float | None
    """Level of the intervals (default: 0.95)."""
    interval: Literal["studentized", "percentile", "bca"] | None
    """How intervals are made (default: studentized over items, percentile where raters are drawn)."""
    seed: int | None
    """Seed of resamples, permutations and simulations (default: 42)."""
    permutations: int | None
    """Permutations behind the chance levels (default: 200)."""
    combinations: Literal["auto", "on", "off"] | None
    """Averages of two metrics, best subsets, fitted weights, and what each part of a composite adds; auto: with 2 to
    12 metrics (default: auto)."""
    scaling: Literal["raw", "zscore", "rank"] | None
    """What scores become before they are averaged (default: raw)."""
    select_by: Literal["accuracy", "tau-b", "pearson", "spearman"] | None
    """What the best subset is best in (default: tau-b)."""
    folds: int | None
    """Folds of the cross-validation of subsets and weights (default: 5)."""
    worst: int | None
    """Items per metric whose rank differs most from the rank by people; 0 for none (default: 5)."""
    classes: Path | Sequence[Path] | None
    """Class of each stimulus and reconstruction, to compare metrics and people on pairs of the same and of different
    class: a CSV (item, gt_label, recon_label), or two .npy matrices of logits (stimuli, reconstructions) with
    ids.json beside each."""
