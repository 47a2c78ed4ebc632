//! What files mean where they leave it open, and which parts of items are compared.

use super::entry::Convention;
use super::value::{itself, optional, word};
use crate::request::OwnRegion;
use crate::word_or_file::WordOrFile;
use crate::{SampleScore, ScoreRequest};
use neurogauge_core::image::Background;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::FrameMatch;

pub(super) fn no_parts() -> String {
    format!("it is about the parts of items; say with {} what these are", option("parts", ""))
}

pub(super) fn conventions() -> Vec<Convention> {
    vec![
        Convention::new(
            ("values", "image-unit"),
            "What floats outside 0 to 1 are: `0..255`, `-1..1`, `clip` (an overshoot, which image files clip) or \
             `as-they-are`. Without it, values far outside are an error",
            optional("an error if values are far outside 0 to 1", word()),
            |request| Some(&mut request.reading.values),
        ),
        Convention::new(
            ("alpha", "image-transparency"),
            "What transparent pixels lie on: `white`, `black`, or `as-stored`, where the colours below them count. Without \
             it, transparent pixels that hide colours are an error",
            optional("an error if transparent pixels hide colours", word()),
            |request| Some(&mut request.reading.alpha),
        ),
        Convention::of_fields(
            ("region", "foreground"),
            "The pixels that PixCorr, SSIM, PSNR and LPIPS compare: the opaque ones of each stimulus (`alpha`), those of masks \
             in a folder or stack, or `none`: all. Around them both images get the colour of `alpha` (white by default)",
            optional("none", itself::<WordOrFile<OwnRegion>>("alpha|PATH")),
            |request: &mut ScoreRequest, region| {
                if matches!(region, Some(WordOrFile::Word(_))) {
                    request.reading.alpha.get_or_insert(Background::White);
                }
                request.region = region;
                true
            },
            |request| Some(request.region.clone()),
        )
        .file_if(|value| !["alpha", "none"].contains(&value)),
        Convention::new(
            ("stack_order", "pairing-stack"),
            "In which order a stack (.npy, .pt), whose images have no names, holds those that the other side names: `natural` \
             (1, 2, 10), `text` (1, 10, 2, as sorted(os.listdir()) in Python) or `reversed`. All rows pair with all names",
            optional("rows are called 0, 1, 2, ...", word()),
            |request| Some(&mut request.pairing.order),
        ),
        Convention::new(
            ("frames", "frames"),
            "Which frames are compared: `nearest`, each frame of the stimulus with that of the reconstruction at the same \
             time; `error`, equal numbers of frames; `first:N`; `uniform:N`, N times evenly spaced; or one that stands for \
             the clip, `middle` or `at:N`",
            itself::<FrameMatch>("WHICH"),
            |request| Some(&mut request.pairing.parts.as_mut()?.frames),
        ),
        Convention::new(
            ("on_missing", "parts"),
            "What to do if one side of an item lacks a sample or view: `error`, or `skip`, where those of both sides count",
            word(),
            |request| Some(&mut request.pairing.parts.as_mut()?.on_missing),
        ),
        Convention::new(
            ("samples", "samples"),
            "The score of an item with several samples: `mean`, or `best:K`, the expected best of K of them, which knows the \
             stimulus",
            itself::<SampleScore>("WHICH"),
            |request| request.pairing.parts.is_some().then_some(&mut request.samples),
        ),
        Convention::new(
            ("odd_frames", "odd-frames"),
            "What to do with the last frame if a clip has an odd number and a model sees two at a time (VideoMAE): `error`, or \
             `drop-last`",
            word(),
            |request| request.pairing.parts.is_some().then_some(&mut request.perception.odd_frames),
        ),
    ]
}
