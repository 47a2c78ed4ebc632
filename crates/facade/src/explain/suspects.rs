//! Mistakes that are common in this field, each with the change that undoes it or makes it.

use crate::{Error, RELEASED, ScoreRequest};
use neurogauge_core::image::{Background, FloatScale};
use neurogauge_core::option_words::option;
use neurogauge_core::pair::StackOrder;
use neurogauge_core::{Image, Pair, Side, Sides};
use neurogauge_formats::colour_profile::ColourProfile;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_metrics::PixelOptions;

/// What is different if a mistake was made.
pub(super) enum Change {
    /// The values of the reconstructions.
    Recon(fn(f32) -> f32),
    /// The values of the stimuli.
    Gt(fn(f32) -> f32),
    /// The pixels of the reconstructions.
    Pixels(fn(Image<f32>) -> Image<f32>),
    /// The reconstruction of each pair, by the place of the pair that has it; `None` leaves the pair out.
    Order(Vec<Option<usize>>),
    /// What transparent pixels of both sides lie on.
    Alpha(Background),
    /// The colour profile in the files of a side is applied.
    Profile(Side, ColourProfile),
    /// How images are resized and compared.
    Compared(PixelOptions),
}

impl Change {
    /// Are files read in another way?
    pub(super) fn is_of_reading(&self) -> bool {
        matches!(self, Change::Alpha(_) | Change::Profile(..))
    }

    /// Two mistakes of one kind are not supposed together.
    pub(super) fn is_like(&self, other: &Change) -> bool {
        let kind = |change: &Change| match change {
            Change::Recon(_) | Change::Gt(_) => 0,
            Change::Pixels(_) => 1,
            Change::Order(_) => 2,
            Change::Alpha(_) | Change::Profile(..) => 3,
            Change::Compared(_) => 4,
        };
        kind(self) == kind(other)
    }
}

pub(super) struct Suspect {
    pub(super) mistake: String,
    /// The option or the step that mends it.
    pub(super) remedy: String,
    pub(super) change: Change,
    /// By which factor the squared differences must shrink, at least, before the files are said to show it.
    pub(super) factor: f64,
    /// What stored values must look like; a decoder's own brightness or contrast is no mistake.
    pub(super) shows: fn(&Image<f32>) -> bool,
}

/// Half of the squared differences of a mistake go with it.
const HALF: f64 = 2.0;
/// A third less is enough where a decoder cannot do the same.
const LESS: f64 = 1.5;

fn suspect(mistake: &str, remedy: impl Into<String>, change: Change) -> Suspect {
    Suspect {
        mistake: mistake.to_owned(),
        remedy: remedy.into(),
        change,
        factor: LESS,
        shows: |_| true,
    }
}

/// Everything that is suspected of these images.
pub(super) fn suspects(
    images: &Sides<ImageSource>,
    pairs: &[Pair],
    request: &ScoreRequest,
) -> Result<Vec<Suspect>, Error> {
    let scale = |scale: FloatScale| option("values", scale.word()).to_string();
    let mut found = vec![
        suspect(
            "the reconstructions hold -1 to 1, and are read as 0 to 1",
            scale(FloatScale::Signed),
            Change::Recon(|value| FloatScale::Signed.to_unit(value)),
        )
        .where_stored(|image| image.data().iter().any(|value| *value < -0.05)),
        suspect(
            "the reconstructions hold 0 to 255, and are read as 0 to 1",
            scale(FloatScale::Levels),
            Change::Recon(|value| FloatScale::Levels.to_unit(value)),
        ),
        suspect(
            "the reconstructions overshoot 0 to 1, and are not clipped",
            scale(FloatScale::Clipped),
            Change::Recon(|value| FloatScale::Clipped.to_unit(value)),
        ),
        suspect(
            "the reconstructions were divided by 255 twice",
            "multiply them by 255 before saving",
            Change::Recon(|value| value * 255.0),
        )
        .where_stored(|image| image.data().iter().all(|value| *value <= 0.02)),
        suspect(
            "the reconstructions were mapped by (x + 1) / 2 although x was 0 to 1 already: they are pale",
            "save x",
            Change::Recon(|value| 2.0 * value - 1.0),
        )
        .where_stored(|image| image.data().iter().all(|value| (0.49..=1.01).contains(value))),
        suspect(
            "the reconstructions were -1 to 1 and clipped at 0 when saved: what was dark is black",
            "save (x + 1) / 2",
            Change::Gt(|value| (2.0 * value - 1.0).clamp(0.0, 1.0)),
        )
        .where_stored(|image| {
            let n_black = image.data().iter().filter(|value| **value <= 0.0).count();
            10 * n_black > image.data().len()
        }),
        suspect(
            "red and blue of the reconstructions are exchanged (BGR)",
            "exchange them before saving: x[..., ::-1]",
            Change::Pixels(|mut image| {
                image.data_mut().as_chunks_mut::<3>().0.iter_mut().for_each(|pixel| pixel.reverse());
                image
            }),
        ),
        suspect(
            "height and width of the reconstructions are exchanged (transposed)",
            "transpose them before saving",
            Change::Pixels(transposed),
        ),
        suspect(
            "left and right of the reconstructions are exchanged (mirrored)",
            "mirror them before saving",
            Change::Pixels(mirrored),
        ),
        suspect(
            "the reconstructions hold linear light, not sRGB (another colour profile)",
            "convert them to sRGB",
            Change::Recon(|value| value.max(0.0).powf(1.0 / 2.2)),
        )
        .by(HALF),
        suspect(
            "sRGB was applied to the reconstructions twice (another colour profile)",
            "convert them to sRGB once",
            Change::Recon(|value| value.max(0.0).powf(2.2)),
        )
        .by(HALF),
    ];
    if images.gt.is_transparent() || images.recon.is_transparent() {
        for background in [Background::White, Background::Black] {
            let mistake = format!("transparent pixels lie on {}", background.word());
            let remedy = option("alpha", background.word()).to_string();
            found.push(suspect(&mistake, remedy, Change::Alpha(background)));
        }
    }
    let profiles = Side::BOTH.map(|side| profile(images.side(side), pairs, side));
    if let [Some(_), None] | [None, Some(_)] = &profiles {
        for (side, profile) in Side::BOTH.into_iter().zip(profiles) {
            let Some(profile) = profile else { continue };
            let mistake = format!(
                "the {side} files have a colour profile, which is ignored, and those of the other side have none"
            );
            found.push(suspect(&mistake, "convert them to sRGB", Change::Profile(side, profile)));
        }
    }
    found.extend(orders(pairs));
    Ok(found.into_iter().chain(released(request)?).collect())
}

impl Suspect {
    fn by(self, factor: f64) -> Self {
        Suspect { factor, ..self }
    }

    fn where_stored(self, shows: fn(&Image<f32>) -> bool) -> Self {
        Suspect { shows, ..self }
    }
}

fn transposed(image: Image<f32>) -> Image<f32> {
    let (width, height) = (image.width_px(), image.height_px());
    let pixel = |place: usize| {
        let at = (place % height) * width + place / height;
        [0, 1, 2].map(|channel| image.data()[3 * at + channel])
    };
    let values: Vec<f32> = (0..width * height).flat_map(pixel).collect();
    Image::new(height, width, values).unwrap_or(image)
}

fn mirrored(mut image: Image<f32>) -> Image<f32> {
    let width = image.width_px().max(1);
    let (pixels, _) = image.data_mut().as_chunks_mut::<3>();
    pixels.chunks_mut(width).for_each(|row| row.reverse());
    image
}

/// The colour profile of a side, if nine of ten files have one.
fn profile(source: &ImageSource, pairs: &[Pair], side: Side) -> Option<ColourProfile> {
    let of_file = |pair: &Pair| ColourProfile::of_file(source.file_path(pair.of(side))?);
    let first = of_file(pairs.first()?)?;
    let n = pairs.iter().filter(|pair| of_file(pair).is_some()).count();
    (10 * n >= 9 * pairs.len()).then_some(first)
}

/// Other orders in which reconstructions may have been numbered, if they differ from the order that pairs them.
fn orders(pairs: &[Pair]) -> Vec<Suspect> {
    let n = pairs.len();
    let stems: Vec<&str> = pairs.iter().map(|pair| pair.stem.as_str()).collect();
    let (natural, text) = (StackOrder::Natural.places(&stems), StackOrder::Text.places(&stems));
    let reversed: Vec<usize> = natural.iter().rev().copied().collect();
    let (all_but_first, all_but_last) = (&natural[1..], &natural[..n - 1]);
    let paired = |stimuli: &[usize], recons: &[usize]| {
        let mut of = vec![None; n];
        stimuli.iter().zip(recons).for_each(|(&stimulus, &recon)| of[stimulus] = Some(recon));
        of
    };
    let mend =
        |order: StackOrder| format!("{} for a stack; else rename the files", option("stack_order", order.word()));
    let all = [
        (
            "the reconstructions are in the order of text (1, 10, 2)",
            mend(StackOrder::Text),
            paired(&text, &natural),
        ),
        (
            "the stimuli are in the order of text (1, 10, 2)",
            "rename the files in the order of numbers".to_owned(),
            paired(&natural, &text),
        ),
        ("the reconstructions are in reversed order", mend(StackOrder::Reversed), paired(&natural, &reversed)),
        (
            "reconstruction k is of stimulus k + 1",
            "number them one higher".to_owned(),
            paired(all_but_first, all_but_last),
        ),
        (
            "reconstruction k is of stimulus k - 1",
            "number them one lower".to_owned(),
            paired(all_but_last, all_but_first),
        ),
    ];
    let is_other = |of: &[Option<usize>]| of.iter().enumerate().any(|(place, recon)| *recon != Some(place));
    let others = all.into_iter().filter(|(_, _, of)| is_other(of));
    others.map(|(mistake, remedy, of)| suspect(mistake, remedy, Change::Order(of))).collect()
}

/// The sizes and the resizing of released evaluations, each once.
fn released(request: &ScoreRequest) -> Result<Vec<Suspect>, Error> {
    let mut found: Vec<(String, PixelOptions)> = Vec::new();
    for code in RELEASED.iter().filter(|code| code.preset.is_some()) {
        let mut other = request.clone();
        other.apply_presets(code.preset.as_slice())?;
        let pixels = other.options.pixels;
        match found.iter_mut().find(|(_, known)| *known == pixels) {
            Some((names, _)) => *names += &format!(", {}", code.name),
            None if pixels == request.options.pixels => {}
            None => found.push((code.name.to_owned(), pixels)),
        }
    }
    let of_code = |(names, pixels): (String, PixelOptions)| {
        let first = names.split(',').next().unwrap_or_default();
        let remedy = option("preset", first).to_string();
        suspect(&format!("images are compared as by {names}"), remedy, Change::Compared(pixels))
    };
    Ok(found.into_iter().map(of_code).collect())
}
