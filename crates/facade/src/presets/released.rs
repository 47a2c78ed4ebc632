//! Evaluations released by others, and the options that equal them.

use super::ScorePreset;
use crate::ScoreRequest;
use neurogauge_core::image::{Arithmetic, Filter};
use neurogauge_metrics::decoding::identification::Copies;
use neurogauge_metrics::decoding::ssim_flavours::SsimFlavour;
use neurogauge_metrics::{PixelOptions, Proportions};
use neurogauge_models::ImagePreset;
use serde::Serialize;

#[derive(Debug, Clone, Copy, Serialize)]
pub struct ReleasedCode {
    /// The preset of `score` that equals it; `None` for an evaluation that other commands follow by default.
    #[serde(skip)]
    pub preset: Option<ScorePreset>,
    #[serde(rename = "preset")]
    pub name: &'static str,
    /// The repository on GitHub, or the package.
    pub repository: &'static str,
    /// The commit or version that was read.
    pub commit: &'static str,
    pub file: &'static str,
    /// How it was compared with this program.
    pub checked: &'static str,
    pub decides: &'static str,
    /// Ids of the metrics that it covers.
    pub metrics: &'static [&'static str],
    /// Differences between the code and its description; empty if there are none.
    pub differs: &'static str,
}

const NSD8: &[&str] = &["pixcorr", "ssim", "alexnet2", "alexnet5", "inception", "clip", "effnet", "swav"];

const NSD8_BUT_CLIP: &[&str] = &["pixcorr", "ssim", "alexnet2", "alexnet5", "inception", "effnet", "swav"];

/// It was run on arrays made for this purpose, and gives the same values.
const RUN: &str = "run by reference/released_code.py, and equal";

/// All released evaluations with a preset.
pub const RELEASED: &[ReleasedCode] = &[
    ReleasedCode {
        preset: Some(ScorePreset::Mindeye1),
        name: "mindeye1",
        repository: "MedARC-AI/fMRI-reconstruction-NSD",
        commit: "6b30ea53c0f98b0a79b8f6828b6787a5913fd08d",
        file: "src/Reconstruction_Metrics.py",
        checked: RUN,
        decides: "256 x 256 px first, then 425 px for pixels and the models' sizes; floats, bilinear, not smoothed; SSIM of grey images",
        metrics: NSD8,
        differs: "",
    },
    ReleasedCode {
        preset: Some(ScorePreset::Mindeye2),
        name: "mindeye2",
        repository: "MedARC-AI/MindEyeV2",
        commit: "c1847188200e075b960ad6b87333e51ea17be1b1",
        file: "src/final_evaluations.ipynb",
        checked: RUN,
        decides: "as mindeye1",
        metrics: NSD8,
        differs: "scores 0.75 reconstruction + 0.25 blurry reconstruction; this preset scores the images that it is given",
    },
    ReleasedCode {
        preset: Some(ScorePreset::Atm),
        name: "atm",
        repository: "dongyangli-del/EEG_Image_decode",
        commit: "0c06673e3665671d0f21a3e352ec518454f45ff3",
        file: "Generation/fMRI-reconstruction-NSD/src/Reconstruction_Metrics_ATM.ipynb",
        checked: "read, not run",
        decides: "as mindeye1: its two-way identification and SSIM are the same statements",
        metrics: NSD8,
        differs: "resizes tensors of 8 bits, which torchvision rounds at each step; this preset computes in floats",
    },
    ReleasedCode {
        preset: Some(ScorePreset::Mindbridge),
        name: "mindbridge",
        repository: "littlepure2333/MindBridge",
        commit: "2a3943ff5b619db6f85f16a5e7ff1331d25def55",
        file: "src/eval.py",
        checked: RUN,
        decides: "no step through 256 px: from the images' own size to 425 px and the models' sizes; floats, bilinear, not smoothed",
        metrics: NSD8,
        differs: "",
    },
    ReleasedCode {
        preset: Some(ScorePreset::Neuropictor),
        name: "neuropictor",
        repository: "jingyanghuo/neuropictor",
        commit: "5e1584a38464b0689cb3457ed4e2a0f7b2241263",
        file: "eval_metrics.py",
        checked: RUN,
        decides: "as mindeye1, except CLIP",
        metrics: NSD8_BUT_CLIP,
        differs: "resizes bicubically for CLIP, after the bilinear step through 256 px, which this preset does not: it leaves clip out",
    },
    ReleasedCode {
        preset: Some(ScorePreset::BrainDiffuser),
        name: "brain-diffuser",
        repository: "ozcelikfu/brain-diffuser",
        commit: "31d52c01b7f204b9887024eb670065a0197f5bcc",
        file: "scripts/evaluate_reconstruction.py",
        checked: RUN,
        decides: "Pillow's 8 bits, smoothed: 425 x 425 px, bicubic, for pixels; 224 x 224 px, bilinear, for every model; SSIM with the \
                  columns of the grey images taken as channels",
        metrics: NSD8,
        differs: "asks for SSIM over channels (multichannel=True) of grey images: in scikit-image 0.17.2, which it pins, their columns are \
                  compared one by one",
    },
    ReleasedCode {
        preset: Some(ScorePreset::Mirage),
        name: "mirage",
        repository: "MedARC-AI/MindEye_Imagery",
        commit: "198b0cb07a6baae8c0c6cd71185709dfb36c2567",
        file: "src/final_evaluations_mi_multi.ipynb",
        checked: RUN,
        decides: "512 px for pixels, no step through 256 px; floats, bilinear, not smoothed; one is subtracted in identification",
        metrics: NSD8,
        differs: "two-way identification as released: low by 1/(N-1); with its 12 stimuli perfect is 0.909 and chance 0.409",
    },
    ReleasedCode {
        preset: Some(ScorePreset::Mindvideo),
        name: "mindvideo",
        repository: "jqin4749/MindVideo",
        commit: "5097206d93209e7b32d24169a0b81e0d1104e6d1",
        file: "src/MindVideo/utils/eval_metrics.py",
        checked: RUN,
        decides: "frames at their own size; SSIM is the mean over colours under a uniform window of 7 x 7 px; 50-way accuracy with three \
                  right classes",
        metrics: &["ssim", "n_way_accuracy_50"],
        differs: "stimulus and reconstruction are the halves of one picture with a border, which are shifted by 1 px; this preset \
                  scores the frames that it is given. Draws classes 100 times without a seed, where this preset takes the expectation, and \
                  classifies with google/vit-base-patch16-224 in half precision",
    },
    ReleasedCode {
        preset: Some(ScorePreset::Neurons),
        name: "neurons",
        repository: "xmed-lab/NEURONS",
        commit: "4e4fd545d982747cc9e2a4af2eb0186a22eb5c84",
        file: "eval_metrics.py",
        checked: RUN,
        decides: "frames at their own size; SSIM with the columns of the grey images taken as channels; 2-way and 50-way accuracy with \
                  three right classes",
        metrics: &["ssim", "psnr", "n_way_accuracy_2", "n_way_accuracy_50"],
        differs: "SSIM of a grey image with channel_axis=-1 compares its columns one by one; halves of one picture and draws without a \
                  seed as in mindvideo, and the same classifier in single precision",
    },
    ReleasedCode {
        preset: Some(ScorePreset::Cinebrain),
        name: "cinebrain",
        repository: "yanweifu-sii/CineBrain",
        commit: "f8b8ab2f210d30caacaab6c77518a52ffa6977a9",
        file: "get_metric.py",
        checked: "read in part: models/eval_metrics.py, which it calls, is not in the repository",
        decides: "as mindvideo, with 2 ways too: it calls that file's functions by the same names, with several numbers of ways at once",
        metrics: &["ssim", "n_way_accuracy_2", "n_way_accuracy_50"],
        differs: "compares the first 33 frames of each prediction with all frames of the stimulus; this preset scores the frames that it \
                  is given. Which SSIM it computes, and how many classes count as right, are unknown without the missing file",
    },
    ReleasedCode {
        preset: None,
        name: "umbrae",
        repository: "weihaox/BrainHub",
        commit: "d8880b247465576715cf08dacbc5167851ed6820",
        file: "eval_bbox_rec.py",
        checked: RUN,
        decides: "what `score captions` and `score boxes` follow without an option: CLIP-S (2.5 times the cosine, not below 0), RefCLIP-S, \
                  intersection over union, and accuracy above 0.5",
        metrics: &["clip_s", "ref_clip_s", "accuracy", "iou"],
        differs: "pairs decoded boxes with boxes by their position in two lists, which shifts all later ones where one side lacks a \
                  category; `score boxes` pairs them by image and category. A cosine below 0 to every reference makes RefCLIP-S negative there, \
                  and 0 here",
    },
    ReleasedCode {
        preset: Some(ScorePreset::Official),
        name: "official",
        repository: "Concarne2/SEED",
        commit: "65ce33a372a79ad4caf4091e0682364bc2ad2727",
        file: "seed/metrics.py",
        checked: RUN,
        decides: "SEED, also under the name seed: Object F1 over 18 thresholds, boxes of 50 px² or more, reading up to the first score below; EffNet's images from their \
                  own size, smoothed by torchvision 0.17 or later",
        metrics: &["object_f1", "effnet_official", "seed"],
        differs: "recall and precision count as 1 where a side has no category at any threshold",
    },
    ReleasedCode {
        preset: Some(ScorePreset::Capture),
        name: "capture",
        repository: "capture_metric on PyPI",
        commit: "0.1.13",
        file: "capture_metric/capture.py",
        checked: "run by reference/basic_h.py, and equal",
        decides: "BASIC-H: greedy matching, containment of substrings, weights 5:5:2",
        metrics: &["basic_h"],
        differs: "",
    },
];

impl ReleasedCode {
    /// Does it determine how images are compared, rather than how SEED or BASIC-H combine what models observed?
    pub fn is_of_images(&self) -> bool {
        ![Some(ScorePreset::Official), Some(ScorePreset::Capture), None].contains(&self.preset)
    }
}

/// Names of the presets that determine how images are compared.
pub(super) fn of_images() -> impl Iterator<Item = &'static str> {
    RELEASED.iter().filter(|code| code.is_of_images()).map(|code| code.name)
}

/// MindEye2's pixels: squashed to 256 x 256 px first.
pub(super) fn through_256() -> PixelOptions {
    PixelOptions {
        first_size_px: Some(256),
        proportions: Proportions::Squashed,
        ..PixelOptions::default()
    }
}

/// Sets the options of a released evaluation of images. No such evaluation knows which pairs show the same stimulus.
pub(super) fn apply(request: &mut ScoreRequest, code: ScorePreset) {
    let frames = |ssim: SsimFlavour| PixelOptions {
        size_px: None,
        ssim,
        ..PixelOptions::default()
    };
    let native = (ImagePreset::Nsd8Native, Some(false));
    let (pixels, (preset, antialias)) = match code {
        ScorePreset::Mindbridge => (PixelOptions::default(), native),
        ScorePreset::BrainDiffuser => (
            PixelOptions {
                proportions: Proportions::Squashed,
                filter: Filter::Bicubic,
                antialias: true,
                arithmetic: Arithmetic::EightBit,
                ssim: SsimFlavour::Columns,
                ..PixelOptions::default()
            },
            (ImagePreset::BrainDiffuser, None),
        ),
        ScorePreset::Mirage => (
            PixelOptions {
                size_px: Some(512),
                ..PixelOptions::default()
            },
            native,
        ),
        ScorePreset::Mindvideo | ScorePreset::Cinebrain => {
            (frames(SsimFlavour::Colour), (ImagePreset::Published, None))
        }
        ScorePreset::Neurons => (frames(SsimFlavour::Columns), (ImagePreset::Published, None)),
        _ => (through_256(), (ImagePreset::Nsd8Mindeye2, None)),
    };
    request.options.pixels = pixels;
    request.perception.preset = preset;
    request.perception.antialias = antialias;
    request.options.identification.subtract_own = code == ScorePreset::Mirage;
    request.options.identification_copies = Copies::Keep;
}
