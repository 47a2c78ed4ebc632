"""The options of ``ng.score``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from ._result import Interval
from ._run import Path


class ScoreOptions(TypedDict, total=False):
    """The options of :func:`neurogauge.score`: the options of ``neurogauge score``, with ``_`` for ``-``. None stands
    for the default.

    What several calls share can be held in one mapping::

        options: ng.ScoreOptions = {"preset": ["paper", "published"], "pixel_size": 256}
        mine, other = (ng.score("stimuli", folder, **options) for folder in ("mine", "other"))
    """

    # Inputs
    pairs: Literal["all", "shared"] | None
    """Which stems are scored: "all" (the default: a stem without a partner is an error), or "shared", those that both sides have; the
    run's warnings count and name the others."""
    match: str | None
    """What the reconstruction of a stem is called, without its extension, such as ``"{stem}_recon"``; with ``"{number}"``, the numbers
    in both names pair, with or without leading zeros. ``"STIMULUS=RECONSTRUCTION"`` says what both are called, such as
    ``"*_{stem}/*={stem}"``, where ``*`` stands for anything but a slash (default: ``"{stem}"``)."""
    stack_order: Literal["natural", "text", "reversed"] | None
    """In which order a stack, whose images have no names, holds those that the other side names: "natural" (1, 2, 10), "text" (1, 10, 2,
    as ``sorted(os.listdir())``) or "reversed". All rows pair with all names (default: rows are called "0", "1", "2", ...)."""
    parts: str | None
    """What the parts of an item are: "frame", "view" or "sample" (a folder, a GIF file or a row of a stack for each item), or what images
    are called, such as ``"{item}_{sample}"``. Scores, intervals and tests are then of items (default: each image is an item)."""
    frames: str | None
    """Which frames are compared: "nearest" (the default: each frame of the stimulus with that of the reconstruction at the same time),
    "error" (equal numbers of frames), "first:N", "uniform:N" (N times evenly spaced), or one frame that stands for the clip: "middle" or
    "at:N"."""
    on_missing: Literal["error", "skip"] | None
    """What becomes of samples or views that one side of an item lacks: "error" (the default), or "skip", where those of both sides
    count."""
    values: Literal["0..255", "-1..1", "clip", "as-they-are"] | None
    """What floats outside 0 to 1 are: "0..255", "-1..1", "clip" (an overshoot, which image files clip) or "as-they-are". Without it, values
    far outside are an error."""
    alpha: Literal["white", "black", "as-stored"] | None
    """What transparent pixels lie on: "white", "black", or "as-stored", where the colours below them count. Without it, transparent pixels
    that hide colours are an error."""
    samples: str | None
    """The score of an item with several samples: "mean" (the default), or "best:K", the expected best of K of them, which knows the
    stimulus."""
    odd_frames: Literal["error", "drop-last"] | None
    """What becomes of the last frame where a clip has an odd number and a model sees two at a time (VideoMAE): "error" (the default), or
    "drop-last"."""
    chosen_samples: Path | None
    """The sample of each item that was chosen without looking at the stimulus: a table with the columns item and sample."""
    observations: Path | None
    """Folder with gt/ and recon/ inside (detections/, captions.json, scene_graphs.json, vlm_categories.json, image_texts.json, masks/,
    features/; recon/vqa_scores.json), or SEED's evaluations/<model>/."""
    gt_captions: Path | None
    """Captions of the stimuli: JSON {"stem": "text"} or {"stem": ["text", ...]}, or SEED's .npy."""
    recon_captions: Path | None
    """Captions of the reconstructions."""
    gt_detections: Path | None
    """Detections in the stimuli: a folder of mmdetection JSON, or one JSON of boxes by category."""
    recon_detections: Path | None
    """Detections in the reconstructions."""
    gt_vlm_categories: Path | None
    """Categories that a vision-language model names in the stimuli: JSON {"stem": "dog, frisbee"} or {"stem": ["dog", ...]}."""
    recon_vlm_categories: Path | None
    """The same in the reconstructions."""
    gt_image_texts: Path | None
    """Texts that are written in the stimuli, as a vision-language model reads them: JSON {"stem": ["EXIT", ...]}, [] for none."""
    recon_image_texts: Path | None
    """The same in the reconstructions."""
    gt_masks: Path | None
    """Masks of the stimuli: a folder of Grounded SAM 2's JSON or of PNG label maps with labels.json, or one JSON of COCO's
    instances."""
    recon_masks: Path | None
    """Masks of the reconstructions."""
    gt_categories: Path | None
    """Which names of the stimuli's masks are objects, parts and background (BASIC's categorisation): a folder of <stem>.json, or
    one JSON {"stem": {"foreground_objects": ..}}."""
    recon_categories: Path | None
    """The same of the reconstructions' masks."""
    gt_features: Path | None
    """Folder of feature matrices of the stimuli: <model>.npy and ids.json."""
    recon_features: Path | None
    """Folder of feature matrices of the reconstructions."""
    gt_scene_graphs: Path | None
    """Scene graphs of the stimuli's captions: JSON {"stem": {"objects": [..], "attributes": {..}, "relations": [..]}}, or text
    (.txt)."""
    recon_scene_graphs: Path | None
    """Scene graphs of the reconstructions' captions."""
    vqa_scores: Path | None
    """VQA scores made elsewhere, for vqa_score: JSON {"stem": 0.83}, the probability of yes when a model is asked whether the
    reconstruction shows what the stimulus's caption says."""
    pool: Path | None
    """Other images (a folder, a stack), or a folder of their feature matrices: identification is repeated among them, which is the
    same task for every system."""
    wordnet: Path | None
    """Folder of WordNet 3.0 (default: WNSEARCHDIR, else where packages install it)."""
    punkt: Path | None
    """Folder of Punkt's English parameters (tokenizers/punkt_tab/english of nltk_data), by which captions are split into sentences
    before they are parsed or tagged (default: rules of our own)."""
    tagger: Path | None
    """Folder of a perceptron tagger's weights (taggers/averaged_perceptron_tagger_eng of nltk_data), for ``basic_noun_filter``."""

    # Output
    overwrite: bool
    """Replace a finished run of other inputs or options in that folder."""
    export_layout: Literal["official"] | None
    """Also write the run in SEED's official layout, under RUN/evaluations/."""
    overlay: str | Sequence[str] | None
    """Also draw the masks of these pairs over their images: what is right, missing and made up (RUN/figures/masks_<stem>.png)."""
    from_run: Path | None
    """A ``run.json`` to repeat; its inputs and models must be unchanged, unless ``accept_changes`` is set."""
    accept_changes: bool
    """Repeat the run although inputs or models are no longer those that it had."""
    on_failure: Literal["skip", "stop"] | None
    """What an image or caption that cannot be observed does: ``skip`` names it and leaves its pairs without a value, ``stop`` ends
    the run (default: skip)."""

    # Metrics
    preset: str | Sequence[str] | None
    """Whose protocol, one of each kind, such as ``["paper", "published"]``. Of SEED: official (its released code; the default), and for
    Object F1 paper (its text) or exact (the integral). Images on their way to pixel metrics and models: nsd8-mindeye2, nsd8-native,
    published or the name of a released evaluation, such as mindeye2 (default: nsd8-mindeye2 for models but SEED's EffNet, 425 px at once
    for pixels). BASIC-H: basic (the paper's words; the
    default) or capture (the code it builds on)."""
    labels: Path | None
    """Names behind the label indices: coco_gender (SEED's 82), coco (80), god (Generic Object Decoding's 51) or a file, which may
    say what their supercategories are and which are salient (default: the names in the files of detections; for ``detector``
    coco_gender)."""
    box_units: Literal["pixels", "shares"] | None
    """Unit of boxes in folders of detections: pixels, or shares of the image, which are multiplied by ``box_scale`` (default: pixels;
    boxes that cannot be pixels are refused)."""
    box_scale: tuple[float, float] | None
    """What boxes given as fractions are multiplied by (default: 425x425)."""
    image_size: tuple[float, float] | None
    """Size of the images behind the detections, for the size and location variants."""
    identification_direction: Literal["reconstruction", "stimulus"] | None
    """Which side supplies the distractors: other stimuli (``reconstruction`` is identified, MindEye2's code) or other reconstructions
    (``stimulus`` is identified, the SEED paper) (default: reconstruction)."""
    identification_ties: Literal["lose", "half", "win"] | None
    """How an exact tie counts in identification (default: lose)."""
    identification_copies: Literal["leave-out", "keep"] | None
    """Whether pairs of the same stimulus are distractors of each other in identification. Copies have the same image, or equal
    features where no metric reads images (default: leave-out)."""
    identification_subtract_own: Literal["on", "off"] | None
    """Count one success too few in two-way identification, as MIRAGE's released code does (default: off)."""
    n_way: int | None
    """Images to choose from in identification, the own one included (default: 2)."""
    top_k: int | None
    """The own one must be among the K most similar (default: 1)."""
    draws: int | None
    """Draw distractors (in classification accuracy: classes) at random, so many times for each pair (seed: ``seed``) (default:
    none, and the exact expectation over all draws)."""
    right_classes: int | None
    """Classification accuracy: so many of the stimulus's most probable classes count as right (default: 3)."""
    class_top_k: int | None
    """Classification accuracy: a right class must be among the K most probable (default: 1)."""
    seed_images: Literal["nsd8-mindeye2", "nsd8-native", "published", "timm", "brain-diffuser"] | None
    """How images are prepared for the EffNet that SEED is made of (default: the preset's: nsd8-native, as SEED's released code
    does, unless a preset of images is asked for by itself)."""
    object_variant: Literal["existence", "size", "location", "number"] | None
    """What Object F1 takes into account besides existence (Table 4 of the SEED paper) (default: existence)."""
    score_order: Literal["as-listed", "any"] | None
    """Read detections in file order and stop at the first below the threshold, as SEED's code does, or read all (default: the
    preset's)."""
    min_box_area: float | None
    """Smallest box that counts, px² (default: the preset's: 50 for official, else 0)."""
    references: Literal["mean", "max", "first"] | None
    """How the similarities to several reference captions become one (default: mean)."""
    vlm_names: Literal["normalised", "as-written"] | None
    """Which of the names that a vision-language model gives are the same: those that differ in case, spaces, underscores or a final
    full stop too, or only equal ones (default: normalised)."""
    pixel_size: int | Literal["own"] | None
    """Shorter side at which pixels are compared, px, or "own": images as they are (default: 425)."""
    first_size: int | None
    """Resize to this shorter side first, px (MindEye2's images went through 256)."""
    proportions: Literal["kept", "squashed"] | None
    """What resizing for comparisons of pixels does to images that are not square: keep their proportions, or squash them, so that
    images of different proportions can be compared (default: kept)."""
    filter: Literal["bilinear", "bicubic"] | None
    """Interpolation (default: bilinear)."""
    antialias: Literal["on", "off"] | None
    """Smooth before shrinking, as torchvision does since 0.17 (default: the preset's: off for nsd8-mindeye2 and without a preset,
    on for nsd8-native)."""
    pixel_arithmetic: Literal["float", "eight-bit"] | None
    """Resize in floats, or in 8 bits as Pillow does, which always smooths before shrinking; for pixels only (default: float)."""
    ssim: Literal["grey", "columns", "colour"] | None
    """Which SSIM: of the grey images; with their columns taken as channels; or the mean over three colours under a uniform window
    (default: grey)."""
    text_encoder: str | None
    """Model that embeds captions: all-MiniLM-L6-v2, all-mpnet-base-v2, Qwen3-Embedding-0.6B, or ``placeholder`` (no weights, numbers
    mean nothing) (default: all-MiniLM-L6-v2)."""
    text_instruction: str | None
    """Instruction that captions of both sides are embedded behind, such as "Retrieve semantically similar text"; only
    Qwen3-Embedding-0.6B reads one (default: none)."""
    captioner: str | None
    """Model that describes the images of both sides for caption metrics, such as git_large_coco. It takes the place of captions
    that are given: git_large_coco (as SEED does), git_base_coco, blip2_opt_2_7b (16 GB, or 8 with ``weight_precision`` bf16), or
    ``placeholder-captioner`` (no weights, numbers mean nothing); or the address of a server (see ``vlm``) (default: git_large_coco
    for metrics named with ``metrics``, where there are images and no captions)."""
    caption_beams: int | None
    """Texts that a captioner follows side by side for each image; 1 is greedy search (default: 1)."""
    caption_tokens: int | None
    """Tokens that a caption has at most, the end token included (default: 50)."""
    detector: str | None
    """Model that looks for objects in the images of both sides for metrics of detections, such as mm_grounding_dino_swin_l. It
    takes the place of detections that are given: mm_grounding_dino_swin_l (as SEED does), mm_grounding_dino_swin_t,
    grounding_dino_tiny, grounding_dino_base, yolo_world_v2_s, _m, _l, _x, or ``placeholder-detector`` (no weights, numbers mean nothing) (default:
    mm_grounding_dino_swin_l for metrics named with ``metrics``, where there are images and no detections)."""
    prompt_names: Literal["spaces", "underscores"] | None
    """How a detector is asked for categories of several words: ``traffic light`` or ``traffic_light`` (default: spaces)."""
    max_detections: int | None
    """Objects that are kept of an image, those of the highest scores (default: 300)."""
    image_models: Literal["own", "placeholder"] | None
    """Models behind feature metrics: each metric's own, or ``placeholder`` for all (no weights, numbers mean nothing) (default: own)."""
    snm_threshold: float | None
    """Score from which a category counts for SNM (default: 0.3)."""
    snm_categories: Literal["salient", "all"] | None
    """Categories of SNM (default: salient)."""
    snm_recon_categories: Literal["same", "all"] | None
    """Categories of the reconstruction that can make a near miss: the same set, or all (default: same)."""
    sdm_f1_above: float | None
    """SDM counts pairs with Object F1 above this (default: 0.7)."""
    sdm_gap_above: float | None
    """SDM counts pairs whose Object F1 is above ``sdm_f1_above`` and exceeds their SEED by more than this (default: 0.2)."""

    # Models behind a server
    vlm: str | Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
    """Address of a server with a vision-language model (``vlm_model``) that says what the images hold; several servers are tables with
    ``url``, ``model``, ``asks``, ``prompt``, ``tokens``, ``temperature`` and ``seed``. Its key is taken from the environment
    (``NEUROGAUGE_VLM_KEY``)."""
    vlm_model: str | None
    """What the server calls the model; or one that needs no server: qwen2.5-vl-7b, qwen2.5-vl-3b, clip_flant5_xl and clip_flant5_xxl (VQA
    scores only), placeholder-vlm."""
    vlm_asks: str | Sequence[str] | None
    """What the model is asked for (default: what the metrics need)."""
    vlm_prompt: str | Sequence[str] | None
    """A prompt that takes the place of a paper's: one of ``neurogauge prompts``, or WHAT=FILE with a text of your own, e.g.
    captions=prompt.txt."""
    vlm_tokens: int | None
    """Tokens that an answer has at most (default: 512)."""
    vlm_temperature: float | None
    """Temperature of the answers (default: 0)."""
    vlm_seed: int | None
    """Seed of the server's sampling (default: 0)."""
    vlm_field: str | Sequence[str] | None
    """A further field of each request, e.g. max_completion_tokens=512; null leaves a field out, e.g. max_tokens=null."""
    vlm_timeout: float | None
    """Seconds that an answer may take (default: 600)."""
    vlm_tries: int | None
    """How often a request is sent before it is given up, with longer and longer pauses (default: 5)."""
    parallel: int | None
    """Requests that wait for the server at the same time (default: 8)."""

    # BASIC-H
    parser: Literal["file", "t5", "t5-subcaptions"] | None
    """Where scene graphs come from: files, or t5: captions of both sides are parsed by the FACTUAL parser (factual_t5), several of
    an image into one graph; t5-subcaptions: once more from the sentences about one object, or about two that are related, as the
    BASIC paper words it (default: file)."""
    parser_beams: int | None
    """Texts that the parser of captions follows side by side for each sentence; 1 is greedy search (default: 5)."""
    parser_tokens: int | None
    """Tokens of a sentence's graph at most, the end token included (default: 127)."""
    phrase_encoder: str | None
    """Model that embeds what is left unmatched: all-mpnet-base-v2, all-MiniLM-L6-v2, Qwen3-Embedding-0.6B, or ``placeholder`` (no
    weights, numbers mean nothing) (default: all-mpnet-base-v2)."""
    basic_containment: Literal["whole-words", "substring", "off"] | None
    """When a phrase that is part of another matches it (default: the preset's: whole-words for basic, substring for capture)."""
    basic_assignment: Literal["optimal", "greedy"] | None
    """Which of several possible partners an element gets (default: the preset's: optimal for basic, greedy for capture)."""
    rouge_stemming: Literal["on", "off"] | None
    """Reduce words to their stems for ROUGE-1, ROUGE-2 and ROUGE-L (F1) (default: off)."""
    basic_synonyms: Literal["on", "off"] | None
    """Do phrases that share a lemma in WordNet match? (default: on)."""
    basic_soft: Literal["per-side-maximum", "one-to-one", "off"] | None
    """What elements without a match count for: their largest cosine, that with one partner, or nothing (default: per-side-maximum)."""
    basic_negative_cosines: Literal["zero", "kept"] | None
    """What a cosine below 0 counts for (default: the preset's: zero for basic, kept for capture)."""
    basic_epsilon: float | None
    """Added to every denominator (default: the preset's: 0 for basic, 1e-6 for capture)."""
    basic_weights: tuple[float, float, float] | None
    """Weights of objects, attributes and relations (default: the preset's: 4:4:2 for basic, 5:5:2 for capture)."""
    basic_lemmas: Literal["on", "off"] | None
    """Bring objects and attributes to their base forms first (WordNet) (default: on)."""
    basic_drop_of: Literal["on", "off"] | None
    """Leave out attributes that hold " of" (default: on)."""
    basic_noun_filter: Literal["on", "off"] | None
    """Only what the caption names by a noun counts, as in CAPTURE's code: the words of captions are tagged by ``tagger`` (default:
    off)."""
    basic_stop_words: Path | None
    """Objects that do not count, in base form, one per line (default: all count)."""

    # BASIC-L
    mask_categories: Literal["both", "reference"] | None
    """Whose categories masks are compared by: those of both images (what only the reconstruction has costs), or the reference's
    alone (default: both)."""
    mask_matching: Literal["optimal", "greedy"] | None
    """How objects of a name are paired: optimal assignment, or the largest overlap first (default: optimal)."""
    mask_instances: Literal["objects", "all"] | None
    """Whose masks the instance level compares: those of foreground objects, or all (default: objects)."""
    mask_background: Literal["elements", "complement"] | None
    """Background of the binary level: the masks of background elements, or all that is not foreground (default: elements)."""
    mask_empty: Literal["undefined", "zero"] | None
    """A level of which only one side has masks: undefined, or worth 0 (default: undefined)."""
    mask_resize: Literal["refuse", "nearest"] | None
    """Masks of a reconstruction of another size: refused, or brought to the reference's by their nearest pixels (default: refuse)."""
    mask_score: float | None
    """Score from which a mask counts (default: 0.25)."""
    mask_ap_thresholds: Sequence[float] | None
    """Overlaps over which average precision is averaged (default: 0.50, 0.55, ..., 0.95)."""
    mask_prompts: Literal["own", "stimulus"] | None
    """Whose categories ``masks`` asks for in reconstructions: their own, or those of their stimuli (default: own)."""
    masks: str | None
    """Model that makes masks of what the categories of each image name, instead of masks that are given: sam2.1_hiera_large (as
    Grounded SAM 2 does), sam2.1_hiera_base_plus, sam2.1_hiera_small, sam2.1_hiera_tiny, the same of sam2_, or
    ``placeholder-segmenter`` (no weights, numbers mean nothing)."""
    mask_detector: str | None
    """Detector whose boxes become masks: grounding_dino_tiny, grounding_dino_base, mm_grounding_dino_swin_t,
    mm_grounding_dino_swin_l or ``placeholder-detector`` (default: grounding_dino_tiny)."""
    box_threshold: float | None
    """A box becomes a mask if a word of the prompt fits better than this (default: 0.25)."""
    text_threshold: float | None
    """The words of the prompt that fit better than this are a mask's label (default: 0.30)."""
    unlabelled_boxes: Literal["keep", "drop"] | None
    """Boxes that no word labels: kept, as masks without a name, or dropped (default: keep)."""
    mask_nms: float | None
    """Of two boxes that overlap by more than this, the one that fits worse is left out (default: both stay)."""
    null: str | None
    """Also compute what metrics without a known level of chance give reconstructions of other stimuli: "shuffled", or "shuffled=N" for N
    random pairings (5 without a number). Each costs as much as comparing the pairs."""

    # Intervals
    resamples: int | None
    """Bootstrap resamples over pairs (default: 2000)."""
    level: float | None
    """Level of the intervals (default: 0.95)."""
    seed: int | None
    """Seed of the resamples, and of ``draws`` (default: 42)."""
    interval: Interval | None
    """How intervals of means are made (default: studentized)."""
    stimulus_pattern: str | None
    """Names of pairs if several show the same stimulus: {stimulus} for the stimulus and * for anything, such as "{stimulus}_*". Intervals
    are then over stimuli, and pairs of one stimulus are no distractors of each other (default: stimuli with the same bytes)."""
    cluster: str | Path | None
    """Stimuli that are alike (scenes of a film, pictures of a concept): a pattern of names such as "{cluster}_*", a table with the columns
    item and cluster, or "none". Intervals and tests are then over clusters; scores stay as they are (default: pieces of a film, if all names
    say it, such as movie1_clip03)."""

    # Models
    weights: Path | None
    """Folder of model weights (also: NEUROGAUGE_WEIGHTS)."""
    offline: bool
    """Never download weights."""
    checkpoint: Mapping[str, Path] | None
    """Weights of your own, by model: ``{"resnet50": "robust.pth"}``: any checkpoint with the tensors of that model (.pth, .pt,
    .safetensors, or the index of several, model.safetensors.index.json)."""
    device: str | None
    """Where models run: cpu, cuda or cuda:N (NVIDIA), metal (Apple), each in single precision, or cpu-f64 (in double precision,
    slow). cuda and metal need a build with that feature (default: cpu)."""
    precision: Literal["f32", "bf16"] | None
    """What linear maps of models multiply in: f32, or bf16 (sums stay in f32). bf16 takes half the memory for their weights, and
    less time on processors with products of bf16 (AVX-512 BF16) and on NVIDIA's (default: f32)."""
    weight_precision: Literal["f32", "bf16", "f16"] | None
    """Round the weights of all models when they are read: f32 (as they are stored), bf16 or f16 (default: f32)."""
    weights_in_f32: bool
    """Hold weights in 32 bits in memory although 16 hold them, which no result depends on: twice the memory, and less time on
    processors that have neither AVX2 nor NEON."""
    lpips_heads: Path | Sequence[Path] | None
    """Linear heads of LPIPS: alex.pth or vgg.pth of the Python package lpips (lpips/weights/v0.1/ in its wheel); the network is
    told by the file."""
